"""Probabilities of stochastic rounding, exactly: every random number for every fraction."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, Literal

import gfloat
import gfloat.formats
import numpy as np
import numpy.typing as npt
import pytest
from inputs import random_float32

import minifloat as mf
from minifloat.reference.bulk import encode_array
from minifloat.reference.how import How

Array = npt.NDArray[Any]
Variant = Literal["floor", "nearest", "centred"]
VARIANTS: tuple[Variant, ...] = ("floor", "nearest", "centred")


def closed_form(fractions: Array, one: int, bits: int, variant: str) -> Array:
    """Numbers r below 2**bits that round fractions / one up, of 2**bits."""
    scaled = fractions * 2**bits  # exact integers over `one`
    floor, rest = np.divmod(scaled, one)
    match variant:
        case "floor":
            return floor
        case "centred":
            return (2 * scaled + one) // (2 * one)
    return floor + ((2 * rest > one) | ((2 * rest == one) & (floor % 2 == 1)))


def counts_up(x: Array, name: str, mode: mf.Stochastic, below: Array) -> Array:
    """How many of all random numbers move each value off the code below it."""
    assert mode.bits is not None
    r = np.arange(1 << mode.bits)
    codes = mf.encode(
        np.broadcast_to(x, (r.size, x.size)), name, rounding=mode, random_bits=r[:, None]
    )
    up = codes != below
    np.testing.assert_array_equal(codes[up], np.broadcast_to(below + 1, codes.shape)[up])
    return up.sum(axis=0)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("bits", range(1, 13))
def test_counts_over_all_random_numbers(bits: int, variant: Variant, dtype: Any) -> None:
    fine = min(bits + 2, 11)  # fractions beyond the N-bit grid too
    if bits > 9:
        fractions = np.unique(np.r_[0:6, 2**11 - 6 : 2**11, 1 : 2**11 : 97, 2**10 - 3 : 2**10 + 4])
        fine = 11
    else:
        fractions = np.arange(1 << fine)
    one = 1 << fine
    mode = mf.Stochastic(bits, variant)
    for name, exponent in (("e4m3fn", 0), ("e4m3fn", -9), ("e2m1fn", 1), ("int8", 0)):
        # Code `low` is the value at the start of a quantum 2**unit.
        unit = {"e4m3fn": max(exponent, -6) - 3, "e2m1fn": 0, "int8": 0}[name]
        start = {"e4m3fn": 2.0**exponent if exponent > -9 else 0.0, "e2m1fn": 2.0, "int8": 5.0}[
            name
        ]
        x = (start + fractions / one * 2.0**unit).astype(dtype)
        below = np.full(x.shape, mf.encode(start, name))
        expected = closed_form(fractions, one, bits, variant)
        np.testing.assert_array_equal(counts_up(x, name, mode, below), expected)
        negative = mf.encode(-start, name)
        if name != "int8" and start:
            np.testing.assert_array_equal(
                counts_up(-x, name, mode, np.full(x.shape, negative)), expected
            )


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("bits", [1, 4, 8, 13, 16, 17, 23, 32, 33, 48, 64])
@pytest.mark.parametrize(
    "name", ["e4m3fn", "e5m2", "hifloat8", "dlfloat16", "e8m0fnu", "uint5", "binary8p1se"]
)
def test_thresholds_are_exact_for_any_number_of_bits(
    name: str, bits: int, variant: Variant
) -> None:
    """Up begins at one r: the reference says the same on both sides of it, and at the ends."""
    fmt = mf.get_format(name)
    x = np.abs(random_float32(60, bits, fmt)).astype(np.float64) * (1 + 2.0**-40)
    x = x[(x > 0) & (x < float(fmt.max))]
    low = mf.encode(x, fmt, rounding="rtz")
    one = 1 << bits
    mode = mf.Stochastic(bits, variant)
    first = np.array([one] * x.size, object)  # the smallest r that goes up, by bisection
    bottom = np.zeros(x.size, object)
    while (bottom < first).any():
        middle = (bottom + first) // 2
        probe = np.minimum(middle, one - 1)
        up = (mf.encode(x, fmt, rounding=mode, random_bits=probe.astype(np.uint64)) != low) & (
            middle < one
        )
        first = np.where(up, middle, first)
        bottom = np.where(up, bottom, np.minimum(middle + 1, first))
    how = How(mode)
    for change in (-1, 0):
        r = np.clip(first + change, 0, one - 1).astype(np.uint64)
        expected, _ = encode_array(x, fmt, how, random_bits=r)
        np.testing.assert_array_equal(mf.encode(x, fmt, rounding=mode, random_bits=r), expected)
        np.testing.assert_array_equal(expected != low, r.astype(object) >= first)


@pytest.mark.parametrize("source", [np.float16, np.float32])
def test_bits_none_makes_the_probability_the_fraction(source: Any) -> None:
    trailing = {np.float16: 10, np.float32: 23}[source]
    spare = trailing - 3
    rng = np.random.default_rng(1)
    fractions = rng.integers(1, 2**spare, 200)
    x = (1 + fractions / 2.0**spare / 8).astype(source)
    low = mf.encode(1.0, "e4m3fn")
    threshold = (2**32 - fractions * 2 ** (32 - spare)).astype(np.uint64)
    assert (mf.encode(x, "e4m3fn", rounding="sr", random_bits=threshold) == low + 1).all()
    assert (mf.encode(x, "e4m3fn", rounding="sr", random_bits=threshold - 1) == low).all()


def test_bits_none_uses_64_bits_for_float64_and_wide_integers() -> None:
    x = 1 + 2.0**-52
    up = np.uint64(2**64 - 2**15)
    assert mf.encode(x, "e4m3fn", rounding="sr", random_bits=up) == 0x39
    assert mf.encode(x, "e4m3fn", rounding="sr", random_bits=up - np.uint64(1)) == 0x38
    n = np.int64(2**40 + 1)
    assert mf.encode(n, "bf16", rounding="sr", random_bits=np.uint64(2**64 - 2**31)) == 0x5381
    assert mf.encode(n, "bf16", rounding="sr", random_bits=np.uint64(2**64 - 2**31 - 1)) == 0x5380
    for narrow in (np.float32(1.01), np.float16(1.01), np.int16(257)):
        with pytest.raises(mf.OptionError, match=r"below 2\*\*32"):
            mf.encode(narrow, "e4m3fn", rounding="sr", random_bits=2**32)


EXACT = [
    "e4m3fn",
    "e5m2",
    "e2m1fn",
    "hifloat8",
    "bf16",
    "e8m0fnu",
    "int8",
    "binary8p3se",
    "dlfloat16",
]


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("bits", [1, 8, 16, 20, 32, 64])
@pytest.mark.parametrize("name", EXACT)
def test_exact_values_infinities_and_nans_never_move(
    name: str, bits: int, variant: Variant
) -> None:
    fmt = mf.get_format(name)
    codes = np.arange(1 << fmt.bits).astype(np.uint16)
    x = mf.decode(codes, fmt, dtype=np.float64)
    expected = mf.encode(x, fmt)
    mode = mf.Stochastic(bits, variant)
    for r in (0, (1 << bits) - 1):
        for source in (x, x.astype(np.float32)) if name != "bf16" else (x,):
            flags = np.empty(x.shape, np.uint8)
            got = mf.encode(source, fmt, rounding=mode, random_bits=np.uint64(r), flags=flags)
            np.testing.assert_array_equal(got, expected)
            assert not (flags & ~np.uint8(mf.Flag.INVALID)).any()
    far = np.array([np.inf, -np.inf, np.nan])
    np.testing.assert_array_equal(
        mf.encode(far, fmt, rounding=mode, rng=1, nan="zero"), mf.encode(far, fmt, nan="zero")
    )


@pytest.mark.parametrize(
    "noise", [mf.noise.Uniform(), mf.noise.Bernoulli(0.25), mf.noise.Normal(0.3, 2.0)]
)
def test_exact_values_never_move_under_densities(noise: mf.noise.Noise) -> None:
    codes = np.arange(0x7F)
    x = mf.decode(codes, "e4m3fn")
    for r in (0, 2**32 - 1):
        mode = mf.Stochastic(8, noise=noise)
        np.testing.assert_array_equal(
            mf.encode(x, "e4m3fn", rounding=mode, random_bits=np.uint32(r)), codes
        )


@pytest.mark.parametrize("exponent", [-10, -11, -14, -17, -21, -25])
def test_below_half_the_smallest_subnormal_the_probability_is_exact(exponent: int) -> None:
    x = np.full(4, 2.0**exponent, np.float32)  # the smallest is 2**-9
    for bits in (4, 8, 16, 24):
        k = 2 ** (bits + 9 + exponent) if bits + 9 + exponent >= 0 else 0
        r = np.array([0, max(2**bits - k - 1, 0), min(2**bits - k, 2**bits - 1), 2**bits - 1])
        codes = mf.encode(x, "e4m3fn", rounding=mf.Stochastic(bits), random_bits=r)
        assert codes.tolist() == [int(number + k >= 2**bits) for number in r.tolist()]
        flags = np.empty(4, np.uint8)
        mf.encode(x, "e4m3fn", rounding=mf.Stochastic(bits), random_bits=r, flags=flags)
        assert set(flags.tolist()) == {mf.Flag.INEXACT | mf.Flag.UNDERFLOW}


def test_carries_into_the_next_binade_and_into_the_normal_range() -> None:
    mode = mf.Stochastic(4)
    x = np.array([2 - 2.0**-4, -(2 - 2.0**-4), 7.75 * 2.0**-9], np.float32)
    assert mf.encode(x, "e4m3fn", rounding=mode, random_bits=[7, 7, 3]).tolist() == [
        0x3F,
        0xBF,
        0x07,
    ]
    assert mf.encode(x, "e4m3fn", rounding=mode, random_bits=[8, 8, 4]).tolist() == [
        0x40,
        0xC0,
        0x08,
    ]


def test_overflow_is_judged_on_the_rounded_result() -> None:
    mode = mf.Stochastic(4)
    x = np.array([464.0, -464.0, 448.0, 480.0, 1000.0], np.float32)
    flags = np.empty(5, np.uint8)
    low = mf.encode(x, "e4m3fn", rounding=mode, random_bits=7, flags=flags)
    assert low.tolist() == [0x7E, 0xFE, 0x7E, 0x7F, 0x7F]
    assert flags.tolist() == [1, 1, 0, 5, 5]
    high = mf.encode(x, "e4m3fn", rounding=mode, random_bits=8, flags=flags)
    assert high.tolist() == [0x7F, 0xFF, 0x7E, 0x7F, 0x7F]
    assert flags.tolist() == [5, 5, 0, 5, 5]
    clamped = mf.encode(x, "e4m3fn", rounding=mode, random_bits=8, overflow="saturate")
    assert clamped.tolist() == [0x7E, 0xFE, 0x7E, 0x7E, 0x7E]
    assert mf.encode(127.5, "int8", rounding=mode, random_bits=8) == 127


def test_noise_acts_on_magnitudes() -> None:
    x = random_float32(2000, 3, mf.get_format("e5m2"))
    r = np.random.default_rng(1).integers(0, 256, x.size)
    mode = mf.Stochastic(8)
    up = mf.encode(x, "e5m2", rounding=mode, random_bits=r)
    down = mf.encode(-x, "e5m2", rounding=mode, random_bits=r)
    np.testing.assert_array_equal(up ^ 0x80, down)
    integers = mf.encode(np.float32([2.5, -2.5]), "int8", rounding=mode, random_bits=127)
    assert integers.tolist() == [2, 256 - 2]


def test_tininess_is_tested_before_rounding() -> None:
    x = np.float32(2.0**-6 * (1 - 2.0**-8))  # rounds to the smallest normal value in all modes
    for r in (0, 255):
        flags = np.empty((), np.uint8)
        mf.encode(x, "e4m3fn", rounding=mf.Stochastic(8), random_bits=r, flags=flags)
        assert flags == mf.Flag.UNDERFLOW | mf.Flag.INEXACT
    mf.encode(x, "e4m3fn", flags=flags)
    assert flags == mf.Flag.INEXACT


GFLOAT = {
    "floor": gfloat.RoundMode.StochasticFastest,
    "centred": gfloat.RoundMode.StochasticFast,
    "nearest": gfloat.RoundMode.Stochastic,
}
GFLOAT_FORMATS = {
    "ocp_e4m3": "float8_e4m3fn",
    "ocp_e5m2": "float8_e5m2",
    "ocp_e2m1": "float4_e2m1fn",
    "ocp_e3m2": "float6_e3m2fn",
    "p3109_k8p1se": "p3109_k8p1se",
    "p3109_k8p3se": "p3109_k8p3se",
}


@pytest.mark.parametrize("bits", [1, 2, 5, 8])
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("theirs", GFLOAT_FORMATS)
def test_gfloat_rounds_alike_with_the_same_bits(theirs: str, variant: Variant, bits: int) -> None:
    info = next(f for f in gfloat.formats.sample_formats if f.name == theirs)
    fmt = mf.get_format(GFLOAT_FORMATS[theirs])
    x = np.repeat(random_float32(1500, bits, fmt).astype(np.float64), 3)
    x = x[np.isfinite(x)]
    r = np.random.default_rng(bits).integers(0, 1 << bits, x.size)
    values = gfloat.round_ndarray(info, x, GFLOAT[variant], sat=True, srbits=r, srnumbits=bits)
    mode = mf.Stochastic(bits, variant)
    ours = mf.quantize(x, fmt, rounding=mode, random_bits=r, overflow="saturate")
    np.testing.assert_array_equal(ours, values)


@pytest.mark.parametrize("bits", [1, 4, 8, 12, 16])
def test_tables_of_densities_are_thresholds(bits: int) -> None:
    noise = mf.noise.Normal(0.0, 0.2)
    table = noise.table(bits)
    chosen = np.unique(np.linspace(0, 2**bits - 1, 300).astype(int))
    x = 1 + chosen / 2.0**bits / 8
    mode = mf.Stochastic(bits, noise=noise)
    for change in (-1, 0):
        r = np.clip(table[chosen].astype(np.int64) + change, 0, 2**32 - 1)
        up = (r < table[chosen]) | (table[chosen] == 2**32 - 1)
        for source in (x.astype(np.float32), x):
            codes = mf.encode(source, "e4m3fn", rounding=mode, random_bits=r.astype(np.uint32))
            np.testing.assert_array_equal(codes - 0x38, up & (chosen > 0))


def test_the_uniform_density_is_the_floor_variant() -> None:
    x = random_float32(3000, 9, mf.get_format("e4m3fn"))
    r = np.random.default_rng(3).integers(0, 2**8, x.size)
    plain = mf.encode(x, "e4m3fn", rounding=mf.Stochastic(8), random_bits=r)
    # up iff r >= 2**8 - k; the table is compared with 2**8 - 1 - r, spread over 32 bits
    spread = (255 - r).astype(np.uint32) << np.uint32(24)
    mode = mf.Stochastic(8, noise=mf.noise.Uniform())
    np.testing.assert_array_equal(mf.encode(x, "e4m3fn", rounding=mode, random_bits=spread), plain)


def test_means_are_unbiased() -> None:
    x = np.full(1 << 16, 1.3, np.float64)
    for bits in (16, 32):
        values = mf.quantize(x, "e4m3fn", rounding=mf.Stochastic(bits), rng=12)
        share = Fraction(int((values == 1.375).sum()), x.size)
        deviation = math.sqrt(0.4 * 0.6 / x.size)
        assert abs(float(share) - 0.4) < 5 * deviation
