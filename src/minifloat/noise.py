"""Noise densities for stochastic rounding.

A density says how likely a discarded fraction is to round up; it becomes a table of thresholds over
the fractions of an N-bit grid, so that no sample of the noise itself is ever drawn.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from minifloat._errors import OptionError

__all__ = ["Noise", "Uniform"]

Float64Array = npt.NDArray[np.float64]


class Noise(ABC):
    """A distribution of the noise added to a discarded fraction, in units of the quantum.

    The noise is taken on the grid of N random bits and capped at ``1 - 2**-N``, so that exact
    values never move: a fraction f > 0 on that grid rounds up when the noise reaches ``1 - f``.
    Subclasses are frozen dataclasses that define `survival`.
    """

    @abstractmethod
    def survival(self, level: Float64Array) -> Float64Array:
        """Probability that the noise is at least `level`.

        Parameters
        ----------
        level : ndarray, float64
            Levels in (0, 1].

        Returns
        -------
        ndarray, float64
        """

    def probability_up(self, fraction: npt.ArrayLike) -> Float64Array:
        """Probability that a discarded fraction rounds up.

        Parameters
        ----------
        fraction : array_like
            Fractions of the quantum, in [0, 1).

        Returns
        -------
        ndarray, float64
            0 where the fraction is 0.

        Examples
        --------
        >>> Uniform().probability_up([0.0, 0.25, 0.75]).tolist()
        [0.0, 0.25, 0.75]
        """
        f = np.asarray(fraction, dtype=np.float64)
        return np.where(f > 0, np.clip(self.survival(1.0 - f), 0.0, 1.0), 0.0)

    def table(self, bits: int) -> npt.NDArray[np.uint32]:
        """Thresholds t: a fraction ``k / 2**bits`` rounds up iff a uniform 32-bit draw is below t[k].

        Parameters
        ----------
        bits : int
            N, 1 to 16.

        Returns
        -------
        ndarray, shape (2**bits,), uint32
            ``2**32 - 1`` means always.
        """
        fractions = np.arange(2**bits) / 2.0**bits
        scaled = np.rint(self.probability_up(fractions) * 2.0**32)
        return np.minimum(scaled, 2.0**32 - 1).astype(np.uint32)


@dataclass(frozen=True, slots=True)
class Uniform(Noise):
    """Uniform noise on [low, high): the plain stochastic rounding is ``Uniform(0, 1)``.

    Parameters
    ----------
    low, high : float
        Ends of the interval; equal ends are constant noise (0 truncates, 0.5 rounds ties away).

    Raises
    ------
    OptionError
        If ``low > high``.
    """

    low: float = 0.0
    high: float = 1.0

    def __post_init__(self) -> None:
        if not self.low <= self.high:
            msg = f"Uniform(low={self.low}, high={self.high}): low must not exceed high"
            raise OptionError(msg)

    def survival(self, level: Float64Array) -> Float64Array:
        """Probability that the noise is at least `level`; see `Noise.survival`."""
        if self.low == self.high:
            return np.where(level <= self.low, 1.0, 0.0)
        return np.asarray((self.high - level) / (self.high - self.low))
