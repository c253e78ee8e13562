"""popfloat casts beside a copy: ``pytest benchmarks/test_popfloat.py --benchmark-only -n 0``.

One worker, 16M float32. The groups of the densities also hold what numpy's Generator takes to draw
as many samples of the family.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from minifloat.popfloat import FormatConfig, GfloatCast, RoundConfig

SIZE = 1 << 24
FORMAT = FormatConfig(2, 5, 15, True, True)
CENTRED = {"scale": 0.1, "min": -0.5, "max": 0.5}
DENSITIES: dict[str, dict[str, float]] = {
    "UNIFORM": {"min": 0.0, "max": 1.0},
    "NORMAL": CENTRED,
    "TRUNCATED_NORMAL": CENTRED,
    "LAPLACE": CENTRED,
    "LOGISTIC": CENTRED,
    "LOGIT_NORMAL": {"scale": 1.0, "min": 0.0, "max": 1.0},
    "BERNOULLI": {"bernoulli_prob": 0.5},
}


@pytest.fixture(scope="module")
def x() -> np.ndarray:
    return np.random.default_rng(0).standard_normal(SIZE).astype(np.float32)


@pytest.mark.benchmark(group="casts")
def test_copyto(benchmark: Any, x: np.ndarray) -> None:
    benchmark(np.copyto, np.empty_like(x), x)


@pytest.mark.benchmark(group="casts")
@pytest.mark.parametrize("gf_type", ["AUTO", "FP32"])
@pytest.mark.parametrize("mode", ["RZ", "RN", "RA", "RU", "SR", "SX"])
def test_modes(benchmark: Any, x: np.ndarray, mode: str, gf_type: str) -> None:
    gf = GfloatCast(FORMAT, RoundConfig(mode, 8), True, gf_type)
    rng = 1 if mode in ("SR", "SX") else None
    out = np.empty(SIZE, gf.gf_storage_type)
    benchmark(gf.cast_native_to_gfloat, x, rng=rng, out=out, workers=1)
    assert (out != 0).any()


@pytest.mark.benchmark(group="casts")
@pytest.mark.parametrize("bits", [8, 16])
@pytest.mark.parametrize("density", DENSITIES)
def test_densities(benchmark: Any, x: np.ndarray, density: str, bits: int) -> None:
    rounds = RoundConfig("SX", bits, density, **DENSITIES[density])
    gf = GfloatCast(FORMAT, rounds, True)
    out = np.empty(SIZE, gf.gf_storage_type)
    benchmark(gf.cast_native_to_gfloat, x, rng=1, out=out, workers=1)
    assert (out != 0).any()


@pytest.mark.benchmark(group="casts")
def test_unpack(benchmark: Any, x: np.ndarray) -> None:
    gf = GfloatCast(FORMAT, RoundConfig("RN"), True, native_type="FP32")
    words = gf.cast_native_to_gfloat(x)
    benchmark(gf.cast_gfloat_to_native, words)


@pytest.mark.benchmark(group="casts")
@pytest.mark.parametrize("family", ["normal", "laplace", "logistic"])
def test_numpy_draws(benchmark: Any, family: str) -> None:
    draw = getattr(np.random.default_rng(0), family)
    benchmark.pedantic(draw, kwargs={"size": SIZE}, rounds=3)
