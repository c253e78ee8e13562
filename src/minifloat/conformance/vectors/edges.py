"""Codes where things happen: the ends of a format's binades, its special values, its neighbours."""

from __future__ import annotations

import functools
from fractions import Fraction

import numpy as np

from minifloat._arrays import AnyArray
from minifloat._casting import decode, encode
from minifloat._formats import FloatFormat, Format, IntFormat
from minifloat._inspection import next_down
from minifloat._plans import storage_dtype

__all__ = ["edge_codes", "threshold_codes"]


@functools.lru_cache(maxsize=256)
def edge_codes(fmt: Format) -> AnyArray:
    """Return a format's edge codes: special exponents with special fractions, in both signs.

    Parameters
    ----------
    fmt : Format

    Returns
    -------
    ndarray, shape (n,)
        Sorted; all codes of formats of 6 bits or fewer, and of those that are no binary floats.
    """
    if fmt.bits <= 6 or not isinstance(fmt, (FloatFormat, IntFormat)):
        found = set(range(2**fmt.bits))
    elif isinstance(fmt, IntFormat):
        found = _integer_edges(fmt.bits)
    else:
        found = _float_edges(fmt)
    dtype = storage_dtype(fmt)
    return np.asarray(np.array(sorted(found), dtype) << dtype.type(fmt.code_shift))


def _integer_edges(bits: int) -> set[int]:
    mask = 2**bits - 1
    powers = {(1 << k) + d for k in range(bits) for d in (-2, -1, 0, 1)}
    return {sign * size & mask for size in {0, 3, *powers} for sign in (1, -1)}


def _float_edges(fmt: FloatFormat) -> set[int]:
    trailing, top = fmt.trailing_bits, 2**fmt.exponent_bits - 1
    one, reach = fmt.bias, fmt.trailing_bits + 1
    exponents = {0, 1, 2, one - reach - 1, one - reach, one - 1, one, one + 1, one + reach}
    exponents |= {one + reach + 1, top // 4, 3 * top // 4, top - 2, top - 1, top}
    exponents = {exponent for exponent in exponents if 0 <= exponent <= top}
    last, half = 2**trailing - 1, 2**trailing >> 1
    fractions = {0, 1, 2, 3, half - 1, half, half + 1, last - 1, last}
    fractions = {fraction for fraction in fractions if 0 <= fraction <= last}
    sizes = {exponent << trailing | fraction for exponent in exponents for fraction in fractions}
    signs = (0, 1) if fmt.signed else (0,)
    return {sign << fmt.exponent_bits + trailing | size for sign in signs for size in sizes}


@functools.lru_cache(maxsize=256)
def threshold_codes(source: Format, target: Format) -> AnyArray:
    """Return codes of `source` at the ends of `target`'s range.

    They are its largest value, the half quantum above it where overflow is decided, its smallest
    normal and subnormal values, halves and halves below those, where `source` holds them.

    Parameters
    ----------
    source, target : Format

    Returns
    -------
    ndarray, shape (n,)
    """
    values = [value for value in _thresholds(target) if _is_float64(value)]
    if isinstance(source, IntFormat):
        low, high = int(source.min), int(source.max)
        numbers = [int(value) for value in values if value.denominator == 1]
        inside = [number for number in numbers if low <= number <= high]
        return np.unique(encode(inside or [0], source))
    floats = np.array([float(value) for value in values], np.float64)
    return np.unique(encode(floats, source, overflow="saturate", nan="max"))


def _thresholds(fmt: Format) -> list[Fraction]:
    quantum = Fraction(1)
    if not isinstance(fmt, IntFormat):
        largest = encode(float(fmt.max), fmt)
        below = decode(next_down(largest, fmt), fmt, dtype=np.float64)
        quantum = fmt.max - Fraction(float(below))
    sizes = [fmt.max, fmt.max + quantum / 2, fmt.max + quantum]
    sizes += [fmt.smallest_normal, fmt.smallest_normal - fmt.smallest / 2]
    sizes += [fmt.smallest * Fraction(k, 4) for k in (1, 2, 3, 4, 6)]
    return [sign * size for size in sizes for sign in (1, -1)]


def _is_float64(value: Fraction) -> bool:
    try:
        return Fraction(float(value)) == value
    except OverflowError:
        return False
