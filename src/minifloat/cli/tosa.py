"""``minifloat tosa``: make test data, judge outputs, run a backend through all tests."""

from __future__ import annotations

import json
import os
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import cyclopts
import numpy as np
from cyclopts import Parameter

from minifloat import tosa
from minifloat._errors import OptionError
from minifloat.cli._console import console, new_table, print_json, printable, progress
from minifloat.cli._options import AsJson, Flag
from minifloat.tosa._editions import as_edition
from minifloat.tosa._generate import first_index
from minifloat.tosa._rules import check_test_set

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["app"]

NOT_COMPLIANT = 2
"""Exit status when what was checked does not comply."""

app = cyclopts.App(
    name="tosa",
    help="Conformance of TOSA's floating-point operators: test data, verdicts, sweeps.",
    result_action="return_value",
)


def _numbers(text: str | None) -> tuple[int, ...] | None:
    """Read ``1,32,32,16``."""
    if text is None:
        return None
    try:
        return tuple(int(piece) for piece in text.split(","))
    except ValueError:
        msg = f"{text!r} is no comma-separated list of integers such as 1,32,32,16"
        raise OptionError(msg) from None


@app.command
def generate(
    op: str,
    /,
    *,
    ifm: str,
    out: Annotated[Path, Parameter(name=["--output", "-o"])],
    test_set: Annotated[int, Parameter(name="--set")],
    dtype: str = "fp32",
    weight_dtype: str | None = None,
    acc: str | None = None,
    out_dtype: str | None = None,
    kernel: str | None = None,
    stride: str | None = None,
    pad: str | None = None,
    out_pad: str | None = None,
    dilation: str | None = None,
    ofm_channels: int | None = None,
    bias_channels: int | None = None,
    multiplier: int | None = None,
    width: int | None = None,
    weight_batch: int | None = None,
    axis: int | None = None,
    inverse: Flag = False,
    local_bound: Flag = False,
    largest_first: Flag = False,
    edition: str = "tool",
    as_json: AsJson = False,
) -> None:
    """Write a test: inputs, reference, bounds and desc.json.

    The inputs are .npy files, bf16 and fp8e4m3 as raw bytes (view them as uint16 and uint8). The
    desc.json is one of Arm's conformance tools; operation.json holds the attributes and types.

    Parameters
    ----------
    op : str
        CONV2D, CONV3D, DEPTHWISE_CONV2D, FULLY_CONNECTED, MATMUL, MATMUL_T, TRANSPOSE_CONV2D,
        FFT2D, RFFT2D, REDUCE_SUM or AVG_POOL2D.
    ifm : str
        Shape of the data: 1,32,32,16.
    out : Path
        The folder to write.
    test_set : int
        Test set, 0 to 5.
    dtype : str
        Type of the data: fp32, fp16, bf16, fp8e4m3 or fp8e5m2.
    weight_dtype : str
        Type of the second input; that of the data when omitted.
    acc : str
        Accumulator type.
    out_dtype : str
        Output type.
    kernel : str
        Kernel sizes: 3,3.
    stride : str
        Strides: 1,1.
    pad : str
        Padding before and after each axis: 1,1,1,1.
    out_pad : str
        Padding of the output of TRANSPOSE_CONV2D.
    dilation : str
        Dilations: 1,1.
    ofm_channels : int
        Output channels.
    bias_channels : int
        Size of the bias: 1, or the output channels.
    multiplier : int
        Channel multiplier of DEPTHWISE_CONV2D.
    width : int
        Columns of the second matrix.
    weight_batch : int
        Batches of the second matrix of MATMUL_T.
    axis : int
        Axis of REDUCE_SUM.
    inverse : bool
        Make FFT2D inverse.
    local_bound : bool
        Set the attribute local_bound.
    largest_first : bool
        Put the large elements of sets 2 and 3 where a backend that sums in reverse begins.
    edition : str
        tool, 1.1 or seed.
    as_json : bool
        Print JSON.
    """
    given = {
        "ifm": _numbers(ifm),
        "kernel": _numbers(kernel),
        "stride": _numbers(stride),
        "pad": _numbers(pad),
        "out_pad": _numbers(out_pad),
        "dilation": _numbers(dilation),
        "ofm_channels": ofm_channels,
        "bias_channels": bias_channels,
        "multiplier": multiplier,
        "width": width,
        "weight_batch": weight_batch,
        "axis": axis,
        "inverse": inverse or None,
        "local_bound": local_bound or None,
    }
    op = op.upper()
    known = tosa.operation(op, {key: value for key, value in given.items() if value is not None})
    known.require_enough_outputs()
    types = tosa.signature(op, dtype, weight_dtype=weight_dtype, acc=acc, out=out_dtype)
    first = first_index(known.ks, "reversed") if largest_first else 0
    case = tosa.make_case(known, types, check_test_set(test_set), as_edition(edition), first)
    tosa.write_case(out, case, reordered=largest_first)
    files = [f"{tensor.name}.npy" for tensor in known.inputs]
    files += [f"{prefix}{name}.npy" for name in known.outputs for prefix in ("ref-", "bounds_ref-")]
    if as_json:
        print_json({"folder": str(out), "files": [*files, "operation.json", "desc.json"]})
    else:
        console().print(f"{case.name}: {', '.join(files)} in {printable(str(out))}")


@app.command
def verify(
    folder: Path,
    /,
    *,
    actual: Annotated[list[Path], Parameter(consume_multiple=True, negative=())],
    as_json: AsJson = False,
) -> int:
    """Judge a backend's output by the reference, bounds and desc.json of a folder.

    Exits with 0 if it complies, 2 if it does not, 1 after an error.

    Parameters
    ----------
    folder : Path
        A folder of `generate`, or a test of Arm's tools with reference and bounds files.
    actual : list of Path
        The output, a .npy file; for several outputs, one .npz by name or the files in their order.
    as_json : bool
        Print JSON.
    """
    reports = tosa.verify_folder(folder, _load_outputs(folder, actual))
    passed = all(report.passed for report in reports)
    if as_json:
        outputs = [report.to_dict() for report in reports]
        print_json({"folder": str(folder), "passed": passed, "outputs": outputs})
    else:
        for report in reports:
            _print_report(report)
    return 0 if passed else NOT_COMPLIANT


def _load_outputs(folder: Path, files: list[Path]) -> Any:
    arrays = [_load(file) for file in files]
    if len(arrays) == 1:
        return arrays[0]
    description = folder / "desc.json"
    names = json.loads(description.read_text())["ofm_name"] if description.is_file() else []
    if len(names) != len(arrays):
        msg = f"{folder} has outputs {names}, but {len(files)} files are given"
        raise OptionError(msg)
    return dict(zip(names, arrays, strict=True))


def _load(file: Path) -> Any:
    try:
        loaded = np.load(file, allow_pickle=False)
    except ValueError as error:
        msg = f"{file} is no .npy or .npz file: {error}"
        raise OptionError(msg) from None
    return dict(loaded) if isinstance(loaded, np.lib.npyio.NpzFile) else loaded


def _print_report(report: tosa.OutputReport | tosa.ElementReport) -> None:
    screen = console()
    verdict = "[green]pass[/]" if report.passed else "[red]FAIL[/]"
    if isinstance(report, tosa.ElementReport):
        screen.print(
            f"{printable(report.name)} {report.mode}: {verdict}, {report.failures} failures,"
            f" largest difference {report.largest:.3g} of its bound"
        )
    else:
        screen.print(f"{printable(report.name)}: {verdict}, headroom {report.headroom:.3g}")
        table = new_table("", "measured", "limit")
        table.add_row("largest error", f"{report.max_error:.4g}", f"{report.max_error_limit:.4g}")
        counts = "" if report.sum_counts else " (not judged)"
        table.add_row(f"sum{counts}", f"{report.error_sum:.4g}", f"{report.error_sum_limit:.4g}")
        table.add_row(
            "sum of squares", f"{report.square_sum:.4g}", f"{report.square_sum_limit:.4g}"
        )
        screen.print(table)
    if report.worst:
        worst = new_table("worst at", "actual", "reference", "error")
        for each in report.worst:
            worst.add_row(
                str(each.index), f"{each.actual:.9g}", f"{each.reference:.9g}", f"{each.error:.4g}"
            )
        screen.print(worst)


@app.command
def sweep(
    *,
    backend: str,
    ops: str | None = None,
    sets: str = "0,1,2,3,4,5",
    dtypes: str | None = None,
    edition: str = "tool",
    report: Path | None = None,
    plot: Path | None = None,
    as_json: AsJson = False,
) -> int:
    """Run a backend through operators, test sets and types.

    Exits with 0 if every test that the backend supports complies, 2 if one does not, 1 after an
    error of a backend or otherwise.

    Parameters
    ----------
    backend : str
        A Python callable, module:function, or a command with the words {desc} and {out}: it reads
        the folder of the file {desc} and writes the file {out}; exit status 77 means unsupported.
    ops : str
        Operators, separated by commas; all when omitted.
    sets : str
        Test sets.
    dtypes : str
        Types of the data; all when omitted.
    edition : str
        tool, 1.1 or seed.
    report : Path
        Write the results as JSON to this file.
    plot : Path
        Draw errors against limits into this file (png, svg, pdf).
    as_json : bool
        Print JSON.
    """
    cases = tosa.sweep_cases(
        None if ops is None else ops.upper().split(","),
        _numbers(sets) or (),
        None if dtypes is None else dtypes.split(","),
        edition,
    )
    with progress("testing", len(cases)) as advance:
        results = tosa.sweep(backend, cases, edition=edition, on_result=lambda _: advance(1))
    counts = Counter(result.status for result in results)
    summary: dict[str, Any] = {"backend": backend, "edition": edition, "counts": dict(counts)}
    summary["results"] = [result.to_dict() for result in results]
    if report is not None:
        _write_whole(report, json.dumps(summary, indent=1).encode() + b"\n")
    if plot is not None:
        _draw(results, plot)
    if as_json:
        print_json(summary)
    else:
        _print_sweep(results, counts)
    if counts["error"]:
        return 1
    return NOT_COMPLIANT if counts["fail"] else 0


def _draw(results: list[tosa.SweepResult], path: Path) -> None:
    figure = cast("Figure", tosa.plot_sweep(results).figure)
    handle, part = tempfile.mkstemp(dir=path.parent, suffix=path.suffix)
    os.close(handle)
    try:
        figure.savefig(part)
        Path(part).replace(path)
    except BaseException:
        Path(part).unlink()
        raise


def _write_whole(path: Path, content: bytes) -> None:
    handle, part = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    with os.fdopen(handle, "wb") as file:
        file.write(content)
    Path(part).replace(path)


def _print_sweep(results: list[tosa.SweepResult], counts: Counter[str]) -> None:
    screen = console()
    table = new_table("test", "verdict", "headroom", left=2)
    for result in results:
        colour = {"pass": "green", "fail": "red", "error": "red"}.get(result.status, "yellow")
        headroom = "" if result.report is None else f"{result.report.headroom:.3g}"
        table.add_row(result.case, f"[{colour}]{result.status}[/]", headroom)
    screen.print(table)
    for result in results:
        if result.status == "error":
            screen.print(f"{result.case}: {printable(result.message)}", markup=False)
        elif result.report is not None and not result.report.passed:
            screen.print(str(result.report), markup=False)
    screen.print(", ".join(f"{count} {status}" for status, count in sorted(counts.items())))
