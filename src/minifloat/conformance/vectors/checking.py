"""Checking vectors: what a device gave against what it should have given, and how to say it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from minifloat._arrays import AnyArray
from minifloat._casting import decode
from minifloat._flags import Flag
from minifloat._formats import Format, IntFormat
from minifloat._inspection import is_nan, is_signaling
from minifloat.conformance.vectors.functions import Function
from minifloat.conformance.vectors.reading import Batch
from minifloat.conformance.vectors.text import annotation, digits

__all__ = ["Mismatch", "Report", "check_batch", "check_batches"]


@dataclass(frozen=True, slots=True)
class Mismatch:
    """One line that does not comply, in decoded form.

    Parameters
    ----------
    line : int
    function : str
    settings : str
        The words of an annotated line.
    operands : tuple of str
    got, expected : str
    got_flags, expected_flags : str
        Names, or ``none``.
    """

    line: int
    function: str
    settings: str
    operands: tuple[str, ...]
    got: str
    expected: str
    got_flags: str
    expected_flags: str


@dataclass(slots=True)
class Report:
    """What a check found.

    Parameters
    ----------
    cases, mismatches : int
    values, flags : int
        How many mismatches have a wrong result, and wrong flags.
    first : list of Mismatch
    """

    cases: int = 0
    mismatches: int = 0
    values: int = 0
    flags: int = 0
    first: list[Mismatch] = field(default_factory=list)


def check_batches(batches: Iterable[Batch], *, exact_nans: bool, first: int = 8) -> Report:
    """Check vectors.

    Parameters
    ----------
    batches : iterable of Batch
    exact_nans : bool
        Whether results are compared to the bit where they are NaN, or integers from an invalid
        conversion. Otherwise any quiet NaN will do, and any integer.
    first : int
        How many mismatches to keep.

    Returns
    -------
    Report
    """
    report = Report()
    for batch in batches:
        check_batch(batch, report, exact_nans=exact_nans, first=first)
    return report


def check_batch(batch: Batch, report: Report, *, exact_nans: bool, first: int = 8) -> None:
    """Check some lines and add what was found to a report.

    Parameters
    ----------
    batch : Batch
    report : Report
    exact_nans : bool
    first : int
    """
    expected, flags = batch.function.compute(batch.operands, batch.settings)
    wrong = batch.result != expected
    if not exact_nans:
        wrong &= ~_excused(batch, expected, flags)
    wrong_flags = batch.flags != flags
    either = wrong | wrong_flags
    report.cases += len(batch.lines)
    report.values += int(wrong.sum())
    report.flags += int(wrong_flags.sum())
    report.mismatches += int(either.sum())
    for at in np.flatnonzero(either)[: max(first - len(report.first), 0)]:
        report.first.append(_mismatch(batch, int(at), expected, flags))


def _excused(batch: Batch, expected: AnyArray, flags: AnyArray) -> AnyArray:
    """Where a machine's own choice is accepted: which quiet NaN, which integer."""
    fmt = batch.function.result
    if fmt is None:
        return np.zeros(len(expected), bool)
    if isinstance(fmt, IntFormat):
        return np.asarray(flags & np.uint8(Flag.INVALID) != 0)
    quiet = is_nan(batch.result, fmt) & ~is_signaling(batch.result, fmt)
    return np.asarray(quiet & is_nan(expected, fmt))


def _mismatch(batch: Batch, at: int, expected: AnyArray, flags: AnyArray) -> Mismatch:
    function: Function = batch.function
    return Mismatch(
        int(batch.lines[at]),
        function.name,
        annotation(function, batch.settings),
        tuple(
            _shown(int(codes[at]), fmt)
            for codes, fmt in zip(batch.operands, function.operands, strict=True)
        ),
        _shown(int(batch.result[at]), function.result),
        _shown(int(expected[at]), function.result),
        _flag_names(int(batch.flags[at])),
        _flag_names(int(flags[at])),
    )


def _shown(code: int, fmt: Format | None) -> str:
    """Return a code in hexadecimal with its value."""
    if fmt is None:
        return "true" if code else "false"
    value: Any = decode(code, fmt).item()
    text = f"{value!r}"
    if isinstance(value, float) and np.isnan(value):
        text = "signalling nan" if is_signaling(code, fmt) else "nan"
    return f"{code:0{digits(fmt)}X} ({text})"


def _flag_names(flags: int) -> str:
    names = [flag.name.lower().replace("_", " ") for flag in Flag if flags & flag and flag.name]
    return ", ".join(names) or "none"
