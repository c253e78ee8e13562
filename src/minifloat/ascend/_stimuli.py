"""Source patterns for golden vectors: all up to 16 bits, else strata around what matters."""

from __future__ import annotations

import numpy as np

from minifloat._arrays import AnyArray
from minifloat._casting import decode
from minifloat._formats import Format, IntFormat
from minifloat.ascend._pairs import Pair

__all__ = ["stimuli"]

_REGISTER_LANES = 512  # as many 4-bit elements fill a register


def stimuli(pair: Pair, *, extra: int = 32768, seed: int = 0) -> AnyArray:
    """Return source patterns that exercise a pair.

    Parameters
    ----------
    pair : Pair
    extra : int
        How many random patterns follow the strata of a source wider than 16 bits.
    seed : int
        Of the random patterns.

    Returns
    -------
    ndarray of unsigned, shape (n,)
        Every pattern of sources of 16 bits or fewer. Of wider ones: signed zeros, ends, NaNs and
        other specials; every value (for 16-bit destinations some) of the destination, the midpoints
        between neighbours, each with the patterns next to it; some of every binade; and random
        patterns. Filled up to whole registers.

    Examples
    --------
    >>> from minifloat.ascend._pairs import find_pair
    >>> stimuli(find_pair("half", "int8_t")).size
    65536
    """
    word = pair.src.word
    if pair.src.bits <= 16:
        return np.arange(1 << pair.src.bits, dtype=word)
    rng = np.random.default_rng(seed)
    if isinstance(pair.src.format, IntFormat):
        strata = _integers(pair.src.bits, rng)
    else:
        parts = [_specials(), _near(pair.dst.format, rng), _binades(rng)]
        if pair.dst.name == "hifloat8_t":
            parts.append(_hybrid_edges(rng))
        strata = np.concatenate(parts)
    size = -(-(strata.size + extra) // _REGISTER_LANES) * _REGISTER_LANES
    filling = rng.integers(0, 1 << pair.src.bits, size - strata.size, dtype=np.uint64)
    words: AnyArray = np.concatenate((strata.astype(word), filling.astype(word)))
    return words


def _with_neighbours(codes: AnyArray, steps: int = 1) -> AnyArray:
    """Add the codes next to each, modulo the word."""
    offsets = np.arange(-steps, steps + 1).astype(codes.dtype)
    words: AnyArray = codes[:, None] + offsets
    return words.ravel()


def _specials() -> AnyArray:
    """Return the ends and the special values of float32."""
    infinity, smallest_normal = 0x7F800000, 0x00800000
    magnitudes = [0, 1, 2, 0x7FC00000, 0x7FFFFFFF]
    for edge in (infinity, smallest_normal):
        magnitudes += [edge - 1, edge, edge + 1]
    found = np.array(magnitudes, np.uint32)
    return np.concatenate((found, found | np.uint32(1 << 31)))


def _near(target: Format, rng: np.random.Generator) -> AnyArray:
    """Return the target's values and the midpoints between them, with the patterns around."""
    count = 1 << target.bits
    if target.bits <= 8:
        codes = np.arange(count, dtype=np.uint64)
    else:
        picked = rng.integers(0, count, 2048, dtype=np.uint64)
        small = np.arange(64, dtype=np.uint64)
        codes = np.unique(np.concatenate((picked, picked ^ np.uint64(1), small)))
    values = np.unique(decode(codes, target).astype(np.float64))
    values = values[np.isfinite(values)]
    middles = (values[1:] + values[:-1]) / 2
    # Where the grid would go on beyond its ends, and the middle before that.
    ends = float(target.max), float(target.min)
    steps = [end * factor for end in ends for factor in (1, 1 + 2.0**-9, 1.125, 1.25, 1.5, 2, 4)]
    units = [end + step for end in ends for step in (-1, -0.5, 0.5, 1)]
    with np.errstate(over="ignore"):
        points = np.concatenate((values, middles, steps, units)).astype(np.float32)
    return _with_neighbours(points.view(np.uint32), 2)


def _binades(rng: np.random.Generator) -> AnyArray:
    """Return a few patterns of every binade, half of them with a short significand."""
    exponents = np.repeat(np.arange(256, dtype=np.uint32) << np.uint32(23), 16)
    trailing = rng.integers(0, 1 << 23, exponents.size, dtype=np.uint32)
    trailing[::2] &= np.uint32(0x7FC000)
    return exponents | trailing | _signs(exponents.size, rng)


def _hybrid_edges(rng: np.random.Generator) -> AnyArray:
    """Return patterns whose threshold equals the fraction it is compared with, or nearly.

    The two are overlapping fields of the input, so they are equal where the bits repeat.
    """
    found = []
    for exponent in range(-24, 16):
        size = abs(exponent)
        period = 7 if size <= 7 else 8 if size <= 15 else 9 if exponent >= -22 else 10
        low = rng.integers(0, 1 << period, 64, dtype=np.uint32)
        repeated = low | low << np.uint32(period) | low << np.uint32(2 * period)
        biased = np.uint32((exponent + 127) << 23)
        found.append(biased | (repeated & np.uint32(0x7FFFFF)))
    words = np.concatenate(found)
    return _with_neighbours(words | _signs(words.size, rng))


def _signs(count: int, rng: np.random.Generator) -> AnyArray:
    return rng.integers(0, 2, count, dtype=np.uint32) << np.uint32(31)


def _integers(bits: int, rng: np.random.Generator) -> AnyArray:
    """Return patterns around the powers of two, and some of every length."""
    word = np.dtype(f"u{bits // 8}").type
    powers = word(1) << np.arange(bits, dtype=word)
    edges = _with_neighbours(np.concatenate((powers, np.array([0], word), ~powers + word(1))), 3)
    lengths = np.repeat(np.arange(1, bits + 1), 64)
    drawn = rng.integers(0, 1 << 63, lengths.size, dtype=np.uint64) << np.uint64(1)
    drawn |= rng.integers(0, 2, lengths.size, dtype=np.uint64)
    magnitudes = (drawn >> (64 - lengths).astype(np.uint64)).astype(word)
    halves = magnitudes.copy()
    halves[::2] = ~halves[::2] + word(1)
    return np.concatenate((edges, magnitudes, halves))
