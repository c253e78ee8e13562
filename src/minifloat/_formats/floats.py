"""Binary floating-point formats of any fields."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from minifloat._errors import FormatError
from minifloat._formats.types import Format, NanCode, Subnormals, power_of_two, short
from minifloat._rounding import Overflow

__all__ = ["FloatFormat"]

# Bare texts that are aliases of formats of another kind: their IEEE namesakes print `ieee`.
_TAKEN = frozenset({"e2m1", "e2m3", "e3m2", "ue4m3", "ue5m3"})


@dataclass(frozen=True, init=False, repr=False)
class FloatFormat(Format):
    """A binary floating-point format of any exponent width, trailing width and bias.

    A magnitude code is the exponent field above the trailing field; the sign bit is above both.
    Field 0 holds zero and the subnormals ``t * 2**(1 - bias - trailing_bits)``; field ``f`` holds
    ``(1 + t / 2**trailing_bits) * 2**(f - bias)``, less the codes that infinity and NaN take.

    Parameters
    ----------
    exponent_bits, trailing_bits : int
        Field widths. The hidden bit is not counted.
    bias : int, optional
        Exponent bias, ``2**(exponent_bits - 1) - 1`` when omitted (an error for one exponent bit
        or fewer, where conventions differ).
    signed : bool
        Whether there is a sign bit.
    subnormals : bool or Subnormals
        ``True`` is `Subnormals.GRADUAL`; ``False`` is `Subnormals.ZERO`, or `Subnormals.NORMAL`
        for a format without zero.
    infinities : bool
        Whether infinities are encoded.
    nan : NanCode
        Where NaN sits.
    negative_zero : bool, optional
        Whether the code of a set sign bit alone is -0; by default it is for every signed format
        with a zero whose NaN is not there.
    zero : bool
        Whether code 0 is zero.
    default_overflow : Overflow, optional
        `Overflow.IEEE`, or `Overflow.SATURATE` with neither infinity nor NaN, when omitted.
    code_shift : int
        Zero bits below the content in storage (13 for tfloat32 in a 32-bit word).
    name : str
        A name for messages; it takes no part in comparisons.

    Raises
    ------
    FormatError
        If the fields contradict each other or float64 cannot hold every value.

    Examples
    --------
    >>> FloatFormat(4, 3, 7, infinities=False, nan=NanCode.ALL_ONES).max
    Fraction(448, 1)
    """

    exponent_bits: int
    trailing_bits: int
    bias: int
    signed: bool
    subnormals: Subnormals
    infinities: bool
    nan: NanCode
    negative_zero: bool
    zero: bool
    default_overflow: Overflow
    code_shift: int
    name: str = field(compare=False)

    __hash__ = Format.cached_hash

    def __init__(
        self,
        exponent_bits: int,
        trailing_bits: int,
        bias: int | None = None,
        *,
        signed: bool = True,
        subnormals: bool | Subnormals = True,
        infinities: bool = True,
        nan: NanCode = NanCode.IEEE,
        negative_zero: bool | None = None,
        zero: bool = True,
        default_overflow: Overflow | None = None,
        code_shift: int = 0,
        name: str = "",
    ) -> None:
        if bias is None:
            if exponent_bits <= 1:
                msg = f"bias= must be given for exponent_bits={exponent_bits}: conventions differ"
                raise FormatError(msg)
            bias = 2 ** (exponent_bits - 1) - 1
        if not isinstance(subnormals, Subnormals):
            without = Subnormals.ZERO if zero else Subnormals.NORMAL
            subnormals = Subnormals.GRADUAL if subnormals else without
        if negative_zero is None:
            negative_zero = signed and zero and nan is not NanCode.NEGATIVE_ZERO
        if default_overflow is None:
            encodes_overflow = infinities or nan is not NanCode.NONE
            default_overflow = Overflow.IEEE if encodes_overflow else Overflow.SATURATE
        values = locals()
        for key in self.__dataclass_fields__:
            object.__setattr__(self, key, values[key])
        check(self)

    @property
    def bits(self) -> int:
        return int(self.signed) + self.magnitude_bits

    @property
    def magnitude_bits(self) -> int:
        """Number of bits of a code without its sign."""
        return self.exponent_bits + self.trailing_bits

    @property
    def precision(self) -> int:
        return self.trailing_bits + 1

    @property
    def emin(self) -> int:
        """Exponent of the smallest normal binade."""
        return -self.bias if self.subnormals is Subnormals.NORMAL else 1 - self.bias

    @property
    def quantum_exponent(self) -> int:
        """Exponent of the smallest quantum: log2 of the spacing of the lowest binade."""
        return self.emin - self.trailing_bits

    @property
    def infinity_code(self) -> int | None:
        """Code of +infinity (content bits), or None."""
        if not self.infinities:
            return None
        if self.nan is NanCode.IEEE:
            return ((1 << self.exponent_bits) - 1) << self.trailing_bits
        top = (1 << self.magnitude_bits) - 1
        return top - 1 if self.nan is NanCode.ALL_ONES else top

    @property
    def nan_code(self) -> int | None:
        """The canonical quiet NaN (content bits, sign clear where NaN has a sign), or None."""
        match self.nan:
            case NanCode.IEEE:
                top = ((1 << self.exponent_bits) - 1) << self.trailing_bits
                return top | (1 << (self.trailing_bits - 1))
            case NanCode.ALL_ONES:
                return (1 << self.magnitude_bits) - 1
            case NanCode.NEGATIVE_ZERO:
                return 1 << self.magnitude_bits
            case NanCode.NONE:
                return None

    @property
    def max_code(self) -> int:
        """Code of the largest finite value (content bits)."""
        top = (1 << self.magnitude_bits) - 1
        if self.infinity_code is not None:
            return self.infinity_code - 1
        return top - 1 if self.nan is NanCode.ALL_ONES else top

    @property
    def smallest_code(self) -> int:
        """Code of the smallest positive value (content bits)."""
        if self.subnormals is Subnormals.ZERO:
            return 1 << self.trailing_bits
        return 1 if self.zero else 0

    def magnitude(self, code: int) -> Fraction:
        """Value of a finite code without its sign.

        Parameters
        ----------
        code : int
            Content bits, ``0 <= code <= max_code``.

        Returns
        -------
        fractions.Fraction
        """
        exponent, trailing = code >> self.trailing_bits, code & ((1 << self.trailing_bits) - 1)
        if code == 0 and self.zero:
            return Fraction(0)
        if exponent == 0 and self.subnormals is Subnormals.ZERO:
            return Fraction(0)
        if exponent == 0 and self.subnormals is Subnormals.GRADUAL:
            return Fraction(trailing) * power_of_two(self.quantum_exponent)
        significand = trailing + (1 << self.trailing_bits)
        return significand * power_of_two(exponent - self.bias - self.trailing_bits)

    @property
    def max(self) -> Fraction:
        return self.magnitude(self.max_code)

    @property
    def smallest_normal(self) -> Fraction:
        if self.subnormals is Subnormals.GRADUAL:
            return power_of_two(self.emin)
        return self.smallest

    @property
    def smallest(self) -> Fraction:
        return self.magnitude(self.smallest_code)

    @property
    def has_infinity(self) -> bool:
        return self.infinities

    @property
    def has_nan(self) -> bool:
        return self.nan is not NanCode.NONE

    @property
    def has_signaling_nan(self) -> bool:
        return self.nan is NanCode.IEEE and self.trailing_bits > 1

    @property
    def has_zero(self) -> bool:
        return self.zero

    @property
    def has_negative_zero(self) -> bool:
        return self.negative_zero

    @property
    def spec(self) -> str:
        kinds = {
            (True, NanCode.IEEE): "ieee",
            (False, NanCode.ALL_ONES): "fn",
            (False, NanCode.NEGATIVE_ZERO): "fnuz",
            (False, NanCode.NONE): "finite",
            (True, NanCode.ALL_ONES): "fn,inf",
            (True, NanCode.NEGATIVE_ZERO): "fnuz,inf",
            (True, NanCode.NONE): "finite,inf",
        }
        keys = [kinds[self.infinities, self.nan]] if not self._is_plain_ieee() else []
        usual = 2 ** (self.exponent_bits - 1) if self.exponent_bits > 1 else None
        if usual is None or self.bias != usual - (self.nan is not NanCode.NEGATIVE_ZERO):
            keys.append(f"bias={self.bias}")
        if self.subnormals is Subnormals.ZERO or not self.zero:
            keys.append("nosubnormals" if self.zero else "nozero")
        elif self.subnormals is Subnormals.NORMAL:
            keys.append("fullrange")
        plain_zero = self.signed and self.zero and self.nan is not NanCode.NEGATIVE_ZERO
        if self.negative_zero != plain_zero:
            keys.append("nonegzero")
        encodes_overflow = self.infinities or self.has_nan
        if self.default_overflow is not (Overflow.IEEE if encodes_overflow else Overflow.SATURATE):
            keys.append(f"overflow={self.default_overflow.value}")
        if self.code_shift:
            keys.append(f"shift={self.code_shift}")
        prefix = "" if self.signed else "u"
        text = f"{prefix}e{self.exponent_bits}m{self.trailing_bits}"
        if text in _TAKEN and not keys:
            keys.append("ieee")
        return f"{text}:{','.join(keys)}" if keys else text

    def _is_plain_ieee(self) -> bool:
        return self.infinities and self.nan is NanCode.IEEE

    def __repr__(self) -> str:
        return f"<{self} {self.bits}-bit float, max {short(self.max)}>"


def check(fmt: FloatFormat) -> None:
    """Refuse a format whose fields contradict each other or that float64 cannot hold.

    Parameters
    ----------
    fmt : FloatFormat

    Raises
    ------
    FormatError
        With the reason.
    """
    reason = _contradiction(fmt) or _unrepresentable(fmt)
    if reason:
        fields = ", ".join(f"{k}={getattr(fmt, k)!r}" for k in fmt.__dataclass_fields__)
        msg = f"impossible format ({fields}): {reason}"
        raise FormatError(msg)


def _contradiction(fmt: FloatFormat) -> str | None:
    if fmt.exponent_bits < 0 or fmt.trailing_bits < 0 or fmt.magnitude_bits == 0:
        return "field widths must be non-negative and not both 0"
    if fmt.code_shift < 0 or fmt.code_bits > 64:
        return "a format has at most 64 bits of storage"
    if fmt.nan is NanCode.IEEE:
        if not fmt.infinities:
            return "NanCode.IEEE shares the top exponent field with infinity; use another NanCode"
        if fmt.trailing_bits == 0 or fmt.exponent_bits == 0:
            return "NanCode.IEEE needs an exponent field and a trailing bit"
    if fmt.nan is NanCode.NEGATIVE_ZERO and not fmt.signed:
        return "NanCode.NEGATIVE_ZERO needs a sign bit"
    if fmt.negative_zero and not (fmt.signed and fmt.zero):
        return "-0 needs a sign bit and a zero"
    if fmt.negative_zero and fmt.nan is NanCode.NEGATIVE_ZERO:
        return "-0 and NaN claim the same code"
    if fmt.exponent_bits == 0 and fmt.subnormals is not Subnormals.GRADUAL:
        return "without an exponent field all values are subnormal"
    if not fmt.zero and fmt.nan is NanCode.NEGATIVE_ZERO:
        return "a format without zero has the negative of its smallest value where NaN would be"
    if not fmt.zero and fmt.subnormals is not Subnormals.NORMAL:
        return "a format without zero has an ordinary lowest binade (subnormals=False)"
    if fmt.max_code < fmt.smallest_code:
        return "no positive finite value is left"
    return None


def _unrepresentable(fmt: FloatFormat) -> str | None:
    if fmt.precision > 53:
        return f"precision {fmt.precision} exceeds float64's 53 bits"
    top = fmt.max_code >> fmt.trailing_bits
    if max(top, 1) - fmt.bias > 1023:
        return f"its largest value, near 2**{top - fmt.bias}, exceeds float64's range"
    if fmt.quantum_exponent < -1074:
        return f"its quantum 2**{fmt.quantum_exponent} is below float64's smallest, 2**-1074"
    return None
