"""Conversions between codes and integers, with IEEE 754's rules for what does not fit."""

from __future__ import annotations

from typing import Any, Unpack

import numpy as np

from minifloat._arrays import as_codes, is_scalar
from minifloat._errors import CodeError, DtypeError, FormatError
from minifloat._formats import Format, FormatLike, IntFormat, get_format
from minifloat._operations import How, Op, Switches, operand_formats, operate, refuse_integers

__all__ = ["from_int", "to_int"]


def to_int(
    codes: Any,
    fmt: FormatLike,
    integer: FormatLike = "int64",
    *,
    exact: bool = True,
    modulo: bool = False,
    exponent: int = 0,
    **how: Unpack[How],
) -> Any:
    """Convert codes to integers.

    Parameters
    ----------
    codes : array_like of int, shape (...)
        Codes of `fmt`.
    fmt : Format, str or dtype
        The format of the codes.
    integer : IntFormat, str or dtype
        ``"int8"`` to ``"uint64"``, or any `IntFormat`.
    exact : bool
        Whether INEXACT is raised where the value changes.
    modulo : bool
        Keep the low bits of what does not fit; 0 for infinities and NaN. INVALID all the same.
    exponent : int
        The value is scaled by ``2**exponent`` first.
    **how
        `rounding`, `context`, `rng`, `random_bits`, `flags`, `workers` as for `add`; `out`, of the
        dtype of the result. The context says what values out of range (INVALID alone) and NaN
        become: the nearest and the largest integer under `contexts.IEEE`.

    Returns
    -------
    ndarray or numpy scalar, shape (...)
        Integers of the smallest dtype that holds `integer`.

    Raises
    ------
    FormatError
        If `fmt` is an integer format or `integer` is not.
    OptionError, DtypeError, CodeError
        As for `add`.

    References
    ----------
    IEEE 754-2019 §5.8.

    Examples
    --------
    >>> import minifloat as mf
    >>> flags = mf.Flags()
    >>> to_int(mf.encode([2.5, -300.0, np.nan], "float16"), "float16", "int8", flags=flags)
    array([   2, -128,  127], dtype=int8)
    >>> flags.raised
    <Flag.INEXACT|INVALID: 17>
    """
    target = _integer_format(integer)
    dtype = _value_dtype(target)
    if modulo:
        how["overflow"] = "wrap"
    out = how.get("out")
    if out is not None:
        if not isinstance(out, np.ndarray) or out.dtype != dtype:
            msg = f"out= must be an array of {dtype.name}"
            raise DtypeError(msg)
        how["out"] = out.view(f"u{dtype.itemsize}")
    switches = Switches(exact=exact, scale=int(exponent))
    sources = operand_formats(fmt, 1)
    found = operate(Op.TO_INTEGER, (codes,), sources, how, result=target, switches=switches)
    found = _extend(found, target, dtype)
    if out is None:
        return found
    out[...] = found
    return out


def from_int(
    numbers: Any,
    fmt: FormatLike,
    integer: FormatLike | None = None,
    *,
    exponent: int = 0,
    **how: Unpack[How],
) -> Any:
    """Convert integers to codes, scaled by ``2**exponent``, rounded once.

    Parameters
    ----------
    numbers : array_like of int, shape (...)
        Integers of 64 bits or fewer; `encode` takes larger ones.
    fmt : Format, str or dtype
        The format of the result.
    integer : IntFormat, str or dtype, optional
        The format of `numbers` where that is not their dtype's.
    exponent : int
        Scales the exact value.
    **how
        As for `add`, without `out_format`.

    Returns
    -------
    ndarray or numpy scalar, shape (...)
        Codes of `fmt`.

    Raises
    ------
    FormatError, OptionError, DtypeError, CodeError
        As for `add`.

    References
    ----------
    IEEE 754-2019 §5.4.1.

    Examples
    --------
    >>> from_int([1, -448, 1000], "e4m3fn", rounding="rtz")
    array([ 56, 254, 126], dtype=uint8)
    """
    target = get_format(fmt)
    refuse_integers(target)
    array = np.asarray(numbers)
    if array.dtype.kind not in "iu":
        msg = f"numbers must be integers of 64 bits or fewer, got {array.dtype.name}"
        raise CodeError(msg)
    source = _integer_format(integer if integer is not None else array.dtype.name)
    words = _content(array, source)
    if is_scalar(numbers):
        words = words[()]
    how["out_format"] = target
    switches = Switches(scale=int(exponent))
    return operate(Op.CONVERT, (words,), (source,), how, switches=switches)


def _integer_format(integer: FormatLike) -> IntFormat:
    found: Format = get_format(integer)
    if not isinstance(found, IntFormat):
        msg = f"{found} is no integer format; int8 to int64 and uint8 to uint64 are"
        raise FormatError(msg)
    return found


def _value_dtype(fmt: IntFormat) -> np.dtype[Any]:
    size = next(size for size in (1, 2, 4, 8) if fmt.bits <= 8 * size)
    return np.dtype(f"{'i' if fmt.signed else 'u'}{size}")


def _extend(codes: Any, fmt: IntFormat, dtype: np.dtype[Any]) -> Any:
    """Fill the bits above the content with the sign."""
    spare = 8 * dtype.itemsize - fmt.bits
    numbers = codes.view(dtype)
    return (numbers << spare) >> spare if spare and fmt.signed else numbers


def _content(array: np.ndarray[Any, Any], fmt: IntFormat) -> Any:
    """Check that numbers fit the format; return their codes."""
    low, high = (-(2 ** (fmt.bits - 1)), 2 ** (fmt.bits - 1) - 1) if fmt.signed else (
        0, 2**fmt.bits - 1
    )  # fmt: skip
    if array.size and (int(array.min()) < low or int(array.max()) > high):
        msg = f"numbers lie outside {fmt}, {low} to {high}"
        raise CodeError(msg)
    size = _value_dtype(fmt).itemsize
    signed = array.astype(f"i{size}") if array.dtype.kind == "i" else array
    words = signed.astype(f"u{size}")
    mask = np.array(2**fmt.bits - 1, dtype=words.dtype)
    return as_codes(words & mask, fmt)
