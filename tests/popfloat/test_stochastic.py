"""Stochastic rounding: probabilities by enumeration of the random bits, and repeatability."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

import minifloat as mf
from minifloat import OptionError
from minifloat.popfloat import FormatConfig, GfloatCast, RoundConfig

E5M2 = FormatConfig(2, 5, 15, True, True)
DENSITIES: dict[str, dict[str, float]] = {
    "UNIFORM": {"min": 0.65, "max": 0.85},
    "NORMAL": {"offset": 0.03, "scale": 0.2, "min": 0.0, "max": 0.42},
    "TRUNCATED_NORMAL": {"offset": -0.1, "scale": 0.3, "min": -0.15, "max": 0.25},
    "LAPLACE": {"offset": 0.05, "scale": 0.15, "min": -0.41, "max": 0.3},
    "TRUNCATED_LAPLACE": {"offset": 0.05, "scale": 0.15, "min": -0.2, "max": 0.5},
    "LOGISTIC": {"offset": -0.02, "scale": 0.1, "min": -0.35, "max": 0.15},
    "TRUNCATED_LOGISTIC": {"offset": -0.02, "scale": 0.1, "min": -0.35, "max": -0.15},
    "LOGIT_NORMAL": {"offset": 0.3, "scale": 0.8, "min": 0.05, "max": 0.45},
    "TRUNCATED_LOGIT_NORMAL": {"offset": -0.3, "scale": 0.8, "min": 0.15, "max": 0.85},
    "BERNOULLI": {"bernoulli_prob": 0.45},
}


def quantiser(rounds: RoundConfig, config: FormatConfig = E5M2) -> GfloatCast:
    return GfloatCast(config, rounds, True, "FP32")


def ladder(bits: int, sign: int = 1, exponent: int = 0) -> npt.NDArray[np.float32]:
    """All fractions of `bits` bits between two neighbours of E5M2."""
    fractions = np.arange(2**bits) / 2.0**bits
    return (sign * (1.25 + fractions / 4) * 2.0**exponent).astype(np.float32)


def ups(gf: GfloatCast, x: npt.NDArray[np.float32], **how: object) -> npt.NDArray[np.bool_]:
    found = gf.cast_native_to_gfloat(x, **how)
    return np.abs(found) > np.abs(x)


@pytest.mark.parametrize("bits", [1, 2, 3, 7, 10, 12])
@pytest.mark.parametrize("sign", [1, -1])
def test_sx_counts_over_all_random_numbers(bits: int, sign: int) -> None:
    x = ladder(8, sign)
    draws = np.arange(2**bits)[:, np.newaxis]
    gf = quantiser(RoundConfig("SX", bits))
    counts = ups(gf, np.broadcast_to(x, (2**bits, x.size)), random_bits=draws).sum(axis=0)
    # min(N, T) bits: the fraction is cut to N bits; fewer bits in it lose nothing.
    expected = np.arange(256) * 2**bits // 256
    np.testing.assert_array_equal(counts, expected)


def test_sx_counts_in_the_denormal_range_and_at_zero() -> None:
    step = 2.0**-16
    x = ((np.arange(256) / 256) * step).astype(np.float32)
    draws = np.arange(256)[:, np.newaxis]
    found = quantiser(RoundConfig("SX", 8)).cast_native_to_gfloat(
        np.broadcast_to(x, (256, 256)), random_bits=draws
    )
    assert np.isin(found, [0, np.float32(step)]).all()
    np.testing.assert_array_equal((found > 0).sum(axis=0), np.arange(256))


def test_sr_uses_every_discarded_bit() -> None:
    gf = quantiser(RoundConfig("SR", 3))  # the number of bits does not matter
    x = np.float32(1.25) + np.float32(2.0**-23)  # the last bit of single: fraction 2**-21
    top = 2**32 - 2**11
    assert not ups(gf, np.full(2, x), random_bits=np.uint32([0, top - 1])).any()
    assert ups(gf, np.full(2, x), random_bits=np.uint32([top, 2**32 - 1])).all()


@pytest.mark.parametrize("mode", ["SR", "SX"])
def test_exact_values_never_move(mode: str) -> None:
    table = E5M2.to_format()
    x = mf.decode(np.arange(0x7C, dtype=np.uint8), table)
    ones = np.uint64(2**23 - 1) if mode == "SX" else np.uint64(2**32 - 1)
    found = quantiser(RoundConfig(mode)).cast_native_to_gfloat(x, random_bits=ones)
    np.testing.assert_array_equal(found, x)


@pytest.mark.parametrize("density", DENSITIES)
def test_exact_values_never_move_under_noise(density: str) -> None:
    x = mf.decode(np.arange(0x7C, dtype=np.uint8), E5M2.to_format())
    rounds = RoundConfig("SX", 8, density, **DENSITIES[density])
    for draw in (0, 2**32 - 1):
        found = quantiser(rounds).cast_native_to_gfloat(x, random_bits=np.uint64(draw))
        np.testing.assert_array_equal(found, x)


def thresholds(gf: GfloatCast, x: npt.NDArray[np.float32]) -> npt.NDArray[np.uint64]:
    """Number of the 2**32 draws that round each value up, found by bisection."""
    low, high = np.zeros(x.shape, np.uint64), np.full(x.shape, 2**32, np.uint64)
    for _ in range(33):
        middle = (low + high) // 2
        up = ups(gf, x, random_bits=np.minimum(middle, 2**32 - 1)) & (middle < 2**32)
        low, high = np.where(up, middle + 1, low), np.where(up, high, middle)
    return low


@pytest.mark.parametrize("bits", [1, 4, 8, 12, 16])
@pytest.mark.parametrize("density", DENSITIES)
def test_every_threshold_of_a_density(density: str, bits: int) -> None:
    rounds = RoundConfig("SX", bits, density, **DENSITIES[density])
    x = ladder(min(bits, 8) + 1)  # one bit more than the fraction keeps, where that is few
    noise = rounds.noise
    assert noise is not None
    counts = thresholds(quantiser(rounds), x)
    fractions = np.arange(x.size) / x.size
    kept = fractions if density == "BERNOULLI" else np.floor(fractions * 2**bits) / 2.0**bits
    chances = noise.probability_up(kept)
    expected = np.rint(chances * 2.0**32).astype(np.uint64)
    np.testing.assert_array_equal(counts, np.where(expected >= 2**32 - 1, 2**32, expected))


def test_bernoulli_moves_every_inexact_value_alike() -> None:
    gf = quantiser(RoundConfig("SX", 8, "BERNOULLI", bernoulli_prob=0.25))
    above = np.nextafter(np.float32([1.25, 1e-3, 0.0, -1.25]), np.float32([9, 9, 9, -9]))
    doubles = np.nextafter([1.25, 2.0**-16, 0.0, -1.25], [9, 9, 9, -9])
    for x in (above, above[:1].astype(np.float64), doubles):
        draws = [0, 2**32 * 3 // 4 - 1, 2**32 * 3 // 4, 2**32 - 1]
        found = [ups(gf, x, random_bits=np.uint64(draw)).all() for draw in draws]
        assert found == [True, True, False, False]
        gone = ups(gf, x, random_bits=np.uint64(2**32 - 1))
        assert not gone.any()


@pytest.mark.parametrize(
    ("density", "parameters", "mode"),
    [
        ("UNIFORM", {"min": 0.0, "max": 0.0}, "RZ"),
        ("UNIFORM", {"min": 0.5, "max": 0.5}, "RA"),
        ("NORMAL", {"scale": 0.3, "min": 0.0, "max": 0.0}, "RA"),
        ("NORMAL", {"scale": 0.3, "min": -0.5, "max": -0.5}, "RZ"),
        ("LAPLACE", {"scale": 0.3, "min": 0.0, "max": 0.0}, "RA"),
        ("LOGISTIC", {"scale": 0.3, "min": 0.0, "max": 0.0}, "RA"),
        ("LOGIT_NORMAL", {"scale": 0.3, "min": 0.5, "max": 0.5}, "RA"),
        ("LOGIT_NORMAL", {"scale": 0.3, "min": 0.0, "max": 0.0}, "RZ"),
        ("BERNOULLI", {"bernoulli_prob": 1.0}, "RZ"),
    ],
)
def test_constant_noise_is_a_deterministic_mode(
    density: str, parameters: dict[str, float], mode: str
) -> None:
    rng = np.random.default_rng(3)
    x = np.concatenate([ladder(10), ladder(10, -1, -20), rng.normal(size=5000).astype(np.float32)])
    found = quantiser(RoundConfig("SX", 12, density, **parameters)).cast_native_to_gfloat(x, rng=7)
    np.testing.assert_array_equal(found, quantiser(RoundConfig(mode)).cast_native_to_gfloat(x))


def test_no_random_bits_truncate() -> None:
    x = np.random.default_rng(4).normal(size=1000).astype(np.float32)
    expected = quantiser(RoundConfig("RZ")).cast_native_to_gfloat(x)
    for rounds in (RoundConfig("SX", 0), RoundConfig("SX", 0, "UNIFORM", min=0.0, max=1.0)):
        np.testing.assert_array_equal(quantiser(rounds).cast_native_to_gfloat(x), expected)


@pytest.mark.parametrize("density", [d for d in DENSITIES if d != "BERNOULLI"])
def test_the_noise_has_its_distribution(density: str) -> None:
    """Kolmogorov-Smirnov: one draw against all fractions gives the noise that was drawn."""
    bits, count = 7, 20_000
    rounds = RoundConfig("SX", bits, density, **DENSITIES[density])
    gf = quantiser(rounds)
    key = mf.Key(11)
    noise = np.zeros(count, np.int64)
    for x in ladder(bits)[1:]:
        noise += ups(gf, np.full(count, x), rng=key)
    model = rounds.noise
    assert model is not None
    levels = np.arange(1, 2**bits) / 2.0**bits
    below = 1 - model.survival(levels)
    empirical = np.searchsorted(np.sort(noise), np.arange(2**bits - 1), side="right") / count
    # 1.95 / sqrt(n) bounds the distance in 999 of 1000 samples; the seed is fixed.
    assert np.abs(empirical - below).max() < 1.95 / np.sqrt(count)
    assert len(np.unique(noise)) > 5


@pytest.mark.parametrize("density", [None, *DENSITIES])
def test_repeatable_over_workers_offsets_and_instruction_sets(density: str | None) -> None:
    x = np.random.default_rng(9).normal(size=70_001).astype(np.float32)
    rounds = RoundConfig("SR")
    if density is not None:
        rounds = RoundConfig("SX", 9, density, **DENSITIES[density])
    gf = quantiser(rounds)
    first = gf.cast_native_to_gfloat(x, rng=5, workers=1)
    best = mf._core.isa()
    try:
        for level in mf._core.isa_levels():
            mf._core.set_isa(level)
            for workers in (1, 2, 3):
                found = gf.cast_native_to_gfloat(x, rng=5, workers=workers)
                np.testing.assert_array_equal(found, first)
    finally:
        mf._core.set_isa(best)
    part = gf.cast_native_to_gfloat(x[1000:], rng=mf.Key(5).at(1000))
    np.testing.assert_array_equal(part, first[1000:])
    assert (gf.cast_native_to_gfloat(x, rng=6) != first).any()


def test_the_mean_of_many_casts_is_the_value() -> None:
    x = np.full(200_000, 1.3, np.float32)
    found = quantiser(RoundConfig("SR")).cast_native_to_gfloat(x, rng=1)
    assert abs(float(found.mean()) - 1.3) < 4 * 0.25 * np.sqrt(0.16 / x.size)


def test_overflow_is_judged_on_the_rounded_value() -> None:
    top = 57344.0
    x = np.full(4, top + 4096, np.float32)
    draws = np.array([0, 1, 2, 3])
    for nanoo, over in ((True, np.nan), (False, top)):
        gf = GfloatCast(E5M2, RoundConfig("SX", 2), nanoo, "FP32")
        found = gf.cast_native_to_gfloat(x, random_bits=draws)
        np.testing.assert_array_equal(found, np.float32([top, top, over, over]))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("SX", 8, "NORMAL"), "needs min="),
        (("SX", 8, "NORMAL", 0.0, None, 0.5, -0.5), "needs scale="),
        (("SX", 8, "NORMAL", 0.0, 0.0, 0.5, -0.5), "positive"),
        (("SX", 8, "NORMAL", 0.0, 0.1, 0.6, -0.5), r"\[-0.5, 0.5\]"),
        (("SX", 8, "LOGISTIC", 0.0, 0.1, 1.0, 0.0), r"\[-0.5, 0.5\]"),
        (("SX", 8, "NORMAL", 0.0, 0.1, -0.1, 0.1), "must not exceed"),
        (("SX", 8, "TRUNCATED_LAPLACE", 0.0, 0.1, 0.1, 0.1), "must lie below"),
        (("SX", 8, "TRUNCATED_NORMAL", 0.0, 0.001, 0.5, 0.4), "no probability"),
        (("SX", 8, "UNIFORM", 0.0, None, 1.5, 0.0), r"\[0, 1\]"),
        (("SX", 8, "LOGIT_NORMAL", 0.0, 1.0, 0.5, -0.5), r"\[0, 1\]"),
        (("SX", 8, "BERNOULLI", 0.0, None, None, None, 1.5), r"\[0, 1\]"),
        (("SX", 33), "0 to 32"),
        (("SR", 8, "UNIFORM", 0.0, None, 1.0, 0.0), "needs round_mode=SX"),
        (("RN", 8, "UNIFORM", 0.0, None, 1.0, 0.0), "needs round_mode=SX"),
        (("INV",), "is no mode"),
    ],
)
def test_meaningless_roundings_are_refused(arguments: tuple[object, ...], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        RoundConfig(*arguments)  # type: ignore[arg-type]


def test_randomness_is_never_hidden() -> None:
    with pytest.raises(OptionError, match="no hidden randomness"):
        quantiser(RoundConfig("SR")).cast_native_to_gfloat(np.float32([1.3]))
