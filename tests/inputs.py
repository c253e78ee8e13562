"""Fixed inputs that provoke mistakes: grid points, midpoints, their neighbours, and specials."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import numpy.typing as npt

from minifloat._formats import FloatFormat, Format, HiFloat8Format, IntFormat, formats
from minifloat.reference.grid import grid_of
from minifloat.reference.values import smallest_normal

Floats = npt.NDArray[np.floating[Any]]

NARROW = tuple(name for name in formats if formats[name].bits <= 16)
NARROW_FLOATS = tuple(
    name for name in NARROW if isinstance(formats[name], (FloatFormat, HiFloat8Format))
)
NARROW_INTS = tuple(name for name in NARROW if isinstance(formats[name], IntFormat))
# Precision 1, unsigned, finite and extended ones; the three that P3109 wants of every system.
P3109 = [
    "binary3p1ue",
    "binary3p2sf",
    "binary4p2sf",
    "binary5p5uf",
    "binary6p1sf",
    "binary6p3se",
    "binary8p1ue",
    "binary8p1se",
    "binary8p3se",
    "binary8p4se",
    "binary8p4ue",
    "binary11p5se",
]
# Corners of the format space that no named format covers.
CUSTOM = [
    "e0m4:finite,bias=3",
    "ue0m5:fn,inf,bias=3",
    "e1m3:bias=2",
    "e4m0:finite",
    "e3m2:nosubnormals",
    "ue3m2:finite,nozero,bias=4",
    "e4m3:nonegzero,finite",
    "ue4m2:fn,inf",
    "e3m3:fnuz,inf",
    "e4m2:fullrange",
    "e3m0:fn,fullrange,bias=1",
    "e2m2:fn,nozero,bias=1",
    "e11m2:finite,bias=1071",
    "e3m2:finite,overflow=p3109",
]
INTEGERS = ["int3", "uint5", "int6:scale=-4", "uint7:scale=3"]


@functools.cache
def edges(fmt: Format, dtype: type[np.floating[Any]] = np.float64) -> Floats:
    """Return all grid points, midpoints and neighbours of a narrow format, of both signs.

    Parameters
    ----------
    fmt : Format
        Of at most 20 bits.
    dtype : numpy floating type
        The dtype whose neighbours are taken.

    Returns
    -------
    ndarray of dtype, shape (n,)
        Sorted by bits, without duplicates, with zeros and infinities, without NaN; read-only.
    """
    grid = grid_of(fmt)
    bound = float(smallest_normal(fmt))
    near = [grid.values, grid.middles.floor, grid.tiny_below.floor, grid.tiny_middle.floor]
    exact = np.concatenate([*near, [bound, 0.75 * bound, 0.0]])
    with np.errstate(over="ignore", under="ignore"):
        numbers = exact[np.isfinite(exact)].astype(dtype)
        around = [np.nextafter(numbers, dtype(0)), numbers, np.nextafter(numbers, dtype(np.inf))]
        extreme = np.finfo(dtype)
        specials = np.array([0, extreme.max, extreme.smallest_subnormal, 1, 1e30, np.inf], dtype)
    magnitudes = np.concatenate([*around, specials])
    return _unique(np.concatenate([magnitudes, -magnitudes]))


def _unique(x: Floats) -> Floats:
    words = x.view(f"u{x.dtype.itemsize}")
    kept: Floats = np.unique(words).view(x.dtype)
    kept.flags.writeable = False
    return kept


@functools.cache
def all_float16() -> npt.NDArray[np.float16]:
    """Return every float16 but the NaNs, in the order of the codes; read-only."""
    x = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
    x = x[~np.isnan(x)]
    x.flags.writeable = False
    return x


@functools.cache
def all_bfloat16() -> npt.NDArray[np.float32]:
    """Return every bfloat16 but the NaNs as float32, in the order of the codes; read-only."""
    x = (np.arange(1 << 16, dtype=np.uint32) << np.uint32(16)).view(np.float32)
    x = x[~np.isnan(x)]
    x.flags.writeable = False
    return x


def random_float32(count: int, seed: int, fmt: Format | None = None) -> npt.NDArray[np.float32]:
    """Return float32 numbers: half of random bits, half spread over a format's range.

    Parameters
    ----------
    count, seed : int
    fmt : Format, optional
        Without one all are of random bits.

    Returns
    -------
    ndarray of float32, shape (count,)
        Without NaN.
    """
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 1 << 32, count, dtype=np.uint32).view(np.float32)
    if fmt is not None:
        low, high = np.log2(float(fmt.smallest)) - 3, np.log2(float(fmt.max)) + 2
        sizes = 2.0 ** rng.uniform(max(low, -149), min(high, 127), count // 2)
        x[: count // 2] = sizes * rng.choice([-1, 1], count // 2)
    x[np.isnan(x)] = 0.0
    return x
