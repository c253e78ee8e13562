"""What a scalar format is: a grid of values plus an encoding of its points as codes."""

from __future__ import annotations

from dataclasses import fields
from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING

from minifloat._rounding import Overflow

__all__ = ["Format", "NanCode", "Subnormals", "power_of_two", "short"]


class NanCode(Enum):
    """Where the NaN codes of a format sit."""

    IEEE = "ieee"
    """The top exponent field with a non-zero trailing field; with a zero one it is infinity."""
    ALL_ONES = "all_ones"
    """The code (without its sign) of all ones; an infinity sits just below it."""
    NEGATIVE_ZERO = "negative_zero"
    """The code of a set sign bit alone; an infinity has all other bits set."""
    NONE = "none"
    """The format has no NaN; an infinity has all bits but the sign set."""


class Subnormals(Enum):
    """What the exponent field 0 holds."""

    GRADUAL = "gradual"
    """Zero and the subnormal values (IEEE 754)."""
    ZERO = "zero"
    """Zero alone: its other codes decode as zero and are never produced."""
    NORMAL = "normal"
    """An ordinary binade of normal values, except that code 0 is zero if the format has one."""


class Format:
    """A scalar number format.

    Equality compares the fields, the default overflow included, but not names.
    """

    name: str
    signed: bool
    default_overflow: Overflow
    code_shift: int
    """Zero bits below the content in the storage word."""

    if TYPE_CHECKING:

        @property
        def bits(self) -> int:
            """Number of bits of content."""

    @property
    def precision(self) -> int:
        """Number of significand bits, the hidden bit counted (the largest, if they differ)."""
        raise NotImplementedError

    @property
    def max(self) -> Fraction:
        """Largest finite value."""
        raise NotImplementedError

    @property
    def smallest_normal(self) -> Fraction:
        """Smallest positive value of full precision."""
        raise NotImplementedError

    @property
    def smallest(self) -> Fraction:
        """Smallest positive value."""
        raise NotImplementedError

    @property
    def spec(self) -> str:
        """The canonical text that `minifloat.get_format` reads back."""
        raise NotImplementedError

    @property
    def min(self) -> Fraction:
        """Smallest finite value: ``-max``, or the smallest non-negative one when unsigned."""
        if self.signed:
            return -self.max
        return Fraction(0) if self.has_zero else self.smallest

    @property
    def code_bits(self) -> int:
        """Number of bits of storage that a code occupies, the zero bits below it included."""
        return self.bits + self.code_shift

    @property
    def has_infinity(self) -> bool:
        """Whether the format encodes infinities."""
        return False

    @property
    def has_nan(self) -> bool:
        """Whether the format encodes NaN."""
        return False

    @property
    def has_signaling_nan(self) -> bool:
        """Whether NaN codes have IEEE 754's quiet bit."""
        return False

    @property
    def has_zero(self) -> bool:
        """Whether the format encodes zero."""
        return True

    @property
    def has_negative_zero(self) -> bool:
        """Whether the format encodes a zero with its sign set."""
        return False

    def __str__(self) -> str:
        return self.name or self.spec

    def cached_hash(self) -> int:
        """Hash of the fields that count, worked out once: plans are looked up by format."""
        found = self.__dict__.get("_hash")
        if found is None:
            names = [f.name for f in fields(self) if f.compare]  # type: ignore[arg-type]
            found = hash((type(self), *(getattr(self, name) for name in names)))
            object.__setattr__(self, "_hash", found)
        return int(found)


def short(value: Fraction) -> str:
    """Return a number as short text for a repr.

    Parameters
    ----------
    value : Fraction

    Returns
    -------
    str
    """
    return format(float(value), ".7g")


def power_of_two(exponent: int) -> Fraction:
    """Return an exact power of two.

    Parameters
    ----------
    exponent : int

    Returns
    -------
    Fraction
    """
    return Fraction(1 << exponent) if exponent >= 0 else Fraction(1, 1 << -exponent)
