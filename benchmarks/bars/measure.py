"""Interleaved pairs: the only figures that hold on a machine that does other things as well."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

Run = Callable[[], object]


class MissingPeerError(Exception):
    """A peer is not installed: the bar is left out, with the reason."""


@dataclass(frozen=True)
class Bar:
    """One line of the table: the time of `what` over that of `beside`.

    `make` returns the two to be timed. `limit` is the most that the ratio may be; with `least`, the
    least that the inverse ratio may be (how many times faster); None only reports.
    `seconds` turns the figures from ns per element into seconds per call. `clock` is processor
    time, which other programs disturb little; bars on several threads take the time on the wall.
    """

    what: str
    beside: str
    limit: float | None
    make: Callable[[], tuple[Run, Run]]
    size: int
    least: bool = False
    pairs: int = 15
    clock: Callable[[], float] = time.process_time
    seconds: bool = False


@dataclass(frozen=True)
class Figure:
    """A line that is no ratio: `read` returns the figure itself, in `unit`, at most `limit`."""

    what: str
    unit: str
    limit: float
    read: Callable[[], float]
    repeats: int
    least: bool = False
    beside: str = ""


@dataclass(frozen=True)
class Result:
    """What was measured: the ratio or the figure, and the times that a ratio is made of."""

    line: Bar | Figure
    value: float
    times: tuple[float, float] | None = None

    @property
    def holds(self) -> bool | None:
        """Whether the limit holds, or None where there is none."""
        if self.line.limit is None:
            return None
        return self.value >= self.line.limit if self.line.least else self.value <= self.line.limit


def _time(run: Run, clock: Callable[[], float]) -> float:
    start = clock()
    run()
    return clock() - start


def measure(line: Bar | Figure, pairs: int | None = None) -> Result:
    """Take a line's median: of pairs that run in turn after one call of each, or of the figure."""
    if isinstance(line, Figure):
        return Result(line, statistics.median(line.read() for _ in range(line.repeats)))
    what, beside = line.make()
    what()
    beside()
    count = pairs or line.pairs
    times = [(_time(what, line.clock), _time(beside, line.clock)) for _ in range(count)]
    ratios = [b / a if line.least else a / b for a, b in times]
    scale = 1.0 if line.seconds else 1e9 / line.size
    ours, theirs = (statistics.median(side) * scale for side in zip(*times, strict=True))
    return Result(line, statistics.median(ratios), (ours, theirs))
