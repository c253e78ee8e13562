"""``minifloat vectors``: test vectors in TestFloat's format, generated and checked."""

from __future__ import annotations

import contextlib
import dataclasses
import gzip
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Annotated, Any, Literal, cast

import cyclopts
from cyclopts import Parameter

from minifloat._context import Context, contexts
from minifloat._errors import OptionError, nearest
from minifloat._rounding import Rounding, Stochastic, as_overflow, as_rounding
from minifloat.cli._console import print_json, printable, progress
from minifloat.cli._options import AsJson, Flag
from minifloat.conformance.vectors import (
    Report,
    Settings,
    case_count,
    check_batch,
    function_of_path,
    get_function,
    open_vectors,
    read_batches,
)
from minifloat.conformance.vectors import generate as generate_vectors
from minifloat.conformance.vectors.text import MODES
from minifloat.softfloat import PROFILES, FloatStatus

__all__ = ["app"]

app = cyclopts.App(
    name="vectors",
    help="Test vectors in TestFloat's format, for any format and function.",
    result_action="return_value",
)

Exact = Annotated[bool, Parameter(name="--exact", negative="--notexact")]
Output = Annotated[Path | None, Parameter(name=("--output", "-o"))]


@app.command
def generate(
    function: str,
    /,
    *,
    rounding: str = "rne",
    tininess: Literal["after", "before"] = "after",
    exact: Exact = True,
    overflow: str | None = None,
    profile: str | None = None,
    count: int = 10_000,
    seed: int = 0,
    exhaustive: Flag = False,
    operands_only: Flag = False,
    annotated: Flag = False,
    output: Output = None,
) -> int:
    """Write vectors: operands, result and flags in hexadecimal, one case a line.

    Operands are stratified: special values, both ends of the range, subnormal numbers, ties and
    their neighbours, cancellation, and random codes. A seed always gives the same vectors.

    Parameters
    ----------
    function : str
        Such as f16_mulAdd, f32_to_i64, bf16_le_quiet, float8_e4m3fn_add, hifloat8_add.
    rounding : str
        The rounding mode: rne, rtz, rdn, rup, rmm, odd, or a full name.
    tininess : str
        Whether results are tiny after or before rounding.
    exact : bool
        Whether roundings to integers raise inexact.
    overflow : str
        The overflow policy; the result format's own when omitted.
    profile : str
        The machine whose NaN rules apply: x86_sse, arm, arm_default_nan, riscv, ...; when omitted,
        one canonical NaN.
    count : int
        How many cases.
    seed : int
        Of the random operands.
    exhaustive : bool
        Every combination of operands instead.
    operands_only : bool
        Leave out results and flags, for a device that adds them to each line.
    annotated : bool
        Begin each line with rounding mode, tininess and exactness.
    output : Path
        The file to write, gzip if its name ends in .gz; standard output when omitted.
    """
    found = get_function(function)
    settings = _settings(rounding, tininess, exact, overflow, profile)
    cases = generate_vectors(
        found,
        settings,
        count=count,
        seed=seed,
        exhaustive=exhaustive,
        operands_only=operands_only,
        annotated=annotated,
    )
    total = case_count(found, count, exhaustive)
    with _sink(output) as sink, progress("generating", total) as advance:
        for size, text in cases:
            sink.write(text)
            advance(size)
    return 0


@app.command
def check(
    *files: Annotated[Path, Parameter(name="FILE")],
    function: str | None = None,
    rounding: str = "rne",
    tininess: Literal["after", "before"] = "after",
    exact: Exact = True,
    overflow: str | None = None,
    profile: str | None = None,
    first: int = 8,
    as_json: AsJson = False,
) -> int:
    """Check vectors that a device wrote, and decode the first mismatches.

    Reads TestFloat's lines and annotated ones, plain or gzip, from files, or from standard input
    where no file is named. What a line does not say is taken from the options. Exits with 0 if all
    lines comply, with 1 after an error and with 2 if some do not comply.

    Parameters
    ----------
    files : Path
        The files; the name of each says its function, unless --function does or the lines do.
    function : str
        The function of all files.
    rounding : str
        The rounding mode: rne, rtz, rdn, rup, rmm, odd, or a full name.
    tininess : str
        Whether results are tiny after or before rounding.
    exact : bool
        Whether roundings to integers raise inexact.
    overflow : str
        The overflow policy; the result format's own when omitted.
    profile : str
        The machine whose NaN rules apply: x86_sse, arm, arm_default_nan, riscv, ...; NaN and the
        integers of invalid conversions are then compared to the bit. When omitted, any quiet NaN
        will do, and any such integer.
    first : int
        How many mismatches to decode.
    as_json : bool
        Print JSON.
    """
    settings = _settings(rounding, tininess, exact, overflow, profile)
    reports: dict[str, Report] = {}
    for path in files or (Path("-"),):
        report = reports.setdefault(str(path), Report())
        _check_file(path, report, function, settings, profile is not None, first)
    if as_json:
        print_json({name: dataclasses.asdict(report) for name, report in reports.items()})
    else:
        for name, report in reports.items():
            _print_report(printable(name), report)
    return 2 if any(report.mismatches for report in reports.values()) else 0


def _settings(
    rounding: str,
    tininess: Literal["after", "before"],
    exact: bool,
    overflow: str | None,
    profile: str | None,
) -> Settings:
    mode = MODES[rounding.upper()] if rounding.upper() in MODES else as_rounding(rounding)
    if isinstance(mode, Stochastic) or mode is Rounding.HYBRID:
        msg = f"--rounding {rounding}: vectors have one result for each case"
        raise OptionError(msg)
    policy = None if overflow is None else as_overflow(overflow)
    return Settings(mode, tininess, exact, policy, _machine(profile), profile is not None)


def _machine(profile: str | None) -> Context:
    if profile is None:
        return contexts.IEEE
    if profile not in PROFILES:
        hint = nearest(profile, PROFILES)
        msg = f"--profile {profile}: allowed are {', '.join(PROFILES)}{hint}"
        raise OptionError(msg)
    return FloatStatus.profile(profile).context


def _check_file(
    path: Path,
    report: Report,
    function: str | None,
    settings: Settings,
    exact_nans: bool,
    first: int,
) -> None:
    named = path.name != "-"
    name = function or (function_of_path(path) if named else None)
    with contextlib.suppress(OptionError) if function is None else contextlib.nullcontext():
        found = None
        found = get_function(name) if name is not None else None
    stream, raw = open_vectors(path if named else None)
    total = path.stat().st_size if named else 0
    try:
        with progress(path.name, total) if named else _no_bar() as advance:
            done = 0
            for batch in read_batches(stream, found, settings):
                check_batch(batch, report, exact_nans=exact_nans, first=first)
                position = raw.tell() if named else 0
                advance(position - done)
                done = position
    except (EOFError, gzip.BadGzipFile, OptionError) as error:
        msg = f"{path}: {error}"
        raise OptionError(msg) from None
    finally:
        if named:
            raw.close()


@contextlib.contextmanager
def _no_bar() -> Iterator[Any]:
    yield lambda _: None


@contextlib.contextmanager
def _sink(output: Path | None) -> Iterator[IO[bytes]]:
    """Open standard output, or a file that appears when all of it is written."""
    if output is None:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    handle, name = tempfile.mkstemp(prefix=f".{output.name}.", dir=output.parent)
    try:
        with open(handle, "wb") as file:  # noqa: PTH123  (a descriptor)
            if output.suffix == ".gz":
                with gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as packed:
                    yield cast("IO[bytes]", packed)
            else:
                yield file
        Path(name).chmod(0o666 & ~_umask())
        Path(name).replace(output)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _print_report(name: str, report: Report) -> None:
    if not report.mismatches:
        print(f"{name}: {report.cases} cases, all comply")
        return
    print(
        f"{name}: {report.mismatches} of {report.cases} cases do not comply"
        f" ({report.values} results, {report.flags} flags)"
    )
    for wrong in report.first:
        print(f"  line {wrong.line}: {wrong.function} [{wrong.settings}]")
        for index, operand in enumerate(wrong.operands, 1):
            print(f"    operand {index}  {operand}")
        print(f"    got        {wrong.got}; flags {wrong.got_flags}")
        print(f"    expected   {wrong.expected}; flags {wrong.expected_flags}")
