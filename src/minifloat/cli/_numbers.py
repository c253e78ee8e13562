"""Numbers as text: parsed exactly, and shown exactly in decimal, dyadic and hexadecimal form."""

from __future__ import annotations

import math
import re
from decimal import Decimal
from fractions import Fraction

from minifloat._errors import OptionError
from minifloat.reference.values import Kind, Value

__all__ = ["as_json_number", "decimal_text", "dyadic_text", "hex_text", "parse_value", "short_text"]

_HEX_FLOAT = re.compile(r"([+-]?)0x([0-9a-f]*)\.?([0-9a-f]*)p([+-]?\d+)", re.IGNORECASE)
_SPECIAL = re.compile(r"([+-]?)(inf|infinity|nan)", re.IGNORECASE)
_EXPONENT = re.compile(r"e([+-]?\d+)", re.IGNORECASE)
_MOST_DIGITS = 2000


def parse_value(text: str) -> Value:
    """Read a number exactly: decimal, fraction, hexadecimal float, infinity or NaN.

    Parameters
    ----------
    text : str
        ``0.3``, ``-1e-5``, ``3/10``, ``0x1.8p-3``, ``inf``, ``-nan``.

    Returns
    -------
    Value

    Raises
    ------
    OptionError
        If the text is no number, or too long to be computed with.

    Examples
    --------
    >>> parse_value("0.3"), parse_value("-0x1.8p1"), parse_value("-0")
    (Value(3/10), Value(-3), Value(-0))
    """
    word = text.strip()
    negative = word.startswith("-")
    if found := _SPECIAL.fullmatch(word):
        kind = Kind.NAN if found[2].lower() == "nan" else Kind.INFINITE
        return Value(kind, negative)
    hexadecimal = _HEX_FLOAT.fullmatch(word)
    exponents = [hexadecimal[4]] if hexadecimal else _EXPONENT.findall(word)
    if len(word) > _MOST_DIGITS or any(len(e) > 6 or abs(int(e)) > 5000 for e in exponents):
        msg = f"{word[:40]}... is beyond what is computed here (2000 characters, exponents of 5000)"
        raise OptionError(msg)
    try:
        number = Fraction(word) if hexadecimal is None else _hex_number(hexadecimal)
    except (ValueError, ZeroDivisionError):
        msg = (
            f"{text!r} is no number; write 0.3, 3/10, 1e-5, 0x1.8p-3, inf or nan, or a code such as"
            " 0x2a or 0b101010"
        )
        raise OptionError(msg) from None
    return Value(Kind.FINITE, negative, abs(number))


def _hex_number(found: re.Match[str]) -> Fraction:
    digits = int(found[2] + found[3], 16)
    number = digits * Fraction(2) ** (int(found[4]) - 4 * len(found[3]))
    return -number if found[1] == "-" else number


def decimal_text(value: Value) -> str:
    """Return a value's exact decimal expansion (a fraction where there is none).

    Parameters
    ----------
    value : Value

    Returns
    -------
    str

    Examples
    --------
    >>> decimal_text(Value.of(0.15625)), decimal_text(Value.of(Fraction(1, 3)))
    ('0.15625', '1/3')
    """
    special = _special_text(value)
    if special:
        return special
    number = _magnitude(value)
    numerator, denominator = number.numerator, number.denominator
    twos = (denominator & -denominator).bit_length() - 1
    fives = 0
    rest = denominator >> twos
    while rest % 5 == 0:
        rest //= 5
        fives += 1
    if rest != 1:
        return f"{_sign(value)}{number}"
    places = max(twos, fives)
    scaled = numerator * 2 ** (places - twos) * 5 ** (places - fives)
    digits = str(scaled).rjust(places + 1, "0")
    whole, part = digits[: len(digits) - places], digits[len(digits) - places :]
    return f"{_sign(value)}{whole}{'.' if part else ''}{part}"


def short_text(value: Value, digits: int = 8) -> str:
    """Return a value in decimal in a dozen characters or so; ``~`` marks what is not exact.

    Parameters
    ----------
    value : Value
    digits : int
        Significant digits of what is not exact.

    Returns
    -------
    str

    Examples
    --------
    >>> short_text(Value.of(448)), short_text(Value.of(Fraction(1, 3))), short_text(Value.of(2**70))
    ('448', '~0.33333333', '~1.1805916e+21')
    """
    special = _special_text(value)
    if special:
        return special
    number = _magnitude(value)
    if number == 0:
        return f"{_sign(value)}0"
    decimal = (Decimal(number.numerator) / Decimal(number.denominator)).normalize()
    close = float(decimal)
    short = f"{close:.{digits}g}" if 0 < close < math.inf else f"{decimal:.{digits}g}"
    for text in (f"{decimal:f}", short):
        if len(text) <= digits + 4 and Fraction(text) == number:
            return f"{_sign(value)}{text}"
    return f"~{_sign(value)}{short}"


def dyadic_text(value: Value) -> str:
    """Return a finite value as an odd integer times or over a power of two.

    Parameters
    ----------
    value : Value

    Returns
    -------
    str
        ``5/2^4``, ``7*2^6``; a plain integer where that is shorter; other fractions as they are.

    Examples
    --------
    >>> [dyadic_text(Value.of(x)) for x in (0.3125, 448, 3, -1, Fraction(3, 10))]
    ['5/2^4', '7*2^6', '3', '-1', '3/10']
    """
    special = _special_text(value)
    if special:
        return special
    number = _magnitude(value)
    numerator, denominator = number.numerator, number.denominator
    power = denominator.bit_length() - 1
    if denominator != 1 << power:
        return f"{_sign(value)}{number}"
    if power:
        return f"{_sign(value)}{numerator}/2^{power}"
    zeros = (numerator & -numerator).bit_length() - 1 if numerator else 0
    odd = numerator >> zeros
    if zeros < 4:
        return f"{_sign(value)}{numerator}"
    return f"{_sign(value)}2^{zeros}" if odd == 1 else f"{_sign(value)}{odd}*2^{zeros}"


def hex_text(value: Value) -> str:
    """Return a finite dyadic value as a C hexadecimal float; others give an empty text.

    Parameters
    ----------
    value : Value

    Returns
    -------
    str

    Examples
    --------
    >>> hex_text(Value.of(0.3125)), hex_text(Value.of(Fraction(1, 3)))
    ('0x1.4p-2', '')
    """
    special = _special_text(value)
    if special:
        return special
    number = _magnitude(value)
    if number == 0:
        return f"{_sign(value)}0x0p+0"
    if number.denominator & (number.denominator - 1):
        return ""
    exponent = number.numerator.bit_length() - number.denominator.bit_length()
    fraction = number / Fraction(2) ** exponent - 1
    digits = ""
    while fraction:
        fraction *= 16
        digits += f"{int(fraction):x}"
        fraction -= int(fraction)
    return f"{_sign(value)}0x1{'.' if digits else ''}{digits}p{exponent:+d}"


def as_json_number(value: Value) -> float | int | str:
    """Return a value for JSON: a number where float64 is exact, an integer, or a text.

    Parameters
    ----------
    value : Value

    Returns
    -------
    float, int or str
    """
    special = _special_text(value)
    if special:
        return special
    number = _magnitude(value)
    if number == 0 and value.negative:
        return -0.0
    if number.denominator == 1:
        return int(-number if value.negative else number)
    try:
        close = float(-number if value.negative else number)
    except OverflowError:
        return decimal_text(value)
    return close if abs(Fraction(close)) == number else decimal_text(value)


def _special_text(value: Value) -> str:
    if value.is_nan:
        return f"{_sign(value)}nan"
    return f"{_sign(value)}inf" if value.is_infinite else ""


def _magnitude(value: Value) -> Fraction:
    return abs(value.number)


def _sign(value: Value) -> str:
    return "-" if value.negative else ""
