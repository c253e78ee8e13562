"""Choosing among codes before and after a cast: vendor rules beyond the core's settings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from minifloat._casting import cast
from minifloat._context import Context
from minifloat._formats import Format

__all__ = ["ByMagnitude", "Clear", "KeepExact", "Replace", "Selection", "Words"]

Words = npt.NDArray[np.unsignedinteger[Any]]


class Selection(Protocol):
    """A step that changes some of the words of an array in place."""

    def apply(self, words: Words, source: Words) -> None:
        """Change `words`, which came from `source`, element by element."""


@dataclass(frozen=True, slots=True)
class Clear:
    """Clear bits of every word.

    Parameters
    ----------
    bits : int
    """

    bits: int

    def apply(self, words: Words, source: Words) -> None:
        """Clear in place.

        Parameters
        ----------
        words : ndarray of unsigned, shape (...)
        source : ndarray
            Not looked at.
        """
        del source
        words &= ~words.dtype.type(self.bits)


@dataclass(frozen=True, slots=True)
class Replace:
    """Replace words that hold a pattern.

    Parameters
    ----------
    found : int
        The pattern.
    put : int
        What replaces the word.
    mask : int, optional
        The bits that count; all when omitted.
    """

    found: int
    put: int
    mask: int | None = None

    def apply(self, words: Words, source: Words) -> None:
        """Replace in place.

        Parameters
        ----------
        words : ndarray of unsigned, shape (...)
        source : ndarray
            Not looked at.
        """
        del source
        word = words.dtype.type
        looked_at = words if self.mask is None else words & word(self.mask)
        chosen = looked_at == word(self.found)
        if chosen.any():
            np.copyto(words, word(self.put), where=chosen)


@dataclass(frozen=True, slots=True)
class ByMagnitude:
    """Replace the results of floating-point sources of certain magnitudes.

    Parameters
    ----------
    source : Format
        Of the source words.
    first, last : int
        The bounds, both included, as codes without sign: such codes are in the order of magnitudes.
    positive, negative : int
        The results by the source's sign.
    only : tuple of int, optional
        Apply only where the result is one of these.
    """

    source: Format
    first: int
    last: int
    positive: int
    negative: int
    only: tuple[int, ...] | None = None

    def apply(self, words: Words, source: Words) -> None:
        """Replace in place.

        Parameters
        ----------
        words : ndarray of unsigned, shape (...)
        source : ndarray of unsigned, shape (...)
        """
        word = source.dtype.type
        sign = word(1 << (self.source.bits - 1))
        magnitude = source & ~sign
        chosen = (magnitude >= word(self.first)) & (magnitude <= word(self.last))
        if self.only is not None:
            chosen &= np.isin(words, np.array(self.only, words.dtype))
        negative = source >= sign
        np.copyto(words, words.dtype.type(self.positive), where=chosen & ~negative)
        np.copyto(words, words.dtype.type(self.negative), where=chosen & negative)


@dataclass(frozen=True, slots=True)
class KeepExact:
    """Give sources that the target holds exactly the code that they have.

    Parameters
    ----------
    source, target : Format
    context : Context
        Of the cast; flushed subnormals are not exact.
    """

    source: Format
    target: Format
    context: Context

    def apply(self, words: Words, source: Words) -> None:
        """Replace in place.

        Parameters
        ----------
        words : ndarray of unsigned, shape (...)
        source : ndarray of unsigned, shape (...)
        """
        there = cast(source, self.source, self.target, overflow="saturate", context=self.context)
        exact = cast(there, self.target, self.source) == source
        np.copyto(words, there, where=exact)
