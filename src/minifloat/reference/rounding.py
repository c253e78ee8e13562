"""From an exact value to a code: round, judge the range, encode, and raise the flags."""

from __future__ import annotations

import dataclasses
from fractions import Fraction

from minifloat._errors import NanError, OptionError
from minifloat._flags import Flag
from minifloat._formats import Format, IntFormat
from minifloat._rounding import Overflow, Rounding
from minifloat.reference.direction import goes_up, hybrid_goes_up
from minifloat.reference.exact import power_of_two
from minifloat.reference.how import NEAREST, How, hybrid_source, overflow_policy
from minifloat.reference.ranges import (
    Outcome,
    infinity_outcome,
    negative_outcome,
    outcome_code,
    overflow_outcome,
)
from minifloat.reference.spacing import Place, encode_magnitude, place, unbounded_place
from minifloat.reference.values import Value, decode, largest, smallest_normal

__all__ = ["cast", "encode", "round_value"]

_NONE = Flag(0)
_INEXACT = Flag.INEXACT
_TINY = Flag.UNDERFLOW | Flag.INEXACT


def round_value(value: Value, fmt: Format, how: How = NEAREST) -> tuple[int, Flag]:
    """Round an exact value into a format.

    Parameters
    ----------
    value : Value
    fmt : Format
        The destination.
    how : How

    Returns
    -------
    code : int
        In storage form.
    flags : Flag

    Raises
    ------
    OptionError
        If an option cannot be honoured in this format.
    NanError
        For a NaN under ``nan="raise"`` into a format without NaN.

    Examples
    --------
    >>> from minifloat._formats import get_format
    >>> code, flags = round_value(Value.of(500), get_format("e4m3fn"), How("rtz"))
    >>> hex(code), flags == Flag.OVERFLOW | Flag.INEXACT
    ('0x7e', True)
    """
    overflow_policy(fmt, how)
    if how.mode is Rounding.HYBRID:
        hybrid_source(fmt, how)
    if value.is_nan:
        code, flags = _round_nan(value, fmt, how)
    elif isinstance(fmt, IntFormat):
        code, flags = _round_integer(value, fmt, how)
    elif value.is_infinite:
        code, flags = _round_infinity(value, fmt, how)
    elif value.is_zero:
        code, flags = _round_zero(value, fmt)
    else:
        code, flags = _round_finite(value, fmt, how)
    return code << fmt.code_shift, flags


def encode(number: float | Fraction, fmt: Format, how: How = NEAREST) -> tuple[int, Flag]:
    """Round a Python number into a format; see `round_value`.

    Parameters
    ----------
    number : int, float or Fraction
    fmt : Format
    how : How

    Returns
    -------
    code : int
    flags : Flag

    Examples
    --------
    >>> from minifloat._formats import get_format
    >>> encode(-431.99999999999994, get_format("e4m3fn"))
    (253, <Flag.INEXACT: 1>)
    """
    return round_value(Value.of(number), fmt, how)


def cast(code: int, source: Format, fmt: Format, how: How = NEAREST) -> tuple[int, Flag]:
    """Convert a code of one format into another; see `round_value`.

    Parameters
    ----------
    code : int
    source, fmt : Format
    how : How
        Its `source` is replaced.

    Returns
    -------
    code : int
    flags : Flag
    """
    value = decode(code, source, how.context)
    return round_value(value, fmt, dataclasses.replace(how, source=source))


def _round_nan(value: Value, fmt: Format, how: How) -> tuple[int, Flag]:
    if fmt.has_nan:
        code = outcome_code(Outcome.NAN, fmt, negative=value.negative)
        return code, Flag.INVALID if value.signaling else _NONE
    match how.nan:
        case "raise":
            msg = f"NaN into {fmt}, which has none; say nan='max' or nan='zero'"
            raise NanError(msg)
        case "max":
            return encode_magnitude(largest(fmt).number, fmt), Flag.INVALID
        case "zero" if fmt.has_zero:
            return 0, Flag.INVALID
        case _:
            msg = f"nan={how.nan!r} has no result in {fmt}; allowed are 'raise', 'max' and 'zero'"
            raise OptionError(msg)


def _round_integer(value: Value, fmt: IntFormat, how: How) -> tuple[int, Flag]:
    wraps = overflow_policy(fmt, how) is Overflow.WRAP
    bound = largest(fmt, negative=value.negative).number
    low_bits = (1 << fmt.bits) - 1
    unit = power_of_two(fmt.scale_exponent)
    if value.is_infinite:
        return 0 if wraps else int(bound / unit) & low_bits, Flag.INVALID
    if value.is_zero:
        return 0, _NONE
    rounded = _round_magnitude(place(value.magnitude, fmt), value, fmt, how)
    number = -rounded if value.negative else rounded
    if abs(number) > abs(bound):
        return int((number if wraps else bound) / unit) & low_bits, Flag.INVALID
    return int(number / unit) & low_bits, _NONE if rounded == value.magnitude else _INEXACT


def _round_infinity(value: Value, fmt: Format, how: How) -> tuple[int, Flag]:
    if fmt.signed or not value.negative:
        outcome = infinity_outcome(fmt, how)
        return outcome_code(outcome, fmt, negative=value.negative), _NONE
    saturating = (Overflow.SATURATE, Overflow.SATURATE_KEEP_INFINITY)
    outcome = negative_outcome(fmt, how, infinite=True)
    clamps = overflow_policy(fmt, how) in saturating and fmt.has_zero
    flags = _NONE if clamps else Flag.INVALID
    return outcome_code(outcome, fmt, negative=True), flags


def _round_zero(value: Value, fmt: Format) -> tuple[int, Flag]:
    if fmt.has_zero:
        return outcome_code(Outcome.ZERO, fmt, negative=value.negative), _NONE
    outcome = Outcome.NAN if fmt.has_nan else Outcome.SMALLEST
    return outcome_code(outcome, fmt, negative=value.negative), Flag.INVALID


def _round_finite(value: Value, fmt: Format, how: How) -> tuple[int, Flag]:
    forbidden = value.negative and not fmt.signed
    p3109 = overflow_policy(fmt, how) is Overflow.P3109
    if forbidden and not p3109:
        return _refuse_negative(fmt, how)
    tiny = _is_tiny(value, fmt, how, how.context.tininess)
    if tiny and not fmt.has_zero:
        smallest = outcome_code(Outcome.SMALLEST, fmt, negative=value.negative)
        return (smallest, _TINY) if not forbidden else _refuse_negative(fmt, how)
    detection = how.context.flush_detection or how.context.tininess
    if how.context.flush_outputs and _is_tiny(value, fmt, how, detection):
        return outcome_code(Outcome.ZERO, fmt, negative=value.negative), _TINY
    rounded = _round_magnitude(place(value.magnitude, fmt), value, fmt, how)
    if forbidden and rounded:
        return _refuse_negative(fmt, how)
    if rounded > abs(largest(fmt).number):
        outcome = overflow_outcome(fmt, how, negative=value.negative)
        code = outcome_code(outcome, fmt, negative=value.negative)
        return code, Flag.OVERFLOW | Flag.INEXACT
    if rounded == 0:
        code = outcome_code(Outcome.ZERO, fmt, negative=value.negative)
    else:
        sign = 1 << (fmt.bits - 1) if value.negative else 0
        code = sign | encode_magnitude(rounded, fmt)
    inexact = rounded != value.magnitude
    return code, (_TINY if tiny else _INEXACT) if inexact else _NONE


def _refuse_negative(fmt: Format, how: How) -> tuple[int, Flag]:
    outcome = negative_outcome(fmt, how, infinite=False)
    return outcome_code(outcome, fmt, negative=True), Flag.INVALID


def _round_magnitude(spot: Place, value: Value, fmt: Format, how: How) -> Fraction:
    """Return the grid point that a non-zero value's magnitude goes to."""
    if how.mode is Rounding.HYBRID:
        up = hybrid_goes_up(spot, value, fmt, how)
    else:
        up = goes_up(spot, negative=value.negative, how=how)
    return (spot.below + up) * spot.unit


def _is_tiny(value: Value, fmt: Format, how: How, rule: str) -> bool:
    """Tell whether a non-zero value is below the normal range, after or before rounding.

    A format without zero has nothing below its smallest value, so tininess is judged before
    rounding there; so it is in the stochastic modes and in HYBRID.
    """
    bound = smallest_normal(fmt)
    if value.magnitude >= bound:
        return False
    decided_by_noise = how.is_stochastic or how.mode is Rounding.HYBRID
    if rule == "before" or decided_by_noise or not fmt.has_zero:
        return True
    spot = unbounded_place(value.magnitude, fmt)
    return (spot.below + goes_up(spot, negative=value.negative, how=how)) * spot.unit < bound
