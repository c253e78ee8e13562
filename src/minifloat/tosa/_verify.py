"""The verdict on an operator's outputs."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from minifloat import _core
from minifloat._errors import OptionError
from minifloat.tosa._case import TestCase
from minifloat.tosa._editions import Edition, EditionLike, as_edition
from minifloat.tosa._limits import Limits, dot_product_limits
from minifloat.tosa._numbers import as_stored, values_of
from minifloat.tosa._operators import Operation, operation
from minifloat.tosa._reference import Reference, input_values, reference_of
from minifloat.tosa._report import OutputReport, Report, WorstElement
from minifloat.tosa._signature import Signature, signature
from minifloat.tosa._types import TensorType, TypeLike, as_type

__all__ = ["judge", "verify", "verify_dot_products"]

_CHUNK = 1 << 16
_WORST = 8


def verify(
    op: str,
    attributes: Mapping[str, Any],
    inputs: Mapping[str, ArrayLike],
    actual: ArrayLike | Mapping[str, ArrayLike],
    *,
    test_set: int | None,
    dtype: TypeLike = "fp32",
    weight_dtype: TypeLike | None = None,
    acc: TypeLike | None = None,
    out: TypeLike | None = None,
    edition: EditionLike = Edition.TOOL,
) -> Report:
    """Judge the outputs of a backend by the accuracy rules of dot products.

    Parameters
    ----------
    op : str
        A TOSA operator, as for `generate`.
    attributes : mapping
    inputs : mapping
        The stored input tensors by name that the backend worked on.
    actual : array_like, or mapping of array_like
        The backend's output, stored as its type is; for the transforms, the two by name
        (``output_real``, ``output_imag``).
    test_set : int or None
        S of the inputs; `None` for data of your own, whose errors may have a bias.
    dtype, weight_dtype, acc, out : TensorType or str, optional
        Types, as for `generate`.
    edition : Edition or str
        Whose limits and bounds.

    Returns
    -------
    Report
        True in a boolean context if the outputs comply.

    Raises
    ------
    OptionError
        If a tensor is missing or has the wrong shape.
    DtypeError
        If a tensor is not stored as its type is.

    References
    ----------
    TOSA specification, "Dot product accuracy requirements".

    Examples
    --------
    >>> from minifloat.tosa import generate
    >>> shape = {"ifm": (1, 40, 8), "width": 40}
    >>> data = generate("MATMUL", shape, test_set=5)
    >>> report = verify("MATMUL", shape, data, data["A"] @ data["B"], test_set=5)
    >>> report.passed, report.outputs[0].max_error_limit
    (True, 48.0)
    """
    known, law = operation(op, attributes), as_edition(edition)
    types = signature(op, dtype, weight_dtype=weight_dtype, acc=acc, out=out)
    expected = reference_of(known, types, input_values(known, types, inputs), law)
    limits = dot_product_limits(known.ks, types, has_bias=expected.has_bias, edition=law)
    return _judge(known, types, expected, limits, law, test_set, actual)


def judge(case: TestCase, actual: ArrayLike | Mapping[str, ArrayLike]) -> Report:
    """Judge the outputs of a backend on a test whose reference is known.

    Parameters
    ----------
    case : TestCase
    actual : array_like, or mapping of array_like
        As for `verify`.

    Returns
    -------
    Report

    Raises
    ------
    OptionError
        If a tensor is missing or has the wrong shape.
    DtypeError
        If a tensor is not stored as its type is.

    Examples
    --------
    >>> from minifloat.tosa import make_case, operation, signature
    >>> case = make_case(operation("REDUCE_SUM", {"ifm": (30, 8, 40), "axis": 1}),
    ...     signature("REDUCE_SUM"), 3, Edition.TOOL)
    >>> judge(case, case.inputs["input"].sum(axis=1, keepdims=True)).passed
    True
    """
    return _judge(
        case.operation,
        case.types,
        case.reference,
        case.limits,
        case.edition,
        case.test_set,
        actual,
    )


def _judge(
    known: Operation,
    types: Signature,
    expected: Reference,
    limits: Limits,
    law: Edition,
    test_set: int | None,
    actual: ArrayLike | Mapping[str, ArrayLike],
) -> Report:
    op = known.op
    if not isinstance(actual, Mapping):
        if len(known.outputs) != 1:
            msg = f"{op} has outputs {list(known.outputs)}: give them as a mapping by name"
            raise OptionError(msg)
        actual = {known.outputs[0]: actual}
    reports = []
    for name in known.outputs:
        if name not in actual:
            msg = f"{op} output {name!r} is missing; given are {sorted(actual)}"
            raise OptionError(msg)
        stored = as_stored(actual[name], types.out, f"output {name!r}")
        if stored.shape != known.output_shape:
            msg = f"{op} output {name!r} must have shape {known.output_shape}, not {stored.shape}"
            raise OptionError(msg)
        checked = _check(
            name, expected.results[name], expected.bounds[name], stored, types.out, limits, test_set
        )
        reports.append(checked)
    return Report(op, law.value, test_set, known.ks, tuple(reports))


def verify_dot_products(
    reference: ArrayLike,
    bound: ArrayLike,
    actual: ArrayLike,
    *,
    dtype: TypeLike,
    test_set: int | None,
    ksb: int,
    max_error: float,
    variance: float,
    name: str = "output",
) -> OutputReport:
    """Judge an output tensor by reference, bound and limits that are known.

    This is what the verifier of Arm's tool does with the numbers of a ``desc.json``.

    Parameters
    ----------
    reference, bound : array_like
        float64, shape ``(...)``.
    actual : array_like
        The stored output, of the same shape.
    dtype : TensorType or str
        Type of the output.
    test_set : int or None
        S; the sum of errors counts in sets 3 to 5.
    ksb : int
        The effective kernel size, for the report.
    max_error, variance : float
        Largest error and largest mean square error, in half ulps of the bound.
    name : str
        The tensor's name in the report.

    Returns
    -------
    OutputReport

    Raises
    ------
    OptionError
        If the shapes differ.
    DtypeError
        If the output is not stored as its type is.

    Examples
    --------
    >>> report = verify_dot_products([1.0, 2.0], [1.0, 2.0], np.float32([1, 2.000002]),
    ...     dtype="fp32", test_set=0, ksb=4, max_error=8, variance=6.4)
    >>> report.passed, report.failures
    (False, 1)
    """
    kind = as_type(dtype)
    stored = as_stored(actual, kind, name)
    expected = np.asarray(reference, np.float64)
    scale = np.asarray(bound, np.float64)
    if not expected.shape == scale.shape == stored.shape:
        shapes = f"reference {expected.shape}, bound {scale.shape}, actual {stored.shape}"
        msg = f"{shapes}: the shapes differ"
        raise OptionError(msg)
    limits = Limits(ksb, max_error, variance, kind)
    return _check(name, expected, scale, stored, kind, limits, test_set)


def _check(
    name: str,
    reference: NDArray[np.float64],
    bound: NDArray[np.float64],
    actual: NDArray[Any],
    kind: TensorType,
    limits: Limits,
    test_set: int | None,
) -> OutputReport:
    unit = limits.unit_type
    flat = [np.ascontiguousarray(each).reshape(-1) for each in (reference, bound, actual)]
    error = np.empty(min(_CHUNK, flat[2].size))
    failures, first, total, squares, largest = 0, -1, 0.0, 0.0, 0.0
    worst: list[tuple[float, int]] = []
    for begin in range(0, flat[2].size, _CHUNK):
        ref, bnd, stored = (each[begin : begin + _CHUNK] for each in flat)
        values = values_of(stored, kind)
        e = error[: values.size]
        part = _core.tosa.dot_product_errors(
            ref,
            bnd,
            values,
            e,
            limits.max_error,
            unit.half_ulp,
            unit.smallest_normal,
            unit.overflow,
            limits.growth,
        )
        if part[1] >= 0 and first < 0:
            first = begin + part[1]
        failures += part[0]
        total += part[2]
        squares += part[3]
        largest = max(largest, part[4])
        if part[4] > (worst[-1][0] if len(worst) == _WORST else 0.0):
            worst = _merge(worst, e, begin)
    count = flat[2].size
    return OutputReport(
        name=name,
        dtype=kind.name,
        shape=actual.shape,
        failures=failures,
        first_failure=_index(first, actual.shape),
        max_error=largest,
        max_error_limit=float(limits.max_error),
        error_sum=total,
        error_sum_limit=limits.sum_limit(count),
        sum_counts=test_set is not None and 3 <= test_set <= 5,
        square_sum=squares,
        square_sum_limit=limits.variance * count,
        worst=tuple(_describe(index, e, flat, kind, actual.shape) for e, index in worst),
    )


def _merge(
    worst: list[tuple[float, int]], error: NDArray[np.float64], begin: int
) -> list[tuple[float, int]]:
    magnitude = np.abs(error)
    count = min(_WORST, magnitude.size)
    top = np.argpartition(magnitude, magnitude.size - count)[-count:]
    found = [(float(magnitude[i]), begin + int(i)) for i in top if magnitude[i] > 0]
    return sorted(worst + found, key=lambda item: (-item[0], item[1]))[:_WORST]


def _index(flat: int, shape: tuple[int, ...]) -> tuple[int, ...] | None:
    return None if flat < 0 else tuple(int(i) for i in np.unravel_index(flat, shape))


def _describe(
    index: int, magnitude: float, flat: list[NDArray[Any]], kind: TensorType, shape: tuple[int, ...]
) -> WorstElement:
    reference, bound = flat[0][index], flat[1][index]
    actual = float(values_of(flat[2][index : index + 1], kind)[0])
    return WorstElement(
        index=_index(index, shape) or (),
        reference=float(reference),
        bound=float(bound),
        actual=actual,
        error=math.copysign(magnitude, actual - float(reference)),
    )
