"""A picture of a sweep: how near each test came to its limits."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from minifloat._errors import MissingExtraError
from minifloat.tosa._sweep import SweepResult

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_sweep"]

_SMALLEST = 1e-6


def plot_sweep(results: Sequence[SweepResult], ax: Axes | None = None) -> Axes:
    """Draw each test's largest error, error sum and root of squares over their limits.

    Tests stand side by side, grouped by operator; the line at 1 is the limit. Ratios below 1e-6,
    those of exact outputs among them, stand at the lower edge; infinite ones at the upper edge.

    Parameters
    ----------
    results : sequence of SweepResult
        Those without a report leave a gap.
    ax : matplotlib.axes.Axes, optional
        Where to draw; a new figure when omitted.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    MissingExtraError
        If matplotlib is not installed.
    """
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError as error:
        msg = "pictures need matplotlib: pip install 'minifloat[plot]'"
        raise MissingExtraError(msg) from error
    if ax is None:
        ax = Figure(
            figsize=(min(max(6.0, 0.08 * len(results)), 18.0), 4.5), layout="constrained"
        ).subplots()
    series = {"largest error": "o", "sum of errors": "+", "root of squares": "x"}
    points: dict[str, list[tuple[int, float]]] = {label: [] for label in series}
    for position, result in enumerate(results):
        for label, ratio in _ratios(result):
            points[label].append((position, ratio))
    top = 10 * max((r for each in points.values() for _, r in each if math.isfinite(r)), default=1)
    top = max(top, 10.0)
    for label, marker in series.items():
        if points[label]:
            x, y = zip(*points[label], strict=True)
            ax.plot(x, [min(max(r, _SMALLEST), top) for r in y], marker, ms=4, label=label)
    ax.axhline(1, color="black", lw=1)
    ax.set_yscale("log")
    ax.set_ylim(_SMALLEST / 2, 2 * top)
    ax.set_ylabel("measured / limit")
    _label_operators(ax, results)
    if any(points.values()):
        ax.legend(loc="lower right", fontsize="small")
    return ax


def _ratios(result: SweepResult) -> list[tuple[str, float]]:
    found = []
    for output in result.report.outputs if result.report is not None else ():
        found.append(("largest error", output.max_error / output.max_error_limit))
        found.append(("root of squares", math.sqrt(output.square_sum / output.square_sum_limit)))
        if output.sum_counts:
            found.append(("sum of errors", abs(output.error_sum) / output.error_sum_limit))
    return [(label, math.inf if math.isnan(ratio) else ratio) for label, ratio in found]


def _label_operators(ax: Any, results: Sequence[SweepResult]) -> None:
    starts = [i for i, each in enumerate(results) if i == 0 or each.op != results[i - 1].op]
    ends = [*starts[1:], len(results)]
    ax.set_xticks(
        [(start + end - 1) / 2 for start, end in zip(starts, ends, strict=True)],
        [results[start].op for start in starts],
        rotation=30,
        ha="right",
    )
    for start in starts[1:]:
        ax.axvline(start - 0.5, color="0.8", lw=0.8)
    ax.set_xlim(-0.5, len(results) - 0.5)
