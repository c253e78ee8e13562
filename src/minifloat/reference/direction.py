"""The rounding step: which of its two neighbours a magnitude goes to."""

from __future__ import annotations

from typing import assert_never

from minifloat._errors import OptionError
from minifloat._formats import FloatFormat, Format
from minifloat._rounding import Rounding, Stochastic
from minifloat.reference.exact import binade, floor_divide, power_of_two
from minifloat.reference.how import How, hybrid_source, noise_bits
from minifloat.reference.spacing import Place
from minifloat.reference.values import Value

__all__ = ["goes_up", "hybrid_goes_up"]


def goes_up(place: Place, *, negative: bool, how: How) -> bool:
    """Tell whether a magnitude goes to its upper neighbour.

    Parameters
    ----------
    place : Place
    negative : bool
        The sign of the value whose magnitude this is.
    how : How
        Any mode but HYBRID.

    Returns
    -------
    bool
        Exact values never go.

    References
    ----------
    IEEE 754-2019 §4.3; IEEE P3109 v4.0, rounding modes.

    Examples
    --------
    >>> from fractions import Fraction
    >>> tie = Place(Fraction(5, 2), Fraction(1), 2, exact=False, odd=False)
    >>> [goes_up(tie, negative=False, how=How(mode)) for mode in ("rne", "rna", "rtp", "rto")]
    [False, True, True, True]
    """
    if place.exact:
        return False
    match how.mode:
        case Stochastic() as mode:
            return _noise_goes_up(place, mode, how)
        case Rounding.TIES_TO_EVEN:
            return place.half > 0 or (place.half == 0 and place.odd)
        case Rounding.TIES_TO_AWAY:
            return place.half >= 0
        case Rounding.TIES_TO_ZERO:
            return place.half > 0
        case Rounding.TOWARD_ZERO:
            return False
        case Rounding.AWAY_FROM_ZERO:
            return True
        case Rounding.TOWARD_POSITIVE:
            return not negative
        case Rounding.TOWARD_NEGATIVE:
            return negative
        case Rounding.TO_ODD:
            return not place.odd
        case Rounding.HYBRID:
            msg = "hybrid rounding is only defined for casts to hifloat8"
            raise OptionError(msg)
        case _ as never:
            assert_never(never)


def _noise_goes_up(place: Place, mode: Stochastic, how: How) -> bool:
    bits = noise_bits(how)
    one = 1 << bits
    if how.noise_table is not None:
        floor, exact = place.fraction(bits)
        jam = how.noise_jams and not (exact and floor == 0)
        threshold = how.noise_table[floor | jam]
        return threshold == 2**32 - 1 or how.random_bits < threshold
    match mode.variant:
        case "floor":
            floor, _ = place.fraction(bits)
            return floor + how.random_bits >= one
        case "centred":
            floor, _ = place.fraction(bits + 1)
            return floor + 2 * how.random_bits + 1 >= 2 * one
        case "nearest":
            doubled, exact = place.fraction(bits + 1)
            floor, half = divmod(doubled, 2)
            beyond_tie = half and not exact
            tie_from_odd = half and exact and floor % 2 == 1
            return floor + bool(beyond_tie or tie_from_odd) + how.random_bits >= one


def hybrid_goes_up(place: Place, value: Value, fmt: Format, how: How) -> bool:
    """Tell whether HiFloat8's HYBRID mode rounds a magnitude up.

    Near 1 (exponents -3 to 3) it is TIES_TO_AWAY. Elsewhere the bits below the kept ones are
    compared with a threshold made of the source's own lowest fraction bits: 14 bits from float32,
    two (the second always set) from float16. A threshold of 0 moves exact float32 values as well.

    Parameters
    ----------
    place : Place
    value : Value
        Non-zero.
    fmt : Format
        hifloat8.
    how : How
        Its `source` is float16 or float32.

    Returns
    -------
    bool
    """
    source = hybrid_source(fmt, how)
    exponent = binade(value.magnitude)
    if abs(exponent) <= 3:
        return place.half >= 0
    if exponent < -23:
        return False
    width = 2 if source.trailing_bits == 10 else 14
    fraction, _ = place.fraction(width)
    return fraction >= _hybrid_threshold(value, source)


def _hybrid_threshold(value: Value, source: FloatFormat) -> int:
    """Read the threshold off the source's trailing field."""
    lowest = power_of_two(max(binade(value.magnitude), 1 - source.bias) - source.trailing_bits)
    significand, exact = floor_divide(value.magnitude, lowest)
    if not exact:
        msg = f"{value} is no value of {source}"
        raise ValueError(msg)
    if source.trailing_bits == 10:
        return 2 * (significand % 2) + 1
    return significand % (1 << 14)
