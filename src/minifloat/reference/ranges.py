"""The range step: what stands in for values that a format cannot hold."""

from __future__ import annotations

from enum import Enum

from minifloat._formats import FloatFormat, Format, HiFloat8Format, NanCode
from minifloat._rounding import Overflow, Rounding
from minifloat.reference.how import How, overflow_policy
from minifloat.reference.spacing import encode_magnitude
from minifloat.reference.values import largest, smallest_normal

__all__ = ["Outcome", "infinity_outcome", "negative_outcome", "outcome_code", "overflow_outcome"]


class Outcome(Enum):
    """The stand-ins."""

    MAX = "largest finite value"
    INFINITY = "infinity"
    NAN = "canonical quiet NaN"
    ZERO = "zero"
    SMALLEST = "smallest positive value"


def overflow_outcome(fmt: Format, how: How, *, negative: bool) -> Outcome:
    """Decide what a finite value beyond the largest one becomes, on a side that the format has.

    Parameters
    ----------
    fmt : Format
    how : How
    negative : bool

    Returns
    -------
    Outcome

    References
    ----------
    IEEE 754-2019 §7.4; IEEE P3109 v4.0, saturation modes.
    """
    match overflow_policy(fmt, how):
        case Overflow.NAN | Overflow.NAN_KEEP_INFINITY:
            return Outcome.NAN
        case Overflow.INFINITY:
            return Outcome.INFINITY
        case Overflow.IEEE if how.mode is Rounding.TO_ODD or _is_inward(how, negative):
            return Outcome.MAX
        case Overflow.IEEE:
            return Outcome.INFINITY if fmt.has_infinity else Outcome.NAN
        case Overflow.P3109:
            odd_max = not fmt.signed and how.mode is Rounding.TO_ODD
            stays = not fmt.has_infinity or odd_max or _is_inward(how, negative)
            return Outcome.MAX if stays else Outcome.INFINITY
        case _:
            return Outcome.MAX


def _is_inward(how: How, negative: bool) -> bool:
    """Tell whether the mode never rounds away from zero on this side."""
    inward = Rounding.TOWARD_POSITIVE if negative else Rounding.TOWARD_NEGATIVE
    return how.mode in (Rounding.TOWARD_ZERO, inward)


def infinity_outcome(fmt: Format, how: How) -> Outcome:
    """Decide what an infinity becomes, on a side that the format has.

    Parameters
    ----------
    fmt : Format
    how : How

    Returns
    -------
    Outcome
    """
    policy = overflow_policy(fmt, how)
    if policy is Overflow.SATURATE:
        return Outcome.MAX
    if policy is Overflow.NAN:
        return Outcome.NAN
    if fmt.has_infinity:
        return Outcome.INFINITY
    # Without infinity: P3109's SatPropagate and SatNone clamp, the others need the NaN.
    clamps = policy in (Overflow.SATURATE_KEEP_INFINITY, Overflow.P3109)
    return Outcome.MAX if clamps else Outcome.NAN


def negative_outcome(fmt: Format, how: How, *, infinite: bool) -> Outcome:
    """Decide what a negative value becomes in an unsigned format.

    Parameters
    ----------
    fmt : Format
        Unsigned, floating-point.
    how : How
    infinite : bool
        Whether the value is -infinity.

    Returns
    -------
    Outcome
    """
    policy = overflow_policy(fmt, how)
    saturates = policy in (Overflow.SATURATE, Overflow.SATURATE_KEEP_INFINITY)
    toward_zero = how.mode in (Rounding.TOWARD_ZERO, Rounding.TOWARD_POSITIVE)
    wants_zero = saturates or (policy is Overflow.P3109 and toward_zero and not infinite)
    order = (Outcome.ZERO, Outcome.NAN) if wants_zero else (Outcome.NAN, Outcome.ZERO)
    has = {Outcome.ZERO: fmt.has_zero, Outcome.NAN: fmt.has_nan}
    return next((outcome for outcome in order if has[outcome]), Outcome.SMALLEST)


def outcome_code(outcome: Outcome, fmt: Format, *, negative: bool) -> int:
    """Return the content code of a stand-in, with the sign where the format has one for it.

    Parameters
    ----------
    outcome : Outcome
    fmt : FloatFormat or HiFloat8Format
    negative : bool

    Returns
    -------
    int
    """
    sign = 1 << (fmt.bits - 1) if negative and fmt.signed else 0
    match outcome:
        case Outcome.MAX:
            return sign | encode_magnitude(abs(largest(fmt).number), fmt)
        case Outcome.ZERO:
            return sign if fmt.has_negative_zero else 0
        case Outcome.SMALLEST:
            return sign | encode_magnitude(smallest_normal(fmt), fmt)
        case Outcome.INFINITY:
            return sign | _infinity(fmt)
        case Outcome.NAN:
            return _quiet_nan(fmt, sign)


def _infinity(fmt: Format) -> int:
    if isinstance(fmt, HiFloat8Format):
        return 0x6F
    assert isinstance(fmt, FloatFormat)
    assert fmt.infinities
    width = fmt.exponent_bits + fmt.trailing_bits
    all_ones = (1 << width) - 1
    match fmt.nan:
        case NanCode.IEEE:
            return all_ones - ((1 << fmt.trailing_bits) - 1)
        case NanCode.ALL_ONES:
            return all_ones - 1
        case NanCode.NEGATIVE_ZERO | NanCode.NONE:
            return all_ones


def _quiet_nan(fmt: Format, sign: int) -> int:
    if isinstance(fmt, HiFloat8Format):
        return 0x80
    assert isinstance(fmt, FloatFormat)
    all_ones = (1 << (fmt.exponent_bits + fmt.trailing_bits)) - 1
    match fmt.nan:
        case NanCode.IEEE:
            # All ones but the trailing bits below the quiet bit.
            return sign | (all_ones - ((1 << (fmt.trailing_bits - 1)) - 1))
        case NanCode.ALL_ONES:
            return sign | all_ones
        case NanCode.NEGATIVE_ZERO:
            return all_ones + 1
        case NanCode.NONE:
            msg = f"{fmt} has no NaN"
            raise ValueError(msg)
