"""The reference agrees with Berkeley SoftFloat's results and flags, line by line."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import pytest
from testfloat import Vector, vectors

from minifloat._context import contexts
from minifloat._flags import Flag
from minifloat._formats import IntFormat, get_format
from minifloat.reference import arithmetic, comparison
from minifloat.reference.arithmetic import ARITHMETIC
from minifloat.reference.comparison import Relation
from minifloat.reference.how import How
from minifloat.reference.rounding import cast, round_value
from minifloat.reference.values import Kind, Value, decode

FORMATS = {
    "f16": "float16",
    "bf16": "bfloat16",
    "f32": "float32",
    "f64": "float64",
    "i32": "int32",
    "i64": "int64",
    "ui32": "uint32",
    "ui64": "uint64",
}
OPERATIONS: dict[str, Callable[..., tuple[int, Flag]]] = {
    "add": arithmetic.add,
    "sub": arithmetic.sub,
    "mul": arithmetic.mul,
    "div": arithmetic.div,
    "mulAdd": arithmetic.fma,
    "sqrt": arithmetic.sqrt,
    "rem": arithmetic.rem,
}
# Relations for which the predicate is true, and whether it signals.
PREDICATES = {
    "eq": ({Relation.EQUAL}, False),
    "eq_signaling": ({Relation.EQUAL}, True),
    "le": ({Relation.LESS, Relation.EQUAL}, True),
    "le_quiet": ({Relation.LESS, Relation.EQUAL}, False),
    "lt": ({Relation.LESS}, True),
    "lt_quiet": ({Relation.LESS}, False),
}


def how_of(vector: Vector) -> How:
    # SoftFloat's x86 has that machine's NaN rules, but raises INVALID for infinity * 0 + quiet NaN.
    context = dataclasses.replace(
        contexts.X86_SSE, tininess=vector.context.tininess, infinity_times_zero_quiet=False
    )
    return How(vector.rounding, nan="max", context=context)


def functions(suffixes: object) -> list[str]:
    return [name for name in vectors() if name.split("_", 1)[1] in suffixes]  # type: ignore[operator]


def conversions() -> list[str]:
    return [name for name in vectors() if "_to_" in name]


def assert_same(vector: Vector, ours: tuple[int, Flag]) -> None:
    assert (hex(ours[0]), ours[1]) == (hex(vector.result), vector.flags), vector


def test_every_function_of_the_sample_is_checked() -> None:
    checked = [
        *functions(OPERATIONS),
        *functions(PREDICATES),
        *functions(["roundToInt"]),
        *conversions(),
    ]
    assert sorted(checked) == sorted(vectors())
    assert sum(len(lines) for lines in vectors().values()) == 14_800


@pytest.mark.parametrize("function", functions(OPERATIONS))
def test_arithmetic(function: str) -> None:
    name, operation = function.split("_")
    fmt = get_format(FORMATS[name])
    for vector in vectors()[function]:
        ours = OPERATIONS[operation](*vector.operands, fmt, how_of(vector))
        assert_same(vector, ours)


@pytest.mark.parametrize("function", functions(["roundToInt"]))
def test_round_to_integral(function: str) -> None:
    fmt = get_format(FORMATS[function.split("_")[0]])
    for vector in vectors()[function]:
        ours = arithmetic.round_to_integral(
            *vector.operands, fmt, how_of(vector), exact=vector.raises_inexact
        )
        assert_same(vector, ours)


@pytest.mark.parametrize("function", functions(PREDICATES))
def test_comparisons(function: str) -> None:
    name, predicate = function.split("_", 1)
    relations, signaling = PREDICATES[predicate]
    fmt = get_format(FORMATS[name])
    for vector in vectors()[function]:
        relation, flags = comparison.compare(*vector.operands, fmt, ARITHMETIC, signaling=signaling)
        assert (relation in relations, flags) == (bool(vector.result), vector.flags), vector


@pytest.mark.parametrize("function", conversions())
def test_conversions(function: str) -> None:
    source, target = (get_format(FORMATS[name]) for name in function.split("_to_"))
    for vector in vectors()[function]:
        how = how_of(vector)
        if isinstance(target, IntFormat):
            exact = vector.raises_inexact
            ours = arithmetic.to_int(*vector.operands, source, target, how, exact=exact)
            assert_same(vector, ours)
            continue
        code, flags = cast(*vector.operands, source, target, how)
        if decode(vector.result, target).is_nan:
            # SoftFloat moves the payload along; our casts give the canonical NaN of that sign.
            negative = decode(vector.result, target).negative
            canonical, _ = round_value(Value(Kind.NAN, negative), target)
            assert (code, flags) == (canonical, vector.flags), vector
            continue
        assert_same(vector, (code, flags))
