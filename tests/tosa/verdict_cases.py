"""Outputs, good and bad in many ways, for which the verdict of Arm's verifier is on record.

Everything is made without random numbers and without matrix products of the machine's own, so that
the cases are the same everywhere: sums of products of few terms, added in order.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from minifloat import tosa
from minifloat.tosa._editions import Edition
from minifloat.tosa._limits import dot_product_limits
from minifloat.tosa._numbers import from_values, values_of

SHAPE = {"ifm": (2, 20, 48), "width": 32}
TYPES = (
    ("fp32", "fp32", "fp32"),
    ("fp16", "fp16", "fp16"),
    ("fp16", "fp16", "fp32"),
    ("bf16", "bf16", "fp32"),
    ("bf16", "bf16", "bf16"),
    ("fp8e4m3", "fp8e4m3", "fp16"),
    ("fp8e4m3", "fp8e5m2", "fp32"),
    ("fp8e5m2", "fp8e5m2", "fp8e5m2"),
    ("fp8e4m3", "fp8e4m3", "fp8e4m3"),
)
SPECIAL = (np.nan, np.inf, -np.inf, 0.0)


@dataclass(frozen=True)
class Case:
    """An output with what it is judged by."""

    tag: str
    kind: tosa.TensorType
    test_set: int
    ksb: int
    max_error: int
    variance: float
    reference: np.ndarray
    bound: np.ndarray
    actual: np.ndarray


def group(index: int) -> list[Case]:
    """Return one of the groups."""
    types, test_set = divmod(index, 6)
    return list(_group(*TYPES[types], test_set))


def groups() -> Iterator[list[Case]]:
    """Yield the cases of each choice of types and test set."""
    yield from map(group, range(6 * len(TYPES)))


def _group(data: str, weight: str, out: str, test_set: int) -> Iterator[Case]:
    types = tosa.signature("MATMUL", data, weight_dtype=weight, out=out)
    inputs = tosa.generate(
        "MATMUL", SHAPE, test_set=test_set, dtype=data, weight_dtype=weight, out=out
    )
    a = values_of(inputs["A"], types.data).astype(np.float64)
    b = values_of(inputs["B"], types.weight).astype(np.float64)
    reference, bound = _in_order(a, b), _in_order(abs(a), abs(b))
    bound = np.maximum(bound, 48 * types.data.smallest_normal * types.weight.smallest_normal)
    limits = dot_product_limits(48, types, has_bias=False, edition=Edition.TOOL)
    kind = types.out
    common: tuple[Any, ...] = (
        kind, test_set, limits.ksb, int(limits.max_error), limits.variance
    )  # fmt: skip
    good = from_values(reference, kind)
    unit = np.maximum(bound * kind.half_ulp, kind.smallest_normal)

    def case(tag, actual, ref=reference, bnd=bound):
        return Case(tag, *common, ref, bnd, actual)

    def stored(values):
        return from_values(values, kind)

    yield case("rounded", good)
    codes = good.view({1: np.uint8, 2: np.uint16, 4: np.uint32}[good.itemsize])
    yield case("every code one up", (codes + codes.dtype.type(1)).view(kind.dtype))
    one = codes.copy()
    one.flat[711] += 1
    yield case("one code up", one.view(kind.dtype))
    signs = np.where(np.arange(unit.size).reshape(unit.shape) * 2654435761 % 8191 < 4096, 1, -1)
    most = limits.max_error
    for factor in (1, 2, 4, 8, 0.25 * most, 0.5 * most, 0.999 * most, 1.01 * most):
        yield case(f"biased by {factor}", stored(reference + factor * unit))
        yield case(f"noise of {factor}", stored(reference + factor * unit * signs))
        single = reference.copy()
        single.flat[7] += factor * unit.flat[7]
        yield case(f"one off by {factor}", stored(single))
    yield case("rows swapped", stored(reference[:, ::-1]))
    yield case("columns swapped", stored(reference[:, :, ::-1]))
    values = values_of(good, kind).astype(np.float64)
    yield case("flushed", stored(np.where(abs(values) < kind.smallest_normal, 0, values)))
    yield case("all zero", stored(np.zeros_like(values)))
    for special in SPECIAL:
        for tag, array in (("actual", values), ("reference", reference), ("bound", bound)):
            laced = array.copy()
            laced.flat[1003] = special
            if tag == "actual":
                yield case(f"actual {special}", stored(laced))
            elif tag == "reference":
                yield case(f"reference {special}", good, ref=laced)
            else:
                yield case(f"bound {special}", good, bnd=laced)
    laced = values.copy()
    laced.flat[5] = np.nan
    both = reference.copy()
    both.flat[5] = np.nan
    yield case("NaN where NaN is due", stored(laced), ref=both)


def _in_order(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    total = np.zeros((a.shape[0], a.shape[1], b.shape[2]))
    for k in range(a.shape[2]):
        total += a[:, :, k, None] * b[:, None, k, :]
    return total
