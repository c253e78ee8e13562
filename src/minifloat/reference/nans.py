"""NaN in arithmetic: which one a result is, by the rules of a machine, and how it is encoded."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from fractions import Fraction

from minifloat._context import Context
from minifloat._flags import Flag
from minifloat._formats import FloatFormat, Format
from minifloat.reference.exact import power_of_two
from minifloat.reference.how import How
from minifloat.reference.rounding import round_value
from minifloat.reference.values import Kind, Value

__all__ = ["choose_nan", "choose_nan_of_three", "default_nan", "deliver"]


def default_nan(context: Context) -> Value:
    """Return the NaN that invalid operations make.

    Parameters
    ----------
    context : Context
        Its `default_nan` is a sign, then the top seven trailing bits; the last one goes on.

    Returns
    -------
    Value

    Examples
    --------
    >>> from minifloat._context import contexts
    >>> default_nan(contexts.X86_SSE)
    Value(-nan)
    """
    pattern = context.default_nan
    top_bit = bool(pattern & 0x40)
    endless = power_of_two(-6) - power_of_two(-200) if pattern & 1 else Fraction(0)
    payload = Fraction(pattern & 0x3F, 64) + endless
    signaling = top_bit == context.snan_bit_is_one
    return Value(Kind.NAN, bool(pattern & 0x80), signaling=signaling, payload=payload)


def _quieted(nan: Value, context: Context) -> Value:
    """Make a NaN operand quiet, or replace it where clearing its top bit might leave none set."""
    if nan.signaling and context.snan_bit_is_one:
        return default_nan(context)
    return dataclasses.replace(nan, signaling=False)


def choose_nan(operands: Sequence[Value], context: Context) -> Value:
    """Choose the NaN of an operation with one or two operands.

    Parameters
    ----------
    operands : sequence of Value, length 1 or 2
        At least one of them NaN.
    context : Context
        Its `nan_rule` decides.

    Returns
    -------
    Value
        Quiet.
    """
    if context.nan_rule == "canonical":
        return default_nan(context)
    nans = [value for value in operands if value.is_nan]
    if context.nan_rule.endswith("ba"):
        nans.reverse()
    if len(nans) == 2 and context.nan_rule == "x87":
        # Python's sort is stable: the first of two equals stays first.
        nans.sort(key=lambda nan: (nan.signaling, -nan.payload, nan.negative))
    if context.nan_rule.startswith("s_"):
        nans.sort(key=lambda nan: not nan.signaling)
    return _quieted(nans[0], context)


def choose_nan_of_three(
    operands: Sequence[Value], context: Context, *, infinity_times_zero: bool
) -> tuple[Value, Flag]:
    """Choose the NaN of a fused multiply-add with a NaN operand.

    Parameters
    ----------
    operands : sequence of Value, length 3
        a, b and c of ``a * b + c``.
    context : Context
        Its `nan_rule_of_three` and its rules of infinity times zero decide.
    infinity_times_zero : bool
        Whether a and b are an infinity and a zero.

    Returns
    -------
    value : Value
        Quiet.
    flags : Flag
        INVALID for a signalling operand, and for infinity times zero unless the context forgives
        it beside a quiet NaN.
    """
    signals = any(value.signaling for value in operands)
    forgiven = context.infinity_times_zero_quiet or not infinity_times_zero
    flags = Flag(0) if forgiven and not signals else Flag.INVALID
    fresh = infinity_times_zero and (
        context.infinity_times_zero == "default"
        or (context.infinity_times_zero == "default_if_quiet" and not operands[2].signaling)
    )
    rule = context.nan_rule_of_three
    if rule == "canonical" or fresh:
        return default_nan(context), flags
    order = rule.removeprefix("s_")
    nans = [operands["abc".index(letter)] for letter in order]
    nans = [value for value in nans if value.is_nan]
    if rule.startswith("s_"):
        nans.sort(key=lambda nan: not nan.signaling)
    return _quieted(nans[0], context), flags


def deliver(value: Value, fmt: Format, how: How) -> tuple[int, Flag]:
    """Encode the result of an operation: round numbers, keep a NaN's sign and payload.

    The payload is left-aligned: a narrower format keeps its top bits. Formats of one NaN code per
    sign, or of a single one, use that; those without NaN follow the `nan` policy.

    Parameters
    ----------
    value : Value
    fmt : Format
    how : How

    Returns
    -------
    code : int
    flags : Flag
    """
    if not (value.is_nan and isinstance(fmt, FloatFormat) and fmt.has_signaling_nan):
        return round_value(dataclasses.replace(value, signaling=False), fmt, how)
    payload = math.floor(value.payload * power_of_two(fmt.trailing_bits - 1))
    top_bit = value.signaling == how.context.snan_bit_is_one
    trailing = (top_bit << (fmt.trailing_bits - 1)) | payload
    if trailing == 0:  # an infinity's code
        return round_value(Value(Kind.NAN, value.negative), fmt, how)
    sign = (1 << (fmt.bits - 1)) if value.negative and fmt.signed else 0
    field = ((1 << fmt.exponent_bits) - 1) << fmt.trailing_bits
    return (sign | field | trailing) << fmt.code_shift, Flag(0)
