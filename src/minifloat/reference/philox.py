"""Stream v1 of random bits: Philox4x32-10, and which of its bits belong to which element."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

__all__ = ["expand_seed", "philox4x32", "random_bits"]

_MULTIPLIERS = (0xD2511F53, 0xCD9E8D57)
_INCREMENTS = (0x9E3779B9, 0xBB67AE85)
_LOW = np.uint64(0xFFFFFFFF)
_LANES = 16


def philox4x32(counter: npt.ArrayLike, key: Sequence[int]) -> npt.NDArray[np.uint64]:
    """Encrypt counters with ten rounds of Philox4x32.

    Parameters
    ----------
    counter : array_like of unsigned integers, shape (..., 4)
        Words below 2**32, the least significant first.
    key : sequence of 2 int
        Words below 2**32.

    Returns
    -------
    ndarray of uint64, shape (..., 4)
        Words below 2**32.

    References
    ----------
    Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3. SC'11.

    Examples
    --------
    >>> [hex(word) for word in philox4x32([0, 0, 0, 0], [0, 0])]
    ['0x6627e8d5', '0xe169c58d', '0xbc57ac4c', '0x9b00dbd8']
    >>> [hex(word) for word in philox4x32([0xFFFFFFFF] * 4, [0xFFFFFFFF] * 2)]
    ['0x408f276d', '0x41c83b0e', '0xa20bc7c6', '0x6d5451fd']
    >>> pi = [0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344]
    >>> [hex(word) for word in philox4x32(pi, [0xA4093822, 0x299F31D0])]
    ['0xd16cfe09', '0x94fdcceb', '0x5001e420', '0x24126ea1']
    """
    c0, c1, c2, c3 = np.moveaxis(np.asarray(counter, np.uint64), -1, 0)
    for number in range(10):
        k0, k1 = (
            np.uint64((word + number * step) % 2**32)
            for word, step in zip(key, _INCREMENTS, strict=True)
        )
        product0, product1 = c0 * np.uint64(_MULTIPLIERS[0]), c2 * np.uint64(_MULTIPLIERS[1])
        high0, high1 = product0 >> np.uint64(32), product1 >> np.uint64(32)
        c0, c1, c2, c3 = high1 ^ c1 ^ k0, product1 & _LOW, high0 ^ c3 ^ k1, product0 & _LOW
    return np.stack([c0, c1, c2, c3], axis=-1)


def expand_seed(seed: int) -> tuple[int, int, int, int]:
    """Expand an integer seed to a 128-bit key.

    Parameters
    ----------
    seed : int
        Non-negative.

    Returns
    -------
    tuple of 4 int
        Philox's key, then the counter words 2 and 3; each below 2**32.

    Examples
    --------
    >>> len(expand_seed(7))
    4
    """
    state = np.random.SeedSequence(seed).generate_state(4, np.uint32)
    return int(state[0]), int(state[1]), int(state[2]), int(state[3])


def random_bits(words: Sequence[int], index: npt.ArrayLike, bits: int) -> npt.NDArray[np.uint64]:
    """Return the random bits of elements.

    With 16 bits or fewer, 128 elements share 16 counters: element i takes a half of word
    ``(i // 16) % 4`` of counter ``i % 16``, the low half for i < 64. With up to 32, 64 elements do,
    a word each. Above that, 32 elements do, two words each: ``i // 16``, and as the high word
    ``i // 16 + 2``. The most significant bits count.

    Parameters
    ----------
    words : sequence of 4 int
        A key; see `expand_seed`.
    index : array_like of int, shape (...)
        Positions in C order of the output.
    bits : int
        N, 1 to 64.

    Returns
    -------
    ndarray of uint64, shape (...)
        Below 2**bits.

    Examples
    --------
    >>> random_bits(expand_seed(7), [0, 1, 2], 1).shape
    (3,)
    """
    index = np.asarray(index, np.uint64)
    per_counter = 8 if bits <= 16 else 4 if bits <= 32 else 2
    group, element = np.divmod(index, np.uint64(_LANES * per_counter))
    lane, slot = element % np.uint64(_LANES), element // np.uint64(_LANES)
    block = group * np.uint64(_LANES) + lane
    fixed = [np.full(block.shape, word, np.uint64) for word in words[2:]]
    counter = np.stack([block & _LOW, block >> np.uint64(32), *fixed], axis=-1)
    output = philox4x32(counter, words[:2])

    def word(number: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
        chosen = np.take_along_axis(output, number.astype(np.int64)[..., None], axis=-1)
        return np.asarray(chosen[..., 0])

    if bits <= 16:
        shift = np.where(slot < 4, np.uint64(0), np.uint64(16))
        half = (word(slot % np.uint64(4)) >> shift) & np.uint64(0xFFFF)
        return np.asarray(half >> np.uint64(16 - bits))
    if bits <= 32:
        return np.asarray(word(slot) >> np.uint64(32 - bits))
    high = word(slot + np.uint64(2)) << np.uint64(32)
    return np.asarray((high | word(slot)) >> np.uint64(64 - bits))
