"""Error sums of quantised values: gathered over pieces, merged, and read as the usual figures."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from minifloat._flags import Flag

__all__ = ["BINS", "ErrorSums", "Source", "flag_counts", "measure", "sums_by_bin"]

BINS = 2048
"""Magnitude bins, eight a binade: the top eleven bits of a float32's magnitude."""

_BIN_SHIFT = 20


@dataclass(slots=True)
class ErrorSums:
    """What was lost, summed over finite source elements.

    Attributes
    ----------
    count : int
        Finite source elements.
    skipped : int
        Source elements that are infinite or NaN, and take no part.
    signal, noise : float
        Sums of squares of the source and of the error (what was delivered minus the source).
    error : float
        Sum of the errors.
    max_absolute, max_relative : float
        Largest ``abs(error)``, and largest ``abs(error) / abs(source)`` where the source is not 0.
    exact, flushed, saturated, lost : int
        Elements delivered unchanged; non-zero ones delivered as zero; those beyond the largest
        finite value; finite ones delivered as infinity or NaN (they leave the other sums alone,
        and make `sqnr` minus infinity).
    flags : dict of str to int
        How many quantisations raised each IEEE flag.
    noise_by_bin : ndarray, shape (BINS,), float64, optional
        `noise` by the source's magnitude.
    """

    count: int = 0
    skipped: int = 0
    signal: float = 0.0
    noise: float = 0.0
    error: float = 0.0
    max_absolute: float = 0.0
    max_relative: float = 0.0
    exact: int = 0
    flushed: int = 0
    saturated: int = 0
    lost: int = 0
    flags: dict[str, int] = field(default_factory=dict)
    noise_by_bin: NDArray[np.float64] | None = field(default=None, repr=False)

    def add(self, other: ErrorSums) -> None:
        """Add the sums of more elements.

        Parameters
        ----------
        other : ErrorSums
        """
        for name in (f.name for f in fields(self)):
            mine, theirs = getattr(self, name), getattr(other, name)
            if name.startswith("max_"):
                setattr(self, name, max(mine, theirs))
            elif name == "flags":
                self.flags = {k: mine.get(k, 0) + theirs.get(k, 0) for k in {**mine, **theirs}}
            elif theirs is not None:
                setattr(self, name, theirs if mine is None else mine + theirs)

    @property
    def sqnr(self) -> float:
        """Signal to quantisation noise ratio in dB: infinite without any error."""
        if self.lost:
            return -math.inf
        if self.noise == 0:
            return math.inf
        return 10 * math.log10(self.signal / self.noise) if self.signal else -math.inf

    @property
    def bias(self) -> float:
        """Mean error."""
        return self.error / self.count if self.count else 0.0

    def percent(self, name: str) -> float:
        """Return a count as a percentage of the finite source elements.

        Parameters
        ----------
        name : {"exact", "flushed", "saturated", "lost"}

        Returns
        -------
        float
        """
        return 100 * int(getattr(self, name)) / self.count if self.count else 0.0


class Source:
    """Source elements with what every measurement against them needs, computed once.

    Parameters
    ----------
    values : ndarray, shape (n,), float16, float32 or float64
    binned : bool
        Whether to sort the elements by magnitude.

    Attributes
    ----------
    values : ndarray, shape (n,)
        Infinities and NaN replaced by 0.
    exact : ndarray, shape (n,), float64
        The same in float64.
    magnitude : ndarray, shape (n,), float64
        ``abs(exact)``, with infinity for 0, so that dividing by it gives relative errors.
    bins : ndarray, shape (n,), or None
    """

    def __init__(self, values: NDArray[Any], *, binned: bool = False) -> None:
        finite = np.isfinite(values)
        self.skipped = int(values.size - np.count_nonzero(finite))
        self.values = np.where(finite, values, values.dtype.type(0)) if self.skipped else values
        self.exact = self.values.astype(np.float64)
        with np.errstate(over="ignore"):
            self.signal = _sum_of_squares(self.exact)
        self.nonzero = int(np.count_nonzero(self.values))
        self.magnitude = np.abs(self.exact)
        if self.nonzero < values.size:
            self.magnitude[self.values == 0] = np.inf
        self.bins = _bins(self.exact) if binned else None


def measure(source: Source, delivered: NDArray[Any], has_zero: bool) -> ErrorSums:
    """Compare delivered values with their source.

    Parameters
    ----------
    source : Source
    delivered : ndarray, shape (n,), float32 or float64
    has_zero : bool
        Whether the format has a zero (and so delivers 0 for 0).

    Returns
    -------
    ErrorSums
        Without `saturated` and `flags`, which only the quantisation knows.
    """
    sums = ErrorSums(source.exact.size - source.skipped, source.skipped, source.signal)
    with np.errstate(all="ignore"):
        error = np.subtract(delivered, source.exact, dtype=np.float64)
        sums.noise = _sum_of_squares(error)
        # Skipped elements stand as 0, which a format without zero cannot deliver.
        skipped_exact, skipped_lost = (source.skipped, 0) if has_zero else (0, source.skipped)
        if not math.isfinite(sums.noise):
            finite = np.isfinite(delivered)
            sums.lost = int(finite.size - np.count_nonzero(finite)) - skipped_lost
            error = np.where(finite, error, 0.0)
            skipped_exact += sums.lost + skipped_lost
            sums.noise = _sum_of_squares(error)
        sums.error = float(np.add.reduce(error))
        if source.bins is not None:
            sums.noise_by_bin = sums_by_bin(source.bins, error * error)
        sums.exact = int(error.size - np.count_nonzero(error)) - skipped_exact
        if has_zero:
            sums.flushed = source.nonzero - int(np.count_nonzero(delivered))
        np.abs(error, out=error)
        sums.max_absolute = float(error.max(initial=0.0))
        error /= source.magnitude
        sums.max_relative = float(error.max(initial=0.0))
    return sums


def sums_by_bin(bins: NDArray[np.int64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Add up weights by bin.

    Parameters
    ----------
    bins : ndarray, shape (n,), int64
    weights : ndarray, shape (n,), float64

    Returns
    -------
    ndarray, shape (BINS,), float64
    """
    return np.bincount(bins, weights, BINS).astype(np.float64, copy=False)


def flag_counts(counts: dict[Flag, int]) -> dict[str, int]:
    """Return the flags that were raised at all, by lower-case name.

    Parameters
    ----------
    counts : dict of Flag to int

    Returns
    -------
    dict of str to int
    """
    return {str(flag.name).lower(): count for flag, count in counts.items() if count}


def _sum_of_squares(values: NDArray[np.float64]) -> float:
    return float(np.einsum("i,i->", values, values))


def _bins(values: NDArray[np.float64]) -> NDArray[np.int64]:
    with np.errstate(over="ignore", under="ignore"):
        words = values.astype(np.float32).view(np.uint32)
    return ((words & np.uint32(0x7FFFFFFF)) >> np.uint32(_BIN_SHIFT)).astype(np.int64)
