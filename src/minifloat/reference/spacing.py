"""The grid around one magnitude: its quantum, its neighbours, and the codes of grid points."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from fractions import Fraction

from minifloat._formats import FloatFormat, Format, HiFloat8Format, IntFormat, Subnormals
from minifloat.reference.exact import Magnitude, binade, floor_divide, power_of_two
from minifloat.reference.values import decode, largest, smallest_normal

__all__ = ["Place", "encode_magnitude", "place", "quantum", "unbounded_place"]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a magnitude lies between two neighbouring grid points.

    Parameters
    ----------
    magnitude : Fraction or SquareRoot
    unit : fractions.Fraction
        The distance of the neighbours.
    below : int
        The lower neighbour is ``below * unit``, the upper one ``(below + 1) * unit``.
    exact : bool
        Whether the magnitude is the lower neighbour.
    odd : bool
        Whether the code of the lower neighbour is odd.
    """

    magnitude: Magnitude
    unit: Fraction
    below: int
    exact: bool
    odd: bool

    def fraction(self, bits: int) -> tuple[int, bool]:
        """Return the fraction of the unit above the lower neighbour, to so many bits.

        Parameters
        ----------
        bits : int

        Returns
        -------
        floor : int
            ``floor(fraction * 2**bits)``.
        exact : bool
            Whether nothing was cut off.
        """
        scaled, exact = floor_divide(self.magnitude, self.unit / (1 << bits))
        return scaled - (self.below << bits), exact

    @property
    def half(self) -> int:
        """The fraction against one half: -1 below, 0 a tie, 1 above."""
        bit, exact = self.fraction(1)
        return (0 if exact else 1) if bit else -1


def quantum(magnitude: Magnitude, fmt: Format) -> Fraction:
    """Return the spacing of a format's grid at a positive magnitude.

    Above the largest finite value the grid goes on as if the exponent were unbounded.

    Parameters
    ----------
    magnitude : Fraction or SquareRoot
    fmt : Format

    Returns
    -------
    fractions.Fraction
        The quantum of the magnitude's binade; without subnormals, the smallest positive value for
        everything below it.
    """
    if isinstance(fmt, IntFormat):
        return power_of_two(fmt.scale_exponent)
    if isinstance(fmt, HiFloat8Format):
        return _hifloat8_quantum(max(binade(magnitude), -22))
    assert isinstance(fmt, FloatFormat)
    lowest = smallest_normal(fmt)
    if fmt.subnormals is not Subnormals.GRADUAL and magnitude < lowest:
        return lowest
    return power_of_two(max(binade(magnitude), binade(lowest)) - fmt.trailing_bits)


def _hifloat8_quantum(exponent: int) -> Fraction:
    if exponent <= -16:
        trailing_bits = 0
    elif abs(exponent) <= 3:
        trailing_bits = 3
    else:
        trailing_bits = 2 if abs(exponent) <= 7 else 1
    return power_of_two(exponent - trailing_bits)


def place(magnitude: Magnitude, fmt: Format) -> Place:
    """Find a positive magnitude's neighbours on a format's grid.

    Parameters
    ----------
    magnitude : Fraction or SquareRoot
    fmt : Format

    Returns
    -------
    Place
    """
    unit = quantum(magnitude, fmt)
    below, exact = floor_divide(magnitude, unit)
    return Place(magnitude, unit, below, exact, _is_odd(below, unit, fmt))


def unbounded_place(magnitude: Magnitude, fmt: Format) -> Place:
    """Find a positive magnitude's neighbours if the exponent had no lower bound either.

    Parameters
    ----------
    magnitude : Fraction or SquareRoot
    fmt : Format

    Returns
    -------
    Place
    """
    exponent = binade(magnitude)
    if isinstance(fmt, FloatFormat):
        unit = power_of_two(exponent - fmt.trailing_bits)
        below, exact = floor_divide(magnitude, unit)
        # With no trailing bit, neighbouring powers of two have neighbouring codes.
        odd = below % 2 == 1 if fmt.trailing_bits else (exponent + fmt.bias) % 2 == 1
        return Place(magnitude, unit, below, exact, odd)
    if isinstance(fmt, HiFloat8Format) and exponent < -15:
        unit = power_of_two(exponent - 1)  # the lowest normal binade has one trailing bit
        below, exact = floor_divide(magnitude, unit)
        return Place(magnitude, unit, below, exact, below % 2 == 1)
    return place(magnitude, fmt)


def _is_odd(below: int, unit: Fraction, fmt: Format) -> bool:
    """Tell the parity of the code of a grid point, of the code to come beyond the largest value."""
    if isinstance(fmt, HiFloat8Format) and below * unit <= largest(fmt).magnitude:
        return encode_magnitude(below * unit, fmt) % 2 == 1
    if isinstance(fmt, FloatFormat) and fmt.trailing_bits == 0 and below:
        return (binade(unit) + fmt.bias) % 2 == 1
    return below % 2 == 1


@functools.lru_cache(maxsize=1)
def _hifloat8_codes(fmt: HiFloat8Format) -> dict[Magnitude, int]:
    values = ((code, decode(code, fmt)) for code in range(0x80))
    return {value.magnitude: code for code, value in values if value.is_finite}


def encode_magnitude(magnitude: Fraction, fmt: Format) -> int:
    """Return the content code of a grid point that is not negative.

    Parameters
    ----------
    magnitude : fractions.Fraction
        A finite value of the format.
    fmt : Format

    Returns
    -------
    int

    Examples
    --------
    >>> from minifloat._formats import get_format
    >>> hex(encode_magnitude(Fraction(448), get_format("e4m3fn")))
    '0x7e'
    """
    if isinstance(fmt, HiFloat8Format):
        return _hifloat8_codes(fmt)[magnitude]
    if isinstance(fmt, IntFormat):
        return _whole(magnitude / power_of_two(fmt.scale_exponent))
    assert isinstance(fmt, FloatFormat)
    if magnitude == 0:
        return 0
    exponent = binade(magnitude)
    first_field = 1 if fmt.subnormals is Subnormals.GRADUAL else 0
    if exponent + fmt.bias < first_field:
        return _whole(magnitude / power_of_two(1 - fmt.bias - fmt.trailing_bits))
    significand = _whole(magnitude / power_of_two(exponent - fmt.trailing_bits))
    trailing = significand - (1 << fmt.trailing_bits)
    return ((exponent + fmt.bias) << fmt.trailing_bits) + trailing


def _whole(number: Fraction) -> int:
    if number.denominator != 1:
        msg = f"not a grid point: {number} is no whole number of quanta"
        raise ValueError(msg)
    return number.numerator
