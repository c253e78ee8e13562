"""The stored sample of TestFloat, and SoftFloat itself, through the functions of this package."""

from __future__ import annotations

from typing import Any

import pytest
import softfloatpy_oracle
from testfloat import Vector, vectors

from minifloat import softfloat as sf
from minifloat._rounding import Rounding
from minifloat.conformance.vectors import get_function
from minifloat.conformance.vectors.operands import stratified_operands
from minifloat.softfloat import ExceptionFlag as F
from minifloat.softfloat import FloatStatus, RoundMode
from minifloat.softfloat._causes import status_flags

PREFIXES = {"f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64"}
INTEGERS = {"i32": "int32", "i64": "int64", "ui32": "uint32", "ui64": "uint64"}
NAMES = {
    "mulAdd": "muladd",
    "roundToInt": "round_to_int",
    "eq": "eq_quiet",
    "eq_signaling": "eq",
    "le": "le",
    "le_quiet": "le_quiet",
    "lt": "lt",
    "lt_quiet": "lt_quiet",
}
MODES = {
    Rounding.TIES_TO_EVEN: RoundMode.NEAREST_EVEN,
    Rounding.TOWARD_NEGATIVE: RoundMode.DOWN,
    Rounding.TOWARD_POSITIVE: RoundMode.UP,
    Rounding.TOWARD_ZERO: RoundMode.TO_ZERO,
    Rounding.TIES_TO_AWAY: RoundMode.TIES_AWAY,
    Rounding.TO_ODD: RoundMode.TO_ODD,
}
IEEE_FLAGS = F.INVALID | F.DIVBYZERO | F.OVERFLOW | F.UNDERFLOW | F.INEXACT


def call(function: str, operands: tuple[int, ...], status: FloatStatus) -> int:
    """Call our function of TestFloat's name; integers are two's complement codes."""
    source, operation = function.split("_", 1)
    if not operation.startswith("to_"):
        arguments: list[Any] = [*operands, *([0] if operation == "mulAdd" else [])]
        name = f"{PREFIXES[source]}_{NAMES.get(operation, operation)}"
        return int(getattr(sf, name)(*arguments, status))
    target = operation.removeprefix("to_")
    if target in INTEGERS:
        name = f"{PREFIXES[source]}_to_{INTEGERS[target]}"
        return int(getattr(sf, name)(*operands, status)) & (2 ** int(target.lstrip("ui")) - 1)
    (operand,) = operands
    if source in INTEGERS:
        bits = int(source.lstrip("ui"))
        if source.startswith("i") and operand >> bits - 1:
            operand -= 2**bits
        return int(getattr(sf, f"{INTEGERS[source]}_to_{PREFIXES[target]}")(operand, status))
    half = [True] if "f16" in (source, target) else []
    return int(getattr(sf, f"{PREFIXES[source]}_to_{PREFIXES[target]}")(operand, *half, status))


def differs_by_design(function: str, vector: Vector, found: int) -> bool:
    """SoftFloat displaces the payload of a bfloat16 NaN by one place in conversions."""
    names = ("bf16_to_f32", "f32_to_bf16")
    prefix = PREFIXES.get(function.rsplit("_", 1)[-1], "")
    return function in names and getattr(sf, f"{prefix}_is_any_nan")(found)


@pytest.mark.parametrize("function", list(vectors()))
def test_sample(function: str) -> None:
    for vector in vectors()[function]:
        status = FloatStatus.profile("softfloat_8086_sse", rounding_mode=MODES[vector.rounding])
        status.tininess_before_rounding = vector.context.tininess == "before"
        found = call(function, vector.operands, status)
        if found != vector.result:
            assert differs_by_design(function, vector, found), (vector, hex(found))
        raised = status.exception_flags & IEEE_FLAGS
        if not vector.raises_inexact:  # QEMU's conversions and roundings always raise it
            raised &= ~F.INEXACT
        assert raised == status_flags(int(vector.flags)), vector


@pytest.mark.parametrize("function", softfloatpy_oracle.FUNCTIONS)
def test_live(function: str) -> None:
    (page,) = stratified_operands(get_function(function), 60, seed=11)
    for rounding in softfloatpy_oracle.MODES:
        for operands in zip(*(column.tolist() for column in page), strict=True):
            code, flags = softfloatpy_oracle.evaluate(function, operands, rounding, "after", True)
            status = FloatStatus.profile("riscv", rounding_mode=MODES[rounding])
            assert hex(call(function, operands, status)) == hex(code), operands
            assert status.exception_flags & IEEE_FLAGS == status_flags(flags), operands
