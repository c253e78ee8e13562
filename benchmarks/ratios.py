"""All promises about speed in one run: ``python benchmarks/ratios.py [GROUP ...]``.

Every line is the median of interleaved pairs, so that a busy machine slows both sides, on one
worker and in processor time unless it says otherwise. Peers that are not installed are skipped with
a line. ``--cpfloat DIR`` names a checkout of CPFloat, whose headers are compiled for the purpose.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path

from bars import GROUPS, data
from bars.measure import Figure, MissingPeerError, Result, measure

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
    arguments = parser.parse_args()
    if unknown := set(arguments.groups) - set(GROUPS):
        parser.error(f"no group {', '.join(sorted(unknown))}; there are {', '.join(GROUPS)}")
    arguments.groups = arguments.groups or default
    return arguments


def main() -> int:
    """Print the table; the exit code is 0 also where a bar is missed: it is a report."""
    arguments = _arguments()
    os.environ["MINIFLOAT_WORKERS"] = "1"
    data.configure(arguments.cpfloat)
    figures = []
    for group in arguments.groups:
        print(f"\n{group}\n{HEADER}", flush=True)
        for line in GROUPS[group]:
            if arguments.match not in f"{line.what} {line.beside}":
                continue
            try:
                result = measure(line, arguments.pairs)
            except MissingPeerError as missing:
                print(f"{line.what:58} {line.beside:34} skipped: {missing}", flush=True)
                continue
            print(_line(result), flush=True)
            figures.append(
                {
                    "group": group,
                    "what": line.what,
                    "beside": line.beside,
                    "value": result.value,
                    "limit": line.limit,
                    "at_least": line.least,
                    "holds": result.holds,
                }
            )
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=1))
    missed = [figure for figure in figures if figure["holds"] is False]
    print(f"\n{len(figures)} bars measured, {len(missed)} missed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
