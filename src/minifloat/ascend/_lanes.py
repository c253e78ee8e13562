"""``Cast`` on registers: which lanes take part, and where the results go."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np

from minifloat._arrays import AnyArray
from minifloat._errors import DtypeError, OptionError
from minifloat.ascend._cast import recipe
from minifloat.ascend._control import Ctrl
from minifloat.ascend._masks import MaskReg
from minifloat.ascend._modes import CastTrait, MaskMergeMode, RegLayout
from minifloat.ascend._pairs import Pair
from minifloat.ascend._policy import Policy
from minifloat.ascend._registers import RegTensor
from minifloat.ascend._types import DataType, data_type

__all__ = ["cast_register"]

_RESET = Ctrl()
_DEFAULT = Policy()


def cast_register(
    dst_reg: RegTensor,
    src_reg: RegTensor,
    mask: MaskReg,
    trait: CastTrait,
    *,
    T: str | DataType | None = None,
    U: str | DataType | None = None,
    ctrl: Ctrl = _RESET,
    policy: Policy = _DEFAULT,
) -> RegTensor:
    """Run ``Reg::Cast<T, U, trait>(dstReg, srcReg, mask)``.

    With r the ratio of the element widths and L the layout's number: a widening cast reads the
    lanes ``r * i + L``; a narrowing cast writes them, and zeros between them; 4-bit elements go in
    pairs that share a byte, the even one low. A narrowing cast so leaves the other lanes zero, and
    casts with complementary layouts can be joined with OR.

    Parameters
    ----------
    dst_reg : RegTensor, shape (...)
        Written.
    src_reg : RegTensor, shape (...)
    mask : MaskReg, shape (...) or ()
        Selects elements by the lowest of their bits: of the wider type's elements; see
        `Policy.widening_mask` for widening casts. Of 4-bit pairs, the even element's bit counts.
    trait : CastTrait
        MERGING keeps old contents where the mask bit of a *destination* element is clear; it is
        legal without a layout or with ZERO, and not for 4-bit types.
    T, U : str or DataType, optional
        Destination and source type; the registers' own when omitted.
    ctrl : Ctrl
        By default the reset state, in which the trait's saturation has no effect.
    policy : Policy

    Returns
    -------
    RegTensor
        `dst_reg`.

    Raises
    ------
    FormatError
        If there is no such pair.
    OptionError
        If the pair does not take what the trait asks; the legal values are listed.
    DtypeError
        If the shapes do not match.

    References
    ----------
    Ascend C API, ``Cast``, ``RegLayout``, ``MaskMergeMode``.

    Examples
    --------
    >>> from minifloat.ascend._masks import create_mask
    >>> source = RegTensor.of("float", np.arange(64, dtype=np.float32))
    >>> trait = CastTrait("ONE", "SAT", "ZEROING", "CAST_RINT")
    >>> out = cast_register(RegTensor.zeros("int16_t"), source, create_mask("float"), trait)
    >>> out.values()[:8]
    array([0., 0., 0., 1., 0., 2., 0., 3.], dtype=float32)
    """
    dst = dst_reg.dtype if T is None else data_type(T)
    src = src_reg.dtype if U is None else data_type(U)
    found = recipe(src, dst, trait.round, trait.sat, ctrl=ctrl, policy=policy)
    plan = _plan(found.pair, trait, policy)
    _check_shapes(dst_reg, src_reg, mask)
    results = found.run(_gather(src_reg, plan))
    active = mask.bits[..., plan.mask_first :: plan.mask_step]
    if plan.pairs_mask:
        active = np.repeat(active, 2, axis=-1)
    if not active.all():
        np.copyto(results, results.dtype.type(0), where=~active)
    if trait.merge is MaskMergeMode.MERGING:
        fresh = np.empty_like(dst_reg.data)
        _scatter(fresh.view(dst.word), results, plan)
        np.copyto(dst_reg.lanes(dst), fresh.view(dst.word), where=mask.elements(dst))
    else:
        _scatter(dst_reg.lanes(dst), results, plan)
    return dst_reg


@dataclass(frozen=True, slots=True)
class _Plan:
    """Where a cast reads and writes: lanes ``first, first + step, ...`` of each side."""

    pair: Pair
    read_first: int
    read_step: int
    write_first: int
    write_step: int
    mask_first: int
    mask_step: int
    pairs_mask: bool
    """Whether one mask bit governs two neighbouring elements."""


@functools.lru_cache(maxsize=512)
def _plan(pair: Pair, trait: CastTrait, policy: Policy) -> _Plan:
    layout = pair.layout(trait.layout)
    part = max(int(layout), 0)
    _check_merge(pair, trait)
    packed = pair.src.is_packed or pair.dst.is_packed
    widens = pair.src.bits < pair.dst.bits
    narrows = pair.src.bits > pair.dst.bits
    # A packed lane is a byte of two; it faces two 16-bit lanes, that is four bytes.
    sizes = pair.src.word.itemsize, pair.dst.word.itemsize
    wide = 4 if packed else max(sizes)
    ratio = wide // min(sizes)
    by_source = widens and policy.widening_mask == "source_elements"
    return _Plan(
        pair,
        read_first=part if widens else 0,
        read_step=ratio if widens else 1,
        write_first=part if narrows else 0,
        write_step=ratio if narrows else 1,
        mask_first=part * sizes[0] if by_source else 0,
        mask_step=wide,
        pairs_mask=packed,
    )


def _check_merge(pair: Pair, trait: CastTrait) -> None:
    if trait.merge is not MaskMergeMode.MERGING:
        return
    packed = pair.src.is_packed or pair.dst.is_packed
    if packed or trait.layout not in (RegLayout.UNKNOWN, RegLayout.ZERO):
        msg = (
            f"{pair} with RegLayout {trait.layout.name} does not take MERGING; legal: ZEROING"
            " (MERGING only with layouts UNKNOWN and ZERO, never for 4-bit types)"
        )
        raise OptionError(msg)


def _check_shapes(dst_reg: RegTensor, src_reg: RegTensor, mask: MaskReg) -> None:
    if dst_reg.shape != src_reg.shape:
        msg = f"destination and source are {dst_reg.shape} and {src_reg.shape} registers"
        raise DtypeError(msg)
    if mask.shape not in ((), src_reg.shape):
        msg = f"masks of shape {mask.shape} for registers of shape {src_reg.shape}"
        raise DtypeError(msg)
    if not dst_reg.data.flags.writeable:
        msg = "the destination register is read-only"
        raise DtypeError(msg)


def _gather(src_reg: RegTensor, plan: _Plan) -> AnyArray:
    """Return the source elements in the order of the results."""
    lanes = src_reg.lanes(plan.pair.src)[..., plan.read_first :: plan.read_step]
    if not plan.pair.src.is_packed:
        return np.ascontiguousarray(lanes)
    nibbles = np.empty((*lanes.shape, 2), np.uint8)
    np.bitwise_and(lanes, np.uint8(0xF), out=nibbles[..., 0])
    np.right_shift(lanes, np.uint8(4), out=nibbles[..., 1])
    return nibbles.reshape(*lanes.shape[:-1], -1)


def _scatter(lanes: AnyArray, results: AnyArray, plan: _Plan) -> None:
    """Write the results to their lanes, and zeros elsewhere."""
    if plan.pair.dst.is_packed:
        results = results[..., ::2] | (results[..., 1::2] << np.uint8(4))
    if plan.write_step > 1:
        lanes[...] = 0
    lanes[..., plan.write_first :: plan.write_step] = results
