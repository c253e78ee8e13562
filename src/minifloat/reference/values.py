"""What a code stands for: the exact value of every code of every format."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING

from minifloat._context import Context, contexts
from minifloat._errors import CodeError
from minifloat._formats import (
    FloatFormat,
    Format,
    HiFloat8Format,
    IntFormat,
    NanCode,
    Subnormals,
)
from minifloat.reference.exact import Magnitude, power_of_two

if TYPE_CHECKING:
    import numpy as np

__all__ = ["Kind", "Value", "decode", "largest", "smallest_normal"]


class Kind(Enum):
    """The three classes of values."""

    FINITE = "finite"
    INFINITE = "infinite"
    NAN = "nan"


@dataclass(frozen=True, slots=True)
class Value:
    """An exact value: a finite number, an infinity or a NaN, with its sign.

    Parameters
    ----------
    kind : Kind
    negative : bool
        The sign; -0 is a finite negative zero.
    magnitude : Fraction or SquareRoot
        The absolute value of a finite number, 0 otherwise.
    signaling : bool
        Whether a NaN signals.
    payload : fractions.Fraction
        The trailing bits of a NaN below the quiet bit, as a binary fraction in [0, 1).

    Examples
    --------
    >>> Value.of(-0.75)
    Value(-3/4)
    >>> Value.of(float("-inf"))
    Value(-inf)
    """

    kind: Kind = Kind.FINITE
    negative: bool = False
    magnitude: Magnitude = Fraction(0)
    signaling: bool = False
    payload: Fraction = Fraction(0)

    @classmethod
    def of(cls, number: float | Fraction | np.floating) -> Value:
        """Turn a Python or numpy number into its exact value.

        Parameters
        ----------
        number : int, float, Fraction or numpy.floating
            A float's -0, infinities and (quiet) NaNs keep their sign.

        Returns
        -------
        Value
        """
        if isinstance(number, (int, Fraction)):
            return cls(negative=number < 0, magnitude=abs(Fraction(number)))
        number = float(number)
        negative = math.copysign(1.0, number) < 0
        if math.isnan(number):
            return cls(Kind.NAN, negative)
        if math.isinf(number):
            return cls(Kind.INFINITE, negative)
        return cls(negative=negative, magnitude=abs(Fraction(number)))

    @property
    def is_nan(self) -> bool:
        """Whether this is a NaN."""
        return self.kind is Kind.NAN

    @property
    def is_infinite(self) -> bool:
        """Whether this is an infinity."""
        return self.kind is Kind.INFINITE

    @property
    def is_finite(self) -> bool:
        """Whether this is a number, zero included."""
        return self.kind is Kind.FINITE

    @property
    def is_zero(self) -> bool:
        """Whether this is a zero of either sign."""
        return self.is_finite and self.magnitude == 0

    @property
    def number(self) -> Fraction:
        """The rational number with its sign.

        Raises
        ------
        ValueError
            For infinities, NaNs and irrational values.
        """
        if not (self.is_finite and isinstance(self.magnitude, Fraction)):
            msg = f"{self} is not a rational number"
            raise ValueError(msg)
        return -self.magnitude if self.negative else self.magnitude

    def __float__(self) -> float:
        """Return the nearest float64, -0, infinities and NaN (of either sign) included."""
        match self.kind:
            case Kind.NAN:
                magnitude = math.nan
            case Kind.INFINITE:
                magnitude = math.inf
            case Kind.FINITE:
                magnitude = float(abs(self.number))
        return -magnitude if self.negative else magnitude

    def __repr__(self) -> str:
        sign = "-" if self.negative else ""
        match self.kind:
            case Kind.NAN:
                quiet = "snan" if self.signaling else "nan"
                return f"Value({sign}{quiet}{f':{self.payload}' if self.payload else ''})"
            case Kind.INFINITE:
                return f"Value({sign}inf)"
            case Kind.FINITE:
                return f"Value({sign}{self.magnitude})"


def decode(code: int, fmt: Format, context: Context = contexts.IEEE) -> Value:
    """Return the exact value of a code.

    Parameters
    ----------
    code : int
        A code in its storage form (the `code_shift` zero bits below the content included).
    fmt : Format
    context : Context
        `flush_inputs` turns subnormal values into zeros of their sign; `narrow_nans_quiet`,
        `no_signaling_nans` and `snan_bit_is_one` say which NaNs signal.

    Returns
    -------
    Value

    Raises
    ------
    CodeError
        If the code has bits outside the format's content.

    Examples
    --------
    >>> from minifloat._formats import get_format
    >>> decode(0x81, get_format("e4m3fn")), decode(0x7F, get_format("e4m3fn"))
    (Value(-1/512), Value(nan))
    """
    content, stray = divmod(code, 1 << fmt.code_shift)
    if stray or not 0 <= content < 1 << fmt.bits:
        msg = f"{code:#x} is not a code of {fmt}: it has bits outside the {fmt.bits} of content"
        raise CodeError(msg)
    value = _decode_content(content, fmt)
    if value.is_nan and fmt.has_signaling_nan:
        quiet = context.no_signaling_nans or (context.narrow_nans_quiet and fmt.bits <= 8)
        signaling = not quiet and value.signaling != context.snan_bit_is_one
        return Value(Kind.NAN, value.negative, signaling=signaling, payload=value.payload)
    if context.flush_inputs and value.is_finite and value.magnitude < smallest_normal(fmt):
        return Value(negative=value.negative)
    return value


def _decode_content(code: int, fmt: Format) -> Value:
    if isinstance(fmt, FloatFormat):
        return _decode_float(code, fmt)
    if isinstance(fmt, IntFormat):
        signed = code - (1 << fmt.bits) if fmt.signed and code >> (fmt.bits - 1) else code
        return Value.of(signed * power_of_two(fmt.scale_exponent))
    return _decode_hifloat8(code)


def _decode_float(code: int, fmt: FloatFormat) -> Value:
    width = fmt.exponent_bits + fmt.trailing_bits
    sign, magnitude_code = divmod(code, 1 << width)
    special = _decode_special(bool(sign), magnitude_code, fmt)
    if special is not None:
        return special
    exponent, trailing = divmod(magnitude_code, 1 << fmt.trailing_bits)
    scale = power_of_two(-fmt.trailing_bits)
    if fmt.zero and (magnitude_code == 0 or (exponent == 0 and fmt.subnormals is Subnormals.ZERO)):
        return Value(negative=bool(sign) and fmt.negative_zero)
    if exponent == 0 and fmt.subnormals is Subnormals.GRADUAL:
        magnitude = trailing * scale * power_of_two(1 - fmt.bias)
    else:
        magnitude = (1 + trailing * scale) * power_of_two(exponent - fmt.bias)
    return Value(negative=bool(sign), magnitude=magnitude)


def _decode_special(negative: bool, magnitude_code: int, fmt: FloatFormat) -> Value | None:
    """Return the NaN or infinity of a code, or None if it is a number."""
    all_ones = (1 << (fmt.exponent_bits + fmt.trailing_bits)) - 1
    infinity = all_ones
    match fmt.nan:
        case NanCode.IEEE:
            exponent, trailing = divmod(magnitude_code, 1 << fmt.trailing_bits)
            if exponent != (1 << fmt.exponent_bits) - 1:
                return None
            if trailing == 0:
                return Value(Kind.INFINITE, negative)
            half = 1 << (fmt.trailing_bits - 1)
            quiet, payload = divmod(trailing, half)
            return Value(Kind.NAN, negative, signaling=not quiet, payload=Fraction(payload, half))
        case NanCode.ALL_ONES:
            infinity = all_ones - 1
            if magnitude_code == all_ones:
                return Value(Kind.NAN, negative)
        case NanCode.NEGATIVE_ZERO:
            if negative and magnitude_code == 0:
                return Value(Kind.NAN)
        case NanCode.NONE:
            pass
    if fmt.infinities and magnitude_code == infinity:
        return Value(Kind.INFINITE, negative)
    return None


# Prefix ("dot") of the low seven bits: its length, and the widths of exponent and trailing fields.
_HIFLOAT8_DOTS = {"11": (4, 1), "10": (3, 2), "01": (2, 3), "001": (1, 3), "0001": (0, 3)}


def _decode_hifloat8(code: int) -> Value:
    negative, low = code >= 0x80, code & 0x7F
    if low == 0:
        return Value(Kind.NAN) if negative else Value()
    if low == 0x6F:
        return Value(Kind.INFINITE, negative)
    bits = f"{low:07b}"
    dot = next((dot for dot in _HIFLOAT8_DOTS if bits.startswith(dot)), None)
    if dot is None:
        return Value(negative=negative, magnitude=power_of_two(low - 23))
    exponent_width, trailing_width = _HIFLOAT8_DOTS[dot]
    field = bits[len(dot) : len(dot) + exponent_width]
    exponent = 0
    if field:
        # Sign, then the magnitude with its leading 1 left out.
        exponent = int("1" + field[1:], 2) * (-1 if field[0] == "1" else 1)
    trailing = Fraction(int(bits[len(dot) + exponent_width :], 2), 1 << trailing_width)
    return Value(negative=negative, magnitude=(1 + trailing) * power_of_two(exponent))


@functools.cache
def smallest_normal(fmt: Format) -> Fraction:
    """Return the bound below which values are tiny (subnormal).

    Parameters
    ----------
    fmt : Format

    Returns
    -------
    fractions.Fraction
        The smallest positive value of full precision; for HiFloat8, whose precision tapers,
        2**-15; for integers the unit.
    """
    if isinstance(fmt, HiFloat8Format):
        return power_of_two(-15)
    if isinstance(fmt, IntFormat):
        return power_of_two(fmt.scale_exponent)
    assert isinstance(fmt, FloatFormat)
    if fmt.subnormals is not Subnormals.NORMAL:
        return power_of_two(1 - fmt.bias)
    first = _decode_float(1 if fmt.zero else 0, fmt)
    return abs(first.number)


@functools.cache
def largest(fmt: Format, *, negative: bool = False) -> Value:
    """Return the finite value farthest from zero on one side.

    Parameters
    ----------
    fmt : Format
    negative : bool
        Which side; unsigned formats have only the positive one.

    Returns
    -------
    Value
    """
    if isinstance(fmt, IntFormat):
        bits = fmt.bits - fmt.signed
        lowest = -(1 << bits) if fmt.signed else 0
        whole = lowest if negative else (1 << bits) - 1
        return Value.of(whole * power_of_two(fmt.scale_exponent))
    sign = (1 << (fmt.bits - 1)) if negative and fmt.signed else 0
    if isinstance(fmt, HiFloat8Format):
        return _decode_hifloat8(sign | 0x6E)
    assert isinstance(fmt, FloatFormat)
    top = (1 << (fmt.bits - fmt.signed)) - 1
    if fmt.nan is NanCode.IEEE:
        top -= (1 << fmt.trailing_bits) - 1  # past the NaNs, of which a wide format has many
    values = (_decode_content(sign | code, fmt) for code in range(top, -1, -1))
    return next(value for value in values if value.is_finite)
