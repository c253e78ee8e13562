"""Rounding direction, DAZ and FTZ that other libraries leave behind change nothing."""

from __future__ import annotations

import ctypes
import platform
import shutil
import subprocess
import sysconfig
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from inputs import edges

import minifloat as mf

SOURCE = """
#include <fenv.h>
#if defined(__SSE2__)
#include <xmmintrin.h>
unsigned get(void) { return _mm_getcsr(); }
void set(unsigned word) { _mm_setcsr(word); }
#else
unsigned get(void) { return (unsigned)fegetround(); }
void set(unsigned word) { fesetround((int)word); }
#endif
float product(float a, float b) { volatile float x = a, y = b; return x * y; }
"""

# Bits of MXCSR: all exceptions masked, DAZ, FTZ, and the direction (down, up, to zero).
MASKED, DAZ, FTZ = 0x1F80, 0x0040, 0x8000
WORDS = {
    "DAZ and FTZ": MASKED | DAZ | FTZ,
    "down": MASKED | 0x2000,
    "up": MASKED | 0x4000,
    "to zero, DAZ and FTZ": MASKED | 0x6000 | DAZ | FTZ,
}

pytestmark = pytest.mark.skipif(
    platform.machine() not in ("x86_64", "AMD64"), reason="the control word of another processor"
)


@pytest.fixture(scope="module")
def unit(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    folder = tmp_path_factory.mktemp("unit")
    source = folder / "unit.c"
    source.write_text(SOURCE)
    library = folder / "unit.so"
    configured = (sysconfig.get_config_var("CC") or "cc").split()[0]
    compiler = shutil.which("cc") or shutil.which("gcc") or configured
    subprocess.run([compiler, "-O1", "-shared", "-fPIC", "-o", library, source], check=True)
    loaded = ctypes.CDLL(str(library))
    loaded.product.restype = ctypes.c_float
    loaded.product.argtypes = [ctypes.c_float] * 2
    return loaded


def under(unit: ctypes.CDLL, word: int, call: Callable[[], Any]) -> Any:
    before = unit.get()
    unit.set(word)
    try:
        result = call()
        after = unit.get()
    finally:
        unit.set(before)
    # The sticky status bits (the low six) may be raised; the rest is the caller's.
    assert after & ~0x3F == word & ~0x3F
    return result


def casts(x32: Any, x64: Any, names: list[str]) -> list[bytes]:
    found = []
    for name in names:
        for x in (x32, x64):
            for how in (
                {},
                {"rounding": "rtp"},
                {"rounding": mf.Stochastic(8), "rng": 1},
                {"rounding": mf.Stochastic(40), "rng": 1},
                {"rounding": mf.Stochastic(8, noise=mf.noise.Uniform(0.2, 0.8)), "rng": 1},
            ):
                flags = np.empty(x.shape, np.uint8)
                found.append(mf.encode(x, name, flags=flags, **how).tobytes() + flags.tobytes())
        codes = np.arange(1 << min(mf.get_format(name).bits, 10))
        found.append(mf.decode(codes, name).tobytes())
        found.append(mf.decode(codes, name, dtype=np.float64).tobytes())
        found.append(mf.cast(codes, name, "float32").tobytes())
    found += [mf.quantize(x32, "e4m3fn").tobytes(), mf.quantize(x64, "e5m2").tobytes()]
    found += [mf.quantize(x32, "int8").tobytes(), mf.quantize(x32, "hifloat8").tobytes()]
    integers = np.arange(-5000, 5000, dtype=np.int64) * 987654321987
    found += [mf.encode(integers, "bf16").tobytes(), mf.encode(2**80 + 2**70, "bf16").tobytes()]
    return found


@pytest.fixture(scope="module")
def inputs() -> tuple[Any, Any]:
    subnormal32 = np.arange(1, 1 << 23, 3001, dtype=np.uint32).view(np.float32)
    x32 = np.concatenate(
        [edges(mf.get_format("bfloat16"), np.float32)[::31], subnormal32, -subnormal32]
    )
    subnormal64 = np.arange(1, 1 << 52, (1 << 52) // 2000, dtype=np.uint64).view(np.float64)
    x64 = np.concatenate([edges(mf.get_format("e5m2")), subnormal64, -subnormal64])
    return x32, x64


def test_the_words_have_their_effect(unit: ctypes.CDLL) -> None:
    tiny = np.float32(2.0**-126)
    flushed = under(unit, WORDS["DAZ and FTZ"], lambda: unit.product(tiny, 0.5))
    assert flushed == 0.0 != unit.product(tiny, 0.5)
    up = under(unit, WORDS["up"], lambda: unit.product(1 + 2**-23, 1 + 2**-23))
    assert up > unit.product(1 + 2**-23, 1 + 2**-23)


@pytest.mark.parametrize("word", WORDS)
def test_casts_do_not_change(unit: ctypes.CDLL, inputs: tuple[Any, Any], word: str) -> None:
    names = [
        "e4m3fn",
        "bfloat16",
        "float16",
        "e11m2:finite,bias=1071",
        "hifloat8",
        "int8",
        "dlfloat16",
    ]
    expected = casts(*inputs, names)
    assert under(unit, WORDS[word], lambda: casts(*inputs, names)) == expected


def test_plans_made_under_a_strange_word_do_not_change(
    unit: ctypes.CDLL, inputs: tuple[Any, Any]
) -> None:
    names = [
        f"e{e}m{m}:bias={b}" for e, m, b in ((4, 3, 9), (5, 10, 19), (8, 7, 130), (8, 12, 100))
    ]
    names += ["int9:scale=-130", "uint7:scale=-30"]
    strange = under(unit, WORDS["to zero, DAZ and FTZ"], lambda: casts(*inputs, names))
    from minifloat import _plans, _quick

    _plans._known_plan.cache_clear()
    _quick._known.clear()
    assert strange == casts(*inputs, names)


def test_worker_threads_have_a_word_of_their_own(unit: ctypes.CDLL) -> None:
    words = np.arange(1 << 20, dtype=np.uint32) << np.uint32(3)  # subnormal and small numbers
    x = words.view(np.float32)
    expected = mf.encode(x, "bfloat16", workers=1)
    got = under(unit, WORDS["to zero, DAZ and FTZ"], lambda: mf.encode(x, "bfloat16", workers=4))
    np.testing.assert_array_equal(got, expected)


def test_the_build_forbids_contraction() -> None:
    cmake = Path(__file__).parents[2] / "CMakeLists.txt"
    assert "-ffp-contract=off" in cmake.read_text()
