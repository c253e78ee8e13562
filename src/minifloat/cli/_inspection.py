"""What there is to know about one number in one format, as a record."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from minifloat._errors import MinifloatError
from minifloat._flags import Flag
from minifloat._formats import Format, HiFloat8Format, get_format
from minifloat._rounding import NanPolicy, Overflow, Rounding, Stochastic
from minifloat.cli._layout import bits_text, code_text
from minifloat.cli._numbers import as_json_number, decimal_text, dyadic_text, hex_text
from minifloat.cli._options import Variant
from minifloat.reference.how import How
from minifloat.reference.rounding import round_value
from minifloat.reference.spacing import place
from minifloat.reference.values import Kind, Value, decode

__all__ = ["Outcome", "chance_up", "flag_names", "neighbours", "outcomes", "value_record"]

_NONE = Flag(0)
_TINY = Fraction(1, 1 << 6000)
_ALL_BITS = 64
_VARIANTS: tuple[Variant, ...] = ("floor", "nearest", "centred")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one rounding mode gives: a code (or, at random, one of two), or why it gives none.

    `chance_up` is the exact probability of `code_up`; None for the deterministic modes.
    """

    mode: str
    code: int | None
    flags: Flag = _NONE
    chance_up: Fraction | None = None
    code_up: int | None = None
    flags_up: Flag = _NONE
    refusal: str = ""


def neighbours(value: Value, fmt: Format) -> tuple[int | None, int | None]:
    """Return the codes next to a value: the largest one below it and the smallest one above it.

    Parameters
    ----------
    value : Value
    fmt : Format

    Returns
    -------
    tuple of (int or None)
        None where there is none; infinities count.
    """
    if not value.is_finite:
        return None, None
    encodes_overflow = fmt.has_infinity or fmt.has_nan
    policy = Overflow.IEEE if encodes_overflow else Overflow.SATURATE
    found: list[int | None] = []
    for step, mode in ((-_TINY, Rounding.TOWARD_NEGATIVE), (_TINY, Rounding.TOWARD_POSITIVE)):
        target = value.number + step
        try:
            code, _ = round_value(Value.of(target), fmt, How(mode, policy))
        except MinifloatError:
            found.append(None)
            continue
        there = decode(code, fmt)
        beyond = not there.is_nan and (_order(there) > value.number) == (step > 0)
        found.append(code if beyond and _order(there) != value.number else None)
    return found[0], found[1]


def chance_up(value: Value, fmt: Format, mode: Stochastic) -> Fraction:
    """Return the exact probability that a stochastic mode rounds a magnitude up.

    Parameters
    ----------
    value : Value
    fmt : Format
    mode : Stochastic
        With ``bits=None`` the probability is the fraction itself.

    Returns
    -------
    fractions.Fraction

    Examples
    --------
    >>> chance_up(Value.of(Fraction(3, 10)), get_format("e4m3fn"), Stochastic())
    Fraction(3, 5)
    """
    if not value.is_finite or value.is_zero:
        return Fraction(0)
    spot = place(value.magnitude, fmt)
    fraction = abs(value.number) / spot.unit - spot.below
    if mode.bits is None:
        return fraction
    steps = 1 << mode.bits
    if mode.variant == "centred":
        # Of the 2**N odd numbers 2r + 1, those that lift the fraction to 2**(N + 1) or more.
        return Fraction((spot.fraction(mode.bits + 1)[0] + 1) // 2, steps)
    if mode.variant == "nearest":
        return Fraction(round(fraction * steps), steps)
    return Fraction(spot.fraction(mode.bits)[0], steps)


def outcomes(
    value: Value, fmt: Format, overflow: Overflow | None, nan: NanPolicy, bits: int
) -> list[Outcome]:
    """Return what every rounding mode makes of a value.

    Parameters
    ----------
    value : Value
    fmt : Format
    overflow : Overflow or None
    nan : {"raise", "max", "zero"}
    bits : int
        Random bits of the stochastic variants; the exact mode comes besides.

    Returns
    -------
    list of Outcome
    """
    how = How(overflow=overflow, nan=nan)
    found = [_outcome(value, fmt, how, mode) for mode in Rounding if mode is not Rounding.HYBRID]
    for source in ("float16", "float32") if isinstance(fmt, HiFloat8Format) else ():
        if _holds(get_format(source), value):
            hybrid = dataclasses.replace(how, source=get_format(source))
            found.append(_outcome(value, fmt, hybrid, Rounding.HYBRID, f" from {source}"))
    modes = [Stochastic(), *(Stochastic(bits, variant) for variant in _VARIANTS)]
    return found + [_random_outcome(value, fmt, how, mode) for mode in modes]


def flag_names(flags: Flag) -> list[str]:
    """Return the names of the raised flags, in lower case.

    Parameters
    ----------
    flags : Flag

    Returns
    -------
    list of str
    """
    return [str(flag.name).lower() for flag in Flag if flag in flags]


def value_record(
    value: Value, code: int | None = None, fmt: Format | None = None
) -> dict[str, Any]:
    """Describe a value, and the code that it comes from.

    Parameters
    ----------
    value : Value
    code : int, optional
    fmt : Format, optional

    Returns
    -------
    dict
    """
    record: dict[str, Any] = {}
    if code is not None and fmt is not None:
        record |= {"code": code, "code_hex": code_text(code, fmt), "bits": bits_text(code, fmt)}
    return record | {
        "value": as_json_number(value),
        "decimal": decimal_text(value),
        "dyadic": dyadic_text(value),
        "hex": hex_text(value),
    }


def _outcome(value: Value, fmt: Format, how: How, mode: Rounding, suffix: str = "") -> Outcome:
    name = mode.value + suffix
    try:
        code, flags = round_value(value, fmt, dataclasses.replace(how, rounding=mode))
    except MinifloatError as error:
        return Outcome(name, None, refusal=str(error))
    return Outcome(name, code, flags)


def _random_outcome(value: Value, fmt: Format, how: How, mode: Stochastic) -> Outcome:
    name = "stochastic" if mode.bits is None else f"stochastic {mode.variant}, {mode.bits} bits"
    refusal = _outcome(value, fmt, how, Rounding.TOWARD_ZERO).refusal
    if refusal:
        return Outcome(name, None, refusal=refusal)
    chance = chance_up(value, fmt, mode)
    low, flags = round_value(value, fmt, dataclasses.replace(how, rounding=mode, random_bits=0))
    if chance in (0, 1):
        return Outcome(name, low, flags, chance)
    top = mode if mode.bits else Stochastic(_ALL_BITS)
    if chance_up(value, fmt, top) == 0:
        # A fraction below every random number that is drawn: the mode that goes up for certain.
        always = dataclasses.replace(how, rounding=Rounding.AWAY_FROM_ZERO)
    else:
        always = dataclasses.replace(how, rounding=top, random_bits=(1 << (top.bits or 1)) - 1)
    return Outcome(name, low, flags, chance, *round_value(value, fmt, always))


def _holds(fmt: Format, value: Value) -> bool:
    if value.kind is not Kind.FINITE:
        return True
    code, flags = round_value(value, fmt)
    return not flags and decode(code, fmt).magnitude == value.magnitude


def _order(value: Value) -> Fraction | float:
    """Return something that compares with fractions as a value that is no NaN does."""
    return float(value) if value.is_infinite else value.number
