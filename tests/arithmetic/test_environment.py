"""Results do not depend on the floating-point environment that other libraries leave behind."""

from __future__ import annotations

import ctypes
import platform
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import minifloat as mf

COMPILER = shutil.which("cc") or shutil.which("gcc")
DAZ_AND_FTZ, UPWARD = 0x9FC0, 0x5F80

pytestmark = pytest.mark.skipif(
    COMPILER is None or platform.machine() not in ("x86_64", "AMD64"),
    reason="sets the x86 control register by a small C library",
)


@pytest.fixture(scope="module")
def control(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    folder = tmp_path_factory.mktemp("mxcsr")
    source = folder / "mxcsr.c"
    source.write_text(
        "#include <xmmintrin.h>\n"
        "unsigned get(void) { return _mm_getcsr(); }\n"
        "void set(unsigned v) { _mm_setcsr(v); }\n"
    )
    library: Path = folder / "mxcsr.so"
    assert COMPILER is not None
    subprocess.run([COMPILER, "-shared", "-fPIC", source, "-o", library], check=True)
    return ctypes.CDLL(str(library))


@pytest.mark.parametrize("word", [DAZ_AND_FTZ, UPWARD])
@pytest.mark.parametrize("name", ["float16", "bfloat16", "float32", "float64"])
def test_results_under_another_environment(control: ctypes.CDLL, name: str, word: int) -> None:
    fmt = mf.get_format(name)
    rng = np.random.default_rng(1)
    dtype = np.dtype(f"u{fmt.bits // 8}")
    tiny = rng.integers(0, 2 ** (fmt.trailing_bits + 1), 2000).astype(dtype)
    wild = rng.integers(0, 2**63, 2000).astype(np.uint64).astype(dtype)
    plain = [getattr(mf, verb)(tiny, wild, name) for verb in ("add", "mul", "div")]
    square = mf.matmul(tiny[:100].reshape(10, 10), wild[:100].reshape(10, 10), name)
    before = control.get()
    control.set(word)
    try:
        changed = [getattr(mf, verb)(tiny, wild, name) for verb in ("add", "mul", "div")]
        product = mf.matmul(tiny[:100].reshape(10, 10), wild[:100].reshape(10, 10), name)
        kept = control.get()
    finally:
        control.set(before)
    assert kept & 0xFFC0 == word & 0xFFC0
    np.testing.assert_array_equal(changed, plain)
    np.testing.assert_array_equal(product, square)
