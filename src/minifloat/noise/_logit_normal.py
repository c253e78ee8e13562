"""Densities on (0, 1) whose logit is Gaussian."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from minifloat._errors import OptionError
from minifloat.noise._base import Float64Array, Noise, check_interval, check_positive
from minifloat.noise._families import NORMAL

__all__ = ["LogitNormal", "TruncatedLogitNormal"]


def _logit(level: Float64Array) -> Float64Array:
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(level) - np.log1p(-np.asarray(level)))


@dataclass(frozen=True, slots=True)
class LogitNormal(Noise):
    """Logit-normal noise ``1 / (1 + exp(-g))``, g Gaussian, clipped to [low, high].

    Parameters
    ----------
    mean, std : float
        Of the Gaussian g.
    low, high : float
        In [0, 1], of the noise; what lies beyond is moved to the end.

    Raises
    ------
    OptionError
        If a parameter is out of range.

    Examples
    --------
    >>> LogitNormal(0.0, 1.0).probability_up([0.25, 0.5]).round(4).tolist()
    [0.136, 0.5]
    """

    mean: float = 0.0
    std: float = 1.0
    low: float = 0.0
    high: float = 1.0

    def __post_init__(self) -> None:
        check_positive(self, "std")
        check_interval(self, 0.0, 1.0)

    def survival(self, level: Float64Array) -> Float64Array:
        """Probability that the noise is at least `level`; see `Noise.survival`."""
        inside = NORMAL.tail((_logit(level) - self.mean) / self.std)
        return np.where(level <= self.low, 1.0, np.where(level > self.high, 0.0, inside))


@dataclass(frozen=True, slots=True)
class TruncatedLogitNormal(Noise):
    """Logit-normal noise ``1 / (1 + exp(-g))``, g drawn again until the noise is in [low, high].

    Parameters
    ----------
    mean, std : float
        Of the Gaussian g before truncation.
    low, high : float
        In [0, 1], low < high.

    Raises
    ------
    OptionError
        If a parameter is out of range, or the interval holds no probability.

    Examples
    --------
    >>> TruncatedLogitNormal(0.0, 1.0, 0.25, 0.75).probability_up([0.25, 0.6]).round(4).tolist()
    [0.0, 0.7162]
    """

    mean: float = 0.0
    std: float = 1.0
    low: float = 0.0
    high: float = 1.0

    def __post_init__(self) -> None:
        check_positive(self, "std")
        check_interval(self, 0.0, 1.0, truncated=True)
        if not np.isfinite(self.survival(np.array([1.0]))).all():
            msg = f"{self}: [low, high] holds no probability that float64 can tell from 0"
            raise OptionError(msg)

    def survival(self, level: Float64Array) -> Float64Array:
        """Probability that the noise is at least `level`; see `Noise.survival`."""
        ends = (_logit(np.array([self.low, self.high])) - self.mean) / self.std
        z = (_logit(np.clip(level, self.low, self.high)) - self.mean) / self.std
        share = NORMAL.share(z, float(ends[0]), float(ends[1]))
        return np.where(np.asarray(level) <= self.low, 1.0, share)
