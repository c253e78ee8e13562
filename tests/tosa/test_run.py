"""Emulated operators against sums in Python integers and fractions, each step rounded."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

import minifloat as mf
from minifloat import OptionError, tosa
from minifloat.tosa._numbers import values_of
from minifloat.tosa._sweep import DEFAULT_ATTRIBUTES


def rounded(x, fmt):
    """Round a Fraction to nearest even, in plain arithmetic; no test here overflows."""
    if x == 0:
        return x
    exponent = math.floor(math.log2(abs(x)))
    exponent += (abs(x) >= Fraction(2) ** (exponent + 1)) - (abs(x) < Fraction(2) ** exponent)
    least = 1 - fmt.bias
    quantum = Fraction(2) ** (max(exponent, least) - fmt.trailing_bits)
    result = round(x / quantum) * quantum
    assert abs(result) <= fmt.max
    return result


def dot(a, b, fmt, order):
    terms = [
        rounded(Fraction(float(x)) * Fraction(float(y)), fmt) for x, y in zip(a, b, strict=True)
    ]
    if order == "reversed":
        terms = terms[::-1]

    def pairwise(part):
        if len(part) == 1:
            return part[0]
        half = 1 << (len(part) - 1).bit_length() - 1
        return rounded(pairwise(part[:half]) + pairwise(part[half:]), fmt)

    def sequential(part):
        total = Fraction(0)
        for term in part:
            total = rounded(total + term, fmt)
        return total

    if order == "pairwise":
        return pairwise(terms)
    if order.startswith("blocked"):
        size = int(order.partition(":")[2])
        return sequential([sequential(terms[i : i + size]) for i in range(0, len(terms), size)])
    return sequential(terms)


@pytest.mark.parametrize("order", ["sequential", "reversed", "pairwise", "blocked:5"])
@pytest.mark.parametrize(
    ("data", "weight", "acc", "out"),
    [
        ("fp32", "fp32", "fp32", "fp32"),
        ("fp16", "fp16", "fp16", "fp16"),
        ("fp16", "fp16", "fp32", "fp16"),
        ("bf16", "bf16", "fp32", "bf16"),
        ("fp8e4m3", "fp8e5m2", "fp16", "fp16"),
    ],
)
def test_each_product_and_sum_is_rounded_once(data, weight, acc, out, order):
    shape = {"ifm": (1, 3, 23), "width": 4}
    types = {"dtype": data, "weight_dtype": weight, "acc": acc, "out": out}
    inputs = tosa.generate("MATMUL", shape, test_set=3, small=True, **types)
    found = tosa.run("MATMUL", shape, inputs, order=order, **types)
    a = values_of(inputs["A"], tosa.as_type(data))[0]
    b = values_of(inputs["B"], tosa.as_type(weight))[0]
    fmt, kind = mf.get_format(tosa.as_type(acc).format_name), tosa.as_type(out)
    result = mf.get_format(kind.format_name)
    values = values_of(found, kind)[0]
    for y in range(3):
        for x in range(4):
            expected = rounded(dot(a[y], b[:, x], fmt, order), result)
            assert Fraction(float(values[y, x])) == expected


@pytest.mark.parametrize("op", DEFAULT_ATTRIBUTES)
def test_every_operator_runs_and_complies(op):
    shape = DEFAULT_ATTRIBUTES[op]
    inputs = tosa.generate(op, shape, test_set=3, weights=False)
    found = tosa.run(op, shape, inputs)
    assert tosa.verify(op, shape, inputs, found, test_set=3)


@pytest.mark.parametrize("op", ["CONV2D", "MATMUL", "REDUCE_SUM", "AVG_POOL2D", "FFT2D"])
def test_a_narrow_accumulator_is_found_out(op):
    shape = DEFAULT_ATTRIBUTES[op]
    inputs = tosa.generate(op, shape, test_set=3, weights=False)
    found = tosa.run(op, shape, inputs, accumulator="bfloat16")
    assert not tosa.verify(op, shape, inputs, found, test_set=3)


def test_impossible_orders_and_accumulators():
    shape = {"ifm": (1, 3, 5), "width": 4}
    inputs = tosa.generate("MATMUL", shape, test_set=3, small=True)
    for order in ("random", "blocked:0", "blocked:x", "blocked"):
        with pytest.raises(OptionError, match="order must be one of"):
            tosa.run("MATMUL", shape, inputs, order=order)
    with pytest.raises(OptionError, match="precision 53"):
        tosa.run("MATMUL", shape, inputs, accumulator="float64")
