"""Densities of noise centred on half a quantum: round to nearest, then disturbed.

The noise is ``1/2 + n`` with n in [-1/2, 1/2]: n = 0 rounds to nearest, ties away from zero.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from minifloat._errors import OptionError
from minifloat.noise._base import Float64Array, Noise, check_interval, check_positive
from minifloat.noise._families import LAPLACE, LOGISTIC, NORMAL, Family

__all__ = [
    "Laplace",
    "Logistic",
    "Normal",
    "TruncatedLaplace",
    "TruncatedLogistic",
    "TruncatedNormal",
]


def _clipped(
    level: Float64Array, family: Family, mean: float, scale: float, low: float, high: float
) -> Float64Array:
    """Survival of noise whose n is drawn, then moved to the nearest end if outside."""
    n = np.asarray(level) - 0.5
    inside = family.tail((n - mean) / scale)
    return np.where(n <= low, 1.0, np.where(n > high, 0.0, inside))


def _truncated(
    level: Float64Array, family: Family, mean: float, scale: float, low: float, high: float
) -> Float64Array:
    """Survival of noise whose n is drawn again until it is inside."""
    n = np.clip(np.asarray(level) - 0.5, low, high)
    share = family.share((n - mean) / scale, (low - mean) / scale, (high - mean) / scale)
    return np.where(n == low, 1.0, share)


def _check_mass(noise: Noise) -> None:
    if not np.isfinite(noise.survival(np.array([1.0]))).all():
        msg = f"{noise}: [low, high] holds no probability that float64 can tell from 0"
        raise OptionError(msg)


@dataclass(frozen=True, slots=True)
class Normal(Noise):
    """Round to nearest disturbed by Gaussian noise, clipped to [low, high].

    Parameters
    ----------
    mean, std : float
        Of the noise n, in units of the quantum; 0 is round to nearest with ties away.
    low, high : float
        In [-0.5, 0.5]; what lies beyond is moved to the end, which gets a probability of its own.

    Raises
    ------
    OptionError
        If a parameter is out of range.

    Examples
    --------
    >>> Normal(0.0, 0.1).probability_up([0.25, 0.5]).round(4).tolist()
    [0.0062, 0.5]
    """

    mean: float = 0.0
    std: float = 0.1
    low: float = -0.5
    high: float = 0.5

    def __post_init__(self) -> None:
        check_positive(self, "std")
        check_interval(self, -0.5, 0.5)

    def survival(self, level: Float64Array) -> Float64Array:
        """Probability that the noise is at least `level`; see `Noise.survival`."""
        return _clipped(level, NORMAL, self.mean, self.std, self.low, self.high)


@dataclass(frozen=True, slots=True)
class TruncatedNormal(Noise):
    """Round to nearest disturbed by Gaussian noise, drawn again until it is in [low, high].

    Parameters
    ----------
    mean, std : float
        Of the noise n before truncation, in units of the quantum.
    low, high : float
        In [-0.5, 0.5], low < high.

    Raises
    ------
    OptionError
        If a parameter is out of range, or the interval holds no probability.

    Examples
    --------
    >>> TruncatedNormal(0.0, 0.1, -0.2, 0.1).probability_up([0.5]).round(4).tolist()
    [0.417]
    """

    mean: float = 0.0
    std: float = 0.1
    low: float = -0.5
    high: float = 0.5

    def __post_init__(self) -> None:
        check_positive(self, "std")
        check_interval(self, -0.5, 0.5, truncated=True)
        _check_mass(self)

    def survival(self, level: Float64Array) -> Float64Array:
        """Probability that the noise is at least `level`; see `Noise.survival`."""
        return _truncated(level, NORMAL, self.mean, self.std, self.low, self.high)


@dataclass(frozen=True, slots=True)
class Laplace(Noise):
    """Round to nearest disturbed by Laplace noise, clipped to [low, high].

    Parameters
    ----------
    mean, scale : float
        Of the noise n, in units of the quantum; its variance is ``2 * scale**2``.
    low, high : float
        In [-0.5, 0.5]; what lies beyond is moved to the end.

    Raises
    ------
    OptionError
        If a parameter is out of range.

    Examples
    --------
    >>> Laplace(0.0, 0.1).probability_up([0.25, 0.5]).round(4).tolist()
    [0.041, 0.5]
    """

    mean: float = 0.0
    scale: float = 0.1
    low: float = -0.5
    high: float = 0.5

    def __post_init__(self) -> None:
        check_positive(self, "scale")
        check_interval(self, -0.5, 0.5)

    def survival(self, level: Float64Array) -> Float64Array:
        """Probability that the noise is at least `level`; see `Noise.survival`."""
        return _clipped(level, LAPLACE, self.mean, self.scale, self.low, self.high)


@dataclass(frozen=True, slots=True)
class TruncatedLaplace(Noise):
    """Round to nearest disturbed by Laplace noise, truncated to [low, high].

    Parameters
    ----------
    mean, scale : float
        Of the noise n before truncation, in units of the quantum.
    low, high : float
        In [-0.5, 0.5], low < high.

    Raises
    ------
    OptionError
        If a parameter is out of range.

    Examples
    --------
    >>> TruncatedLaplace(0.0, 0.1, 0.0, 0.5).probability_up([0.25, 0.5]).round(4).tolist()
    [0.0759, 1.0]
    """

    mean: float = 0.0
    scale: float = 0.1
    low: float = -0.5
    high: float = 0.5

    def __post_init__(self) -> None:
        check_positive(self, "scale")
        check_interval(self, -0.5, 0.5, truncated=True)

    def survival(self, level: Float64Array) -> Float64Array:
        """Probability that the noise is at least `level`; see `Noise.survival`."""
        return _truncated(level, LAPLACE, self.mean, self.scale, self.low, self.high)


@dataclass(frozen=True, slots=True)
class Logistic(Noise):
    """Round to nearest disturbed by logistic noise, clipped to [low, high].

    Parameters
    ----------
    mean, scale : float
        Of the noise n, in units of the quantum.
    low, high : float
        In [-0.5, 0.5]; what lies beyond is moved to the end.

    Raises
    ------
    OptionError
        If a parameter is out of range.

    Examples
    --------
    >>> Logistic(0.0, 0.1).probability_up([0.25, 0.5]).round(4).tolist()
    [0.0759, 0.5]
    """

    mean: float = 0.0
    scale: float = 0.1
    low: float = -0.5
    high: float = 0.5

    def __post_init__(self) -> None:
        check_positive(self, "scale")
        check_interval(self, -0.5, 0.5)

    def survival(self, level: Float64Array) -> Float64Array:
        """Probability that the noise is at least `level`; see `Noise.survival`."""
        return _clipped(level, LOGISTIC, self.mean, self.scale, self.low, self.high)


@dataclass(frozen=True, slots=True)
class TruncatedLogistic(Noise):
    """Round to nearest disturbed by logistic noise, truncated to [low, high].

    Parameters
    ----------
    mean, scale : float
        Of the noise n before truncation, in units of the quantum.
    low, high : float
        In [-0.5, 0.5], low < high.

    Raises
    ------
    OptionError
        If a parameter is out of range.

    Examples
    --------
    >>> TruncatedLogistic(0.0, 0.1, -0.2, 0.2).probability_up([0.4, 0.5]).round(4).tolist()
    [0.1966, 0.5]
    """

    mean: float = 0.0
    scale: float = 0.1
    low: float = -0.5
    high: float = 0.5

    def __post_init__(self) -> None:
        check_positive(self, "scale")
        check_interval(self, -0.5, 0.5, truncated=True)

    def survival(self, level: Float64Array) -> Float64Array:
        """Probability that the noise is at least `level`; see `Noise.survival`."""
        return _truncated(level, LOGISTIC, self.mean, self.scale, self.low, self.high)
