"""``minifloat cast``."""

from __future__ import annotations

import fnmatch
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from minifloat._errors import FileFormatError
from minifloat._flags import Flags
from minifloat._formats import get_format
from minifloat._rounding import as_overflow
from minifloat.cli._console import console, new_table, print_json, printable, progress
from minifloat.cli._conversion import Conversion, convert
from minifloat.cli._options import AsJson, Flag, NanWord, Variant, rounding_of
from minifloat.interop import TensorFile, TensorOutput, open_tensors, write_tensors

__all__ = ["cast"]


def cast(
    source: Annotated[Path, Parameter(name="IN")],
    target: Annotated[Path, Parameter(name="OUT")],
    /,
    *,
    to: str,
    rounding: str = "ties_to_even",
    overflow: str | None = None,
    nan: NanWord = "raise",
    bits: int | None = None,
    variant: Variant = "floor",
    seed: int | None = None,
    from_: Annotated[str | None, Parameter(name="--source")] = None,
    only: Annotated[list[str] | None, Parameter(consume_multiple=True, negative=())] = None,
    integers: Flag = False,
    force: Flag = False,
    as_json: AsJson = False,
) -> None:
    """Convert the tensors of a file to another format.

    Reads and writes .safetensors, .npy and .npz. Formats that the kind of file knows are written
    as such (safetensors: F16, BF16, F8_E4M3, F8_E5M2, F8_E8M0, F4 and so on; numpy: float16 and
    wider, integers); others as unsigned codes with a record of their format, so that casting back
    to float32 restores the values. Tensors that are not converted are copied.

    Parameters
    ----------
    source : Path
        The file to read.
    target : Path
        The file to write, whole or not at all.
    to : str
        The format to convert to.
    rounding : str
        ties_to_even, ties_to_away, ties_to_zero, toward_zero, toward_positive, toward_negative,
        away_from_zero, to_odd, or stochastic.
    overflow : str
        ieee, saturate, saturate_keep_infinity, nan, infinity, wrap or p3109; the format's own
        policy when omitted.
    nan : str
        What NaN becomes where the format has none.
    bits : int
        Random bits of stochastic rounding; as many as the source discards when omitted.
    variant : str
        How the fraction meets the random bits.
    seed : int
        Seed of stochastic rounding; each tensor's stream is a function of the seed and its name.
    from_ : str
        The format of plain unsigned integers that are codes, where the file does not say it.
    only : list of str
        Convert only tensors whose name matches one of these patterns (``encoder.*``).
    integers : bool
        Convert integer tensors too.
    force : bool
        Replace the output if it exists.
    as_json : bool
        Print JSON.
    """
    fmt = get_format(to)
    mode = rounding_of(rounding, bits, variant, seed)
    policy = None if overflow is None else as_overflow(overflow)
    how = Conversion(fmt, {"rounding": mode, "overflow": policy, "nan": nan}, seed)
    with open_tensors(source, from_) as file:
        chosen = _chosen(file, only, integers)
        raised = {name: Flags() for name in chosen}
        total = sum(file.tensors[name].size for name in chosen)
        with progress("casting", total) as advance:
            outputs = [
                convert(file, tensor, how, raised[name], advance)
                if name in raised
                else TensorOutput.copy_of(tensor)
                for name, tensor in file.tensors.items()
            ]
            write_tensors(target, outputs, metadata=file.metadata, force=force)
        report = _report(file, target, str(fmt), raised)
    if as_json:
        print_json(report)
    else:
        _print(report)


def _chosen(file: TensorFile, only: list[str] | None, integers: bool) -> list[str]:
    patterns = only or ["*"]
    matching = [n for n in file.tensors if any(fnmatch.fnmatchcase(n, p) for p in patterns)]
    if not matching:
        msg = f"{file.path}: no tensor matches {', '.join(patterns)}"
        raise FileFormatError(msg)
    chosen = [n for n in matching if file.tensors[n].is_float or (integers and file.tensors[n].fmt)]
    if not chosen:
        labels = ", ".join(sorted({file.tensors[n].label for n in matching}))
        msg = (
            f"{file.path}: nothing to convert, only {labels}; --integers converts integers,"
            " --source FORMAT says what codes are"
        )
        raise FileFormatError(msg)
    return chosen


def _report(file: TensorFile, target: Path, fmt: str, raised: dict[str, Flags]) -> dict[str, Any]:
    tensors = [
        {
            "name": name,
            "shape": list(file.tensors[name].shape),
            "from": str(file.tensors[name].fmt),
            "flags": _counts(flags),
        }
        for name, flags in raised.items()
    ]
    return {
        "input": str(file.path),
        "output": str(target),
        "format": fmt,
        "bytes_in": file.path.stat().st_size,
        "bytes_out": target.stat().st_size,
        "converted": tensors,
        "copied": [name for name in file.tensors if name not in raised],
    }


def _counts(flags: Flags) -> dict[str, int]:
    return {str(flag.name).lower(): count for flag, count in flags.counts.items() if count}


def _print(report: dict[str, Any]) -> None:
    screen = console()
    converted, copied = report["converted"], report["copied"]
    screen.print(
        f"{printable(report['output'])}: {len(converted)} tensors converted to {report['format']},"
        f" {len(copied)} copied; {report['bytes_in']:,} -> {report['bytes_out']:,} bytes",
        markup=False,
    )
    totals: dict[str, int] = {}
    for tensor in converted:
        for flag, count in tensor["flags"].items():
            totals[flag] = totals.get(flag, 0) + count
    table = new_table("flag", "elements", "tensors")
    for flag, count in totals.items():
        table.add_row(flag, f"{count:,}", str(sum(flag in t["flags"] for t in converted)))
    screen.print(table if totals else "no flags raised: every value is exact", markup=False)
