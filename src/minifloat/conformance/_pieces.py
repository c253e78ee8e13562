"""One piece of one tensor: largest magnitudes, and what each candidate does to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from minifloat._casting import quantize
from minifloat._flags import Flag, Flags
from minifloat._formats import IntFormat, formats
from minifloat._plans import holds
from minifloat._rounding import Stochastic
from minifloat.conformance._candidate import Candidate, Scaling, scales_for
from minifloat.conformance._statistics import (
    BINS,
    ErrorSums,
    Source,
    flag_counts,
    measure,
    sums_by_bin,
)
from minifloat.interop import Tensor, tensor_key

__all__ = ["Measured", "Piece", "channels", "largest_magnitudes", "measure_piece", "scales_of"]

CHUNK = 1 << 16
"""Elements in a piece: its float64 copies stay in a second-level cache."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A range of a tensor's elements."""

    tensor: Tensor
    start: int
    stop: int


@dataclass(frozen=True, slots=True)
class Measured:
    """Error sums by candidate, and the piece's own histogram."""

    sums: list[ErrorSums]
    histogram: NDArray[np.int64] | None
    signal_by_bin: NDArray[np.float64] | None


def channels(tensor: Tensor) -> int:
    """Return how many channels a tensor has: the length of its first axis if it has two or more.

    Parameters
    ----------
    tensor : Tensor

    Returns
    -------
    int
    """
    return tensor.shape[0] if len(tensor.shape) > 1 and tensor.size else 1


def largest_magnitudes(piece: Piece) -> tuple[int, NDArray[np.float64]]:
    """Return the largest finite magnitude in each channel that a piece touches.

    Parameters
    ----------
    piece : Piece

    Returns
    -------
    first : int
        The first channel.
    magnitudes : ndarray, shape (n,), float64
        Of that channel and those after it.
    """
    magnitude = np.abs(piece.tensor.values(piece.start, piece.stop))
    magnitude[~np.isfinite(magnitude)] = 0
    row = _row(piece.tensor)
    first, last = piece.start // row, (piece.stop - 1) // row
    begins = np.maximum(np.arange(first, last + 1) * row - piece.start, 0)
    return first, np.maximum.reduceat(magnitude, begins).astype(np.float64)


def scales_of(magnitudes: NDArray[np.float64], candidate: Candidate) -> NDArray[np.float64] | None:
    """Return the scales of a tensor under a candidate.

    Parameters
    ----------
    magnitudes : ndarray, shape (channels,), float64
    candidate : Candidate

    Returns
    -------
    ndarray, shape (1,) or (channels,), float64, or None
    """
    match candidate.scaling:
        case Scaling.NONE:
            return None
        case Scaling.TENSOR:
            return scales_for(magnitudes.max(initial=0.0, keepdims=True), candidate.fmt)
        case Scaling.CHANNEL:
            return scales_for(magnitudes, candidate.fmt)


def measure_piece(
    piece: Piece,
    candidates: Sequence[Candidate],
    scales: Sequence[NDArray[np.float64] | None],
    seed: int | None,
    binned: bool,
) -> Measured:
    """Quantise a piece by every candidate and sum the errors.

    Parameters
    ----------
    piece : Piece
    candidates : sequence of Candidate
    scales : sequence of (ndarray or None)
        The tensor's, by candidate.
    seed : int or None
    binned : bool
        Whether to sort by magnitude.

    Returns
    -------
    Measured
    """
    source = Source(piece.tensor.values(piece.start, piece.stop), binned=binned)
    sums = [
        _measure(piece, source, candidate, scale, seed)
        for candidate, scale in zip(candidates, scales, strict=True)
    ]
    if source.bins is None:
        return Measured(sums, None, None)
    histogram = np.bincount(source.bins, minlength=BINS)
    return Measured(sums, histogram, sums_by_bin(source.bins, source.exact * source.exact))


def _measure(
    piece: Piece,
    source: Source,
    candidate: Candidate,
    scales: NDArray[np.float64] | None,
    seed: int | None,
) -> ErrorSums:
    flags = Flags()
    how: dict[str, Any] = {
        "rounding": candidate.rounding,
        "overflow": candidate.overflow,
        "flags": flags,
        "workers": 1,
    }
    if isinstance(candidate.rounding, Stochastic) and seed is not None:
        how["rng"] = tensor_key(seed, piece.tensor.name).at(piece.start)
    if scales is None:
        fits = source.values.dtype == np.float32 and holds(formats["float32"], candidate.fmt)
        values = source.values if fits else source.exact
        delivered = quantize(values, candidate.fmt, **how)
    else:
        each = scales[0] if scales.size == 1 else _spread(scales, piece)
        scaled = source.exact / each
        delivered = quantize(scaled, candidate.fmt, out=scaled, **how)
        delivered *= each
    sums = measure(source, delivered, candidate.fmt.has_zero)
    sums.flags = flag_counts(flags.counts)
    beyond = Flag.INVALID if isinstance(candidate.fmt, IntFormat) else Flag.OVERFLOW
    sums.saturated = flags.counts[beyond]
    return sums


def _spread(scales: NDArray[np.float64], piece: Piece) -> NDArray[np.float64]:
    """Return each element's scale."""
    row = _row(piece.tensor)
    first, last = piece.start // row, (piece.stop - 1) // row
    counts = np.full(last - first + 1, row)
    counts[0] -= piece.start - first * row
    counts[-1] -= (last + 1) * row - piece.stop
    return np.repeat(scales[first : last + 1], counts)


def _row(tensor: Tensor) -> int:
    return tensor.size // channels(tensor)
