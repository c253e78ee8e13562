"""Flags: why an operation was invalid, what happened to subnormal numbers, tininess, flushing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from minifloat import softfloat as sf
from minifloat.softfloat import ExceptionFlag as F
from minifloat.softfloat import FloatStatus
from minifloat.softfloat._table import ENTRIES

ONE, MINUS, INF, NINF, ZERO = 0x3F800000, 0xBF800000, 0x7F800000, 0xFF800000, 0
QNAN, SNAN, TINY = 0x7FC00000, 0x7F800001, 0x00000001
BIG = 0x7F7FFFFF
FLUSHED = F.OUTPUT_DENORMAL_FLUSHED

CASES: list[tuple[str, tuple[Any, ...], F]] = [
    ("add", (INF, NINF), F.INVALID | F.INVALID_ISI),
    ("sub", (INF, INF), F.INVALID | F.INVALID_ISI),
    ("mul", (INF, ZERO), F.INVALID | F.INVALID_IMZ),
    ("mul", (ZERO, NINF), F.INVALID | F.INVALID_IMZ),
    ("div", (INF, INF), F.INVALID | F.INVALID_IDI),
    ("div", (ZERO, ZERO), F.INVALID | F.INVALID_ZDZ),
    ("div", (ONE, ZERO), F.DIVBYZERO),
    ("div", (TINY, ZERO), F.DIVBYZERO),
    ("div", (INF, ZERO), F(0)),
    ("div", (ZERO, TINY), F.INPUT_DENORMAL_USED),
    ("sqrt", (MINUS,), F.INVALID | F.INVALID_SQRT),
    ("sqrt", (NINF,), F.INVALID | F.INVALID_SQRT),
    ("sqrt", (TINY | 0x80000000,), F.INVALID | F.INVALID_SQRT),
    ("sqrt", (0x80000000,), F(0)),
    ("rem", (INF, ONE), F.INVALID),
    ("rem", (ONE, ZERO), F.INVALID),
    ("rem", (TINY, INF), F.INPUT_DENORMAL_USED),
    ("muladd", (INF, ZERO, ONE, 0), F.INVALID | F.INVALID_IMZ),
    ("muladd", (INF, ONE, NINF, 0), F.INVALID | F.INVALID_ISI),
    ("muladd", (INF, ONE, INF, sf.float_muladd_negate_c), F.INVALID | F.INVALID_ISI),
    ("muladd", (TINY, ZERO, ONE, 0), F.INPUT_DENORMAL_USED),
    ("muladd", (TINY, INF, NINF, 0), F.INVALID | F.INVALID_ISI),
    ("add", (SNAN, ONE), F.INVALID | F.INVALID_SNAN),
    ("add", (QNAN, INF), F(0)),
    ("add", (QNAN, TINY), F(0)),
    ("add", (TINY, INF), F.INPUT_DENORMAL_USED),
    ("add", (TINY, TINY), F.INPUT_DENORMAL_USED),
    ("mul", (TINY, ZERO), F.INPUT_DENORMAL_USED),
    ("scalbn", (TINY, 3), F.INPUT_DENORMAL_USED),
    ("round_to_int", (TINY,), F.INEXACT),
    ("round_to_int", (SNAN,), F.INVALID | F.INVALID_SNAN),
    ("min", (TINY, ONE), F.INPUT_DENORMAL_USED),
    ("min", (QNAN, TINY), F(0)),
    ("minnum", (QNAN, TINY), F.INPUT_DENORMAL_USED),
    ("minnum", (SNAN, ONE), F.INVALID | F.INVALID_SNAN),
    ("minimum_number", (SNAN, TINY), F.INVALID),
    ("minimum_number", (SNAN, QNAN), F.INVALID | F.INVALID_SNAN),
    ("compare", (QNAN, ONE), F.INVALID),
    ("compare", (SNAN, ONE), F.INVALID | F.INVALID_SNAN),
    ("compare_quiet", (QNAN, ONE), F(0)),
    ("compare_quiet", (SNAN, ONE), F.INVALID | F.INVALID_SNAN),
    ("compare", (TINY, ONE), F.INPUT_DENORMAL_USED),
    ("eq_quiet", (QNAN, QNAN), F(0)),
    ("unordered", (QNAN, ONE), F.INVALID),
    ("to_int32", (INF,), F.INVALID | F.INVALID_CVTI),
    ("to_int32", (BIG,), F.INVALID | F.INVALID_CVTI),
    ("to_int32", (QNAN,), F.INVALID),
    ("to_int32", (SNAN,), F.INVALID | F.INVALID_SNAN),
    ("to_uint8", (MINUS,), F.INVALID | F.INVALID_CVTI),
    ("to_int32", (TINY,), F.INEXACT),
    ("to_float64", (TINY,), F.INPUT_DENORMAL_USED),
    ("to_float64", (SNAN,), F.INVALID | F.INVALID_SNAN),
]


@pytest.mark.parametrize(("name", "arguments", "raised"), CASES)
@pytest.mark.parametrize("shape", [(), (3,)])
def test_causes(name: str, arguments: tuple[Any, ...], raised: F, shape: tuple[int, ...]) -> None:
    status = FloatStatus()
    kinds = [kind for _, kind in ENTRIES[f"float32_{name}"].parameters]
    given = [
        np.full(shape, a, np.uint32) if shape and kind == "Codes" else a
        for a, kind in zip(arguments, kinds, strict=False)
    ]
    getattr(sf, f"float32_{name}")(*given, status)
    assert status.exception_flags == raised


def test_numbers_win_over_signalling_nans_in_minimum_number() -> None:
    status = FloatStatus()
    assert sf.float32_minimum_number(SNAN, ONE, status) == ONE
    assert sf.float32_minnum(SNAN, ONE, status) == SNAN | 0x00400000
    assert sf.float32_minnum(QNAN, ONE, status) == ONE
    assert sf.float32_min(ONE, QNAN, status) == QNAN
    assert sf.float32_minnummag(MINUS, 0x3F000000, status) == 0x3F000000
    assert sf.float32_maxnummag(MINUS, ONE, status) == ONE
    assert sf.float32_max(0x80000000, ZERO, status) == ZERO


def test_tininess_before_and_after() -> None:
    for before, raised in ((True, F.UNDERFLOW | F.INEXACT), (False, F.INEXACT)):
        status = FloatStatus(tininess_before_rounding=before)
        assert sf.float32_mul(0x007FFFFF, 0x3F800001, status) == 0x00800000
        assert status.exception_flags & ~F.INPUT_DENORMAL_USED == raised


@pytest.mark.parametrize(
    ("detection", "a", "b", "result", "raised"),
    [
        # exactly subnormal
        ("after_rounding", 0x00800000, 0x3F000000, 0, FLUSHED),
        ("before_rounding", 0x00800000, 0x3F000000, 0, FLUSHED),
        # inexact and subnormal
        (
            "after_rounding",
            0x00800001,
            0xBF000000,
            0x80000000,
            FLUSHED | F.INEXACT,
        ),
        ("before_rounding", 0x00800001, 0xBF000000, 0x80000000, FLUSHED),
        # below the smallest normal number, but not once rounded
        ("after_rounding", 0x00800001, 0x3F7FFFFE, 0x00800000, F.INEXACT),
        ("before_rounding", 0x00800001, 0x3F7FFFFE, 0, FLUSHED),
        # rounds to the smallest normal number as a subnormal one only: tiny all the same
        ("after_rounding", 0x00FFFFFF, 0x3F000000, 0, FLUSHED | F.INEXACT),
    ],
)
def test_outputs_are_flushed(detection: str, a: int, b: int, result: int, raised: F) -> None:
    status = FloatStatus(flush_to_zero=True, ftz_detection=detection)  # type: ignore[arg-type]
    assert (sf.float32_mul(a, b, status), status.exception_flags) == (result, raised)


def test_inputs_are_flushed_with_their_sign() -> None:
    status = FloatStatus(flush_inputs_to_zero=True)
    assert sf.float32_add(0x807FFFFF, 0x80000000, status) == 0x80000000
    assert status.exception_flags == F.INPUT_DENORMAL_FLUSHED
    status = FloatStatus(flush_inputs_to_zero=True)
    sf.float32_mul(TINY, INF, status)
    assert status.exception_flags == F.INPUT_DENORMAL_FLUSHED | F.INVALID | F.INVALID_IMZ
    status = FloatStatus(flush_inputs_to_zero=True)
    sf.float32_div(TINY, TINY, status)
    assert status.exception_flags == F.INPUT_DENORMAL_FLUSHED | F.INVALID | F.INVALID_ZDZ
    assert sf.float32_squash_input_denormal(0x80000001, status) == 0x80000000
    assert sf.float32_squash_input_denormal(0x80000001, FloatStatus()) == 0x80000001


def test_a_zero_product_may_be_kept_from_a_zero_addend() -> None:
    status = FloatStatus()
    plain, keeps = 0, sf.float_muladd_suppress_add_product_zero
    minus = 0x80000000
    assert sf.float32_muladd(ZERO, ONE, minus, plain, status) == ZERO
    assert sf.float32_muladd(ZERO, ONE, minus, keeps, status) == minus
    assert sf.float32_muladd(ZERO, MINUS, ZERO, keeps, status) == ZERO
    assert sf.float32_muladd(ZERO, ONE, minus, keeps | sf.float_muladd_negate_c, status) == ZERO
    assert sf.float32_muladd(ZERO, ONE, ONE, keeps, status) == ONE
    assert sf.float32_muladd(ONE, ONE, MINUS, keeps, status) == ZERO
    assert status.exception_flags == 0


def test_flags_of_arrays_are_those_of_their_elements() -> None:
    rng = np.random.default_rng(7)
    for name in ("add", "mul", "div", "rem", "minnum", "minimum_number"):
        function = getattr(sf, f"float8e5m2_{name}")
        a, b = (rng.integers(0, 256, 300, np.uint8) for _ in range(2))
        for changes in ({}, {"flush_to_zero": True}, {"flush_inputs_to_zero": True}):
            whole, total = FloatStatus(**changes), F(0)
            found = function(a, b, whole)
            for k in range(len(a)):
                one = FloatStatus(**changes)
                assert function(int(a[k]), int(b[k]), one) == int(found[k])
                total |= one.exception_flags
            assert total == whole.exception_flags, name


def test_shapes_broadcast_and_empty_arrays_raise_nothing() -> None:
    status = FloatStatus()
    grid = sf.float16_add(np.full((3, 1), 0x3C00, np.uint16), [0x3C00, 0x4000], status)
    assert grid.shape == (3, 2)
    assert grid.dtype == np.uint16
    assert sf.float16_div(np.zeros(0, np.uint16), 0, status).shape == (0,)
    assert sf.float16_add(np.array(0x3C00, np.uint16), np.uint16(0), status).shape == ()
    assert status.exception_flags == 0
