"""Which format keeps these weights? Candidates ranked by what they do to the tensors of a file."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from minifloat._errors import FileFormatError, FormatError, OptionError
from minifloat._formats import formats
from minifloat._plans import holds
from minifloat._rounding import Stochastic
from minifloat.conformance._candidate import Candidate, Scaling, as_scaling
from minifloat.conformance._pieces import (
    CHUNK,
    Measured,
    Piece,
    channels,
    largest_magnitudes,
    measure_piece,
    scales_of,
)
from minifloat.conformance._statistics import ErrorSums
from minifloat.interop import Tensor, TensorFile

__all__ = ["Candidate", "Comparison", "Outcome", "Scaling", "as_scaling", "compare_tensors"]

_RELEASE_EVERY = 64
_T = TypeVar("_T")
_Scales = list[NDArray[np.float64] | None]


@dataclass(slots=True)
class Outcome:
    """What one candidate did to one tensor, or to all.

    Attributes
    ----------
    candidate : Candidate
    sums : ErrorSums
    scales : int
        How many scales are stored.
    elements : int
        Elements, infinities and NaN included.
    typical_scale : float
        The median of the elements' scales.
    """

    candidate: Candidate
    sums: ErrorSums = field(default_factory=ErrorSums)
    scales: int = 0
    elements: int = 0
    typical_scale: float = 1.0

    @property
    def bits_per_weight(self) -> float:
        """Bits of content an element takes, the float32 scales counted."""
        if not self.elements:
            return float(self.candidate.fmt.bits)
        return self.candidate.fmt.bits + 32 * self.scales / self.elements


@dataclass(slots=True)
class Comparison:
    """The outcome of a comparison.

    Attributes
    ----------
    candidates : list of Candidate
    tensors : dict of str to list of Outcome
        By tensor, in the order of `candidates`.
    totals : list of Outcome
        Over all tensors, in the order of `candidates`.
    skipped : list of str
        Tensors that are no floating-point numbers.
    histogram, signal_by_bin : ndarray, shape (2048,), or None
        Elements, and the sum of their squares, by magnitude: bin b holds the magnitudes whose
        float32 bits begin, after the sign, with b.
    """

    candidates: list[Candidate]
    tensors: dict[str, list[Outcome]]
    totals: list[Outcome]
    skipped: list[str]
    histogram: NDArray[np.int64] | None = None
    signal_by_bin: NDArray[np.float64] | None = None

    def ranked(self) -> list[Outcome]:
        """Return the totals, the highest signal-to-noise ratio first."""
        return sorted(self.totals, key=lambda o: (-o.sums.sqnr, o.bits_per_weight))


def compare_tensors(
    file: TensorFile,
    candidates: Sequence[Candidate],
    *,
    names: Sequence[str] | None = None,
    seed: int | None = None,
    histogram: bool = False,
    workers: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Comparison:
    """Quantise every floating-point tensor of a file by every candidate, and sum the errors.

    The file is read in pieces; memory use does not depend on its size. The figures do not depend
    on `workers`.

    Parameters
    ----------
    file : TensorFile
    candidates : sequence of Candidate
    names : sequence of str, optional
        The tensors to take; all when omitted.
    seed : int, optional
        For stochastic candidates: tensor by tensor, see `minifloat.interop.tensor_key`.
    histogram : bool
        Whether to sort elements and errors by magnitude.
    workers : int, optional
        Threads; as many as there are processors when omitted.
    progress : callable, optional
        Called with the number of elements done since the last call.

    Returns
    -------
    Comparison

    Raises
    ------
    FileFormatError
        If there is no floating-point tensor.
    FormatError
        If float64 cannot hold the values of a candidate's format.
    OptionError
        If a stochastic candidate has no seed.
    """
    for candidate in candidates:
        if not holds(formats["float64"], candidate.fmt):
            msg = f"{candidate.fmt}: errors are computed in float64, which cannot hold its values"
            raise FormatError(msg)
    if seed is None and any(isinstance(c.rounding, Stochastic) for c in candidates):
        msg = "stochastic candidates need a seed: equal seeds give equal results"
        raise OptionError(msg)
    chosen = [file.tensors[name] for name in (file.tensors if names is None else names)]
    tensors = [tensor for tensor in chosen if tensor.is_float]
    if not tensors:
        msg = f"{file.path}: holds no floating-point tensor to compare (--source names codes)"
        raise FileFormatError(msg)
    result = Comparison(
        list(candidates),
        {tensor.name: [Outcome(c, elements=tensor.size) for c in candidates] for tensor in tensors},
        [Outcome(candidate) for candidate in candidates],
        [tensor.name for tensor in chosen if not tensor.is_float],
    )
    with ThreadPoolExecutor(workers or os.cpu_count()) as pool:
        pieces = [Piece(tensor, *ends) for tensor in tensors for ends in tensor.chunks(CHUNK)]
        scales = _all_scales(file, {t.name: t for t in tensors}, pieces, candidates, pool)

        def run(piece: Piece) -> Measured:
            return measure_piece(piece, candidates, scales[piece.tensor.name], seed, histogram)

        for piece, done in _in_order(file, pieces, pool.map(run, pieces)):
            _collect(result, piece, done)
            if progress is not None:
                progress(piece.stop - piece.start)
    _total(result, scales)
    return result


def _all_scales(
    file: TensorFile,
    tensors: dict[str, Tensor],
    pieces: list[Piece],
    candidates: Sequence[Candidate],
    pool: ThreadPoolExecutor,
) -> dict[str, _Scales]:
    if all(candidate.scaling is Scaling.NONE for candidate in candidates):
        return {name: [None] * len(candidates) for name in tensors}
    found = {name: np.zeros(channels(tensor)) for name, tensor in tensors.items()}
    for piece, (first, part) in _in_order(file, pieces, pool.map(largest_magnitudes, pieces)):
        there = found[piece.tensor.name][first : first + part.size]
        np.maximum(there, part, out=there)
    return {name: [scales_of(found[name], c) for c in candidates] for name in tensors}


def _in_order(
    file: TensorFile, pieces: list[Piece], results: Iterator[_T]
) -> Iterator[tuple[Piece, _T]]:
    """Pair pieces with their results, dropping the file's pages as they are passed."""
    for index, pair in enumerate(zip(pieces, results, strict=True)):
        if index % _RELEASE_EVERY == 0:
            file.release()
        yield pair
    file.release()


def _collect(result: Comparison, piece: Piece, measured: Measured) -> None:
    for outcome, sums in zip(result.tensors[piece.tensor.name], measured.sums, strict=True):
        outcome.sums.add(sums)
    if measured.histogram is not None and measured.signal_by_bin is not None:
        if result.histogram is None or result.signal_by_bin is None:
            result.histogram = np.zeros_like(measured.histogram)
            result.signal_by_bin = np.zeros_like(measured.signal_by_bin)
        result.histogram += measured.histogram
        result.signal_by_bin += measured.signal_by_bin


def _total(result: Comparison, scales: dict[str, _Scales]) -> None:
    for name, outcomes in result.tensors.items():
        for outcome, scale, total in zip(outcomes, scales[name], result.totals, strict=True):
            outcome.scales = 0 if scale is None else scale.size
            outcome.typical_scale = 1.0 if scale is None else float(np.median(scale))
            total.scales += outcome.scales
            total.elements += outcome.elements
            total.sums.add(outcome.sums)
    for index, total in enumerate(result.totals):
        outcomes = [tensor[index] for tensor in result.tensors.values()]
        total.typical_scale = _weighted_median(
            np.array([outcome.typical_scale for outcome in outcomes]),
            np.array([outcome.elements for outcome in outcomes]),
        )


def _weighted_median(values: NDArray[np.float64], weights: NDArray[np.int64]) -> float:
    order = np.argsort(values, kind="stable")
    below = np.cumsum(weights[order])
    return float(values[order][np.searchsorted(below, below[-1] / 2)])
