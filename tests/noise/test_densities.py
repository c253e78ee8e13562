"""Noise densities against quadrature of their densities, and what follows from them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest

import minifloat as mf
from minifloat import OptionError, noise

Floats = npt.NDArray[np.float64]
BITS = 10
LEVELS = np.arange(1, 2**BITS + 1) / 2**BITS


def normal(z: Floats) -> Floats:
    return np.exp(-z * z / 2) / math.sqrt(2 * math.pi)


def laplace(z: Floats) -> Floats:
    return np.exp(-np.abs(z)) / 2


def logistic(z: Floats) -> Floats:
    return 1 / (4 * np.cosh(z / 2) ** 2)


def integral(density: Callable[[Floats], Floats], low: float, high: float) -> float:
    """Gauss-Legendre on pieces that end at 0, where Laplace's density has its corner."""
    nodes, weights = np.polynomial.legendre.leggauss(40)
    ends = [end for end in np.linspace(low, high, 41).tolist() if end != 0]
    if low < 0 < high:
        ends = sorted([*ends, 0.0])
    total = 0.0
    for a, b in itertools.pairwise(ends):
        points = a + (b - a) * (1 + nodes) / 2
        total += float(density(points) @ weights) * (b - a) / 2
    return total


def tail(density: Callable[[Floats], Floats], z: float) -> float:
    if z > 0:
        return integral(density, z, z + 40)
    return 1 - integral(density, z - 40, z)


FAMILIES = [
    (normal, noise.Normal, noise.TruncatedNormal),
    (laplace, noise.Laplace, noise.TruncatedLaplace),
    (logistic, noise.Logistic, noise.TruncatedLogistic),
]
PARAMETERS = [
    (0.0, 0.1, -0.5, 0.5),
    (0.05, 0.3, -0.15, 0.25),
    (-0.2, 0.05, 0.1, 0.4),
    (0.3, 2.0, -0.5, -0.1),
    (0.0, 0.02, -0.01, 0.5),
]


@pytest.mark.parametrize("parameters", PARAMETERS)
@pytest.mark.parametrize(("density", "clipped", "truncated"), FAMILIES)
def test_centred_densities(
    density: Callable[[Floats], Floats],
    clipped: type[noise.Noise],
    truncated: type[noise.Noise],
    parameters: tuple[float, float, float, float],
) -> None:
    mean, scale, low, high = parameters
    levels = LEVELS[::31]
    n = levels - 0.5
    z = (n - mean) / scale
    tails = np.array([tail(density, value) for value in z])
    expected = np.where(n <= low, 1.0, np.where(n > high, 0.0, tails))
    found = clipped(*parameters).survival(levels)  # type: ignore[call-arg]
    np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-13)
    whole = integral(density, (low - mean) / scale, (high - mean) / scale)
    above = [
        integral(density, (min(max(value, low), high) - mean) / scale, (high - mean) / scale)
        for value in n
    ]
    found = truncated(*parameters).survival(levels)  # type: ignore[call-arg]
    np.testing.assert_allclose(found, np.array(above) / whole, rtol=1e-9, atol=1e-13)


@pytest.mark.parametrize(
    "parameters", [(0.0, 1.0, 0.0, 1.0), (0.3, 0.8, 0.15, 0.85), (-2.0, 0.3, 0.0, 0.4)]
)
def test_logit_normal_densities(parameters: tuple[float, float, float, float]) -> None:
    mean, std, low, high = parameters

    def z_of(level: float) -> float:
        if level in (0.0, 1.0):
            return math.copysign(30.0, level - 0.5)  # the mass beyond is below 1e-190
        return (math.log(level / (1 - level)) - mean) / std

    levels = LEVELS[:-1:31]
    tails = np.array([tail(normal, z_of(level)) for level in levels])
    expected = np.where(levels <= low, 1.0, np.where(levels > high, 0.0, tails))
    found = noise.LogitNormal(*parameters).survival(levels)
    np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-13)
    whole = integral(normal, z_of(low), z_of(high))
    above = [integral(normal, z_of(min(max(level, low), high)), z_of(high)) for level in levels]
    found = noise.TruncatedLogitNormal(*parameters).survival(levels)
    np.testing.assert_allclose(found, np.array(above) / whole, rtol=1e-9, atol=1e-13)


def test_uniform_and_bernoulli() -> None:
    found = noise.Uniform(0.25, 0.75).survival(LEVELS)
    np.testing.assert_array_equal(found, np.clip((0.75 - LEVELS) * 2, 0, 1))
    assert noise.Uniform(0.5, 0.5).probability_up([0.0, 0.49, 0.5, 0.9]).tolist() == [0, 0, 1, 1]
    assert noise.Bernoulli(0.125).probability_up([0.0, 1e-9, 0.999]).tolist() == [0, 0.875, 0.875]


@pytest.mark.parametrize(("_density", "_clipped", "truncated"), FAMILIES)
def test_far_tails_and_narrow_intervals_keep_their_accuracy(
    _density: object, _clipped: object, truncated: type[noise.Noise]
) -> None:
    # Far out every one of these is close to an exponential; a narrow piece of it is nearly flat.
    far = truncated(-2.0, 0.1, 0.4, 0.4 + 2.0**-16)  # type: ignore[call-arg]
    levels = 0.9 + np.array([0.0, 0.25, 0.5, 0.75, 1.0]) * 2.0**-16
    found = far.survival(levels)
    assert found[0] == 1.0
    assert found[-1] == 0.0
    np.testing.assert_allclose(found, [1, 0.75, 0.5, 0.25, 0], atol=2e-3)
    assert (np.diff(found) < 0).all()


@pytest.mark.parametrize("exact", [noise.TruncatedLaplace, noise.TruncatedLogistic])
def test_exponential_tails_never_run_out(exact: type[noise.Noise]) -> None:
    found = exact(-0.5, 1e-4, 0.4, 0.5).survival(np.array([0.9, 0.9001, 0.95]))  # type: ignore[call-arg]
    np.testing.assert_allclose(found[:2], [1, math.exp(-1)], rtol=1e-9)
    assert found[2] < 1e-200


ALL = [
    noise.Uniform(0.1, 0.9),
    noise.Normal(0.1, 0.2, -0.3, 0.4),
    noise.TruncatedNormal(0.1, 0.2, -0.3, 0.4),
    noise.Laplace(0.1, 0.2, -0.3, 0.4),
    noise.TruncatedLaplace(0.1, 0.2, -0.3, 0.4),
    noise.Logistic(0.1, 0.2, -0.3, 0.4),
    noise.TruncatedLogistic(0.1, 0.2, -0.3, 0.4),
    noise.LogitNormal(0.1, 0.7, 0.2, 0.9),
    noise.TruncatedLogitNormal(0.1, 0.7, 0.2, 0.9),
    noise.Bernoulli(0.3),
]


@pytest.mark.parametrize("density", ALL, ids=lambda density: type(density).__name__)
def test_probabilities_rise_with_the_fraction(density: noise.Noise) -> None:
    fractions = np.arange(2**BITS) / 2**BITS
    chances = density.probability_up(fractions)
    assert chances[0] == 0
    assert (np.diff(chances) >= 0).all()
    assert ((chances >= 0) & (chances <= 1)).all()


@pytest.mark.parametrize("bits", [1, 5, 16])
@pytest.mark.parametrize("density", ALL, ids=lambda density: type(density).__name__)
def test_mass_and_table_are_two_views_of_one_distribution(density: noise.Noise, bits: int) -> None:
    mass, table = density.mass(bits), density.table(bits)
    assert mass.shape == table.shape == (2**bits,)
    assert mass.min() >= 0
    assert math.isclose(mass.sum(), 1.0, abs_tol=1e-12)
    # A fraction k goes up when the noise is 2**bits - k or more.
    chances = np.concatenate([[0.0], np.cumsum(mass[:0:-1])])
    found = np.where(table == 2**32 - 1, 2.0**32, table)
    assert np.abs(found - chances * 2.0**32).max() <= 1
    assert table.dtype == np.uint32


@pytest.mark.parametrize("density", ALL, ids=lambda density: type(density).__name__)
def test_every_density_serves_every_verb(density: noise.Noise) -> None:
    x = np.random.default_rng(2).normal(size=3000).astype(np.float32)
    how = {"rounding": mf.Stochastic(bits=8, noise=density), "rng": 4}
    codes = mf.encode(x, "e4m3fn", **how)
    np.testing.assert_array_equal(mf.decode(codes, "e4m3fn"), mf.quantize(x, "e4m3fn", **how))
    wide = mf.encode(x, "float32")
    np.testing.assert_array_equal(mf.cast(wide, "float32", "e4m3fn", **how), codes)
    down, up = (mf.encode(np.abs(x), "e4m3fn", rounding=mode) for mode in ("rtz", "raz"))
    assert ((codes & 0x7F) >= down).all()
    assert ((codes & 0x7F) <= up).all()
    assert 0 < ((codes & 0x7F) > down).mean() < 1


def test_bernoulli_sees_what_the_bits_lose() -> None:
    rounding = mf.Stochastic(bits=1, noise=noise.Bernoulli(0.0))
    tiny = np.array([1 + 2.0**-40, 1e-300, 1.0, 0.0])
    assert mf.quantize(tiny, "e4m3fn", rounding=rounding, rng=0).tolist() == [1.125, 2**-9, 1, 0]
    plan = mf._plans.plan_for(mf.get_format("float64"), "e4m3fn", rounding)
    assert plan.core.round_exact(False, -63, 2**63, True, 0)[0] == 0x39


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: noise.Uniform(0.5, 0.4), "must not exceed"),
        (lambda: noise.Uniform(-0.1, 0.4), r"\[0, 1\]"),
        (lambda: noise.Normal(0.0, 0.0), "positive"),
        (lambda: noise.Normal(0.0, math.inf), "positive"),
        (lambda: noise.Normal(math.nan, 1.0), "finite"),
        (lambda: noise.Laplace(0.0, 0.1, -0.6, 0.5), r"\[-0.5, 0.5\]"),
        (lambda: noise.Logistic(0.0, 0.1, 0.0, math.nan), r"\[-0.5, 0.5\]"),
        (lambda: noise.TruncatedNormal(0.0, 0.1, 0.2, 0.2), "must lie below"),
        (lambda: noise.TruncatedNormal(0.0, 0.005, 0.4, 0.5), "no probability"),
        (lambda: noise.TruncatedLogitNormal(0.0, 0.01, 0.9, 1.0), "no probability"),
        (lambda: noise.Bernoulli(1.01), r"\[0, 1\]"),
        (lambda: noise.Uniform().table(17), "1 to 16 bits"),
        (lambda: noise.Uniform().mass(0), "1 to 16 bits"),
        (lambda: noise.Uniform().probability_up([1.0]), "0 <= fraction < 1"),
        (lambda: noise.from_text("norml"), "did you mean 'normal'"),
        (lambda: noise.from_text("normal:sd=1"), "has no parameter 'sd'"),
        (lambda: noise.from_text("normal:std=wide"), "is no number"),
    ],
)
def test_what_makes_no_sense_is_refused(make: Callable[[], object], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        make()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("uniform", noise.Uniform()),
        ("Normal:mean=0.1, std=0.2", noise.Normal(0.1, 0.2)),
        ("truncated-laplace:low=-0.25,high=0", noise.TruncatedLaplace(low=-0.25, high=0.0)),
        ("bernoulli:probability_down=0.75", noise.Bernoulli(0.75)),
    ],
)
def test_densities_as_text(text: str, expected: noise.Noise) -> None:
    assert noise.from_text(text) == expected


def test_the_plot_shows_density_and_probability() -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    density = noise.TruncatedNormal(0.0, 0.2, -0.25, 0.25)
    axes = density.plot(bits=6)
    try:
        curve = axes[1].lines[1]
        np.testing.assert_array_equal(curve.get_ydata(), density.probability_up(np.arange(64) / 64))
        np.testing.assert_array_equal(axes[0].patches[0].get_data().values, density.mass(6) * 64)
        again = density.plot(bits=6, axes=axes)
        assert again[0] is axes[0]
    finally:
        plt.close("all")
