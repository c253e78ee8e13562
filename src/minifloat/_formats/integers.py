"""Integers as formats: one quantum everywhere."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from minifloat._errors import FormatError
from minifloat._formats.types import Format, power_of_two, short
from minifloat._rounding import Overflow

__all__ = ["IntFormat"]


@dataclass(frozen=True, repr=False)
class IntFormat(Format):
    """An integer (two's complement when signed) times a power of two: a fixed-point grid.

    Parameters
    ----------
    bits : int
        Width, 1 to 64 (2 to 64 when signed).
    signed : bool
        Whether codes are two's complement.
    scale_exponent : int
        The value of a code is ``code * 2**scale_exponent``.

    Raises
    ------
    FormatError
        If the width or the scale is out of range.

    Examples
    --------
    >>> IntFormat(4).max, IntFormat(4).min
    (Fraction(7, 1), Fraction(-8, 1))
    """

    bits: int
    signed: bool = True
    scale_exponent: int = 0
    default_overflow: Overflow = field(default=Overflow.SATURATE, kw_only=True)
    name: str = field(default="", kw_only=True, compare=False)

    code_shift = 0
    __hash__ = Format.cached_hash

    def __post_init__(self) -> None:
        if not 1 + self.signed <= self.bits <= 64:
            asked = f"IntFormat(bits={self.bits}, signed={self.signed})"
            msg = f"{asked}: allowed are 1 to 64 bits, 2 to 64 when signed"
            raise FormatError(msg)
        if not -1000 <= self.scale_exponent <= 900:
            msg = f"IntFormat(scale_exponent={self.scale_exponent}): allowed are -1000 to 900"
            raise FormatError(msg)

    @property
    def precision(self) -> int:
        return self.bits - self.signed

    @property
    def max(self) -> Fraction:
        return ((1 << self.precision) - 1) * self.smallest

    @property
    def min(self) -> Fraction:
        return -(1 << self.precision) * self.smallest if self.signed else Fraction(0)

    @property
    def smallest(self) -> Fraction:
        return power_of_two(self.scale_exponent)

    @property
    def smallest_normal(self) -> Fraction:
        return self.smallest

    @property
    def spec(self) -> str:
        text = f"{'' if self.signed else 'u'}int{self.bits}"
        keys = [f"scale={self.scale_exponent}"] if self.scale_exponent else []
        if self.default_overflow is not Overflow.SATURATE:
            keys.append(f"overflow={self.default_overflow.value}")
        return f"{text}:{','.join(keys)}" if keys else text

    def __repr__(self) -> str:
        return f"<{self} {self.bits}-bit integer, {short(self.min)} to {short(self.max)}>"
