"""Arithmetic on codes: decode, one exact operation, one rounding."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import TypeAlias

from minifloat._errors import FormatError
from minifloat._flags import Flag
from minifloat._formats import Format, IntFormat
from minifloat._rounding import Overflow, Rounding
from minifloat.reference import operations
from minifloat.reference.direction import goes_up
from minifloat.reference.exact import floor_divide, power_of_two
from minifloat.reference.how import How, overflow_policy
from minifloat.reference.nans import choose_nan, choose_nan_of_three, default_nan, deliver
from minifloat.reference.operations import Exact
from minifloat.reference.rounding import round_value
from minifloat.reference.spacing import Place
from minifloat.reference.values import Value, decode

__all__ = [
    "ARITHMETIC",
    "Formats",
    "add",
    "decode_operands",
    "div",
    "fma",
    "from_int",
    "mul",
    "rem",
    "result_format",
    "round_to_integral",
    "scalbn",
    "sqrt",
    "sub",
    "to_int",
]

Formats: TypeAlias = Format | Sequence[Format]
"""The format of all operands, or one for each."""

ARITHMETIC = How(nan="max")
"""The defaults of arithmetic: ties to even, and INVALID with the largest value for lack of NaN."""

_NONE = Flag(0)


def decode_operands(codes: Sequence[int], fmt: Formats, how: How) -> list[Value]:
    """Decode the operands of an arithmetic operation.

    Parameters
    ----------
    codes : sequence of int
    fmt : Format or sequence of Format
    how : How
        Its context may flush subnormal operands.

    Returns
    -------
    list of Value

    Raises
    ------
    FormatError
        For integer formats.
    """
    formats = [fmt] * len(codes) if isinstance(fmt, Format) else fmt
    for one in formats:
        _refuse_integers(one)
    pairs = zip(codes, formats, strict=True)
    return [decode(code, one, how.context) for code, one in pairs]


def _refuse_integers(fmt: Format) -> None:
    if isinstance(fmt, IntFormat):
        msg = f"{fmt} is a source and destination of casts; there is no arithmetic on it"
        raise FormatError(msg)


def result_format(fmt: Formats, out: Format | None) -> Format:
    """Return the format of a result.

    Parameters
    ----------
    fmt : Format or sequence of Format
        Of the operands.
    out : Format, optional
        What the caller asked for.

    Returns
    -------
    Format

    Raises
    ------
    FormatError
        For integer formats, and where operands of several formats leave it open.
    """
    if out is None:
        if not isinstance(fmt, Format):
            msg = "operands of several formats need out=, the format of the result"
            raise FormatError(msg)
        out = fmt
    _refuse_integers(out)
    return out


def _operate(
    operation: Callable[..., Exact],
    codes: Sequence[int],
    fmt: Formats,
    how: How,
    out: Format | None,
) -> tuple[int, Flag]:
    """Decode, settle NaN operands, operate exactly, round once."""
    result = result_format(fmt, out)
    operands = decode_operands(codes, fmt, how)
    if any(value.is_nan for value in operands):
        signaling = any(value.signaling for value in operands)
        value, flags = choose_nan(operands, how.context), Flag.INVALID if signaling else _NONE
    else:
        value, flags = operation(*operands)
        value = default_nan(how.context) if value.is_nan else value
    code, raised = deliver(value, result, how)
    return code, flags | raised


def _toward_negative(how: How) -> bool:
    return how.mode is Rounding.TOWARD_NEGATIVE


def add(
    a: int, b: int, fmt: Formats, how: How = ARITHMETIC, out: Format | None = None
) -> tuple[int, Flag]:
    """Add two codes.

    Parameters
    ----------
    a, b : int
    fmt : Format or pair of Format
    how : How
    out : Format, optional
        The format of the result, that of the operands when omitted.

    Returns
    -------
    code : int
    flags : Flag

    Raises
    ------
    FormatError
        For integer formats; for operands of two formats without `out`.

    Examples
    --------
    >>> from minifloat._formats import get_format
    >>> add(0x38, 0x18, get_format("e4m3fn"))  # 1 + 2**-4, a tie
    (56, <Flag.INEXACT: 1>)
    """

    def operation(x: Value, y: Value) -> Exact:
        return operations.add(x, y, toward_negative=_toward_negative(how))

    return _operate(operation, (a, b), fmt, how, out)


def sub(
    a: int, b: int, fmt: Formats, how: How = ARITHMETIC, out: Format | None = None
) -> tuple[int, Flag]:
    """Subtract the second code from the first; see `add`.

    Parameters
    ----------
    a, b : int
    fmt : Format or pair of Format
    how : How
    out : Format, optional

    Returns
    -------
    code : int
    flags : Flag
    """

    def operation(x: Value, y: Value) -> Exact:
        return operations.add(x, operations.negate(y), toward_negative=_toward_negative(how))

    return _operate(operation, (a, b), fmt, how, out)


def mul(
    a: int, b: int, fmt: Formats, how: How = ARITHMETIC, out: Format | None = None
) -> tuple[int, Flag]:
    """Multiply two codes; see `add`.

    Parameters
    ----------
    a, b : int
    fmt : Format or pair of Format
    how : How
    out : Format, optional

    Returns
    -------
    code : int
    flags : Flag
    """
    return _operate(operations.multiply, (a, b), fmt, how, out)


def div(
    a: int, b: int, fmt: Formats, how: How = ARITHMETIC, out: Format | None = None
) -> tuple[int, Flag]:
    """Divide the first code by the second; see `add`.

    In P3109 formats (those whose default overflow is `Overflow.P3109`) x/0 is NaN and INVALID.

    Parameters
    ----------
    a, b : int
    fmt : Format or pair of Format
    how : How
    out : Format, optional

    Returns
    -------
    code : int
    flags : Flag
    """
    signed_zero = result_format(fmt, out).default_overflow is not Overflow.P3109

    def operation(x: Value, y: Value) -> Exact:
        return operations.divide(x, y, signed_zero=signed_zero)

    return _operate(operation, (a, b), fmt, how, out)


def sqrt(
    a: int, fmt: Formats, how: How = ARITHMETIC, out: Format | None = None
) -> tuple[int, Flag]:
    """Take the square root of a code; see `add`.

    Parameters
    ----------
    a : int
    fmt : Format
    how : How
    out : Format, optional

    Returns
    -------
    code : int
    flags : Flag
    """
    return _operate(operations.square_root_of, (a,), fmt, how, out)


def fma(
    a: int,
    b: int,
    c: int,
    fmt: Formats,
    how: How = ARITHMETIC,
    out: Format | None = None,
    *,
    exponent: int = 0,
) -> tuple[int, Flag]:
    """Return ``(a * b + c) * 2**exponent`` with one rounding; see `add`.

    Infinity times zero is INVALID, whatever c is, unless the context forgives it beside a NaN.

    Parameters
    ----------
    a, b, c : int
    fmt : Format or triple of Format
    how : How
    out : Format, optional
    exponent : int
        Scales the exact sum.

    Returns
    -------
    code : int
    flags : Flag
    """

    def operation(x: Value, y: Value, z: Value) -> Exact:
        total, flags = operations.multiply_add(x, y, z, toward_negative=_toward_negative(how))
        return (total, flags) if total.is_nan else operations.scale(total, exponent)

    operands = x, y, _ = decode_operands((a, b, c), fmt, how)
    if not any(value.is_nan for value in operands):
        return _operate(operation, (a, b, c), fmt, how, out)
    forbidden = (x.is_infinite and y.is_zero) or (x.is_zero and y.is_infinite)
    nan, flags = choose_nan_of_three(operands, how.context, infinity_times_zero=forbidden)
    code, raised = deliver(nan, result_format(fmt, out), how)
    return code, flags | raised


def rem(
    a: int, b: int, fmt: Formats, how: How = ARITHMETIC, out: Format | None = None
) -> tuple[int, Flag]:
    """Return IEEE 754's remainder of two codes; see `add`.

    Parameters
    ----------
    a, b : int
    fmt : Format or pair of Format
    how : How
    out : Format, optional

    Returns
    -------
    code : int
    flags : Flag
    """
    return _operate(operations.remainder, (a, b), fmt, how, out)


def scalbn(
    a: int, exponent: int, fmt: Formats, how: How = ARITHMETIC, out: Format | None = None
) -> tuple[int, Flag]:
    """Return ``a * 2**exponent`` with one rounding; see `add`.

    Parameters
    ----------
    a : int
    exponent : int
    fmt : Format
    how : How
    out : Format, optional

    Returns
    -------
    code : int
    flags : Flag
    """
    return _operate(lambda x: operations.scale(x, exponent), (a,), fmt, how, out)


def round_to_integral(
    a: int,
    fmt: Formats,
    how: How = ARITHMETIC,
    out: Format | None = None,
    *,
    exact: bool = True,
) -> tuple[int, Flag]:
    """Round to an integer of the same format; ties and TO_ODD go by the integer's parity.

    Parameters
    ----------
    a : int
    fmt : Format
    how : How
    out : Format, optional
    exact : bool
        Whether INEXACT is raised when the value changes.

    Returns
    -------
    code : int
        A zero keeps the sign of the operand.
    flags : Flag
    """

    def operation(x: Value) -> Exact:
        if not x.is_finite or x.is_zero:
            return x, _NONE
        below, is_whole = floor_divide(x.magnitude, power_of_two(0))
        spot = Place(x.magnitude, power_of_two(0), below, is_whole, below % 2 == 1)
        whole = below + goes_up(spot, negative=x.negative, how=how)
        value = Value(negative=x.negative, magnitude=whole * power_of_two(0))
        return value, _NONE if is_whole or not exact else Flag.INEXACT

    return _operate(operation, (a,), fmt, how, out)


def to_int(
    a: int, fmt: Format, out: IntFormat, how: How = ARITHMETIC, *, exact: bool = True
) -> tuple[int, Flag]:
    """Convert a code to an integer format.

    Parameters
    ----------
    a : int
    fmt : Format
    out : IntFormat
    how : How
        Its context says what stands in for numbers out of range, infinities and NaN; under WRAP
        infinities and NaN give 0.
    exact : bool
        Whether INEXACT is raised when the value changes.

    Returns
    -------
    code : int
        Two's complement in the low bits when signed.
    flags : Flag
        INVALID alone out of range.
    """
    value = decode(a, fmt, how.context)
    code, flags = round_value(value, out, dataclasses.replace(how, nan="zero"))
    if Flag.INVALID in flags and overflow_policy(out, how) is not Overflow.WRAP:
        above, below, nan = how.context.integer_failure
        code = _failure(nan if value.is_nan else below if value.negative else above, out)
    return code, flags if exact else flags & ~Flag.INEXACT


def _failure(word: str, fmt: IntFormat) -> int:
    """Return what stands in for an integer that cannot be: a code."""
    lowest, all_ones = (1 << (fmt.bits - 1)) if fmt.signed else 0, (1 << fmt.bits) - 1
    largest = all_ones - lowest
    indefinite = lowest if fmt.signed else largest
    return {"max": largest, "min": lowest, "zero": 0, "indefinite": indefinite}[word]


def from_int(number: int, fmt: Format, how: How = ARITHMETIC) -> tuple[int, Flag]:
    """Convert a Python integer of any size to a format.

    Parameters
    ----------
    number : int
    fmt : Format
    how : How

    Returns
    -------
    code : int
    flags : Flag
    """
    return round_value(Value.of(number), fmt, how)
