"""All promises about speed in one run: ``python benchmarks/ratios.py [GROUP ...]``.

Every line is the median of interleaved pairs, so that a busy machine slows both sides, on one
worker and in processor time unless it says otherwise. Peers that are not installed are skipped with
a line. ``--cpfloat DIR`` names a checkout of CPFloat, whose headers are compiled for the purpose.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from pathlib import Path
from typing import Any

from bars import GROUPS, data
from bars.measure import Bar, Figure, MissingPeerError, Result, measure

HEADER = f"{'what':58} {'beside':34} {'ratio':>7} {'bar':>8}  {'':4} {'what':>9} {'beside':>9}"


def _line(result: Result) -> str:
    line = result.line
    limit = "" if line.limit is None else f"{'>=' if line.least else '<='} {line.limit:g}"
    verdict = {None: "", True: "ok", False: "MISS"}[result.holds]
    text = f"{line.what:58} {line.beside:34} {result.value:7.2f} {limit:>8}  {verdict:4}"
    if isinstance(line, Figure):
        return f"{text} {line.unit}"
    unit = "s" if line.seconds else "ns"
    return text + "".join(f" {time:6.3g} {unit:2}" for time in result.times or ())


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    default = [group for group in GROUPS if group != "install"]
    parser.add_argument("groups", nargs="*", help=f"of {', '.join(GROUPS)}; all but install")
    parser.add_argument("--pairs", type=int, help="pairs of every bar")
    parser.add_argument("--match", default="", help="only bars that have this text")
    parser.add_argument("--cpfloat", type=Path, help="a checkout of CPFloat")
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    parser.add_argument("--markdown", type=Path, help="also write the table to this file")
    arguments = parser.parse_args()
    if unknown := set(arguments.groups) - set(GROUPS):
        parser.error(f"no group {', '.join(sorted(unknown))}; there are {', '.join(GROUPS)}")
    arguments.groups = arguments.groups or default
    return arguments


def _figures(groups: dict[str, list[Result]]) -> list[dict[str, Any]]:
    return [
        {
            "group": group,
            "what": result.line.what,
            "beside": result.line.beside,
            "value": result.value,
            "limit": result.line.limit,
            "at_least": result.line.least,
            "holds": result.holds,
        }
        for group, results in groups.items()
        for result in results
    ]


def _row(result: Result) -> str:
    line = result.line
    limit = "" if line.limit is None else f"{'>=' if line.least else '<='} {line.limit:g}"
    verdict = {None: "", True: "holds", False: "missed"}[result.holds]
    unit = line.unit if isinstance(line, Figure) else "times"
    scale = "s" if isinstance(line, Bar) and line.seconds else "ns"
    times = [f"{time:.3g} {scale}" for time in result.times or ()] or ["", ""]
    cells = [line.what, line.beside, f"{result.value:.2f} {unit}", limit, verdict, *times]
    return f"| {' | '.join(cells)} |"


def _page(groups: dict[str, list[Result]]) -> str:
    head = "| what | beside | measured | bar | | what takes | beside takes |\n" + "|---" * 7 + "|"
    processor = next(
        (
            line.split(":", 1)[1].strip()
            for line in Path("/proc/cpuinfo").read_text().splitlines()
            if line.startswith("model name")
        ),
        platform.processor(),
    )
    about = f"{processor}, {os.cpu_count()} cores, Python {platform.python_version()}"
    tables = [
        "\n".join([f"## {group.capitalize()}", "", head, *map(_row, results)])
        for group, results in groups.items()
        if results
    ]
    text = f"Written by `python benchmarks/ratios.py --markdown docs/measured.md` on: {about}."
    return "\n\n".join(["# Measured", text, *tables]) + "\n"


def main() -> int:
    """Print the table; the exit code is 0 also where a bar is missed: it is a report."""
    arguments = _arguments()
    os.environ["MINIFLOAT_WORKERS"] = "1"
    data.configure(arguments.cpfloat)
    groups: dict[str, list[Result]] = {}
    for group in arguments.groups:
        print(f"\n{group}\n{HEADER}", flush=True)
        results = groups[group] = []
        for line in GROUPS[group]:
            if arguments.match not in f"{line.what} {line.beside}":
                continue
            try:
                results.append(measure(line, arguments.pairs))
                print(_line(results[-1]), flush=True)
            except MissingPeerError as missing:
                print(f"{line.what:58} {line.beside:34} skipped: {missing}", flush=True)
    if arguments.json:
        arguments.json.write_text(json.dumps(_figures(groups), indent=1))
    if arguments.markdown:
        arguments.markdown.write_text(_page(groups))
    holds = [result.holds for results in groups.values() for result in results]
    print(f"\n{len(holds)} lines measured, {holds.count(False)} bars missed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
