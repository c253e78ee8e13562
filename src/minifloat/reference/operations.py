"""The operations on exact values: no format, no rounding, only IEEE 754's special cases."""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

from minifloat._flags import Flag
from minifloat.reference.exact import power_of_two, square_root
from minifloat.reference.values import Kind, Value

__all__ = [
    "Exact",
    "add",
    "divide",
    "multiply",
    "multiply_add",
    "negate",
    "remainder",
    "scale",
    "square_root_of",
]

Exact: TypeAlias = tuple[Value, Flag]
"""A result before rounding, with the flags that the operation itself raises."""

_NONE = Flag(0)
_INVALID: Exact = (Value(Kind.NAN), Flag.INVALID)


def negate(x: Value) -> Value:
    """Flip the sign of a value, NaN included.

    Parameters
    ----------
    x : Value

    Returns
    -------
    Value
    """
    return Value(x.kind, not x.negative, x.magnitude, x.signaling, x.payload)


def add(x: Value, y: Value, *, toward_negative: bool = False) -> Exact:
    """Add two values that are not NaN.

    Parameters
    ----------
    x, y : Value
    toward_negative : bool
        Whether a zero sum of opposite signs is -0 (IEEE 754-2019 §6.3).

    Returns
    -------
    value : Value
    flags : Flag
        INVALID for infinities of opposite signs.

    Examples
    --------
    >>> add(Value.of(1.5), Value.of(-1.5), toward_negative=True)[0]
    Value(-0)
    """
    if x.is_infinite and y.is_infinite and x.negative != y.negative:
        return _INVALID
    if x.is_infinite or y.is_infinite:
        return (x if x.is_infinite else y), _NONE
    total = x.number + y.number
    if total:
        return Value.of(total), _NONE
    same_zeros = x.is_zero and y.is_zero and x.negative == y.negative
    return Value(negative=x.negative if same_zeros else toward_negative), _NONE


def multiply(x: Value, y: Value) -> Exact:
    """Multiply two values that are not NaN.

    Parameters
    ----------
    x, y : Value

    Returns
    -------
    value : Value
    flags : Flag
        INVALID for infinity times zero.
    """
    negative = x.negative != y.negative
    if x.is_infinite or y.is_infinite:
        return _INVALID if x.is_zero or y.is_zero else (Value(Kind.INFINITE, negative), _NONE)
    return Value(negative=negative, magnitude=abs(x.number * y.number)), _NONE


def divide(x: Value, y: Value, *, signed_zero: bool = True) -> Exact:
    """Divide two values that are not NaN.

    Parameters
    ----------
    x, y : Value
    signed_zero : bool
        False for P3109's rule that every division by zero is NaN.

    Returns
    -------
    value : Value
    flags : Flag
        INVALID for 0/0 and infinity/infinity, DIVIDE_BY_ZERO for other finite dividends of zero.
    """
    negative = x.negative != y.negative
    if y.is_zero and not signed_zero:
        return _INVALID
    if (x.is_zero and y.is_zero) or (x.is_infinite and y.is_infinite):
        return _INVALID
    if x.is_infinite:
        return Value(Kind.INFINITE, negative), _NONE
    if y.is_zero:
        return Value(Kind.INFINITE, negative), Flag.DIVIDE_BY_ZERO
    if y.is_infinite:
        return Value(negative=negative), _NONE
    return Value(negative=negative, magnitude=abs(x.number / y.number)), _NONE


def square_root_of(x: Value) -> Exact:
    """Take the square root of a value that is not NaN; that of -0 is -0.

    Parameters
    ----------
    x : Value

    Returns
    -------
    value : Value
    flags : Flag
        INVALID for negative numbers.
    """
    if x.is_zero or (x.is_infinite and not x.negative):
        return x, _NONE
    if x.negative:
        return _INVALID
    return Value(magnitude=square_root(x.number)), _NONE


def multiply_add(x: Value, y: Value, z: Value, *, toward_negative: bool = False) -> Exact:
    """Return x * y + z without an intermediate rounding, of values that are not NaN.

    Parameters
    ----------
    x, y, z : Value
    toward_negative : bool
        As in `add`.

    Returns
    -------
    value : Value
    flags : Flag
    """
    product, flags = multiply(x, y)
    if flags:
        return product, flags
    return add(product, z, toward_negative=toward_negative)


def remainder(x: Value, y: Value) -> Exact:
    """Return IEEE 754's remainder x - n * y, where n is x / y rounded to nearest, ties to even.

    Parameters
    ----------
    x, y : Value
        Not NaN.

    Returns
    -------
    value : Value
        Exact; a zero has the sign of x.
    flags : Flag
        INVALID for infinite x or zero y.

    Examples
    --------
    >>> remainder(Value.of(5), Value.of(2)), remainder(Value.of(7), Value.of(2))
    ((Value(1), <Flag: 0>), (Value(-1), <Flag: 0>))
    """
    if x.is_infinite or y.is_zero:
        return _INVALID
    if y.is_infinite:
        return x, _NONE
    rest = x.number - round(Fraction(x.number / y.number)) * y.number
    return (Value.of(rest) if rest else Value(negative=x.negative)), _NONE


def scale(x: Value, exponent: int) -> Exact:
    """Return x * 2**exponent, of a value that is not NaN.

    Parameters
    ----------
    x : Value
        Rational if it is finite.
    exponent : int

    Returns
    -------
    value : Value
    flags : Flag
    """
    if not x.is_finite:
        return x, _NONE
    return Value(negative=x.negative, magnitude=abs(x.number) * power_of_two(exponent)), _NONE
