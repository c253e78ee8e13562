"""Expected results of operations on narrow codes, as whole arrays, from the reference's rounding.

The exact result of an operation on values of few bits is made in float64, rounded to odd where it
is not exact there (that keeps every later rounding right), and handed to the reference's bulk
rounding.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from minifloat._context import Context
from minifloat._flags import Flag
from minifloat._formats import Format
from minifloat._rounding import Overflow, Rounding
from minifloat.reference.bulk import encode_array
from minifloat.reference.how import How
from minifloat.reference.values import Value, decode

Codes = npt.NDArray[np.unsignedinteger]
Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.uint8]


def values(codes: Codes, fmt: Format, context: Context) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """Return float64 values of codes (NaN without sign) and which of them signal."""
    table: dict[int, Value] = {int(c): decode(int(c), fmt, context) for c in np.unique(codes)}
    size = max(table, default=0) + 1
    number, signals = np.zeros(size), np.zeros(size, np.bool_)
    for code, value in table.items():
        if value.is_nan:
            number[code], signals[code] = np.nan, value.signaling
        elif value.is_infinite:
            number[code] = -np.inf if value.negative else np.inf
        else:
            number[code] = np.copysign(float(value.number), -1.0 if value.negative else 1.0)
    return number[codes], signals[codes]


def _to_odd(rounded: Floats, error: Floats) -> Floats:
    """Move nearest float64 results to the odd neighbour where their error is not zero."""
    inexact = np.isfinite(rounded) & np.isfinite(error) & (error != 0)
    overshot = inexact & (np.signbit(error) != np.signbit(rounded))
    bits = rounded.view(np.int64) - overshot
    return (bits | inexact).view(np.float64)


def _sum(x: Floats, y: Floats, mode: Rounding) -> Floats:
    total = x + y
    part = total - x
    error = (x - (total - part)) + (y - part)
    exact = _to_odd(total, error)
    cancelled = (total == 0) & (np.signbit(x) != np.signbit(y))
    signed = -0.0 if mode is Rounding.TOWARD_NEGATIVE else 0.0
    return np.where(cancelled, signed, exact)


def exact_result(operation: str, x: Floats, y: Floats, mode: Rounding) -> Floats:
    """Return results that round as the exact ones do, for operands of at most 12 bits precision."""
    with np.errstate(all="ignore"):
        match operation:
            case "add":
                return _sum(x, y, mode)
            case "sub":
                return _sum(x, -y, mode)
            case "mul":
                return x * y
            case "div":  # a quotient of 12-bit numbers is no neighbour of a 13-bit one
                return x / y
            case _:
                raise ValueError(operation)


def expected(
    operation: str, a: Codes, b: Codes, formats: tuple[Format, Format], out: Format, how: How
) -> tuple[npt.NDArray[np.uint32], Flags]:
    """Return the codes and flags that an operation on two arrays of codes must give."""
    mode = how.mode
    assert isinstance(mode, Rounding)
    x, x_signals = values(a, formats[0], how.context)
    y, y_signals = values(b, formats[1], how.context)
    result = exact_result(operation, x, y, mode)
    nan_operand = np.isnan(x) | np.isnan(y)
    flags = np.where(x_signals | y_signals, int(Flag.INVALID), 0)
    if operation == "div":
        by_zero = (y == 0) & ~nan_operand
        if out.default_overflow is Overflow.P3109:
            result = np.where(by_zero, np.nan, result)
        else:
            infinite = by_zero & np.isfinite(x) & (x != 0)
            flags = flags | np.where(infinite, int(Flag.DIVIDE_BY_ZERO), 0)
    flags = flags | np.where(np.isnan(result) & ~nan_operand, int(Flag.INVALID), 0)
    result = np.where(np.isnan(result), np.nan, result)
    codes, raised = encode_array(result, out, how)
    return codes, (flags | raised).astype(np.uint8)
