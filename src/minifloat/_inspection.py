"""What codes are: their class, neighbours and spacing."""

from __future__ import annotations

from enum import IntEnum
from typing import Any, Unpack

import numpy as np

from minifloat._arrays import value_dtype
from minifloat._comparison import as_bytes, finish
from minifloat._formats import FormatLike, formats
from minifloat._operations import Op, Quiet, operand_formats, operate

__all__ = [
    "FloatClass",
    "classify",
    "is_canonical",
    "is_finite",
    "is_infinite",
    "is_nan",
    "is_normal",
    "is_signaling",
    "is_signed",
    "is_subnormal",
    "is_zero",
    "next_down",
    "next_up",
    "ulp",
]

_BYTE, _INT32 = formats["uint8"], formats["int32"]


class FloatClass(IntEnum):
    """The ten classes of IEEE 754-2019 §5.7.2."""

    SIGNALING_NAN = 0
    QUIET_NAN = 1
    NEGATIVE_INFINITY = 2
    NEGATIVE_NORMAL = 3
    NEGATIVE_SUBNORMAL = 4
    NEGATIVE_ZERO = 5
    POSITIVE_ZERO = 6
    POSITIVE_SUBNORMAL = 7
    POSITIVE_NORMAL = 8
    POSITIVE_INFINITY = 9


def classify(codes: Any, fmt: FormatLike, **how: Unpack[Quiet]) -> Any:
    """Return the class of each code.

    Parameters
    ----------
    codes : array_like of int, shape (...)
    fmt : Format, str or dtype
    **how
        `context` (which NaNs signal), `out`, `workers`.

    Returns
    -------
    ndarray or numpy scalar of uint8, shape (...)
        Values of `FloatClass`.

    Raises
    ------
    FormatError, OptionError, DtypeError, CodeError
        As for `add`.

    References
    ----------
    IEEE 754-2019 §5.7.2.

    Examples
    --------
    >>> [FloatClass(c).name for c in classify([0x7F, 0x81, 0x00], "e4m3fn")]
    ['QUIET_NAN', 'NEGATIVE_SUBNORMAL', 'POSITIVE_ZERO']
    """
    return operate(Op.CLASSIFY, (codes,), operand_formats(fmt, 1), how, result=_BYTE)


def is_nan(codes: Any, fmt: FormatLike, **how: Unpack[Quiet]) -> Any:
    """Whether each code is a NaN. See `classify`.

    Parameters
    ----------
    codes : array_like of int, shape (...)
    fmt : Format, str or dtype
    **how
        `context`, `out`, `workers`.

    Returns
    -------
    ndarray or numpy scalar of bool, shape (...)

    Examples
    --------
    >>> is_nan([0x7E, 0x7F, 0xFF], "e4m3fn")
    array([False,  True,  True])
    """
    return _is(codes, fmt, how, 0, 1)


def is_signaling(codes: Any, fmt: FormatLike, **how: Unpack[Quiet]) -> Any:
    """Whether each code is a signalling NaN. See `is_nan`.

    Parameters
    ----------
    codes : array_like of int, shape (...)
    fmt : Format, str or dtype
    **how
        As for `is_nan`.

    Returns
    -------
    ndarray or numpy scalar of bool, shape (...)
    """
    return _is(codes, fmt, how, 0)


def is_infinite(codes: Any, fmt: FormatLike, **how: Unpack[Quiet]) -> Any:
    """Whether each code is an infinity. See `is_nan`.

    Parameters
    ----------
    codes : array_like of int, shape (...)
    fmt : Format, str or dtype
    **how
        As for `is_nan`.

    Returns
    -------
    ndarray or numpy scalar of bool, shape (...)
    """
    return _is(codes, fmt, how, 2, 9)


def is_finite(codes: Any, fmt: FormatLike, **how: Unpack[Quiet]) -> Any:
    """Whether each code is zero, subnormal or normal. See `is_nan`.

    Parameters
    ----------
    codes : array_like of int, shape (...)
    fmt : Format, str or dtype
    **how
        As for `is_nan`.

    Returns
    -------
    ndarray or numpy scalar of bool, shape (...)
    """
    return _is(codes, fmt, how, 3, 4, 5, 6, 7, 8)


def is_zero(codes: Any, fmt: FormatLike, **how: Unpack[Quiet]) -> Any:
    """Whether each code is a zero. See `is_nan`.

    Parameters
    ----------
    codes : array_like of int, shape (...)
    fmt : Format, str or dtype
    **how
        As for `is_nan`.

    Returns
    -------
    ndarray or numpy scalar of bool, shape (...)
    """
    return _is(codes, fmt, how, 5, 6)


def is_normal(codes: Any, fmt: FormatLike, **how: Unpack[Quiet]) -> Any:
    """Whether each code is finite and at least the smallest normal in magnitude. See `is_nan`.

    Parameters
    ----------
    codes : array_like of int, shape (...)
    fmt : Format, str or dtype
    **how
        As for `is_nan`.

    Returns
    -------
    ndarray or numpy scalar of bool, shape (...)
    """
    return _is(codes, fmt, how, 3, 8)


def is_subnormal(codes: Any, fmt: FormatLike, **how: Unpack[Quiet]) -> Any:
    """Whether each code is non-zero and below the smallest normal in magnitude. See `is_nan`.

    Parameters
    ----------
    codes : array_like of int, shape (...)
    fmt : Format, str or dtype
    **how
        As for `is_nan`.

    Returns
    -------
    ndarray or numpy scalar of bool, shape (...)
    """
    return _is(codes, fmt, how, 4, 7)


def is_signed(codes: Any, fmt: FormatLike, **how: Unpack[Quiet]) -> Any:
    """Whether each code has its sign set, that of -0 and of NaN included.

    A NaN that is the sign bit alone (the fnuz formats, HiFloat8, P3109) has no sign.

    Parameters
    ----------
    codes : array_like of int, shape (...)
    fmt : Format, str or dtype
    **how
        `out`, `workers`.

    Returns
    -------
    ndarray or numpy scalar of bool, shape (...)

    References
    ----------
    IEEE 754-2019 §5.7.2, isSignMinus.

    Examples
    --------
    >>> is_signed([0x80, 0x80], "e4m3fn"), bool(is_signed(0x80, "e4m3fnuz"))
    (array([ True,  True]), False)
    """
    found = operate(
        Op.IS_SIGNED, (codes,), operand_formats(fmt, 1), as_bytes(how, "?"), result=_BYTE
    )
    return finish(found, how, "?")


def is_canonical(codes: Any, fmt: FormatLike) -> Any:
    """Whether each code is the one that encoding its value gives.

    NaN payloads and zeros of formats without subnormals have others.

    Parameters
    ----------
    codes : array_like of int, shape (...)
    fmt : Format, str or dtype

    Returns
    -------
    ndarray or numpy scalar of bool, shape (...)

    Examples
    --------
    >>> is_canonical([0x7E00, 0x7E01], "float16")
    array([ True, False])
    """
    from minifloat._casting import cast

    source = operand_formats(fmt, 1)[0]
    return cast(codes, source, source) == np.asarray(codes)


def next_up(codes: Any, fmt: FormatLike, **how: Unpack[Quiet]) -> Any:
    """Return the least value above each code.

    Beyond the end of the range comes infinity, failing that NaN, failing that the value itself.
    P3109 formats give NaN above +infinity, others +infinity again.

    Parameters
    ----------
    codes : array_like of int, shape (...)
    fmt : Format, str or dtype
    **how
        `context` (which NaNs signal), `flags` (INVALID for those), `out`, `workers`.

    Returns
    -------
    ndarray or numpy scalar, shape (...)
        Codes. Above the largest negative value comes -0, if the format has it.

    Raises
    ------
    FormatError, OptionError, DtypeError, CodeError
        As for `add`.

    References
    ----------
    IEEE 754-2019 §5.3.1; IEEE P3109 v4.0, NextGreaterThan.

    Examples
    --------
    >>> [hex(code) for code in next_up([0x00, 0x7B, 0x81], "e5m2")]
    ['0x1', '0x7c', '0x80']
    """
    return operate(Op.NEXT_UP, (codes,), operand_formats(fmt, 1), how)


def next_down(codes: Any, fmt: FormatLike, **how: Unpack[Quiet]) -> Any:
    """Return the greatest value below each code. See `next_up`.

    Parameters
    ----------
    codes : array_like of int, shape (...)
    fmt : Format, str or dtype
    **how
        As for `next_up`.

    Returns
    -------
    ndarray or numpy scalar, shape (...)

    Examples
    --------
    >>> hex(next_down(0x00, "e5m2"))
    '0x81'
    """
    return operate(Op.NEXT_DOWN, (codes,), operand_formats(fmt, 1), how)


def ulp(codes: Any, fmt: FormatLike) -> Any:
    """Return the spacing of the format's grid at each code, as a value (not a code).

    It is the distance from the magnitude to the next larger one on a grid without an upper end;
    for zero, the distance between the smallest values. NaN for infinities and NaN.

    Parameters
    ----------
    codes : array_like of int, shape (...)
    fmt : Format, str or dtype

    Returns
    -------
    ndarray or numpy scalar of float32 or float64, shape (...)
        In the dtype of `decode`; float64 where float32 underflows.

    Raises
    ------
    FormatError, CodeError
        As for `add`.

    Examples
    --------
    >>> ulp([0x38, 0x7E, 0x00, 0x7F], "e4m3fn").tolist()
    [0.125, 32.0, 0.001953125, nan]
    """
    source = operand_formats(fmt, 1)[0]
    words = operate(Op.QUANTUM_EXPONENT, (codes,), (source,), {}, result=_INT32)
    exponents = words.view(np.int32)
    missing = exponents == np.iinfo(np.int32).min
    one = np.ones((), value_dtype(source))
    spacing = np.ldexp(one, np.where(missing, 0, exponents))
    return np.where(missing, np.array(np.nan, one.dtype), spacing)[()]


def _is(codes: Any, fmt: FormatLike, how: Quiet, *classes: int) -> Any:
    found = operate(
        Op.CLASSIFY, (codes,), operand_formats(fmt, 1), as_bytes(how, "?"), result=_BYTE
    )
    truth = np.zeros(10, np.uint8)
    truth[list(classes)] = 1
    out = how.get("out")
    if out is None:
        return truth[found].view("?")
    out.view(np.uint8)[...] = truth[found]
    return out
