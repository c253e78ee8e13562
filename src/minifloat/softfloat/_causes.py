"""The flags that only a status has: why an operation was invalid, what subnormal operands did."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np

from minifloat._arrays import AnyArray
from minifloat._flags import Flag
from minifloat.softfloat._layouts import Layout
from minifloat.softfloat._status import FloatStatus
from minifloat.softfloat._words import ExceptionFlag, InfZeroNanRule

__all__ = ["CAUSES", "Cause", "denormal_flags", "invalid_causes", "raises", "status_flags"]

Cause: TypeAlias = Callable[[Sequence[AnyArray], Sequence[Layout], FloatStatus], ExceptionFlag]
"""Flags for operands without NaN of which every set was invalid."""

_F = ExceptionFlag
_NOTHING = _F(0)
# The core's flags, INEXACT in bit 0, are the status's in reverse order.
_REVERSED = [_F(sum(0x10 >> bit for bit in range(5) if flags >> bit & 1)) for flags in range(32)]


def raises(flags: AnyArray, flag: Flag) -> AnyArray:
    """Whether elements raised one of the core's flags.

    Parameters
    ----------
    flags : ndarray of uint8
    flag : Flag

    Returns
    -------
    ndarray of bool
    """
    return np.asarray(flags & np.uint8(flag) != 0)


def status_flags(core: int) -> ExceptionFlag:
    """Return the status's spelling of the core's flags.

    Parameters
    ----------
    core : int
        Bits in the order of `minifloat.Flag`.

    Returns
    -------
    ExceptionFlag

    Examples
    --------
    >>> status_flags(17)
    <ExceptionFlag.INVALID|INEXACT: 17>
    >>> status_flags(2)
    <ExceptionFlag.UNDERFLOW: 8>
    """
    return _REVERSED[core & 31]


def _infinities(_: Sequence[AnyArray], __: Sequence[Layout], ___: FloatStatus) -> ExceptionFlag:
    return _F.INVALID_ISI


def _product(_: Sequence[AnyArray], __: Sequence[Layout], ___: FloatStatus) -> ExceptionFlag:
    return _F.INVALID_IMZ


def _quotient(
    codes: Sequence[AnyArray], layouts: Sequence[Layout], status: FloatStatus
) -> ExceptionFlag:
    zeros = layouts[0].is_zero(codes[0], status)
    return _either(zeros, _F.INVALID_ZDZ, _F.INVALID_IDI)


def _root(_: Sequence[AnyArray], __: Sequence[Layout], ___: FloatStatus) -> ExceptionFlag:
    return _F.INVALID_SQRT


def _fused(
    codes: Sequence[AnyArray], layouts: Sequence[Layout], status: FloatStatus
) -> ExceptionFlag:
    return _either(_infinity_times_zero(codes, layouts, status), _F.INVALID_IMZ, _F.INVALID_ISI)


def _integer(_: Sequence[AnyArray], __: Sequence[Layout], ___: FloatStatus) -> ExceptionFlag:
    return _F.INVALID_CVTI


def _none(_: Sequence[AnyArray], __: Sequence[Layout], ___: FloatStatus) -> ExceptionFlag:
    return _NOTHING


CAUSES: dict[str, Cause] = {
    "add": _infinities,
    "sub": _infinities,
    "mul": _product,
    "div": _quotient,
    "sqrt": _root,
    "muladd": _fused,
    "to_int": _integer,
    "num": _none,
    "number": _none,
    "other": _none,
}
"""By operation; ``"other"`` for operations without a sub-flag of their own, ``"num"`` and
``"number"`` for the extrema of IEEE 754-2008 and 2019 that prefer numbers."""


def invalid_causes(
    kind: str, codes: Sequence[AnyArray], layouts: Sequence[Layout], status: FloatStatus
) -> ExceptionFlag:
    """Return the sub-flags of invalid operations.

    Parameters
    ----------
    kind : str
        A key of `CAUSES`.
    codes : sequence of ndarray
        The operands of every element that raised INVALID, one array for each.
    layouts : sequence of Layout
    status : FloatStatus

    Returns
    -------
    ExceptionFlag
    """
    pairs = list(zip(codes, layouts, strict=True))
    signaling = _any_of([one.is_signaling(c, status) for c, one in pairs])
    nan = _any_of([one.is_nan(c) for c, one in pairs])
    if kind == "number":  # a signalling NaN that loses to a number is not told apart
        signaling = signaling & ~_any_of([~one.is_nan(c) for c, one in pairs])
    found = _F.INVALID_SNAN if signaling.any() else _NOTHING
    told = not status.inf_zero_nan_rule & InfZeroNanRule.SUPPRESS_INVALID
    if kind == "muladd" and told and (nan & _infinity_times_zero(codes, layouts, status)).any():
        found |= _F.INVALID_IMZ
    numbers = ~nan
    if numbers.any():
        found |= CAUSES[kind]([c[numbers] for c in codes], layouts, status)
    return found


def denormal_flags(
    kind: str,
    codes: Sequence[AnyArray],
    layouts: Sequence[Layout],
    invalid: AnyArray,
    status: FloatStatus,
    known: ExceptionFlag,
) -> ExceptionFlag:
    """Return what subnormal operands raise: that they were flushed, or that they were used.

    They are used unless a NaN, an invalid operation or a division by zero decided the result;
    rounding to an integer never counts.

    Parameters
    ----------
    kind : str
        The operation.
    codes : sequence of ndarray
        The operands, of one shape.
    layouts : sequence of Layout
    invalid : ndarray of bool
        Where INVALID was raised.
    status : FloatStatus
    known : ExceptionFlag
        What needs not be looked for.

    Returns
    -------
    ExceptionFlag
    """
    flag = _F.INPUT_DENORMAL_FLUSHED if status.flush_inputs_to_zero else _F.INPUT_DENORMAL_USED
    if flag & known:
        return _NOTHING
    pairs = list(zip(codes, layouts, strict=True))
    found = _any_of([one.is_subnormal(c) for c, one in pairs])
    if not found.any():
        return _NOTHING
    if flag is _F.INPUT_DENORMAL_FLUSHED:
        return flag
    if kind in ("to_int", "round_to_int"):
        return _NOTHING
    used = found & ~invalid
    if kind not in ("num", "number"):  # those use the number beside a quiet NaN
        used &= ~_any_of([one.is_nan(c) for c, one in pairs])
    if kind == "div":
        used &= ~layouts[1].is_zero(codes[1], status)
    return flag if used.any() else _NOTHING


def _either(first: AnyArray, yes: ExceptionFlag, no: ExceptionFlag) -> ExceptionFlag:
    return (yes if first.any() else _NOTHING) | (_NOTHING if first.all() else no)


def _any_of(found: Sequence[AnyArray]) -> AnyArray:
    total = found[0]
    for one in found[1:]:
        total = total | one
    return np.asarray(total)


def _infinity_times_zero(
    codes: Sequence[AnyArray], layouts: Sequence[Layout], status: FloatStatus
) -> AnyArray:
    (a, b), (x, y) = codes[:2], layouts[:2]
    return (x.is_infinite(a) & y.is_zero(b, status)) | (x.is_zero(a, status) & y.is_infinite(b))
