from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minifloat._errors import OptionError
from minifloat.cli._numbers import (
    as_json_number,
    decimal_text,
    dyadic_text,
    hex_text,
    parse_value,
    short_text,
)
from minifloat.reference.values import Value

dyadics = st.builds(
    lambda n, k: n * Fraction(2) ** k, st.integers(-(2**60), 2**60), st.integers(-300, 300)
)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0.3", Fraction(3, 10)),
        ("-1/3", Fraction(-1, 3)),
        ("1e-5", Fraction(1, 100000)),
        ("+2.50", Fraction(5, 2)),
        ("0x1.8p-3", Fraction(3, 16)),
        ("-0X.8P+1", Fraction(-1)),
        ("1_000", Fraction(1000)),
        (" 7 ", Fraction(7)),
    ],
)
def test_text_is_read_exactly(text: str, number: Fraction) -> None:
    assert parse_value(text).number == number


def test_signs_of_zeros_and_specials_are_read() -> None:
    assert parse_value("-0.0") == Value(negative=True)
    assert parse_value("-inf").is_infinite
    assert parse_value("-inf").negative
    assert parse_value("NaN").is_nan


@pytest.mark.parametrize(
    "text", ["", "x", "0x", "0xp1", "--1", "1/0", "1e", "nanx", "0x1.8", "１a"]
)
def test_what_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(OptionError):
        parse_value(text)


@given(dyadics)
def test_exact_texts_are_exact(number: Fraction) -> None:
    value = Value.of(number)
    assert Fraction(decimal_text(value)) == number
    assert parse_value(hex_text(value)).number == number
    base, _, power = dyadic_text(value).replace("2^", "1*2^", 1).partition("2^")
    if "/" in base:
        assert Fraction(int(base.split("/")[0]), 2 ** int(power)) == number
    elif power:
        assert int(base.split("*")[0]) * 2 ** int(power) == number
    else:
        assert int(base) == number


@given(dyadics)
def test_short_texts_are_short_and_own_up_to_rounding(number: Fraction) -> None:
    text = short_text(Value.of(number))
    assert len(text) <= 16
    if text.startswith("~"):
        assert Fraction(text[1:]) != number
        assert abs(Fraction(text[1:]) - number) <= abs(number) / 10**7
    else:
        assert Fraction(text) == number


@given(dyadics)
def test_json_numbers_are_exact(number: Fraction) -> None:
    shown = as_json_number(Value.of(number))
    assert Fraction(shown) == number


def test_python_hexadecimal_floats_agree() -> None:
    for x in (1.0, 0.3, -2.5, 5e-324, 1.7976931348623157e308):
        assert float.fromhex(hex_text(Value.of(x))) == x
