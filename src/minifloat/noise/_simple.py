"""The densities without a scale: uniform and Bernoulli."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from minifloat._errors import OptionError
from minifloat.noise._base import Float64Array, Noise, check_interval

__all__ = ["Bernoulli", "Uniform"]


@dataclass(frozen=True, slots=True)
class Uniform(Noise):
    """Uniform noise on [low, high): the plain stochastic rounding is ``Uniform(0, 1)``.

    Parameters
    ----------
    low, high : float
        Ends of the interval, in [0, 1]; equal ends are constant noise (0 truncates, 0.5 rounds
        ties away).

    Raises
    ------
    OptionError
        If the ends are disordered or out of range.
    """

    low: float = 0.0
    high: float = 1.0

    def __post_init__(self) -> None:
        check_interval(self, 0.0, 1.0)

    def survival(self, level: Float64Array) -> Float64Array:
        """Probability that the noise is at least `level`; see `Noise.survival`."""
        if self.low == self.high:
            return np.where(level <= self.low, 1.0, 0.0)
        return np.clip((self.high - level) / (self.high - self.low), 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class Bernoulli(Noise):
    """Every inexact value rounds towards zero with one probability, whatever its fraction.

    Parameters
    ----------
    probability_down : float
        In [0, 1].

    Raises
    ------
    OptionError
        If the probability is out of range.

    Examples
    --------
    >>> Bernoulli(0.25).probability_up([0.0, 0.001, 0.999]).tolist()
    [0.0, 0.75, 0.75]
    """

    jams: ClassVar[bool] = True

    probability_down: float = 0.5

    def __post_init__(self) -> None:
        if not 0 <= self.probability_down <= 1:
            msg = f"{self}: a probability lies in [0, 1]"
            raise OptionError(msg)

    def survival(self, level: Float64Array) -> Float64Array:
        """Probability that the noise is at least `level`; see `Noise.survival`."""
        return np.full(np.shape(level), 1.0 - self.probability_down)
