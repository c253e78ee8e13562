"""The arrays that the bars work on, made once."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import numpy as np

import minifloat as mf

SIZE = 1 << 24
CPFLOAT: Path | None = None


def configure(cpfloat: Path | None) -> None:
    """Say where CPFloat is."""
    global CPFLOAT
    CPFLOAT = cpfloat


@functools.cache
def floats(dtype: str = "float32", seed: int = 0, size: int | None = None) -> Any:
    """Standard normal numbers."""
    draws = np.random.default_rng(seed).standard_normal(size or SIZE, dtype=np.float32)
    return draws.astype(dtype)


@functools.cache
def codes(fmt: str, seed: int = 0) -> Any:
    """Standard normal numbers as codes."""
    return mf.encode(floats("float64" if fmt == "float64" else "float32", seed), fmt)


@functools.cache
def any_codes(fmt: str) -> Any:
    """Uniform codes, special ones included."""
    bits = mf.get_format(fmt).bits
    return np.random.default_rng(1).integers(0, 1 << bits, SIZE, np.uint8)


@functools.cache
def scratch(dtype: str, which: int = 0, size: int | None = None) -> Any:
    """Room for results; `which` tells arrays apart that are used together."""
    del which
    return np.full(size or SIZE, 1, dtype)  # every page is there before anything is timed


def copy(x: Any) -> Any:
    """A run that copies x, the yardstick of casts."""
    return functools.partial(np.copyto, scratch(str(x.dtype), 1, x.size), x)
