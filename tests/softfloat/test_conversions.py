"""Conversions: saturation, Arm's alternative half, integers, and trapped results."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from minifloat import softfloat as sf
from minifloat.reference.values import decode
from minifloat.softfloat import ExceptionFlag as F
from minifloat.softfloat import FloatStatus, RoundMode
from minifloat.softfloat._layouts import LAYOUTS

OVER = F.OVERFLOW | F.INEXACT
BIG, NBIG, INF, NINF = 0x7F7FFFFF, 0xFF7FFFFF, 0x7F800000, 0xFF800000
NEAREST = ("nearest_even", "ties_away")


def narrow(prefix: str, code: int, saturate: bool, mode: Any = "nearest_even") -> tuple[int, F]:
    status = FloatStatus(mode, default_nan_pattern=0x7F)
    found = getattr(sf, f"float32_to_{prefix}")(code, saturate, status)
    return found, status.exception_flags


@pytest.mark.parametrize("mode", NEAREST)
def test_finite_overflow_in_the_nearest_modes(mode: str) -> None:
    for code, sign in ((BIG, 0), (NBIG, 0x80)):
        assert narrow("float8e4m3", code, False, mode) == (0x7F, OVER)  # default NaN: no sign
        assert narrow("float8e4m3", code, True, mode) == (0x7E | sign, OVER)
        assert narrow("float8e5m2", code, False, mode) == (0x7C | sign, OVER)
        assert narrow("float8e5m2", code, True, mode) == (0x7B | sign, OVER)
        assert narrow("float4e2m1", code, False, mode) == (0x7 | sign >> 4, OVER)


@pytest.mark.parametrize("mode", ["to_zero", "to_odd", "nearest_even_max", "up", "down"])
def test_finite_overflow_away_from_infinity(mode: str) -> None:
    for code, sign in ((BIG, 0), (NBIG, 0x80)):
        if (mode, sign) in (("up", 0), ("down", 0x80)):
            continue
        assert narrow("float8e4m3", code, False, mode) == (0x7E | sign, OVER)
        assert narrow("float8e5m2", code, False, mode) == (0x7B | sign, OVER)


def test_overflow_toward_infinity() -> None:
    assert narrow("float8e4m3", BIG, False, "to_odd_inf") == (0x7F, OVER)
    assert narrow("float8e5m2", NBIG, False, "to_odd_inf") == (0xFC, OVER)
    assert narrow("float8e4m3", BIG, False, "up") == (0x7F, OVER)
    status = FloatStatus("nearest_even_max")
    assert sf.float16_add(0x7BFF, 0x7BFF, status) == 0x7BFF
    assert sf.float16_div(0x3C00, 0, status) == 0x7C00  # an exact infinity
    assert sf.float8e4m3_div(0x38, 0, status) == 0x7F


def test_infinite_sources_raise_nothing() -> None:
    for mode in ("nearest_even", "to_zero", "nearest_even_max"):
        assert narrow("float8e4m3", INF, False, mode) == (0x7F, F(0))
        assert narrow("float8e4m3", NINF, True, mode) == (0xFE, F(0))
        assert narrow("float8e5m2", NINF, False, mode) == (0xFC, F(0))
        assert narrow("float8e5m2", INF, True, mode) == (0x7B, F(0))


def test_the_thresholds_of_overflow() -> None:
    def e4m3(value: float) -> tuple[int, F]:
        return narrow("float8e4m3", int(np.float32(value).view(np.uint32)), False)

    assert e4m3(464.0) == (0x7E, F.INEXACT)
    assert e4m3(464.1) == (0x7F, OVER)
    assert narrow("float8e5m2", int(np.float32(61439.0).view(np.uint32)), False) == (
        0x7B,
        F.INEXACT,
    )
    assert narrow("float8e5m2", int(np.float32(61440.0).view(np.uint32)), False) == (0x7C, OVER)


def test_nan_is_never_saturated() -> None:
    assert narrow("float8e4m3", 0xFFC00001, True) == (0xFF, F(0))
    assert narrow("float8e5m2", 0x7FA00000, True) == (0x7F, F.INVALID | F.INVALID_SNAN)
    assert narrow("float4e2m1", 0x7FC00000, True) == (0x7, F.INVALID)  # there is no NaN


ALTERNATIVE = [
    (INF, 0x7FFF, F.INVALID),
    (NINF, 0xFFFF, F.INVALID),
    (0x7FC00000, 0x0000, F.INVALID),
    (0xFFC00000, 0x8000, F.INVALID),
    (0xFF800001, 0x8000, F.INVALID | F.INVALID_SNAN),
    (0x48000000, 0x7FFF, F.INVALID),  # 131072: beyond 131008
    (0x477FF000, 0x7C00, F.INEXACT),  # 65520: a tie, IEEE's overflow threshold
    (0x47800000, 0x7C00, F(0)),  # 65536
    (0x33800000, 0x0001, F(0)),
]


@pytest.mark.parametrize(("code", "expected", "raised"), ALTERNATIVE)
def test_arms_alternative_half(code: int, expected: int, raised: F) -> None:
    status = FloatStatus()
    assert hex(sf.float32_to_float16(code, False, status)) == hex(expected)
    assert status.exception_flags == raised
    assert (
        sf.float32_to_float16(np.full(2, code, np.uint32), False, status).tolist() == [expected] * 2
    )


def test_the_alternative_half_widens_all_codes() -> None:
    status = FloatStatus()
    assert sf.float16_to_float32(0x7FFF, False, status) == 0x47FFE000
    assert sf.float16_to_float32(0x7C00, True, status) == INF
    assert status.exception_flags == 0


@pytest.mark.parametrize("source", LAYOUTS)
@pytest.mark.parametrize("target", LAYOUTS)
def test_every_conversion_keeps_what_fits(source: str, target: str) -> None:
    if source == target:
        return
    to = getattr(sf, f"{source}_to_{target}")
    back = getattr(sf, f"{target}_to_{source}")

    def call(function: Any, codes: Any, prefix: str, status: FloatStatus) -> Any:
        half = [True] if "float16" in {source, target} else []
        narrow = [False] if prefix in ("float8e4m3", "float8e5m2", "float4e2m1") else []
        return function(codes, *half, *narrow, status)

    status = FloatStatus()
    for name in ("zero", "half", "one", "one_point_five", "two", "three"):
        code = getattr(sf, f"{source}_{name}")
        moved = call(to, code, target, status)
        assert moved == getattr(sf, f"{target}_{name}")
        assert call(back, moved, source, status) == code
    # float4e2m1's half is a subnormal number.
    subnormal = F.INPUT_DENORMAL_USED if "float4e2m1" in (source, target) else F(0)
    assert status.exception_flags == subnormal


def test_integers_out_of_range() -> None:
    status = FloatStatus()
    assert sf.float32_to_int8(BIG, status) == 127
    assert sf.float32_to_int64(NINF, status) == -(2**63)
    assert sf.float32_to_uint64(NINF, status) == 0
    assert sf.float32_to_uint16(0x7FC00000, status) == 65535
    for machine, values in {
        "arm": (2**31 - 1, -(2**31), 0, 2**32 - 1, 0, 0),
        "x86_sse": (-(2**31), -(2**31), -(2**31), 2**32 - 1, 2**32 - 1, 2**32 - 1),
        "riscv": (2**31 - 1, -(2**31), 2**31 - 1, 2**32 - 1, 0, 2**32 - 1),
    }.items():
        status = FloatStatus.profile(machine)
        signed = [sf.float32_to_int32(code, status) for code in (BIG, NBIG, 0x7FC00000)]
        unsigned = [sf.float32_to_uint32(code, status) for code in (BIG, NBIG, 0x7FC00000)]
        assert (*signed, *unsigned) == values, machine


def test_integers_round_as_told() -> None:
    status = FloatStatus("up")
    assert sf.float32_to_int32(0x3FC00000, status) == 2
    assert sf.float32_to_int32_round_to_zero(0xBFC00000, status) == -1
    assert sf.float32_to_int32_scalbn(0x3FC00000, RoundMode.DOWN, 3, status) == 12
    assert sf.float32_to_int32_scalbn(0x3FC00000, RoundMode.TO_ODD, 0, status) == 1
    assert status.exception_flags == F.INEXACT
    # An out-of-range value raises INVALID in place of INEXACT.
    status.exception_flags = F(0)
    assert sf.float32_to_int8(0x43000001, status) == 127
    assert status.exception_flags == F.INVALID | F.INVALID_CVTI
    status.exception_flags = F(0)
    assert sf.float32_to_uint8(0xBE800000, status) == 0  # -0.25 rounded up
    assert status.exception_flags == F.INEXACT


@pytest.mark.parametrize(
    ("value", "bits", "result", "invalid"),
    [
        (2.0**32 + 5, 32, 5, True),
        (-(2.0**32) - 5, 32, -5, True),
        (2.0**31, 32, -(2**31), True),
        (-(2.0**31), 32, -(2**31), False),
        (2.0**63 + 2.0**12, 64, -(2**63) + 2**12, True),
        (2.0**200, 64, 0, True),
        (7.0, 8, 7, False),
        (300.0, 8, 44, True),
    ],
)
def test_modulo_keeps_the_low_bits(value: float, bits: int, result: int, invalid: bool) -> None:
    status = FloatStatus()
    code = int(np.float64(value).view(np.uint64))
    found = getattr(sf, f"float64_to_int{bits}_modulo")(code, RoundMode.TO_ZERO, status)
    assert found == result
    assert status.exception_flags == (F.INVALID | F.INVALID_CVTI if invalid else 0)


def test_modulo_of_what_is_no_number_is_0() -> None:
    for code, cause in ((0x7FF0000000000000, F.INVALID_CVTI), (0x7FF8000000000000, F(0))):
        status = FloatStatus()
        assert sf.float64_to_int32_modulo(code, 0, status) == 0
        assert status.exception_flags == F.INVALID | cause


def test_integers_become_floats() -> None:
    status = FloatStatus()
    assert sf.int8_to_float8e4m3(-3, status) == 0xC4
    assert sf.uint64_to_float64(2**64 - 1, status) == 0x43F0000000000000
    assert status.exception_flags == F.INEXACT
    assert sf.int32_to_float32_scalbn(3, -1, status) == 0x3FC00000
    assert sf.int16_to_float8e4m3(np.array([1000, -448]), status.copy()).tolist() == [0x7F, 0xFE]
    with pytest.raises(ValueError, match="outside"):
        sf.int8_to_float32(128, status)


def test_rebias_follows_the_exact_result() -> None:
    # Power's trapped overflow and underflow: the exponent is moved by 3 * 2**(E - 2).
    for prefix in ("float16", "bfloat16", "float32", "float64"):
        fmt = LAYOUTS[prefix].fmt
        bias = 3 << fmt.exponent_bits - 2
        largest, least = LAYOUTS[prefix].infinity - 1, LAYOUTS[prefix].normal
        one = getattr(sf, f"{prefix}_one")
        over = FloatStatus(rebias_overflow=True)
        found = getattr(sf, f"{prefix}_add")(largest, largest, over)
        assert decode(found, fmt).magnitude == 2 * fmt.max / Fraction(2) ** bias
        assert over.exception_flags == F.OVERFLOW
        half = one - (1 << fmt.trailing_bits + fmt.code_shift)
        over = FloatStatus(rebias_overflow=True)
        found = getattr(sf, f"{prefix}_div")(largest, half + 1, over)
        exact = fmt.max / decode(half + 1, fmt).magnitude / Fraction(2) ** bias
        assert abs(decode(found, fmt).magnitude - exact) <= exact / 2**fmt.precision
        assert over.exception_flags == F.OVERFLOW | F.INEXACT
        under = FloatStatus(rebias_underflow=True)
        found = getattr(sf, f"{prefix}_mul")(least + 1, half, under)
        exact = decode(least + 1, fmt).magnitude / 2 * Fraction(2) ** bias
        assert decode(found, fmt).magnitude == exact
        assert under.exception_flags == F.UNDERFLOW
        found = getattr(sf, f"{prefix}_muladd")(least, half, 0, 0, under)
        assert decode(found, fmt).magnitude == fmt.smallest_normal / 2 * Fraction(2) ** bias
        # Without them the same operations deliver infinity and a subnormal number.
        assert getattr(sf, f"{prefix}_add")(largest, largest, FloatStatus()) == largest + 1
        # In range nothing changes, and an exact zero is not tiny.
        both = FloatStatus(rebias_overflow=True, rebias_underflow=True)
        assert getattr(sf, f"{prefix}_sub")(one, one, both) == 0
        assert getattr(sf, f"{prefix}_add")(one, one, both) == getattr(sf, f"{prefix}_two")
        assert both.exception_flags == 0


@pytest.mark.parametrize("prefix", ["float16", "float32", "float64"])
@pytest.mark.parametrize("name", ["add", "sub", "mul", "div"])
def test_rebias_of_arrays_is_that_of_their_elements(prefix: str, name: str) -> None:
    layout = LAYOUTS[prefix]
    rng = np.random.default_rng(3)
    kind = np.dtype(f"u{layout.fmt.code_bits // 8}")
    a, b = (rng.integers(0, layout.sign * 2, 1500, kind, endpoint=False) for _ in range(2))
    ends = np.array([layout.infinity - 1, layout.normal, layout.normal + 1, 1], kind)
    a[::3], b[::2] = rng.choice(ends, 500), rng.choice(ends, 750)
    function = getattr(sf, f"{prefix}_{name}")
    whole, total = FloatStatus(rebias_overflow=True, rebias_underflow=True), F(0)
    found = function(a, b, whole)
    plain = function(a, b, FloatStatus())
    assert (found != plain).any()
    for k in range(len(a)):
        one = FloatStatus(rebias_overflow=True, rebias_underflow=True)
        assert function(int(a[k]), int(b[k]), one) == int(found[k])
        total |= one.exception_flags
    assert total == whole.exception_flags
