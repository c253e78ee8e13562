"""Where the random bits of stochastic rounding come from: keys of a counter-based stream."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from minifloat._errors import OptionError

__all__ = ["Key", "RngLike", "as_key"]


@dataclass(frozen=True, slots=True, init=False)
class Key:
    """A position in a stream of random bits: a 128-bit key and an element offset.

    Element i of an operation always takes the bits at ``offset + i``, whatever the chunks, strides,
    threads and instruction set.

    Parameters
    ----------
    seed : int
        Non-negative; expanded by `numpy.random.SeedSequence`.

    Raises
    ------
    OptionError
        If the seed is negative or no integer.

    Examples
    --------
    >>> Key(7).at(1024).offset
    1024
    """

    words: tuple[int, int, int, int]
    offset: int

    def __init__(self, seed: int) -> None:
        if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or seed < 0:
            msg = f"Key(seed={seed!r}): a seed is a non-negative integer"
            raise OptionError(msg)
        state = np.random.SeedSequence(int(seed)).generate_state(4, np.uint32)
        self._set(tuple(int(word) for word in state), 0)

    def _set(self, words: tuple[int, ...], offset: int) -> None:
        object.__setattr__(self, "words", words)
        object.__setattr__(self, "offset", offset)

    @classmethod
    def from_words(cls, words: tuple[int, int, int, int], offset: int = 0) -> Key:
        """Make a key of four 32-bit words: the cipher's key, then counter words 2 and 3.

        Parameters
        ----------
        words : tuple of 4 ints
        offset : int
            Of 64 bits, non-negative.

        Returns
        -------
        Key

        Raises
        ------
        OptionError
            If there are not four integers, or the offset is out of range.
        """
        if len(words) != 4 or not all(isinstance(word, (int, np.integer)) for word in words):
            msg = f"Key.from_words({words!r}): a key is four 32-bit words"
            raise OptionError(msg)
        if not isinstance(offset, (int, np.integer)) or not 0 <= offset < 2**64:
            msg = f"a key's offset is a non-negative integer of 64 bits, not {offset!r}"
            raise OptionError(msg)
        key = cls.__new__(cls)
        key._set(tuple(int(word) & 0xFFFFFFFF for word in words), int(offset))
        return key

    def at(self, offset: int) -> Key:
        """Return the key whose first element is this one's element `offset` (for streaming).

        Parameters
        ----------
        offset : int
            Non-negative.

        Returns
        -------
        Key

        Raises
        ------
        OptionError
            If the offset is negative, no integer, or the sum passes 64 bits.
        """
        if not isinstance(offset, (int, np.integer)) or offset < 0:
            msg = f"Key.at({offset!r}): offsets are non-negative integers"
            raise OptionError(msg)
        return Key.from_words(self.words, self.offset + int(offset))


if TYPE_CHECKING:  # numpy.random takes a while to load
    RngLike: TypeAlias = int | np.random.Generator | Key
else:
    RngLike = object


def as_key(rng: RngLike | None) -> Key:
    """Turn a seed, a Generator (which is advanced) or a key into a key.

    Parameters
    ----------
    rng : int, numpy.random.Generator or Key

    Returns
    -------
    Key

    Raises
    ------
    OptionError
        If `rng` is None or of another type.
    """
    if isinstance(rng, Key):
        return rng
    if isinstance(rng, np.random.Generator):
        words = rng.integers(0, 2**32, size=4, dtype=np.uint32)  # takes the generator's lock
        return Key.from_words(tuple(int(word) for word in words))  # type: ignore[arg-type]
    if rng is None:
        msg = (
            "stochastic rounding needs rng= (a seed, a numpy Generator or minifloat.Key) or"
            " random_bits=: there is no hidden randomness, so that results can be repeated"
        )
        raise OptionError(msg)
    if isinstance(rng, bool) or not isinstance(rng, (int, np.integer)):
        msg = f"rng={rng!r}: give a seed, a numpy.random.Generator or a minifloat.Key"
        raise OptionError(msg)
    return Key(rng)
