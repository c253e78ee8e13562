"""``Cast`` and copies: ``pytest benchmarks/test_ascend.py --benchmark-only -n 0``."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from minifloat.ascend import CastTrait, RegTensor, cast, cast_register, create_mask

SIZE = 1 << 24
REGISTERS = 1 << 17


@pytest.fixture(scope="module")
def x() -> np.ndarray:
    return np.random.default_rng(0).standard_normal(SIZE).astype(np.float32)


@pytest.mark.benchmark(group="float32 array")
def test_copyto(benchmark: Any, x: np.ndarray) -> None:
    out = np.empty_like(x)
    benchmark(np.copyto, out, x)


@pytest.mark.benchmark(group="float32 array")
@pytest.mark.parametrize(
    ("dst", "mode"),
    [
        ("hifloat8_t", "CAST_ROUND"),
        ("hifloat8_t", "CAST_HYBRID"),
        ("fp8_e4m3fn_t", "CAST_RINT"),
        ("half", "CAST_ODD"),
        ("bfloat16_t", "CAST_RINT"),
        ("int16_t", "CAST_RINT"),
        ("int64_t", "CAST_RINT"),
    ],
)
def test_cast(benchmark: Any, x: np.ndarray, dst: str, mode: str) -> None:
    out = benchmark(cast, x, dst=dst, round_mode=mode)
    assert out.shape == x.shape


@pytest.mark.benchmark(group="registers")
def test_copy_registers(benchmark: Any) -> None:
    source = np.random.default_rng(1).integers(0, 256, (REGISTERS, 256)).astype(np.uint8)
    benchmark(np.copyto, np.empty_like(source), source)


@pytest.mark.benchmark(group="registers")
@pytest.mark.parametrize(
    ("src", "dst", "layout", "mode"),
    [
        ("float", "hifloat8_t", "THREE", "CAST_ROUND"),
        ("float", "half", "ONE", "CAST_RINT"),
        ("half", "float", "ONE", "UNKNOWN"),
        ("bfloat16_t", "fp4x2_e2m1_t", "TWO", "CAST_RINT"),
    ],
)
def test_cast_registers(benchmark: Any, src: str, dst: str, layout: str, mode: str) -> None:
    rng = np.random.default_rng(1)
    source = RegTensor(src, rng.integers(0, 256, (REGISTERS, 256)).astype(np.uint8))
    out = RegTensor.zeros(dst, (REGISTERS,))
    sat = "NO_SAT" if src == "float" else "UNKNOWN"
    trait = CastTrait(layout, sat, "ZEROING", mode)
    benchmark(cast_register, out, source, create_mask(src), trait)
    assert out.data.any()
