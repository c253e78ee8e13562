"""Exact non-negative magnitudes: rationals, and the square roots that are none."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

__all__ = ["Magnitude", "SquareRoot", "binade", "floor_divide", "power_of_two", "square_root"]


@dataclass(frozen=True, slots=True)
class SquareRoot:
    """The irrational positive square root of a rational.

    It compares with rationals exactly (through squares), which is all that rounding needs.

    Parameters
    ----------
    radicand : fractions.Fraction
        Positive, and not the square of a rational; see `square_root`.

    Examples
    --------
    >>> Fraction(7, 5) < SquareRoot(Fraction(2)) < Fraction(3, 2)
    True
    """

    radicand: Fraction

    def __lt__(self, other: Fraction | int) -> bool:
        return other > 0 and self.radicand < Fraction(other) ** 2

    def __gt__(self, other: Fraction | int) -> bool:
        return other <= 0 or self.radicand > Fraction(other) ** 2

    def __le__(self, other: Fraction | int) -> bool:
        return self < other

    def __ge__(self, other: Fraction | int) -> bool:
        return self > other


Magnitude: TypeAlias = Fraction | SquareRoot


def power_of_two(exponent: int) -> Fraction:
    """Return ``2**exponent`` exactly.

    Parameters
    ----------
    exponent : int

    Returns
    -------
    fractions.Fraction

    Examples
    --------
    >>> power_of_two(-3)
    Fraction(1, 8)
    """
    return Fraction(1 << exponent) if exponent >= 0 else Fraction(1, 1 << -exponent)


def binade(magnitude: Magnitude) -> int:
    """Return floor(log2(magnitude)).

    Parameters
    ----------
    magnitude : Fraction or SquareRoot
        Positive.

    Returns
    -------
    int

    Examples
    --------
    >>> binade(Fraction(7, 2)), binade(Fraction(1, 3)), binade(SquareRoot(Fraction(1, 3)))
    (1, -2, -1)
    """
    if isinstance(magnitude, SquareRoot):
        return binade(magnitude.radicand) // 2
    exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    return exponent if magnitude >= power_of_two(exponent) else exponent - 1


def floor_divide(magnitude: Magnitude, unit: Fraction) -> tuple[int, bool]:
    """Return floor(magnitude / unit) and whether the division is exact.

    Parameters
    ----------
    magnitude : Fraction or SquareRoot
        Non-negative.
    unit : fractions.Fraction
        Positive.

    Returns
    -------
    quotient : int
    exact : bool

    Examples
    --------
    >>> floor_divide(Fraction(7, 2), Fraction(1, 2))
    (7, True)
    >>> floor_divide(SquareRoot(Fraction(2)), Fraction(1, 100))
    (141, False)
    """
    if isinstance(magnitude, SquareRoot):
        return math.isqrt(math.floor(magnitude.radicand / unit**2)), False
    quotient, remainder = divmod(magnitude, unit)
    return quotient, remainder == 0


def square_root(radicand: Fraction) -> Magnitude:
    """Return the exact square root: a rational where there is one.

    Parameters
    ----------
    radicand : fractions.Fraction
        Non-negative.

    Returns
    -------
    Fraction or SquareRoot

    Examples
    --------
    >>> square_root(Fraction(9, 4)), square_root(Fraction(2))
    (Fraction(3, 2), SquareRoot(radicand=Fraction(2, 1)))
    """
    root = Fraction(math.isqrt(radicand.numerator), math.isqrt(radicand.denominator))
    return root if root**2 == radicand else SquareRoot(radicand)
