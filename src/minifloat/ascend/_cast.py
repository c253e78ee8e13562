"""``Cast`` on arrays of any shape: every element on its own, no registers."""

from __future__ import annotations

from typing import Any

import numpy as np

from minifloat._arrays import AnyArray, as_codes, is_scalar
from minifloat._errors import DtypeError
from minifloat.ascend._control import Ctrl
from minifloat.ascend._modes import RoundMode, SatMode
from minifloat.ascend._pairs import find_pair
from minifloat.ascend._policy import Policy
from minifloat.ascend._rules import Recipe, recipe_for
from minifloat.ascend._types import TYPES, DataType, data_type

__all__ = ["cast", "cast_bits", "recipe", "to_words"]

_RESET = Ctrl()
_DEFAULT = Policy()


def cast(
    x: Any,
    *,
    dst: str | DataType,
    src: str | DataType | None = None,
    round_mode: RoundMode | str | None = None,
    sat_mode: SatMode | str | None = None,
    ctrl: Ctrl = _RESET,
    policy: Policy = _DEFAULT,
) -> Any:
    """Convert elements as ``Reg::Cast`` does.

    Parameters
    ----------
    x : array_like, shape (...)
        Elements of `src`: float16, float32 and integer arrays; ``ml_dtypes`` arrays; unsigned codes
        for the types that numpy lacks, and int8 from -8 to 7 for int4x2_t (one element a byte).
    dst : str or DataType
    src : str or DataType, optional
        From `x`'s dtype when omitted.
    round_mode : RoundMode or str, optional
        May be omitted where the pair takes just one.
    sat_mode : SatMode or str, optional
        May be omitted where the pair has no such operand, and while CTRL[60] is 1.
    ctrl : Ctrl
        By default the reset state, in which `sat_mode` has **no effect** and every cast saturates.
    policy : Policy
        The readings of what the documents leave open.

    Returns
    -------
    ndarray or numpy scalar, shape (...)
        Elements of `dst`, in its `numpy` dtype.

    Raises
    ------
    FormatError
        If there is no such type or pair.
    OptionError
        If the pair does not take a mode; the legal ones are listed.
    DtypeError
        If `x` is no array of `src`.
    CodeError
        If `x` has bits outside `src`'s.

    References
    ----------
    Ascend C API, ``Cast`` (Reg vector computation, Atlas 350).

    Examples
    --------
    >>> x = np.float32([1.0625, 17.0, 40960.0, np.nan])
    >>> cast(x, dst="hifloat8_t", round_mode="CAST_ROUND", sat_mode="NO_SAT")
    array([  9,  64, 110,   0], dtype=uint8)
    >>> each = Ctrl.per_instruction()
    >>> cast(x, dst="hifloat8_t", round_mode="CAST_ROUND", sat_mode="NO_SAT", ctrl=each)
    array([  9,  64, 111, 128], dtype=uint8)
    >>> cast(np.float16(257), dst="uint8_t", round_mode="RINT", sat_mode="NO_SAT", ctrl=each)
    np.uint8(1)
    """
    array = np.asarray(x)
    source = _type_of(array.dtype) if src is None else data_type(src)
    target = data_type(dst)
    found = recipe(source, target, round_mode, sat_mode, ctrl=ctrl, policy=policy)
    result = _to_elements(found.run(to_words(array, source)), target)
    return result[()] if is_scalar(x) else result


def cast_bits(
    bits: Any,
    *,
    src: str | DataType,
    dst: str | DataType,
    round_mode: RoundMode | str | None = None,
    sat_mode: SatMode | str | None = None,
    ctrl: Ctrl = _RESET,
    policy: Policy = _DEFAULT,
) -> Any:
    """Convert raw bit patterns as ``Reg::Cast`` does.

    Parameters
    ----------
    bits : array_like of int, shape (...)
        Unsigned bit patterns of `src`, one element each; 4-bit types unpacked.
    src, dst : str or DataType
    round_mode, sat_mode, ctrl, policy
        As for `cast`.

    Returns
    -------
    ndarray or numpy scalar, shape (...)
        Unsigned bit patterns of `dst`.

    Raises
    ------
    FormatError, OptionError
        As for `cast`.
    CodeError
        If `bits` holds no unsigned patterns of `src`.

    Examples
    --------
    >>> out = cast_bits([0x7C00, 0x7E00], src="half", dst="bfloat16_t", round_mode="RINT")
    >>> [hex(code) for code in out]
    ['0x7f7f', '0x0']
    """
    found = recipe(src, dst, round_mode, sat_mode, ctrl=ctrl, policy=policy)
    result = found.run(as_codes(bits, found.pair.src.format))
    return result[()] if is_scalar(bits) else result


def recipe(
    src: str | DataType,
    dst: str | DataType,
    round_mode: RoundMode | str | None = None,
    sat_mode: SatMode | str | None = None,
    *,
    ctrl: Ctrl = _RESET,
    policy: Policy = _DEFAULT,
) -> Recipe:
    """Check a cast and decide it.

    Parameters
    ----------
    src, dst, round_mode, sat_mode, ctrl, policy
        As for `cast`.

    Returns
    -------
    Recipe

    Raises
    ------
    FormatError, OptionError
        As for `cast`.
    """
    pair = find_pair(src, dst)
    mode = pair.rounding(round_mode)
    return recipe_for(pair, mode, pair.saturation(sat_mode, ctrl), ctrl, policy)


_BY_DTYPE = {
    **{found.numpy: name for name, found in TYPES.items() if found.numpy.kind in "fi"},
    **{np.dtype(f"uint{bits}"): f"uint{bits}_t" for bits in (8, 16, 32)},
    np.dtype("int8"): "int8_t",
}
_BY_FORMAT = {found.format.name: name for name, found in TYPES.items()}


def _type_of(dtype: np.dtype[Any]) -> DataType:
    """Return the type whose elements an array of this dtype holds."""
    name = _BY_DTYPE.get(dtype.newbyteorder("=")) or _BY_FORMAT.get(dtype.name)
    if name is None:
        msg = f"dtype {dtype.name} is none of Cast's types; they are {', '.join(TYPES)}"
        raise DtypeError(msg)
    return TYPES[name]


def to_words(array: AnyArray, source: DataType) -> AnyArray:
    """Turn elements into unsigned words with nothing above the element's bits."""
    dtype = array.dtype.newbyteorder("=")
    native = dtype == source.numpy
    if not native and dtype.name != source.format.name:
        msg = f"{source} elements are {source.numpy.name} arrays, got {array.dtype.name}"
        raise DtypeError(msg)
    words = np.ascontiguousarray(array, dtype).reshape(array.shape).view(source.word)
    if source.is_packed:
        signed = native and source.numpy.kind == "i"
        if signed and array.size and (array.min() < -8 or array.max() > 7):
            msg = f"{source} elements lie from -8 to 7, got {array.min()} to {array.max()}"
            raise DtypeError(msg)
        if signed or not native:  # ml_dtypes ignores the bits above the content
            return words & np.uint8(0xF)
    return words


def _to_elements(words: AnyArray, target: DataType) -> AnyArray:
    if target.is_packed and target.numpy.kind == "i":
        return ((words ^ np.uint8(8)) - np.uint8(8)).view(np.int8)
    return words.view(target.numpy)
