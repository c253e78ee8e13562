"""Matrix products of the reference against loops in numpy's own float32 and float16 arithmetic."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable

import numpy as np
import pytest

from minifloat._errors import FormatError, OptionError
from minifloat._flags import Flag
from minifloat._formats import get_format
from minifloat._rounding import Rounding, Stochastic
from minifloat.reference import arithmetic
from minifloat.reference.arithmetic import ARITHMETIC
from minifloat.reference.how import How
from minifloat.reference.matmul import Accumulation, dot, matmul, total
from minifloat.reference.rounding import cast, encode
from minifloat.reference.values import decode

E4M3FN, E5M2, F16, F32, F64 = (
    get_format(name) for name in ("e4m3fn", "e5m2", "float16", "float32", "float64")
)
NONE = Flag(0)
Half = np.float16


def halves(count: int, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=count).astype(Half)


def as_codes(x: np.ndarray) -> list[int]:
    return x.view(np.uint16).tolist()


def sequential(terms: list[np.floating]) -> np.floating:
    held = type(terms[0])(0)
    for term in terms:
        held = held + term
    return held


def pairwise(terms: list[np.floating]) -> np.floating:
    if len(terms) == 1:
        return sequential(terms)
    half = 1
    while half * 2 < len(terms):
        half *= 2
    return pairwise(terms[:half]) + pairwise(terms[half:])


def blocked(terms: list[np.floating]) -> np.floating:
    return sequential([sequential(terms[k : k + 4]) for k in range(0, len(terms), 4)])


ORDERS: dict[str, Callable[[list[np.floating]], np.floating]] = {
    "sequential": sequential,
    "pairwise": pairwise,
    "blocked:4": blocked,
}


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("length", [1, 2, 3, 7, 8, 9, 21])
def test_rounded_products_agree_with_numpy(order: str, length: int) -> None:
    x, y = halves(length, length), halves(length, 50 + length)
    plan = Accumulation(order=order)
    expected = ORDERS[order](list(x * y))
    code, _ = dot(as_codes(x), as_codes(y), F16, ARITHMETIC, plan)
    assert float(decode(code, F16)) == expected

    # Products of halves are exact in float32.
    wide = list(x.astype(np.float32) * y.astype(np.float32))
    for product in ("rounded", "exact"):
        plan = Accumulation(F32, product, order)
        code, _ = dot(as_codes(x), as_codes(y), F16, ARITHMETIC, plan)
        assert float(decode(code, F32)) == ORDERS[order](wide)


@pytest.mark.parametrize("order", ORDERS)
def test_sums_agree_with_numpy(order: str) -> None:
    x = halves(23, 4)
    code, flags = total(as_codes(x), F16, ARITHMETIC, Accumulation(order=order))
    assert float(decode(code, F16)) == ORDERS[order](list(x))
    assert flags == Flag.INEXACT


def test_exact_products_are_fused_into_the_sum() -> None:
    x, y = halves(12, 1), halves(12, 2)
    held = 0
    for a, b in zip(as_codes(x), as_codes(y), strict=True):
        held, _ = arithmetic.fma(a, b, held, F16)
    code, _ = dot(as_codes(x), as_codes(y), F16, ARITHMETIC, Accumulation(product="exact"))
    assert code == held


def test_the_fused_order_rounds_once() -> None:
    x, y = halves(40, 5), halves(40, 6)
    exact = [float(a) * float(b) for a, b in zip(x, y, strict=True)]
    plan = Accumulation(F64, "exact", "fused")
    code, _ = dot(as_codes(x), as_codes(y), F16, ARITHMETIC, plan)
    assert float(decode(code, F64)) == math.fsum(exact)
    one, big = encode(1, F16)[0], encode(-60000, F16)[0]
    terms = [encode(60000, F16)[0], one, big, encode(60000, F16)[0], big]
    assert total(terms, F16, ARITHMETIC, Accumulation(order="fused")) == (one, NONE)


def test_operands_of_two_formats_need_an_accumulator() -> None:
    a, b = [0x38, 0x40], [0x3C, 0x40]  # 1, 2 in each
    code, flags = dot(a, b, (E4M3FN, E5M2), ARITHMETIC, Accumulation(F32, out=F16))
    assert (float(decode(code, F16)), flags) == (5.0, NONE)
    with pytest.raises(FormatError, match="out="):
        dot(a, b, (E4M3FN, E5M2))


def test_the_result_is_rounded_to_its_own_format() -> None:
    x = halves(9, 7)
    wide, _ = total(as_codes(x), F16, ARITHMETIC, Accumulation(F32))
    narrow, _ = total(as_codes(x), F16, ARITHMETIC, Accumulation(F32, out=E4M3FN))
    assert narrow == cast(wide, F32, E4M3FN)[0]


@pytest.mark.parametrize("order", [*ORDERS, "fused"])
def test_sums_start_at_positive_zero(order: str) -> None:
    plan = Accumulation(order=order)
    assert total([], F16, ARITHMETIC, plan) == (0, NONE)
    assert total([0x8000, 0x8000], F16, ARITHMETIC, plan) == (0, NONE)
    down = How(Rounding.TOWARD_NEGATIVE, nan="max")
    assert total([0x8000, 0x8000], F16, down, plan) == (0x8000, NONE)


@pytest.mark.parametrize("order", [*ORDERS, "fused"])
def test_special_values_go_through(order: str) -> None:
    plan = Accumulation(order=order)
    inf, one, nan = 0x7C00, 0x3C00, 0x7E00
    assert total([one, inf, one], F16, ARITHMETIC, plan) == (inf, NONE)
    assert total([one, inf, 0xFC00], F16, ARITHMETIC, plan) == (nan, Flag.INVALID)
    assert total([one, 0xFE01, one], F16, ARITHMETIC, plan) == (nan, NONE)
    assert total([one, 0x7C01, one], F16, ARITHMETIC, plan) == (nan, Flag.INVALID)
    assert dot([inf, one], [0, one], F16, ARITHMETIC, plan) == (nan, Flag.INVALID)


def test_flags_of_all_steps_are_kept() -> None:
    big, minus = encode(40000, F16)[0], encode(-40000, F16)[0]
    inf_minus, flags = total([big, big, minus, minus], F16)
    assert (inf_minus, flags) == (0x7C00, Flag.OVERFLOW | Flag.INEXACT)
    assert total([big, minus, big, minus], F16) == (0, NONE)


def test_matrices_are_dots() -> None:
    rng = np.random.default_rng(3)
    a, b = rng.integers(0, 0x7C, (3, 5)), rng.integers(0x80, 0xFC, (5, 2))
    plan = Accumulation(F32, "exact")
    codes, flags = matmul(a, b, E5M2, ARITHMETIC, plan)
    assert codes.shape == flags.shape == (3, 2)
    for i, j in np.ndindex(3, 2):
        expected = dot(a[i].tolist(), b[:, j].tolist(), E5M2, ARITHMETIC, plan)
        assert (int(codes[i, j]), Flag(int(flags[i, j]))) == expected


def test_stochastic_accumulators_take_one_number_a_step() -> None:
    mode = How(Stochastic(2), nan="max")
    one, quarter = 0x38, encode(0.25 / 8, E4M3FN)[0]
    plan = Accumulation(product="exact", random_bits=[0, 3, 0])
    ones = [one] * 3
    code, _ = dot([one, quarter, quarter], ones, E4M3FN, mode, plan)
    assert code == 0x39  # the second step went up, the third did not
    never = dataclasses.replace(plan, random_bits=[3, 2, 2])
    assert dot([one, quarter, quarter], ones, E4M3FN, mode, never)[0] == 0x38
    codes, _ = matmul(
        [[one, quarter]],
        [[one, one], [one, one]],
        E4M3FN,
        mode,
        dataclasses.replace(plan, random_bits=[0, 3, 3, 0]),
    )
    assert codes.tolist() == [[0x39, 0x38]]
    with pytest.raises(OptionError, match="random_bits"):
        dot(ones, ones, E4M3FN, mode, Accumulation(product="exact"))
    with pytest.raises(OptionError, match="sequential"):
        dot(ones, ones, E4M3FN, mode, dataclasses.replace(plan, order="pairwise"))


@pytest.mark.parametrize("order", ["random", "blocked:0", "blocked:x", "blocked", "pairwise:2"])
def test_unknown_orders_are_refused(order: str) -> None:
    with pytest.raises(OptionError, match="blocked:n"):
        total([0], F16, ARITHMETIC, Accumulation(order=order))


def test_unknown_products_are_refused() -> None:
    with pytest.raises(OptionError, match="exact"):
        dot([0], [0], F16, ARITHMETIC, Accumulation(product="fused"))  # type: ignore[arg-type]
