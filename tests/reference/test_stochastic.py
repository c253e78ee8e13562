"""Stochastic rounding of the reference: exact probabilities, by enumerating all random numbers."""

from __future__ import annotations

import dataclasses
import itertools
import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import codes, float_formats

from minifloat._errors import OptionError
from minifloat._flags import Flag
from minifloat._formats import get_format
from minifloat._rounding import Overflow, Stochastic
from minifloat.reference.how import How
from minifloat.reference.rounding import encode, round_value
from minifloat.reference.values import decode

VARIANTS = ("floor", "nearest", "centred")


def ups(fraction: Fraction, bits: int, variant: str) -> int:
    """Count the random numbers that round ``1 + fraction * 2**-3`` up in e4m3fn."""
    fmt = get_format("e4m3fn")
    mode = Stochastic(bits, variant)  # type: ignore[arg-type]
    x = 1 + fraction / 8
    return sum(encode(x, fmt, How(mode, random_bits=r))[0] == 0x39 for r in range(1 << bits))


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("bits", [1, 2, 3, 5])
def test_counts_have_their_closed_forms(variant: str, bits: int) -> None:
    one = 1 << bits
    fractions = {Fraction(n, 8 * one) for n in range(8 * one)} | {Fraction(1, 3), Fraction(2, 3)}
    for fraction in fractions:
        scaled = fraction * one
        expected = {
            "floor": math.floor(scaled),
            "nearest": round(scaled),  # ties to even
            "centred": math.floor(scaled + Fraction(1, 2)),
        }[variant]
        assert ups(fraction, bits, variant) == expected, fraction


def test_with_all_bits_the_probability_is_the_fraction() -> None:
    for fraction in (Fraction(1, 16), Fraction(5, 16), Fraction(15, 16)):
        assert Fraction(ups(fraction, 4, "floor"), 16) == fraction


def test_bits_none_uses_32_or_64_by_the_width_of_the_source() -> None:
    fmt = get_format("e4m3fn")
    x = 1 + Fraction(1, 8) * (1 - Fraction(1, 2**40))
    top32, top64 = 2**32 - 1, 2**64 - 1
    wide, narrow = get_format("float64"), get_format("float32")
    for source in (None, narrow):
        how = How(Stochastic(), random_bits=1, source=source)
        assert encode(x, fmt, how)[0] == 0x39
        assert encode(x, fmt, dataclasses.replace(how, random_bits=0))[0] == 0x38
        with pytest.raises(OptionError, match="32 bits"):
            encode(x, fmt, dataclasses.replace(how, random_bits=top32 + 1))
    how = How(Stochastic(), source=wide)
    least = 2**24  # 2**64 times the fraction's distance from one
    assert encode(x, fmt, dataclasses.replace(how, random_bits=least))[0] == 0x39
    assert encode(x, fmt, dataclasses.replace(how, random_bits=least - 1))[0] == 0x38
    assert encode(x, fmt, dataclasses.replace(how, random_bits=top64))[0] == 0x39


@given(st.data())
def test_exact_values_never_move(data: st.DataObject) -> None:
    fmt = data.draw(float_formats())
    value = decode(data.draw(codes(fmt)), fmt)
    bits = data.draw(st.integers(1, 12))
    mode = Stochastic(bits, data.draw(st.sampled_from(VARIANTS)))
    for r in (0, (1 << bits) - 1):
        how = How(mode, Overflow.SATURATE_KEEP_INFINITY, random_bits=r)
        code, flags = round_value(value, fmt, how)
        result = decode(code, fmt)
        assert result.is_nan if value.is_nan else result == value
        assert Flag.INEXACT not in flags


def test_noise_acts_on_magnitudes() -> None:
    fmt = get_format("e5m2")
    for numerator, r in itertools.product(range(16), range(16)):
        x = 1 + Fraction(numerator, 64)
        how = How(Stochastic(4), random_bits=r)
        assert encode(-x, fmt, how)[0] == 0x80 | encode(x, fmt, how)[0]


def test_below_the_smallest_value_the_probability_is_exact() -> None:
    fmt = get_format("e4m3fn")
    x = Fraction(3, 16) * fmt.smallest
    results = [encode(x, fmt, How(Stochastic(4), random_bits=r))[0] for r in range(16)]
    assert results == [0] * 13 + [1] * 3


def test_overflow_is_judged_on_the_rounded_result() -> None:
    fmt = get_format("e4m3fn")
    x = 448 + Fraction(8)  # a quarter of the last quantum
    results = [encode(x, fmt, How(Stochastic(2), random_bits=r)) for r in range(4)]
    tops = [(0x7E, Flag.INEXACT)] * 3
    assert results == [*tops, (0x7F, Flag.OVERFLOW | Flag.INEXACT)]
    half = get_format("float16")
    carried = How(Stochastic(4), random_bits=15)
    assert encode(65519, half, carried) == (0x7C00, Flag.OVERFLOW | Flag.INEXACT)


def test_a_carry_goes_into_the_next_binade() -> None:
    fmt = get_format("hifloat8")
    x = Fraction(15) + Fraction(7, 8) * Fraction(1)  # the last quantum below 16, where it doubles
    how = How(Stochastic(8), random_bits=255)
    assert encode(x, fmt, how)[0] == encode(16, fmt)[0]
