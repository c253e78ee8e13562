"""Matrix products against the reference: every order, product, mode and format, flags, noise."""

from __future__ import annotations

import numpy as np
import pytest

import minifloat as mf
from minifloat import _core
from minifloat._rounding import Rounding
from minifloat.reference.how import How
from minifloat.reference.matmul import Accumulation
from minifloat.reference.matmul import matmul as reference_matmul
from minifloat.reference.matmul import total as reference_total

MODES = tuple(mode for mode in Rounding if mode is not Rounding.HYBRID)
ORDERS = ("sequential", "pairwise", "blocked:3", "fused")


def codes(fmt: mf.Format, shape: tuple[int, ...], seed: int, spread: float = 2.0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    values = rng.standard_normal(shape) * 2.0 ** rng.integers(-spread, spread + 1, shape)
    found = mf.encode(values, fmt, overflow="saturate")
    wild = rng.integers(0, 1 << fmt.bits, shape, np.uint64) << np.uint64(fmt.code_shift)
    return np.where(rng.random(shape) < 0.03, wild, found).astype(found.dtype)


CASES = [
    ("float8_e4m3fn", None),
    ("float8_e5m2", None),
    ("float8_e4m3fn", "float16"),
    ("float16", None),
    ("bfloat16", None),
    ("bfloat16", "float32"),
    ("tfloat32", "float32"),
    ("hifloat8", "bfloat16"),
    ("float8_e4m3fnuz", None),
    ("float6_e3m2fn", None),
    ("binary8p3se", None),
    ("float64", None),
]


@pytest.mark.parametrize("product", ["rounded", "exact"])
@pytest.mark.parametrize(("name", "accumulator"), CASES)
def test_every_mode_and_order_gives_the_references_codes(
    name: str, accumulator: str | None, product: str
) -> None:
    fmt = mf.get_format(name)
    held = mf.get_format(accumulator or name)
    a, b = codes(fmt, (3, 11), 1), codes(fmt, (11, 2), 2)
    for order in ORDERS:
        for mode in MODES:
            how = How(mode, nan="max", overflow=held.default_overflow)
            plan = Accumulation(held, product, order)
            expected, flags = reference_matmul(a, b, fmt, how, plan)
            keywords = {"rounding": mode, "accumulator": held, "product": product, "order": order}
            np.testing.assert_array_equal(mf.matmul(a, b, fmt, **keywords), expected)
            raised = np.zeros(expected.shape, np.uint8)
            found = mf.matmul(a, b, fmt, flags=raised, **keywords)
            np.testing.assert_array_equal(found, expected)
            np.testing.assert_array_equal(raised, flags)


@pytest.mark.parametrize("level", _core.isa_levels())
@pytest.mark.parametrize(
    "name", ["float16", "bfloat16", "float8_e4m3fn", "float8_e5m2", "tfloat32"]
)
def test_vector_paths_equal_the_scalar_core(name: str, level: str) -> None:
    fmt = mf.get_format(name)
    before = _core.isa()
    _core.set_isa(level)
    try:
        for spread, mode in ((3, "rne"), (3, "rtn"), (40, "rne"), (40, "rto"), (120, "rna")):
            a = codes(fmt, (2, 7, 50), 3, min(spread, 120))
            b = codes(fmt, (2, 50, 70), 4, min(spread, 120))
            for order in ORDERS[:3]:
                keywords = {"rounding": mode, "order": order}
                scalar = mf.matmul(a, b, fmt, flags=mf.Flags(), **keywords)
                np.testing.assert_array_equal(mf.matmul(a, b, fmt, **keywords), scalar)
                two = mf.matmul(a, b, fmt, workers=2, **keywords)
                np.testing.assert_array_equal(two, scalar)
    finally:
        _core.set_isa(before)


@pytest.mark.parametrize("name", ["float16", "float32", "float8_e4m3fn", "hifloat8"])
def test_stochastic_accumulators_draw_by_output_and_step(name: str) -> None:
    fmt = mf.get_format(name)
    a, b = codes(fmt, (2, 5), 5), codes(fmt, (5, 3), 6)
    bits = np.random.default_rng(7).integers(0, 2**12, (2, 3, 5), np.uint64)
    mode = mf.Stochastic(12)
    found = mf.matmul(a, b, fmt, product="exact", rounding=mode, random_bits=bits)
    for i, j in np.ndindex(2, 3):
        plan = Accumulation(fmt, "exact", random_bits=[int(r) for r in bits[i, j]])
        column = b[:, j : j + 1]
        expected, _ = reference_matmul(a[i : i + 1], column, fmt, How(mode, nan="max"), plan)
        assert found[i, j] == expected[0, 0]
    key = mf.Key(3)
    whole = mf.matmul(a, b, fmt, product="exact", rounding=mode, rng=key)
    last = mf.matmul(a[1:], b, fmt, product="exact", rounding=mode, rng=key.at(15))
    np.testing.assert_array_equal(whole[1:], last)


def test_shapes_are_numpys() -> None:
    fmt = "bfloat16"
    for left, right in (
        ((4,), (4,)),
        ((4,), (4, 3)),
        ((2, 4), (4,)),
        ((5, 2, 4), (4, 3)),
        ((5, 2, 4), (5, 4, 3)),
        ((6, 1, 2, 4), (5, 4, 3)),
        ((2, 0), (0, 3)),
        ((0, 4), (4, 3)),
    ):
        a = mf.encode(np.random.default_rng(1).integers(-3, 4, left).astype(float), fmt)
        b = mf.encode(np.random.default_rng(2).integers(-3, 4, right).astype(float), fmt)
        found = mf.matmul(a, b, fmt)
        expected = np.matmul(mf.decode(a, fmt), mf.decode(b, fmt))
        assert np.shape(found) == expected.shape
        np.testing.assert_array_equal(mf.decode(found, fmt), expected)


def test_inner_dimensions_must_agree() -> None:
    with pytest.raises(mf.DtypeError, match="inner dimensions"):
        mf.matmul(np.zeros((2, 3), np.uint8), np.zeros((2, 3), np.uint8), "e4m3fn")


def test_a_pair_of_formats_needs_an_accumulator() -> None:
    a, b = np.full((1, 2), 0x38, np.uint8), np.full((2, 1), 0x3C, np.uint8)
    with pytest.raises(mf.FormatError, match="accumulator"):
        mf.matmul(a, b, ("e4m3fn", "e5m2"))
    found = mf.matmul(a, b, ("e4m3fn", "e5m2"), accumulator="float16", out_format="e5m2")
    assert found.tolist() == [[0x40]]


@pytest.mark.parametrize("order", ORDERS)
def test_sums_are_the_references(order: str) -> None:
    fmt = mf.get_format("float8_e5m2")
    terms = codes(fmt, (13, 4), 8)
    for mode in MODES:
        how = How(mode, nan="max")
        expected = [
            reference_total([int(c) for c in terms[:, j]], fmt, how, Accumulation(order=order))[0]
            for j in range(4)
        ]
        found = mf.sum(terms, fmt, axis=0, rounding=mode, order=order)
        assert found.tolist() == expected
    everything = mf.sum(terms, fmt, order=order)
    assert everything == mf.sum(terms.ravel(), fmt, order=order)
    assert mf.sum(terms[:0], fmt, axis=0).tolist() == [0, 0, 0, 0]
