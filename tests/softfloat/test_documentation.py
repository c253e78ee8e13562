"""The examples of the documentation run, and the example device complies."""

from __future__ import annotations

import doctest
import io
import runpy
from pathlib import Path

import pytest

from minifloat.conformance.vectors import (
    Settings,
    check_batches,
    generate,
    get_function,
    read_batches,
)
from minifloat.softfloat import FloatStatus

ROOT = Path(__file__).parents[2]


def test_the_documentations_examples_run() -> None:
    found = doctest.testfile(str(ROOT / "docs" / "softfloat.md"), module_relative=False)
    assert found.attempted >= 8
    assert found.failed == 0


@pytest.mark.parametrize(
    ("function", "name"),
    [
        ("float8_e4m3fn_mulAdd", "float8e4m3_muladd"),
        ("e5m2_div", "float8e5m2_div"),
        ("tf32_sqrt", "tfloat32_sqrt"),
        ("e2m1fn_sub", "float4e2m1_sub"),
        ("bf16_mul", "bfloat16_mul"),
    ],
)
def test_the_example_device_complies(function: str, name: str) -> None:
    device = runpy.run_path(str(ROOT / "examples" / "softfloat_device.py"))
    found = get_function(function)
    riscv = FloatStatus.profile("riscv").context
    settings = Settings(context=riscv, default_nan_on_overflow=True)
    questions = generate(found, settings, count=2000, seed=4, operands_only=True)
    lines = b"".join(text for _, text in questions).decode().splitlines()
    answers = "".join(device["answer"](lines, device["unit"](name, "rne")))
    stream = io.BytesIO(answers.encode())
    report = check_batches(read_batches(stream, found, settings), exact_nans=True)
    assert (report.cases, report.mismatches) == (2000, 0), report.first
