"""Pictures of formats and of what they do to data. Needs the extra ``plot`` (matplotlib).

Functions draw on the Axes they are given (new ones when none are) and return them; nothing global
is changed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from minifloat._casting import decode
from minifloat._errors import MissingExtraError
from minifloat._formats import Format, FormatLike, get_format
from minifloat._plans import storage_dtype

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["Curve", "compare_formats", "positive_values", "require_matplotlib"]

_COLOURS = ("#1b6ca8", "#d1495b", "#2a9d8f", "#e08e0b", "#7b4fa3", "#4f772d", "#8d6e63", "#455a64")
_INK = "#22303c"
_WEIGHTS = "#c3d3e0"
_LOST = "#d1495b"
_MOST_LINES = 1000
_BINS = slice(8, 2040)  # of the 2048, those of normal float32 numbers
_MOST_BITS = 16
_FEWEST = 20  # elements in a bin before its error is drawn
_LOWEST = 1e-6  # percent


@dataclass(frozen=True, slots=True)
class Curve:
    """One format in a comparison.

    Attributes
    ----------
    label : str
        What it is called.
    note : str
        A few words more, printed at the end of its row.
    fmt : Format
    scale : float
        The values of the grid are multiplied by it.
    noise : ndarray, shape (2048,), float64
        Sum of squared errors by magnitude of the source, binned by the top eleven bits of its
        float32 magnitude.
    scaled : bool
        Whether `scale` is one of many that follow the data: no magnitude is then beyond the grid.
    """

    label: str
    note: str
    fmt: Format
    scale: float
    noise: NDArray[np.float64] = field(repr=False)
    scaled: bool = False


def require_matplotlib() -> None:
    """Check that matplotlib is there.

    Raises
    ------
    MissingExtraError
        If it is not; the message says how to install it.
    """
    try:
        import matplotlib as _  # noqa: F401, ICN001
    except ImportError as error:
        msg = "plots need matplotlib: pip install 'minifloat[plot]'"
        raise MissingExtraError(msg) from error


def positive_values(fmt: FormatLike) -> NDArray[np.float64]:
    """Return a format's positive finite values in ascending order.

    Parameters
    ----------
    fmt : FormatLike

    Returns
    -------
    ndarray, shape (n,), float64
        Empty for formats of more than 16 bits.

    Examples
    --------
    >>> positive_values("e2m1fn")
    array([0.5, 1. , 1.5, 2. , 3. , 4. , 6. ])
    """
    found = get_format(fmt)
    if found.bits > _MOST_BITS:
        return np.zeros(0)
    codes = np.arange(1 << found.bits, dtype=storage_dtype(found)) << found.code_shift
    values = np.asarray(decode(codes, found, dtype=np.float64))
    return np.unique(values[np.isfinite(values) & (values > 0)])


def compare_formats(
    counts: NDArray[np.int64],
    signal: NDArray[np.float64],
    curves: Sequence[Curve],
    *,
    title: str = "",
) -> Figure:
    """Draw the weights over each format's grid, and the error against the magnitude.

    Parameters
    ----------
    counts : ndarray, shape (2048,), int64
        Elements by magnitude, binned as `Curve.noise` is.
    signal : ndarray, shape (2048,), float64
        Sum of their squares.
    curves : sequence of Curve
        A row and a line each, in this order.
    title : str, optional

    Returns
    -------
    matplotlib.figure.Figure
        With two Axes: the grids above, the errors below.

    Raises
    ------
    MissingExtraError
        Without matplotlib.
    """
    require_matplotlib()
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    height = 0.75 * len(curves) + 5.2
    figure = Figure(figsize=(12, height), layout="constrained", facecolor="white")
    FigureCanvasAgg(figure)
    grids, errors = figure.subplots(
        2, 1, sharex=True, gridspec_kw={"height_ratios": (0.75 * len(curves) + 0.5, 3.6)}
    )
    limits = _limits(counts)
    _draw_grids(grids, counts, curves, limits)
    _draw_errors(errors, counts, signal, curves, limits)
    if title:
        figure.suptitle(title, x=0.01, ha="left", fontsize=15, fontweight="bold", color=_INK)
    return figure


def _edges() -> NDArray[np.float64]:
    """Return the log2 magnitudes between which the bins of normal float32 numbers lie."""
    numbers = np.arange(_BINS.start, _BINS.stop + 1)
    return np.log2(1 + numbers % 8 / 8) + (numbers // 8 - 127)


def _limits(counts: NDArray[np.int64]) -> tuple[float, float]:
    """Return the range of log2 magnitudes to show: all but the smallest one in 10,000."""
    normal = counts[_BINS]
    if not normal.any():
        return -10.0, 4.0
    below = np.cumsum(normal)
    low = int(np.searchsorted(below, below[-1] * 1e-4, side="right"))
    high = int(np.flatnonzero(normal)[-1])
    edges = _edges()
    return float(edges[low]) - 0.5, float(edges[high + 1]) + 1.0


def _density(counts: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return log2 magnitudes and the elements per binade there, the largest as 1."""
    x = _edges()
    density = counts[_BINS] / np.diff(x)
    return x, density / max(float(density.max()), 1e-300)


def _draw_grids(
    axes: Axes, counts: NDArray[np.int64], curves: Sequence[Curve], limits: tuple[float, float]
) -> None:
    x, density = _density(counts)
    for row, curve in enumerate(curves):
        base = float(len(curves) - 1 - row)
        colour = _COLOURS[row % len(_COLOURS)]
        axes.stairs(base + 0.84 * density, x, baseline=base, fill=True, color=_WEIGHTS, zorder=1)
        _draw_grid(axes, curve, base, colour, limits)
        place: dict[str, Any] = {
            "transform": axes.get_yaxis_transform(),
            "va": "center",
            "color": colour,
        }
        axes.text(-0.008, base + 0.5, curve.label, ha="right", fontweight="bold", **place)
        axes.text(-0.008, base + 0.22, curve.note, ha="right", fontsize=8.5, **place)
    axes.set_ylim(-0.08, len(curves))
    axes.set_yticks([])
    _bare(axes)
    axes.spines["bottom"].set_visible(False)
    axes.tick_params(bottom=False, labelbottom=False)
    axes.set_title(
        "Lines: the values of the format (at the median scale).  Grey: where the weights are."
        "  Red: rounded to zero, or out of range.",
        loc="left",
        fontsize=10,
        color=_INK,
    )


def _draw_grid(
    axes: Axes, curve: Curve, base: float, colour: str, limits: tuple[float, float]
) -> None:
    values = positive_values(curve.fmt) * curve.scale
    ends = [float(curve.fmt.smallest) * curve.scale, float(curve.fmt.max) * curve.scale]
    low, high = math.log2(ends[0]), math.log2(ends[1])
    top = limits[1] if curve.scaled else high
    for start, stop in ((limits[0], low - 1), (top, limits[1])):
        if start < stop:
            box: dict[str, Any] = {"color": _LOST, "alpha": 0.16, "linewidth": 0, "zorder": 0}
            axes.fill_between([start, stop], base, base + 0.84, **box)
    shown = np.log2(values[(values > 0)])
    shown = shown[(shown >= limits[0]) & (shown <= limits[1])]
    if curve.fmt.bits > _MOST_BITS or shown.size > _MOST_LINES:
        span = [max(low, limits[0]), min(high, limits[1])]
        axes.fill_between(span, base, base + 0.84, color=colour, alpha=0.35, linewidth=0, zorder=2)
        return
    width = 1.1 if shown.size < 200 else 0.5
    axes.vlines(shown, base, base + 0.84, color=colour, linewidth=width, alpha=0.75, zorder=2)


def _draw_errors(
    axes: Axes,
    counts: NDArray[np.int64],
    signal: NDArray[np.float64],
    curves: Sequence[Curve],
    limits: tuple[float, float],
) -> None:
    from matplotlib.ticker import MaxNLocator

    edges = _edges()
    middles = (edges[:-1] + edges[1:]) / 2
    there = (counts[_BINS] >= _FEWEST) & (signal[_BINS] > 0)
    for row, curve in enumerate(curves):
        relative = np.sqrt(curve.noise[_BINS][there] / signal[_BINS][there])
        relative[relative == 0] = np.nan
        style: dict[str, Any] = {"color": _COLOURS[row % len(_COLOURS)], "linewidth": 1.6}
        axes.plot(middles[there], 100 * relative, label=curve.label, **style)
    axes.axhline(100, color=_LOST, linewidth=0.8, linestyle=(0, (4, 3)))
    axes.text(limits[1], 104, "lost entirely ", color=_LOST, ha="right", va="bottom", fontsize=8.5)
    axes.set_yscale("log")
    axes.set_ylim(max(axes.get_ylim()[0], _LOWEST), 250)
    axes.set_xlim(*limits)
    axes.xaxis.set_major_locator(MaxNLocator(12, integer=True))
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:g} %")
    axes.xaxis.set_major_formatter(lambda value, _: f"$2^{{{value:.0f}}}$")
    axes.set_xlabel("magnitude of the weight", color=_INK)
    axes.set_title(
        "Error against magnitude (root mean square, relative)", loc="left", fontsize=10, color=_INK
    )
    axes.grid(True, which="major", color="#e3e8ec", linewidth=0.7)
    axes.set_axisbelow(True)
    _bare(axes)


def _bare(axes: Axes) -> None:
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.tick_params(colors=_INK, which="both", left=False)
