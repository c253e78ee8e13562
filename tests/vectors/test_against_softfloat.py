"""Berkeley SoftFloat as the device under test, and the stored sample of its TestFloat."""

from __future__ import annotations

import gzip
import io
from pathlib import Path

import numpy as np
import pytest
import softfloatpy_oracle
from softfloatpy_oracle import FUNCTIONS, MODES

from minifloat import Rounding
from minifloat.conformance.vectors import (
    Settings,
    check_batches,
    function_of_path,
    generate,
    get_function,
    read_batches,
)
from minifloat.softfloat import FloatStatus

SAMPLE = Path(__file__).parents[1] / "data" / "testfloat_sample.txt.gz"
RISCV = FloatStatus.profile("riscv").context
SSE = FloatStatus.profile("softfloat_8086_sse").context


def sample() -> io.BytesIO:
    with gzip.open(SAMPLE) as lines:
        return io.BytesIO(lines.read())


def test_every_line_of_the_sample_complies() -> None:
    report = check_batches(read_batches(sample(), None, Settings()), exact_nans=False)
    assert (report.cases, report.mismatches) == (14_800, 0), report.first


def test_the_sample_complies_to_the_bit_but_for_bfloat16_payloads() -> None:
    # Berkeley SoftFloat moves the payload of a bfloat16 NaN down by one place when it converts it
    # to float32 (7FFF, all ones, becomes 7FFF8000) and up where it narrows: 8 lines of the sample.
    settings = Settings(context=SSE)
    report = check_batches(read_batches(sample(), None, settings), exact_nans=True, first=20)
    assert report.cases == 14_800
    assert (report.mismatches, report.values, report.flags) == (8, 8, 0), report.first
    for wrong in report.first:
        assert wrong.function in ("bf16_to_f32", "f32_to_bf16"), wrong
        assert "nan" in wrong.operands[0], wrong


@pytest.mark.parametrize("function", FUNCTIONS)
def test_softfloat_as_a_device_complies(function: str) -> None:
    found = get_function(function)
    cases = [(mode, "after", True) for mode in MODES]
    cases += [(mode, "before", False) for mode in (Rounding.TIES_TO_EVEN, Rounding.TOWARD_POSITIVE)]
    for seed, (mode, tininess, exact) in enumerate(cases):
        settings = Settings(mode, tininess, exact, context=RISCV)
        questions = generate(found, settings, count=300, seed=seed, operands_only=True)
        answers = []
        for line in b"".join(text for _, text in questions).splitlines():
            operands = tuple(int(word, 16) for word in line.split())
            code, flags = softfloatpy_oracle.evaluate(function, operands, mode, tininess, exact)
            answers.append(line + f" {code:X} {flags:02X}\n".encode())
        stream = io.BytesIO(b"".join(answers))
        report = check_batches(read_batches(stream, found, settings), exact_nans=True)
        assert report.cases == 300
        assert report.mismatches == 0, (settings, report.first)


def test_a_wrong_bit_and_a_wrong_flag_are_found() -> None:
    function = get_function("f16_mul")
    lines = b"".join(t for _, t in generate(function, Settings(), count=500, seed=3)).splitlines()
    rng = np.random.default_rng(1)
    for at in rng.choice(500, 20, replace=False):
        a, b, result, flags = lines[at].split()
        if at % 2:
            flags = b"%02X" % (int(flags, 16) ^ 1)
        else:
            result = b"%04X" % (int(result, 16) ^ 0x8000)
        lines[at] = b" ".join((a, b, result, flags))
    stream = io.BytesIO(b"\n".join(lines))
    report = check_batches(read_batches(stream, function, Settings()), exact_nans=True, first=99)
    assert (report.cases, report.mismatches) == (500, 20)
    assert report.values + report.flags == 20
    assert len(report.first) == 20


def test_a_files_stem_is_its_function() -> None:
    assert function_of_path(Path("a/f16_mulAdd.txt.gz")) == "f16_mulAdd"
    assert function_of_path(Path("float8_e4m3fn_add")) == "float8_e4m3fn_add"
