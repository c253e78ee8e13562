"""Many tests against one backend."""

from __future__ import annotations

import importlib
import shlex
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from minifloat._errors import MinifloatError, OptionError, nearest
from minifloat.tosa._case import TestCase, make_case
from minifloat.tosa._editions import Edition, EditionLike, as_edition, has_scale
from minifloat.tosa._files import write_case
from minifloat.tosa._operators import operation
from minifloat.tosa._report import Report
from minifloat.tosa._rules import check_test_set
from minifloat.tosa._signature import Signature, signature
from minifloat.tosa._types import as_type
from minifloat.tosa._verify import judge

__all__ = [
    "BACKEND_UNSUPPORTED",
    "DEFAULT_ATTRIBUTES",
    "DEFAULT_TYPES",
    "Backend",
    "SweepResult",
    "UnsupportedError",
    "load_backend",
    "sweep",
    "sweep_cases",
]

BACKEND_UNSUPPORTED = 77
"""Exit status by which an external backend says that it does not support a test."""

Backend: TypeAlias = Callable[[TestCase], "ArrayLike | Mapping[str, ArrayLike]"]
"""From a test to its output, or its outputs by name, stored as their type is."""

DEFAULT_ATTRIBUTES: dict[str, dict[str, Any]] = {
    "CONV2D": {"ifm": (1, 12, 12, 8), "kernel": (3, 3), "pad": (1, 1, 1, 1), "ofm_channels": 8},
    "CONV3D": {"ifm": (1, 6, 8, 8, 4), "kernel": (2, 3, 3), "ofm_channels": 8},
    "DEPTHWISE_CONV2D": {"ifm": (1, 12, 12, 8), "kernel": (3, 3), "multiplier": 2},
    "FULLY_CONNECTED": {"ifm": (32, 64), "ofm_channels": 32},
    "MATMUL": {"ifm": (2, 24, 64), "width": 24},
    "MATMUL_T": {"ifm": (2, 24, 64), "width": 24},
    "TRANSPOSE_CONV2D": {
        "ifm": (1, 6, 6, 8),
        "kernel": (3, 3),
        "stride": (2, 2),
        "ofm_channels": 8,
    },
    "FFT2D": {"ifm": (2, 16, 32)},
    "RFFT2D": {"ifm": (4, 16, 32)},
    "REDUCE_SUM": {"ifm": (32, 48, 40), "axis": 1},
    "AVG_POOL2D": {"ifm": (1, 12, 12, 16), "kernel": (3, 3)},
}
"""One small problem for each operator."""

_FP32 = ("fp32", "fp32", "fp32", "fp32")
_FP16 = ("fp16", "fp16", "fp16", "fp16")
_FP16_WIDE = ("fp16", "fp16", "fp32", "fp16")
_BF16_WIDE = ("bf16", "bf16", "fp32", "bf16")
_FP8 = (("fp8e4m3", "fp8e4m3", "fp16", "fp16"), ("fp8e5m2", "fp8e5m2", "fp16", "fp16"))
_CONVOLUTION = (_FP32, _FP16, _FP16_WIDE, _BF16_WIDE, *_FP8)
_PRODUCT = (
    *(_FP32, _FP16, ("fp16", "fp16", "fp32", "fp32"), ("bf16", "bf16", "fp32", "fp32"), *_FP8),
    ("fp8e4m3", "fp8e5m2", "fp32", "fp32"),
)

DEFAULT_TYPES: dict[str, tuple[tuple[str, str, str, str], ...]] = {
    **dict.fromkeys(("CONV2D", "CONV3D", "DEPTHWISE_CONV2D", "TRANSPOSE_CONV2D"), _CONVOLUTION),
    "FULLY_CONNECTED": (_FP32, _FP16, _FP16_WIDE, _BF16_WIDE),
    "MATMUL": _PRODUCT,
    "MATMUL_T": _PRODUCT,
    "FFT2D": (_FP32,),
    "RFFT2D": (_FP32,),
    "REDUCE_SUM": (_FP32, _FP16, ("bf16", "bf16", "bf16", "bf16")),
    "AVG_POOL2D": (_FP32, _FP16, _FP16_WIDE, _BF16_WIDE),
}
"""Types of each operator: data, weights, accumulator, output."""


class UnsupportedError(Exception):
    """Raised by a backend for a test that it does not support."""


@dataclass(frozen=True, slots=True)
class SweepResult:
    """What became of one test.

    Parameters
    ----------
    case : str
        Its name.
    op : str
    types : dict of str
    test_set : int
    status : str
        ``"pass"``, ``"fail"``, ``"unsupported"`` or ``"error"``.
    seconds : float
        Time that the backend took.
    report : Report, optional
    message : str
        Why it is an error.
    """

    case: str
    op: str
    types: dict[str, str]
    test_set: int
    status: str
    seconds: float
    report: Report | None = None
    message: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain data for JSON.

        Returns
        -------
        dict
        """
        return {
            "case": self.case,
            "op": self.op,
            "types": self.types,
            "test_set": self.test_set,
            "status": self.status,
            "seconds": self.seconds,
            "message": self.message,
            "report": None if self.report is None else self.report.to_dict(),
        }


def sweep_cases(
    ops: Iterable[str] | None = None,
    test_sets: Iterable[int] = range(6),
    dtypes: Iterable[str] | None = None,
    edition: EditionLike = Edition.TOOL,
) -> list[tuple[str, Signature, int]]:
    """List the tests of a sweep.

    Parameters
    ----------
    ops : iterable of str, optional
        Operators; all when omitted.
    test_sets : iterable of int
    dtypes : iterable of str, optional
        Types of the data; all when omitted.
    edition : Edition or str
        Types for which it defines no data are left out.

    Returns
    -------
    list of (str, Signature, int)
        Operator, types and test set of each test.

    Raises
    ------
    OptionError
        If an operator or a set does not exist.
    FormatError
        If a type does not exist.

    Examples
    --------
    >>> [types.out.name for _, types, _ in sweep_cases(["MATMUL"], [0], ["fp16"])]
    ['fp16', 'fp32']
    """
    law = as_edition(edition)
    wanted = None if dtypes is None else {as_type(each).name for each in dtypes}
    found = []
    for op in DEFAULT_TYPES if ops is None else ops:
        if op not in DEFAULT_TYPES:
            hint = nearest(op, DEFAULT_TYPES)
            msg = f"unknown operator {op!r}{hint}; allowed are {list(DEFAULT_TYPES)}"
            raise OptionError(msg)
        for data, weight, acc, out in DEFAULT_TYPES[op]:
            if wanted is not None and data not in wanted:
                continue
            types = signature(op, data, weight_dtype=weight, acc=acc, out=out)
            if has_scale(law, types.data, types.weight, types.scale_type(law)):
                found += [(op, types, check_test_set(each)) for each in test_sets]
    return found


def sweep(
    backend: Backend | str,
    cases: Iterable[tuple[str, Signature, int]],
    *,
    edition: EditionLike = Edition.TOOL,
    attributes: Mapping[str, Mapping[str, Any]] | None = None,
    on_result: Callable[[SweepResult], object] | None = None,
) -> list[SweepResult]:
    """Run tests against a backend and judge what it returns.

    Parameters
    ----------
    backend : callable or str
        See `load_backend`. A callable gets a `TestCase` and returns the output as it is stored, or
        the outputs by name; it raises `UnsupportedError` for tests that it does not support.
    cases : iterable of (str, Signature, int)
        As `sweep_cases` lists them.
    edition : Edition or str
    attributes : mapping, optional
        Attributes by operator, instead of the small problems that are the default.
    on_result : callable, optional
        Called with each result as it comes.

    Returns
    -------
    list of SweepResult
        A backend's exception, or output of a wrong shape or dtype, is the result ``"error"``.

    Raises
    ------
    OptionError
        If the backend cannot be found, or attributes do not fit.

    Examples
    --------
    >>> def numpy_backend(case):
    ...     return case.inputs["A"] @ case.inputs["B"]
    >>> results = sweep(numpy_backend, sweep_cases(["MATMUL"], [3, 5], ["fp32"]))
    >>> [result.status for result in results]
    ['pass', 'pass']
    """
    run = load_backend(backend) if isinstance(backend, str) else backend
    law, chosen = as_edition(edition), {**DEFAULT_ATTRIBUTES, **(attributes or {})}
    results = []
    for op, types, test_set in cases:
        known = operation(op, chosen[op])
        known.require_enough_outputs()
        result = _run_one(run, make_case(known, types, test_set, law))
        results.append(result)
        if on_result is not None:
            on_result(result)
    return results


def _run_one(backend: Backend, case: TestCase) -> SweepResult:
    types = {key: getattr(case.types, key).name for key in ("data", "weight", "acc", "out")}
    start = time.perf_counter()
    report, message = None, ""
    try:
        actual = backend(case)
        seconds = time.perf_counter() - start
        report = judge(case, actual)
        status = "pass" if report.passed else "fail"
    except UnsupportedError as error:
        seconds, status, message = time.perf_counter() - start, "unsupported", str(error)
    except Exception as error:
        seconds, status = time.perf_counter() - start, "error"
        message = f"{type(error).__name__}: {error}"
    return SweepResult(
        case.name, case.operation.op, types, case.test_set, status, seconds, report, message
    )


def load_backend(text: str) -> Backend:
    """Return a backend from the words that name it.

    Parameters
    ----------
    text : str
        ``module:function``, a Python callable; or a command with the words ``{desc}`` and
        ``{out}``: it reads the test in the folder of the file ``{desc}`` and writes its output to
        the file ``{out}``, ``.npy`` for one output, ``.npz`` by name for two. The exit status 77
        says that the test is not supported.

    Returns
    -------
    callable

    Raises
    ------
    OptionError
        If the text is neither, or the module or function is missing.

    Examples
    --------
    >>> load_backend("python my_backend.py {desc} {out}")  # doctest: +ELLIPSIS
    <function ...>
    """
    words = shlex.split(text)
    if any("{desc}" in word for word in words) and any("{out}" in word for word in words):
        return _command_backend(words)
    module, colon, name = text.partition(":")
    if not colon or len(words) != 1:
        msg = (
            f"backend {text!r} is neither module:function nor a command with the words {{desc}}"
            " and {out}"
        )
        raise OptionError(msg)
    try:
        found = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError) as error:
        msg = f"backend {text!r} cannot be loaded: {error}"
        raise OptionError(msg) from error
    backend: Backend = found
    return backend


def _command_backend(words: Sequence[str]) -> Backend:
    def run(case: TestCase) -> ArrayLike | Mapping[str, ArrayLike]:
        with tempfile.TemporaryDirectory(prefix="minifloat-tosa-") as folder:
            write_case(Path(folder), case)
            several = len(case.operation.outputs) > 1
            out = Path(folder) / ("actual.npz" if several else "actual.npy")
            places = {"{desc}": str(Path(folder) / "desc.json"), "{out}": str(out)}
            command = [_filled(word, places) for word in words]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode == BACKEND_UNSUPPORTED:
                raise UnsupportedError(done.stderr.strip())
            if done.returncode != 0:
                last = (done.stderr.strip() or done.stdout.strip()).splitlines()[-1:]
                msg = f"{command[0]} ended with status {done.returncode}: {' '.join(last)}"
                raise MinifloatError(msg)
            if not out.is_file():
                msg = f"{command[0]} wrote no {out.name}"
                raise MinifloatError(msg)
            loaded = np.load(out, allow_pickle=False)
            return dict(loaded) if several else loaded

    return run


def _filled(word: str, places: Mapping[str, str]) -> str:
    for place, value in places.items():
        word = word.replace(place, value)
    return word
