"""Spec strings: what they mean, that they round trip, and what bad ones say."""

from __future__ import annotations

import dataclasses
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inputs import CUSTOM, P3109
from strategies import custom_formats, integer_formats

from minifloat._errors import FormatError, OptionError
from minifloat._formats import (
    FloatFormat,
    HiFloat8Format,
    IntFormat,
    NanCode,
    Subnormals,
    formats,
    get_format,
)
from minifloat._rounding import Overflow

FN = {"infinities": False, "nan": NanCode.ALL_ONES}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("e4m3", FloatFormat(4, 3, 7)),
        ("e5m10", FloatFormat(5, 10, 15)),
        ("e6m9:bias=40,finite", FloatFormat(6, 9, 40, infinities=False, nan=NanCode.NONE)),
        ("e4m3:fn", FloatFormat(4, 3, 7, **FN)),
        ("e4m3:fnuz", FloatFormat(4, 3, 8, infinities=False, nan=NanCode.NEGATIVE_ZERO)),
        ("e4m3:fnuz,bias=11", FloatFormat(4, 3, 11, infinities=False, nan=NanCode.NEGATIVE_ZERO)),
        ("ue5m3:fn", FloatFormat(5, 3, 15, signed=False, **FN)),
        ("e3m2:nosubnormals", FloatFormat(3, 2, 3, subnormals=False)),
        ("e3m2:fullrange", FloatFormat(3, 2, 3, subnormals=Subnormals.NORMAL)),
        (
            "ue8m0:fn,nozero,bias=127",
            FloatFormat(8, 0, 127, signed=False, zero=False, **FN, subnormals=False),
        ),
        ("e3m3:fnuz,inf", FloatFormat(3, 3, 4, nan=NanCode.NEGATIVE_ZERO)),
        ("e3m3:inf,fnuz", FloatFormat(3, 3, 4, nan=NanCode.NEGATIVE_ZERO)),
        (
            "e3m2:finite,nonegzero",
            FloatFormat(3, 2, 3, infinities=False, nan=NanCode.NONE, negative_zero=False),
        ),
        ("e1m2:bias=1,finite", FloatFormat(1, 2, 1, infinities=False, nan=NanCode.NONE)),
        ("e8m10:shift=13", FloatFormat(8, 10, 127, code_shift=13)),
        ("e4m3:overflow=saturate", FloatFormat(4, 3, 7, default_overflow=Overflow.SATURATE)),
        ("int5", IntFormat(5)),
        ("uint12:scale=-4", IntFormat(12, False, -4)),
        ("int8:overflow=wrap", IntFormat(8, default_overflow=Overflow.WRAP)),
        ("hifloat8:overflow=saturate", HiFloat8Format(default_overflow=Overflow.SATURATE)),
        (" E4M3 : FN ".replace(" ", ""), FloatFormat(4, 3, 7, **FN)),
    ],
)
def test_spec_strings_mean_their_fields(text: str, expected: object) -> None:
    assert get_format(text) == expected


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("e4m3", "float8_e4m3"),
        ("e4m3:fn", "float8_e4m3fn"),
        ("e2m1:finite", "float4_e2m1fn"),
        ("e1m2:finite,bias=1", "float4_e1m2fn"),
        ("e4m3:fnuz,bias=11", "float8_e4m3b11fnuz"),
        ("e8m10:shift=13", "tfloat32"),
        ("ue8m0:fn,nozero", "float8_e8m0fnu"),
        ("e8m23", "float32"),
        ("int8:scale=0", "int8"),
        ("hifloat8:overflow=ieee", "hifloat8"),
    ],
)
def test_spec_strings_of_named_formats_give_the_named_ones(text: str, name: str) -> None:
    assert get_format(text) is formats[name]


@pytest.mark.parametrize("name", [*formats, *P3109])
def test_named_formats_round_trip_by_name_and_by_spec(name: str) -> None:
    fmt = formats[name]
    assert str(fmt) == name
    assert get_format(str(fmt)) is fmt
    assert get_format(fmt.spec) == fmt


@pytest.mark.parametrize("text", CUSTOM)
def test_canonical_forms_are_stable(text: str) -> None:
    fmt = get_format(text)
    assert str(get_format(str(fmt))) == str(fmt)


@given(custom_formats() | integer_formats(), st.sampled_from(Overflow))
def test_any_format_round_trips(fmt: FloatFormat | IntFormat, policy: Overflow) -> None:
    assert get_format(fmt.spec) == fmt
    other = dataclasses.replace(fmt, default_overflow=policy)
    assert get_format(other.spec) == other


def test_bare_texts_that_aliases_take_are_spelt_out() -> None:
    for exponent_bits, trailing_bits, signed in itertools.product(
        range(2, 9), range(1, 11), (True, False)
    ):
        fmt = FloatFormat(exponent_bits, trailing_bits, signed=signed)
        assert get_format(fmt.spec) == fmt
        bare = fmt.spec.removesuffix(":ieee")
        assert (bare != fmt.spec) == (get_format(bare) != fmt)


def test_any_hifloat8_round_trips() -> None:
    for policy in Overflow:
        fmt = HiFloat8Format(default_overflow=policy)
        assert get_format(str(fmt)) == fmt


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("e4m3f", "did you mean 'e4m3f"),
        ("float8_e4m3", None),
        ("flaot16", "did you mean 'float16'"),
        ("e4", "unknown format 'e4'"),
        ("", "unknown format ''"),
        ("e4m3:", None),
        ("e4m3:nosubnormal", "did you mean 'nosubnormals'"),
        ("e4m3:bias=x", "bad value 'x' of key 'bias'"),
        ("e4m3:bias", "unknown key 'bias'"),
        ("e4m3:fn=1", "unknown key 'fn=1'"),
        ("e4m3:scale=2", "unknown key 'scale=2'"),
        ("e1m2:finite", "bias= must be given"),
        ("e0m3:finite", "bias= must be given"),
        ("int8:bias=1", "unknown key 'bias=1'; allowed are scale=, overflow="),
        ("int8:scale=", "bad value '' of key 'scale'"),
        ("int65", "1 to 64"),
        ("int1", "2 to 64 when signed"),
        ("hifloat8:bias=1", "unknown key 'bias=1'"),
        ("e4m3:overflow=clip", "clip"),
    ],
)
def test_bad_spec_strings_say_what_is_wrong(text: str, message: str | None) -> None:
    if message is None:
        assert get_format(text) == get_format("e4m3")
        return
    with pytest.raises((FormatError, OptionError), match=message.replace("(", r"\(")):
        get_format(text)
