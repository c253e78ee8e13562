"""Stochastic rounding of arithmetic results, bit by bit against the reference."""

from __future__ import annotations

import numpy as np
import pytest

import minifloat as mf
from minifloat.reference import arithmetic
from minifloat.reference.how import How

VERBS = {"add": 2, "sub": 2, "mul": 2, "div": 2, "sqrt": 1, "fma": 3}


def operands(fmt: mf.Format, size: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    values = rng.standard_normal(size) * np.ldexp(1.0, rng.integers(-4, 5, size))
    return np.asarray(mf.encode(values, fmt, overflow="saturate"))


@pytest.mark.parametrize("variant", ["floor", "nearest", "centred"])
@pytest.mark.parametrize("bits", [1, 7, 32, 63])
@pytest.mark.parametrize(
    "name", ["float8_e4m3fn", "hifloat8", "float16", "bfloat16", "float32", "float64", "dlfloat16"]
)
def test_results_are_the_references(name: str, bits: int, variant: str) -> None:
    fmt, size = mf.get_format(name), 40
    mode = mf.Stochastic(bits, variant)
    rng = np.random.default_rng(bits)
    drawn = rng.integers(0, 2**bits, size, np.uint64)
    for verb, count in VERBS.items():
        codes = [operands(fmt, size, seed) for seed in range(count)]
        flags = np.zeros(size, np.uint8)
        found = getattr(mf, verb)(*codes, fmt, rounding=mode, random_bits=drawn, flags=flags)
        for i in range(size):
            how = How(mode, nan="max", random_bits=int(drawn[i]))
            row = [int(c[i]) for c in codes]
            assert (found[i], flags[i]) == getattr(arithmetic, verb)(*row, fmt, how), row


def test_a_key_gives_every_element_its_own_bits() -> None:
    a, b = operands(mf.get_format("float16"), 500, 1), operands(mf.get_format("float16"), 500, 2)
    how = {"rounding": mf.Stochastic(8), "rng": mf.Key(5)}
    whole = mf.mul(a, b, "float16", **how)
    parts = [
        mf.mul(
            a[i : i + 77], b[i : i + 77], "float16", rounding=mf.Stochastic(8), rng=mf.Key(5).at(i)
        )
        for i in range(0, 500, 77)
    ]
    np.testing.assert_array_equal(whole, np.concatenate(parts))
    assert (whole != mf.mul(a, b, "float16")).any()


def test_without_random_bits_it_is_an_error() -> None:
    with pytest.raises(mf.OptionError, match="rng="):
        mf.add(0x38, 0x38, "e4m3fn", rounding="sr")
    with pytest.raises(mf.OptionError, match="random_bits="):
        mf.add(0x38, 0x38, "e4m3fn", random_bits=1)
