"""Impossible formats are refused with the reason, and every possible one is accepted."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from minifloat._errors import FormatError
from minifloat._formats import FloatFormat, IntFormat, NanCode, Subnormals, get_format
from minifloat.reference.grid import decode_table
from minifloat.reference.values import decode

FINITE: dict[str, Any] = {"infinities": False, "nan": NanCode.NONE}
FN: dict[str, Any] = {"infinities": False, "nan": NanCode.ALL_ONES}
FNUZ: dict[str, Any] = {"infinities": False, "nan": NanCode.NEGATIVE_ZERO}


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"exponent_bits": -1, "trailing_bits": 3, "bias": 0}, "non-negative"),
        ({"exponent_bits": 0, "trailing_bits": 0, "bias": 0, **FINITE}, "not both 0"),
        ({"exponent_bits": 4, "trailing_bits": 3, "infinities": False}, "NanCode.IEEE"),
        ({"exponent_bits": 4, "trailing_bits": 0}, "trailing bit"),
        ({"exponent_bits": 0, "trailing_bits": 4, "bias": 0}, "exponent field"),
        ({"exponent_bits": 4, "trailing_bits": 3, "signed": False, **FNUZ}, "sign bit"),
        ({"exponent_bits": 4, "trailing_bits": 3, "negative_zero": True, **FNUZ}, "same code"),
        ({"exponent_bits": 4, "trailing_bits": 3, "signed": False, "negative_zero": True}, "-0"),
        ({"exponent_bits": 4, "trailing_bits": 3, "zero": False, **FINITE}, "without zero"),
        (
            {"exponent_bits": 4, "trailing_bits": 3, "zero": False, "subnormals": False, **FNUZ},
            "without zero",
        ),
        (
            {"exponent_bits": 0, "trailing_bits": 4, "bias": 0, "subnormals": False, **FINITE},
            "all values are subnormal",
        ),
        ({"exponent_bits": 1, "trailing_bits": 1, "bias": 0, "subnormals": False}, "no positive"),
        ({"exponent_bits": 8, "trailing_bits": 53}, "precision 54"),
        ({"exponent_bits": 12, "trailing_bits": 3}, "exceeds float64's range"),
        ({"exponent_bits": 11, "trailing_bits": 53}, "64 bits|precision"),
        ({"exponent_bits": 11, "trailing_bits": 10, "code_shift": 43}, "64 bits of storage"),
        ({"exponent_bits": 11, "trailing_bits": 10, "bias": 1100, **FINITE}, "below float64's"),
        ({"exponent_bits": 4, "trailing_bits": 3, "bias": -2000, **FINITE}, "exceeds"),
        ({"exponent_bits": 1, "trailing_bits": 3}, "bias= must be given"),
    ],
)
def test_contradictions_are_named(fields: dict[str, Any], reason: str) -> None:
    with pytest.raises(FormatError, match=reason):
        FloatFormat(**fields)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ((0, False), "1 to 64"),
        ((65,), "1 to 64"),
        ((1,), "2 to 64 when signed"),
        ((8, True, -1001), "-1000 to 900"),
        ((8, True, 901), "-1000 to 900"),
    ],
)
def test_impossible_integers_are_refused(arguments: tuple[Any, ...], reason: str) -> None:
    with pytest.raises(FormatError, match=reason):
        IntFormat(*arguments)


def test_the_extremes_of_float64_are_possible() -> None:
    for text in ("e11m52", "e11m2:finite,bias=1071", "e4m3:fn,bias=1068", "e4m3:fn,bias=-1008"):
        fmt = get_format(text)
        assert float(fmt.max) == fmt.max
        assert float(fmt.smallest) == fmt.smallest


def possible(**fields: Any) -> FloatFormat | None:
    try:
        return FloatFormat(**fields)
    except FormatError:
        return None


@pytest.mark.parametrize("exponent_bits", [0, 1, 2, 3])
def test_small_formats_either_decode_consistently_or_are_refused(exponent_bits: int) -> None:
    booleans = (False, True)
    seen = 0
    for trailing_bits, nan, subnormals, *flags in itertools.product(
        range(4), NanCode, Subnormals, booleans, booleans, booleans, booleans
    ):
        names = ("signed", "infinities", "negative_zero", "zero")
        fmt = possible(
            exponent_bits=exponent_bits,
            trailing_bits=trailing_bits,
            bias=2,
            nan=nan,
            subnormals=subnormals,
            **dict(zip(names, flags, strict=True)),
        )
        if fmt is None:
            continue
        seen += 1
        values = [decode(code, fmt) for code in range(1 << fmt.bits)]
        finite = [value.number for value in values if value.is_finite]
        assert max(finite) == fmt.max > 0
        assert fmt.min == min(finite)
        assert len(decode_table(fmt)) == 1 << fmt.bits
        # No two codes share a non-zero number, and what positive has, negative has.
        nonzero = [number for number in finite if number]
        assert len(set(nonzero)) == len(nonzero)
        if fmt.signed:
            assert {-number for number in nonzero} == set(nonzero)
    assert seen > 20
