"""Every instruction-set level gives the same bytes, flags and findings."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from inputs import all_float16, edges, random_float32

import minifloat as mf
from minifloat import _core
from minifloat._plans import holds, plan_for

Array = npt.NDArray[Any]
LEVELS = _core.isa_levels()

TARGETS = [
    "e4m3fn",
    "e5m2",
    "e8m0fnu",
    "hifloat8",
    "float16",
    "bfloat16",
    "tf32",
    "float32",
    "float64",
    "dlfloat16",
    "e3m2:nosubnormals",
    "ue5m3",
    "e2m1fn",
    "binary8p3se",
    "binary8p4ue",
    "e10m2",
    "e11m40",
    "int4",
    "int8",
    "int32",
    "int64",
]
HOWS: dict[str, dict[str, Any]] = {
    "defaults": {},
    "odd, saturating": {"rounding": "to_odd", "overflow": "saturate"},
    "up": {"rounding": "rtp"},
    "away, before": {"rounding": "rna", "context": mf.contexts.ARM},
    "flushing": {"context": mf.Context(flush_inputs=True, flush_outputs=True)},
    "8 bits": {"rounding": mf.Stochastic(8), "rng": 1},
    "16 bits, nearest": {"rounding": mf.Stochastic(16, "nearest"), "rng": 2},
    "24 bits, centred": {"rounding": mf.Stochastic(24, "centred"), "rng": 3},
    "all bits": {"rounding": "sr", "rng": 4},
    "64 bits": {"rounding": mf.Stochastic(64), "rng": mf.Key(5).at(77)},
    "density": {"rounding": mf.Stochastic(9, noise=mf.noise.Normal(0.0, 0.2)), "rng": 6},
    "replayed": {"rounding": mf.Stochastic(3), "random_bits": 5},
}


@pytest.fixture
def restored() -> Iterator[None]:
    before = _core.isa()
    yield
    _core.set_isa(before)


def fits(x: Array, name: str) -> bool:
    source, target = mf.get_format(x.dtype), mf.get_format(name)
    return holds(source, target) or holds(target, source)


def results(x: Array, name: str, how: dict[str, Any]) -> list[Any]:
    counts = mf.Flags()
    flags = np.empty(x.shape, np.uint8)
    how = how | {"nan": "max"}
    codes = mf.encode(x, name, flags=flags, **how)
    found: list[Any] = [
        codes,
        flags,
        mf.encode(x, name, **how),
        mf.encode(x, name, flags=counts, **how),
    ]
    found += [
        mf.cast(codes, name, "bfloat16", rounding="rtz"),
        mf.decode(codes, name, dtype=np.float64),
    ]
    if fits(x, name):
        found.append(mf.quantize(x, name, **how))
    words = [item.tobytes() for item in found]
    return [*words, counts.counts, counts.first]


def sources() -> dict[str, Array]:
    half = np.concatenate([all_float16(), np.float16([np.nan, -np.nan])])
    single = np.concatenate(
        [
            random_float32(20_000, 3, mf.get_format("e4m3fn")),
            edges(mf.get_format("e5m2"), np.float32),
        ]
    )
    single[::501] = np.nan
    double = np.concatenate([edges(mf.get_format("e5m2")), edges(mf.get_format("e8m0fnu"))])
    double = np.concatenate([double, single[:5000].astype(np.float32) * 1.0000001])
    integers = np.random.default_rng(4).integers(-(2**63), 2**63, 3000)
    return {"half": half, "single": single, "double": double, "int64": integers >> (integers & 63)}


with np.errstate(invalid="ignore", over="ignore"):
    SOURCES = sources()


@pytest.mark.usefixtures("restored")
@pytest.mark.parametrize("how", HOWS)
@pytest.mark.parametrize("source", SOURCES)
def test_levels_agree(source: str, how: str) -> None:
    x = SOURCES[source]
    for name in TARGETS:
        expected: Any = None
        for level in LEVELS:
            _core.set_isa(level)
            assert _core.isa() == level
            if source == "int64":
                flags = np.empty(x.shape, np.uint8)
                found: Any = [
                    mf.encode(x, name, flags=flags, **HOWS[how]).tobytes(),
                    flags.tobytes(),
                ]
            else:
                found = results(x, name, HOWS[how])
            expected = expected or found
            assert found == expected, (level, name)


@pytest.mark.usefixtures("restored")
def test_levels_agree_on_hybrid() -> None:
    for x in (SOURCES["half"], SOURCES["single"]):
        found = []
        for level in LEVELS:
            _core.set_isa(level)
            flags = np.empty(x.shape, np.uint8)
            codes = mf.encode(x, "hifloat8", rounding="hybrid", flags=flags)
            found.append((codes.tobytes(), flags.tobytes()))
        assert len(set(found)) == 1


@pytest.mark.usefixtures("restored")
@pytest.mark.parametrize("name", ["float64", "float32", "float16", "e4m3fn"])
def test_levels_agree_on_arithmetic(name: str) -> None:
    """The baseline has no fused multiply-add that products and sums could be contracted to."""
    bits = mf.get_format(name).bits
    words = (
        np.random.default_rng(9).integers(0, 2**bits, (3, 5000), np.uint64).astype(f"u{bits // 8}")
    )
    a, b, c = words
    near = a ^ (b & 7).astype(a.dtype)  # sums with cancellation
    found = []
    for level in LEVELS:
        _core.set_isa(level)
        flags = np.empty((6, a.size), np.uint8)
        codes = [
            mf.mul(a, b, name, flags=flags[0]),
            mf.add(a, b, name, flags=flags[1]),
            mf.sub(a, near, name, flags=flags[2]),
            mf.div(a, b, name, flags=flags[3]),
            mf.fma(a, b, c, name, flags=flags[4]),
            mf.sqrt(a, name, flags=flags[5]),
        ]
        found.append((np.stack(codes).tobytes(), flags.tobytes()))
    assert len(set(found)) == 1


def test_all_carriers_are_met() -> None:
    pairs = [("float32", name) for name in TARGETS] + [
        ("float64", "float16"),
        ("int64", "bfloat16"),
    ]
    plans = [plan_for(mf.get_format(source), target) for source, target in pairs]
    assert {plan.core.carrier for plan in plans} == {"float32", "float64", "scalar"}


def test_unknown_levels_are_refused() -> None:
    with pytest.raises(ValueError, match="this processor and build offer baseline"):
        _core.set_isa("v9")


@pytest.mark.parametrize("level", LEVELS)
def test_the_environment_chooses_a_level(level: str) -> None:
    script = "import minifloat as mf; mf.encode(1.0, 'e4m3fn'); print(mf._core.isa())"
    environment = os.environ | {"MINIFLOAT_ISA": level}
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == level
