"""A comparison as a table, as JSON, as CSV and as a picture."""

from __future__ import annotations

import csv
import io
import sys
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from minifloat.cli._console import console, new_table, printable
from minifloat.conformance.compare import Comparison, Outcome, Scaling
from minifloat.interop._atomic import replacing

__all__ = ["draw", "print_ranking", "record", "write_csv"]

_MOST_CURVES = 8
_LEGEND = (
    "bits per weight with scales; SQNR in dB; largest errors, absolute and relative; mean error;"
    " exact, rounded to 0, saturated in %"
)
_COUNTS = ("exact", "flushed", "saturated", "lost")


def record(result: Comparison, path: Path) -> dict[str, Any]:
    """Return a comparison as a record for JSON.

    Parameters
    ----------
    result : Comparison
    path : pathlib.Path

    Returns
    -------
    dict
    """
    return {
        "input": str(path),
        "elements": result.totals[0].elements,
        "skipped_tensors": result.skipped,
        "ranking": [_figures(outcome) for outcome in result.ranked()],
        "tensors": {
            name: [_figures(outcome) for outcome in outcomes]
            for name, outcomes in result.tensors.items()
        },
    }


def write_csv(result: Comparison) -> None:
    """Print a comparison as CSV: the totals (tensor ``*``) by rank, then every tensor.

    Parameters
    ----------
    result : Comparison
    """
    rows = [("*", outcome) for outcome in result.ranked()]
    for name, outcomes in result.tensors.items():
        rows += [(name, outcome) for outcome in outcomes]
    lines = [{"tensor": name, **_flat(_figures(outcome))} for name, outcome in rows]
    writer = csv.DictWriter(sys.stdout, list(lines[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(lines)


def print_ranking(result: Comparison, path: Path, worst: int) -> None:
    """Print the totals by rank, and the tensors that the best candidates keep worst.

    Parameters
    ----------
    result : Comparison
    path : pathlib.Path
    worst : int
        How many tensors.
    """
    screen = console()
    ranked = result.ranked()
    skipped = f", {len(result.skipped)} skipped (no floats)" if result.skipped else ""
    counts = f"{len(result.tensors)} tensors, {ranked[0].elements:,} weights{skipped}"
    screen.print(f"{printable(path.name)}: {counts}", markup=False)
    roundings = len({outcome.candidate.rounding for outcome in ranked}) > 1
    left = ["", "format", "scale", *(["rounding"] if roundings else [])]
    lost = any(outcome.sums.lost for outcome in ranked)
    numbers = ["bits", "SQNR", "max abs", "max rel", "bias", "exact", "to 0", "satur"]
    numbers += ["lost"] if lost else []
    table = new_table(*left, *numbers, left=len(left), tight=True)
    for rank, outcome in enumerate(ranked, 1):
        candidate = outcome.candidate
        words = [str(rank), str(candidate.fmt), candidate.scaling.value]
        words += [candidate.rounding_name] if roundings else []
        table.add_row(*words, *_row(outcome, lost))
    screen.print(table)
    screen.print(_LEGEND, markup=False)
    _print_flags(screen, ranked[0])
    if worst > 0:
        _print_worst(screen, result, ranked, worst)


def draw(result: Comparison, path: Path, source: str) -> None:
    """Draw the comparison: of each format its best candidate, at most eight.

    Parameters
    ----------
    result : Comparison
        With histograms.
    path : pathlib.Path
        The file to write, replaced if it exists.
    source : str
        What was compared.
    """
    from minifloat.plot import Curve, compare_formats

    best: dict[Any, Outcome] = {}
    for outcome in result.ranked():
        best.setdefault(outcome.candidate.fmt, outcome)
    curves = []
    for fmt, outcome in list(best.items())[:_MOST_CURVES]:
        noise = outcome.sums.noise_by_bin
        assert noise is not None
        scaling = outcome.candidate.scaling
        scaled = scaling is not Scaling.NONE
        note = f"{outcome.sums.sqnr:.1f} dB at {outcome.bits_per_weight:.3g} bits"
        note += f", scaled by {scaling.value}" if scaled else ""
        curves.append(Curve(str(fmt), note, fmt, outcome.typical_scale, noise, scaled))
    assert result.histogram is not None
    assert result.signal_by_bin is not None
    total = result.totals[0].elements
    title = f"What number formats keep of {source} ({total:,} weights)"
    figure = compare_formats(result.histogram, result.signal_by_bin, curves, title=title)
    buffer = io.BytesIO()
    figure.savefig(buffer, format=path.suffix[1:].lower(), dpi=150)
    with replacing(path, force=True) as file:
        file.write(buffer.getvalue())


def _figures(outcome: Outcome) -> dict[str, Any]:
    candidate, sums = outcome.candidate, outcome.sums
    return {
        "format": str(candidate.fmt),
        "scale": candidate.scaling.value,
        "rounding": candidate.rounding_name,
        "overflow": candidate.overflow.value if candidate.overflow else "default",
        "elements": outcome.elements,
        "not_finite": sums.skipped,
        "bits_per_weight": outcome.bits_per_weight,
        "sqnr_db": sums.sqnr,
        "max_absolute_error": sums.max_absolute,
        "max_relative_error": sums.max_relative,
        "bias": sums.bias,
        **{f"{name}_percent": sums.percent(name) for name in _COUNTS},
        "flags": dict(sums.flags),
    }


def _flat(figures: dict[str, Any]) -> dict[str, Any]:
    flags = figures.pop("flags")
    names = ("inexact", "underflow", "overflow", "invalid")
    return figures | {f"{name}_count": flags.get(name, 0) for name in names}


def _row(outcome: Outcome, lost: bool) -> list[str]:
    sums = outcome.sums
    return [
        f"{outcome.bits_per_weight:.3f}",
        f"{sums.sqnr:.2f}",
        f"{sums.max_absolute:.3g}",
        f"{sums.max_relative:.3g}",
        f"{sums.bias:+.1e}",
        *(_percent(sums.percent(name)) for name in (_COUNTS if lost else _COUNTS[:3])),
    ]


def _percent(share: float) -> str:
    if share in (0, 100):
        return f"{share:.0f}"
    return "<0.01" if share < 0.01 else ">99.9" if share > 99.99 else f"{share:.2f}"


def _print_flags(screen: Console, best: Outcome) -> None:
    flags = ", ".join(f"{name} {count:,}" for name, count in best.sums.flags.items())
    screen.print(f"flags of the first: {flags or 'none'}", markup=False)


def _print_worst(screen: Console, result: Comparison, ranked: list[Outcome], worst: int) -> None:
    index = result.candidates.index(ranked[0].candidate)
    order = sorted(result.tensors, key=lambda name: result.tensors[name][index].sums.sqnr)[:worst]
    shown = ranked[:4]
    screen.print()
    screen.print(f"worst-kept tensors (SQNR dB of the first {len(shown)} candidates)", markup=False)
    table = new_table(
        "tensor", "elements", *(str(rank + 1) for rank in range(len(shown))), fold=["tensor"]
    )
    for name in order:
        outcomes = result.tensors[name]
        columns = [result.candidates.index(outcome.candidate) for outcome in shown]
        figures = [f"{outcomes[column].sums.sqnr:.2f}" for column in columns]
        table.add_row(Text(printable(name)), f"{outcomes[0].elements:,}", *figures)
    screen.print(table)
