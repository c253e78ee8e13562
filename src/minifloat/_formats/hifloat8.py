"""HiFloat8: a format whose quantum depends on the size of the exponent."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from minifloat._formats.types import Format
from minifloat._rounding import Overflow

__all__ = ["HiFloat8Format"]


@dataclass(frozen=True, repr=False)
class HiFloat8Format(Format):
    """HiFloat8: tapered precision, 3 trailing bits near 1 down to none at 2**-22.

    The exponent field's width is itself encoded (a "dot" prefix), so the quantum depends on the
    magnitude of the exponent. Codes do not sort by value.

    Examples
    --------
    >>> HiFloat8Format().max
    Fraction(32768, 1)
    """

    default_overflow: Overflow = field(default=Overflow.IEEE, kw_only=True)
    name: str = field(default="", kw_only=True, compare=False)

    signed = True
    code_shift = 0
    infinity_code = 0x6F
    nan_code = 0x80
    __hash__ = Format.cached_hash
    max_code = 0x6E
    smallest_code = 0x01

    @property
    def bits(self) -> int:
        return 8

    @property
    def precision(self) -> int:
        return 4

    @property
    def max(self) -> Fraction:
        return Fraction(2**15)

    @property
    def smallest_normal(self) -> Fraction:
        return Fraction(1, 2**15)

    @property
    def smallest(self) -> Fraction:
        return Fraction(1, 2**22)

    @property
    def has_infinity(self) -> bool:
        return True

    @property
    def has_nan(self) -> bool:
        return True

    @property
    def spec(self) -> str:
        usual = self.default_overflow is Overflow.IEEE
        return "hifloat8" if usual else f"hifloat8:overflow={self.default_overflow.value}"

    def __repr__(self) -> str:
        return f"<{self} 8-bit tapered float, max 32768>"
