"""Every line of the TestFloat sample, NaN payloads included: the x86 context is SoftFloat's."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from testfloat import Vector, vectors

import minifloat as mf

FORMATS = {"f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64"}
INTEGERS = {"i32": "int32", "i64": "int64", "ui32": "uint32", "ui64": "uint64"}
RELATIONS = {
    "eq": (mf.equal, False),
    "eq_signaling": (mf.equal, True),
    "le": (mf.less_equal, True),
    "le_quiet": (mf.less_equal, False),
    "lt": (mf.less, True),
    "lt_quiet": (mf.less, False),
}
VERBS = {
    "add": mf.add,
    "sub": mf.sub,
    "mul": mf.mul,
    "div": mf.div,
    "rem": mf.rem,
    "mulAdd": mf.fma,
    "sqrt": mf.sqrt,
}


def how_of(vector: Vector, flags: mf.Flags) -> dict[str, object]:
    # SoftFloat raises invalid for infinity * 0 + quiet NaN; x86 processors do not.
    context = dataclasses.replace(
        mf.contexts.X86_SSE, tininess=vector.context.tininess, infinity_times_zero_quiet=False
    )
    return {"rounding": vector.rounding, "context": context, "flags": flags}


def evaluate(function: str, vector: Vector, flags: mf.Flags) -> int:
    how = how_of(vector, flags)
    source, operation = function.split("_", 1)
    if operation in VERBS:
        return int(VERBS[operation](*vector.operands, FORMATS[source], **how))
    if operation == "roundToInt":
        exact = vector.raises_inexact
        return int(mf.round_to_integral(*vector.operands, FORMATS[source], exact=exact, **how))
    if operation in RELATIONS:
        verb, signaling = RELATIONS[operation]
        del how["rounding"]
        return int(verb(*vector.operands, FORMATS[source], signaling=signaling, **how))
    return convert(source, operation.removeprefix("to_"), vector, how)


def convert(source: str, target: str, vector: Vector, how: dict[str, object]) -> int:
    (operand,) = vector.operands
    if source in INTEGERS:
        word = np.array(operand, INTEGERS[source].replace("int", "uint").replace("uu", "u"))
        return int(mf.from_int(word.view(INTEGERS[source]), FORMATS[target], **how))
    if target in FORMATS:
        return int(mf.convert(operand, FORMATS[source], FORMATS[target], **how))
    name, exact = INTEGERS[target], vector.raises_inexact
    found = mf.to_int(operand, FORMATS[source], name, exact=exact, **how)
    return int(found) & (2 ** int(name[-2:]) - 1)


def is_misplaced_payload(function: str, vector: Vector) -> bool:
    """Whether the vector is a bfloat16 NaN conversion.

    SoftFloat 3e takes the payload of bfloat16 for one of eight bits and so moves it by one place.
    """
    source = FORMATS.get(function.split("_")[0], "")
    return "bf16" in function and bool(mf.is_nan(vector.operands[0], source))


@pytest.mark.parametrize("function", sorted(vectors()))
def test_results_and_flags_are_softfloats(function: str) -> None:
    compared = 0
    for vector in vectors()[function]:
        flags = mf.Flags()
        code = evaluate(function, vector, flags)
        assert flags.raised == vector.flags, vector
        if is_misplaced_payload(function, vector):
            target = FORMATS[function.split("_")[-1]]
            assert mf.is_nan(code, target)
            assert mf.is_nan(vector.result, target)
            continue
        assert hex(code) == hex(vector.result), vector
        compared += 1
    assert compared >= 150
