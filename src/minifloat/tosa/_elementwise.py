"""Accuracy rules of the operators that are no dot products: reference and bound from the inputs."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from minifloat._errors import OptionError, nearest
from minifloat.tosa._elements import abs_error, check_intervals, element_report, ulps
from minifloat.tosa._numbers import as_stored, values_of
from minifloat.tosa._report import ElementReport
from minifloat.tosa._types import TensorType, TypeLike, as_type

__all__ = ["ELEMENTWISE", "verify_cast", "verify_elementwise"]

Array: TypeAlias = NDArray[np.float64]
Rule: TypeAlias = Callable[[TensorType, list[Array]], tuple[Array, Array]]
"""From the type and the inputs' values: reference and error bound."""

_erf = np.vectorize(math.erf, otypes=[np.float64])


def _rounded(function: Callable[..., Array], count: float, bf16: float | None = None) -> Rule:
    def rule(kind: TensorType, x: list[Array]) -> tuple[Array, Array]:
        reference = function(*x)
        allowed = bf16 if bf16 is not None and kind.name == "bf16" else count
        return reference, ulps(reference, kind) * allowed

    return rule


def _base(kind: TensorType) -> int:
    return 3 if kind.name == "fp32" else 1


def _exp(kind: TensorType, x: list[Array]) -> tuple[Array, Array]:
    reference = np.exp(x[0])
    return reference, abs_error(reference, _base(kind) + 2 * np.abs(x[0]), kind)


def _log(kind: TensorType, x: list[Array]) -> tuple[Array, Array]:
    reference = np.log(x[0])
    return reference, abs_error(reference, 5.0, kind, lower=0.5)


def _sigmoid(kind: TensorType, x: list[Array]) -> tuple[Array, Array]:
    reference = np.where(x[0] < 0, np.exp(x[0]) / (1 + np.exp(x[0])), 1 / (1 + np.exp(-x[0])))
    reference = np.where(np.isneginf(x[0]), 0.0, reference)
    return reference, abs_error(reference, 2 * (1 + np.abs(x[0])), kind)


def _tanh(kind: TensorType, x: list[Array]) -> tuple[Array, Array]:
    reference = np.tanh(x[0])
    factor = 4 * (_base(kind) + 2 * np.abs(x[0]))
    return reference, abs_error(reference, factor, kind, lower=0.5)


def _cos(kind: TensorType, x: list[Array]) -> tuple[Array, Array]:
    return np.cos(x[0]), abs_error(1 + np.abs(x[0]), 1.0, kind, divisor=2)


def _sin(kind: TensorType, x: list[Array]) -> tuple[Array, Array]:
    least = math.pi * kind.smallest_normal
    return np.sin(x[0]), np.maximum(abs_error(x[0], 2.0, kind, divisor=2), least)


def _pow(kind: TensorType, x: list[Array]) -> tuple[Array, Array]:
    reference = np.power(x[0], x[1])
    exponent = x[1] * np.log(x[0])
    least = 2.0**-kind.trailing_bits * np.abs(0.55 * x[1])
    first = np.maximum(abs_error(exponent, 5.5, kind), least)
    second = abs_error(reference, _base(kind) + 2 * np.abs(exponent + first), kind)
    return reference, reference * np.expm1(first) + second


def _larger(a: Array, b: Array) -> Array:
    return np.maximum(a, b)


def _smaller(a: Array, b: Array) -> Array:
    return np.minimum(a, b)


ELEMENTWISE: dict[str, tuple[int, Rule]] = {
    "ABS": (1, _rounded(np.abs, 0)),
    "NEGATE": (1, _rounded(np.negative, 0)),
    "CEIL": (1, _rounded(np.ceil, 0.5)),
    "FLOOR": (1, _rounded(np.floor, 0.5)),
    "MAXIMUM": (2, _rounded(_larger, 0)),
    "MINIMUM": (2, _rounded(_smaller, 0)),
    "ADD": (2, _rounded(np.add, 0.5, 1)),
    "SUB": (2, _rounded(np.subtract, 0.5, 1)),
    "MUL": (2, _rounded(np.multiply, 0.5, 1)),
    "RECIPROCAL": (1, _rounded(lambda x: 1 / x, 1)),
    "RSQRT": (1, _rounded(lambda x: 1 / np.sqrt(x), 2)),
    "ERF": (1, _rounded(_erf, 5)),
    "EXP": (1, _exp),
    "LOG": (1, _log),
    "SIGMOID": (1, _sigmoid),
    "TANH": (1, _tanh),
    "COS": (1, _cos),
    "SIN": (1, _sin),
    "POW": (2, _pow),
}
"""Operators by name: the number of inputs, and the rule."""


def verify_elementwise(
    op: str, inputs: Sequence[ArrayLike], actual: ArrayLike, *, dtype: TypeLike
) -> ElementReport:
    """Judge the output of an element-wise operator by the accuracy that TOSA 1.1 asks of it.

    An implementation may flush subnormal inputs of fp32, fp16 and bf16 to zero, all of them or
    none: the output passes if it does under either reading.

    Parameters
    ----------
    op : str
        One of `ELEMENTWISE`: ``ADD``, ``EXP``, ``TANH``, ...
    inputs : sequence of array_like
        The stored inputs, broadcasting against each other.
    actual : array_like
        The stored output, of the broadcast shape.
    dtype : TensorType or str
        The type of the inputs and of the output.

    Returns
    -------
    ElementReport

    Raises
    ------
    OptionError
        If the operator is unknown, or the inputs' number or shapes do not fit.
    DtypeError
        If an array is not stored as its type is.

    Notes
    -----
    References are numpy's in double precision. Inputs for which an operator is undefined (POW of a
    negative number, of an infinity or NaN, and of zero to a power that is not positive) must be
    left out. MAXIMUM and MINIMUM propagate NaN.

    References
    ----------
    TOSA specification, "Floating-Point Precision Requirements" of each operator.

    Examples
    --------
    >>> x = np.float32([0.5, 1.0, -3.0])
    >>> verify_elementwise("EXP", [x], np.exp(x), dtype="fp32").passed
    True
    """
    if op not in ELEMENTWISE:
        hint = nearest(op, ELEMENTWISE)
        msg = f"unknown element-wise operator {op!r}{hint}; allowed are {list(ELEMENTWISE)}"
        raise OptionError(msg)
    kind = as_type(dtype)
    count, rule = ELEMENTWISE[op]
    if len(inputs) != count:
        msg = f"{op} takes {count} inputs, not {len(inputs)}"
        raise OptionError(msg)
    stored = [as_stored(each, kind, f"input {i}") for i, each in enumerate(inputs)]
    values = [values_of(each, kind).astype(np.float64) for each in stored]
    output = as_stored(actual, kind, "output")
    found = values_of(output, kind)
    try:
        values = list(np.broadcast_arrays(*values))
    except ValueError:
        msg = f"{op}: inputs of shapes {[each.shape for each in values]} do not broadcast"
        raise OptionError(msg) from None
    if values[0].shape != found.shape:
        msg = f"{op}: the output must have shape {values[0].shape}, not {found.shape}"
        raise OptionError(msg)
    report = _judge(op, kind, rule, values, found)
    if report.passed or kind.is_fp8:
        return report
    flushed = [np.where(np.abs(x) < kind.smallest_normal, np.copysign(0, x), x) for x in values]
    second = _judge(op, kind, rule, flushed, found)
    return second if second.failures < report.failures else report


def _judge(
    op: str, kind: TensorType, rule: Rule, x: list[Array], found: NDArray[np.float32]
) -> ElementReport:
    with np.errstate(all="ignore"):
        reference, bound = rule(kind, x)
        bound = np.where(np.isnan(reference), 0.0, bound)
    passed = check_intervals(found, reference, (bound, bound), kind)
    return element_report("output", op, found, reference, (bound, bound), passed, kind.name)


def verify_cast(
    values: ArrayLike, actual: ArrayLike, *, dtype: TypeLike, source: TypeLike = "fp32"
) -> ElementReport:
    """Judge a conversion between floating-point types: CAST of TOSA 1.1.

    Both truncation and rounding to nearest pass: the result may fall short of the value by a unit
    in the last place, or exceed it by half of one.

    Parameters
    ----------
    values : array_like
        The stored inputs.
    actual : array_like
        The stored outputs, of the same shape.
    dtype, source : TensorType or str
        The types of the outputs and of the inputs.

    Returns
    -------
    ElementReport

    Raises
    ------
    OptionError
        If the shapes differ.
    DtypeError
        If an array is not stored as its type is.

    References
    ----------
    TOSA specification, CAST.

    Examples
    --------
    >>> verify_cast(np.float32([1.999]), np.float16([1.998]), dtype="fp16").passed
    True
    """
    kind, origin = as_type(dtype), as_type(source)
    reference = values_of(as_stored(values, origin, "input"), origin).astype(np.float64)
    found = values_of(as_stored(actual, kind, "output"), kind)
    if reference.shape != found.shape:
        msg = f"CAST: the output must have shape {reference.shape}, not {found.shape}"
        raise OptionError(msg)
    unit = ulps(reference, kind)
    passed = check_intervals(found, reference, (unit, unit / 2), kind)
    return element_report("output", "CAST", found, reference, (unit, unit / 2), passed, kind.name)
