"""What generation covers, and that it is reproducible."""

from __future__ import annotations

import hashlib
from collections import Counter

import numpy as np
import pytest

from minifloat import Rounding
from minifloat._errors import MinifloatError
from minifloat._flags import Flag
from minifloat.conformance.vectors import Settings, generate, get_function
from minifloat.conformance.vectors.operands import exhaustive_operands, stratified_operands

FUNCTIONS = (
    "f16_add",
    "f32_mul",
    "f64_div",
    "bf16_mulAdd",
    "tfloat32_mul",
    "float8_e4m3fn_add",
    "hifloat8_add",
    "binary8p3se_mul",
    "f32_to_f16",
    "f64_to_e5m2",
)


PLAIN = Settings()


def text(function: str, settings: Settings = PLAIN, count: int = 5000, seed: int = 0) -> bytes:
    parts = generate(get_function(function), settings, count=count, seed=seed)
    return b"".join(part for _, part in parts)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_generated_vectors_raise_every_flag_that_the_function_can(function: str) -> None:
    lines = text(function).splitlines()
    raised = Counter(flag for line in lines for flag in Flag if int(line.split()[-1], 16) & flag)
    expected = {Flag.INEXACT}
    found = get_function(function)
    if found.operation != "add":
        expected |= {Flag.UNDERFLOW, Flag.OVERFLOW}
    if found.operation == "div":
        expected |= {Flag.DIVIDE_BY_ZERO}
    if found.operands[0].has_infinity:
        expected |= {Flag.INVALID}
    assert expected <= set(raised)
    # No stratum may drown the others.
    for flag in expected - {Flag.DIVIDE_BY_ZERO, Flag.INVALID}:
        assert raised[flag] > len(lines) // 100, flag


@pytest.mark.parametrize("function", ["f16_mul", "f32_mul", "f64_mul", "f64_to_f32", "bf16_mulAdd"])
def test_cases_that_tell_tininess_apart_occur(function: str) -> None:
    after = text(function, Settings(tininess="after"), 20_000)
    assert after != text(function, Settings(tininess="before"), 20_000)


@pytest.mark.parametrize("function", ["f16_add", "f32_to_bf16", "f16_roundToInt", "f64_mulAdd"])
def test_every_pair_of_modes_is_told_apart(function: str) -> None:
    modes = (
        *(Rounding.TIES_TO_EVEN, Rounding.TIES_TO_AWAY, Rounding.TOWARD_ZERO, Rounding.TO_ODD),
        *(Rounding.TOWARD_POSITIVE, Rounding.TOWARD_NEGATIVE),
    )
    texts = {text(function, Settings(mode)) for mode in modes}
    assert len(texts) == len(modes)


def test_sums_cancel_and_products_almost_cancel_addends() -> None:
    lines = [line.split() for line in text("f32_add").splitlines()]
    small = [
        w for w in lines if int(w[2], 16) & 0x7FFFFFFF < int(w[0], 16) - 0x0B000000 & 0x7FFFFFFF
    ]
    assert len(small) > 100
    zero = [words for words in lines if int(words[2], 16) & 0x7FFFFFFF == 0]
    assert len(zero) > 20


def test_a_seed_always_gives_the_same_vectors() -> None:
    digest = hashlib.sha256(text("f16_mulAdd", count=20_000, seed=1)).hexdigest()
    assert digest == hashlib.sha256(text("f16_mulAdd", count=20_000, seed=1)).hexdigest()
    assert digest != hashlib.sha256(text("f16_mulAdd", count=20_000, seed=2)).hexdigest()
    assert (
        text("f16_mulAdd", count=17_000, seed=1)
        == text("f16_mulAdd", count=20_000, seed=1)[: 17_000 * 23]
    )


def test_exhaustive_operands_are_all_pairs_in_order() -> None:
    pages = list(exhaustive_operands(get_function("float4_e2m1fn_add")))
    pairs = [(int(a), int(b)) for page in pages for a, b in zip(*page, strict=True)]
    assert pairs == [(a, b) for a in range(16) for b in range(16)]
    total = sum(len(page[0]) for page in exhaustive_operands(get_function("e4m3fn_add")))
    assert total == 65_536


def test_tfloat32_operands_have_no_low_bits() -> None:
    for page in stratified_operands(get_function("tfloat32_mulAdd"), 1000, 1):
        for column in page:
            assert not (column & np.uint32(0x1FFF)).any()


def test_too_many_cases_are_refused() -> None:
    with pytest.raises(MinifloatError, match="2\\*\\*64"):
        next(exhaustive_operands(get_function("f32_add")))
    with pytest.raises(MinifloatError, match="non-negative"):
        next(stratified_operands(get_function("f32_add"), -1, 0))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("f16_mulAdx", "did you mean 'mulAdd'"),
        ("f128_add", "a format and one of"),
        ("i32_add", "no arithmetic"),
        ("i32_to_i64", "integers on both sides"),
    ],
)
def test_unknown_functions_are_refused(name: str, message: str) -> None:
    with pytest.raises(MinifloatError, match=message):
        get_function(name)
