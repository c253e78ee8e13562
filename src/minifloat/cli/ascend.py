"""``minifloat ascend``: golden files for device tests of Ascend C's ``Cast``, and its pairs."""

from __future__ import annotations

import dataclasses
import json
import sys
from pathlib import Path
from typing import Annotated, Any

import cyclopts
from cyclopts import Parameter

from minifloat.ascend import (
    PAIRS,
    Ctrl,
    Pair,
    Policy,
    Report,
    SatMode,
    check_vectors,
    data_type,
    find_pair,
    write_vectors,
)
from minifloat.ascend._modes import as_mode

__all__ = ["app"]

app = cyclopts.App(
    name="ascend",
    help="Ascend C's register Cast, bit by bit.",
    result_action="return_value",
)

_NO_EFFECT = (
    "note: CTRL[60] is 1, as after a reset, so the SatMode has no effect and {} decides;"
    " --clear 60 lets each instruction choose\n"
)

AsJson = Annotated[bool, Parameter(name="--json", negative="")]
Bits = Annotated[list[int] | None, Parameter(negative="")]
Points = Annotated[list[str] | None, Parameter(name="--other", negative="")]


@app.command
def vectors(
    *,
    src: str,
    dst: str,
    output: Annotated[Path, Parameter(name=["--output", "-o"])],
    round_mode: Annotated[str | None, Parameter(name="--round")] = None,
    sat_mode: Annotated[str | None, Parameter(name="--sat")] = None,
    set_bits: Annotated[Bits, Parameter(name="--set")] = None,
    clear_bits: Annotated[Bits, Parameter(name="--clear")] = None,
    other: Points = None,
    extra: int = 32768,
    seed: int = 0,
    as_json: AsJson = False,
) -> int:
    """Write inputs and expected outputs: input.bin, expected.bin, both as .npy, case.json.

    Sources of 16 bits or fewer are exhaustive; wider ones are stratified around the destination's
    values, midpoints and ends, with random patterns after.

    Parameters
    ----------
    src, dst : str
        Types by their Ascend C names, such as half and hifloat8_t.
    output : Path
        The folder; made if need be.
    round_mode : str
        Such as CAST_RINT; may be left out where the pair takes one only.
    sat_mode : str
        SAT or NO_SAT; without effect while CTRL[60] is 1.
    set_bits, clear_bits : list of int
        CTRL bits to change from their reset values: 48, 50, 59, 60. May be repeated.
    other : list of str
        Open points to read the other way: H1, S2 and so on. May be repeated.
    extra : int
        How many random patterns.
    seed : int
        Of the random patterns.
    as_json : bool
        Print JSON.
    """
    ctrl = Ctrl().set(*set_bits or ()).clear(*clear_bits or ())
    pair = find_pair(src, dst)
    policy = Policy.alternative(*other or ())
    case = write_vectors(
        output,
        src=src,
        dst=dst,
        round_mode=round_mode,
        sat_mode=sat_mode,
        ctrl=ctrl,
        policy=policy,
        extra=extra,
        seed=seed,
    )
    if sat_mode is not None and len(pair.sats) > 1 and ctrl.bit60:
        asked = as_mode(SatMode, sat_mode) is SatMode.SAT
        if asked != case.saturating:
            sys.stderr.write(_NO_EFFECT.format(_decider(pair)))
    if as_json:
        _print_json(dataclasses.asdict(case) | {"folder": str(output)})
    else:
        mode = "saturating" if case.saturating else "not saturating"
        print(f"{output}: {case.count} elements, {pair}, {case.round_mode}, {mode}")
    return 0


@app.command
def check(
    folder: Path,
    *,
    actual: Path,
    first: int = 8,
    as_json: AsJson = False,
) -> int:
    """Compare what a device gave with the expected output, and explain the first mismatches.

    Exits with 0 if all elements agree and with 2 if some do not.

    Parameters
    ----------
    folder : Path
        Made by `vectors`.
    actual : Path
        The device's output, laid out as expected.bin, or a .npy file as expected.npy.
    first : int
        How many mismatches to explain.
    as_json : bool
        Print JSON.
    """
    report = check_vectors(folder, actual, first=first)
    if as_json:
        _print_json(dataclasses.asdict(report))
    else:
        _print_report(report)
    return 2 if report.mismatches else 0


@app.command
def pairs(*, src: str | None = None, dst: str | None = None, as_json: AsJson = False) -> int:
    """Print the legal pairs with the modes that each takes.

    Parameters
    ----------
    src, dst : str
        Only pairs from or to a type.
    as_json : bool
        Print JSON.
    """
    listed = [
        pair
        for pair in PAIRS.values()
        if (src is None or pair.src is data_type(src))
        and (dst is None or pair.dst is data_type(dst))
    ]
    if as_json:
        _print_json([_row(pair) for pair in listed])
        return 0
    table = [["src", "dst", "round", "sat", "layout"], *(_line(pair) for pair in listed)]
    widths = [max(len(line[column]) for line in table) for column in range(len(table[0]))]
    for line in table:
        print(
            "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        )
    return 0


def _decider(pair: Pair) -> str:
    return "CTRL[59]" if "int" in pair.dst.name else "CTRL[48]"


def _row(pair: Pair) -> dict[str, str | list[str]]:
    return {
        "src": pair.src.name,
        "dst": pair.dst.name,
        "round": [mode.name for mode in pair.rounds],
        "sat": [mode.name for mode in pair.sats],
        "layout": [mode.name for mode in pair.layouts],
    }


def _line(pair: Pair) -> list[str]:
    modes = (pair.rounds, pair.sats, pair.layouts)
    names = [" ".join(mode.name.removeprefix("CAST_") for mode in column) for column in modes]
    return [pair.src.name, pair.dst.name, *names]


def _print_report(report: Report) -> None:
    case = report.case
    print(f"{case.src} -> {case.dst}, {case.round_mode}: {case.count} elements")
    if not report.mismatches:
        print("all agree")
        return
    print(f"{report.mismatches} differ")
    for wrong in report.first:
        print(f"[{wrong.index}] {wrong.source}: expected {wrong.expected}, got {wrong.actual}")
        print(f"    {wrong.rule}")
    for reading in report.agreeing:
        print(f"every element agrees with: {reading}")


def _print_json(value: Any) -> None:
    json.dump(value, sys.stdout, indent=2)
    sys.stdout.write("\n")
