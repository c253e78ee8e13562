"""What every noise density has: its survival function, and all that follows from it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar, TypeAlias

import numpy as np
import numpy.typing as npt

from minifloat._errors import OptionError

__all__ = ["Float64Array", "Noise", "check_interval", "check_positive"]

Float64Array: TypeAlias = npt.NDArray[np.float64]


class Noise(ABC):
    """A distribution of the noise added to a discarded fraction, in units of the quantum.

    The noise is taken on the grid of N random bits and capped at ``1 - 2**-N``, so that exact
    values never move: a fraction f > 0 on that grid rounds up when the noise reaches ``1 - f``.
    Noise acts on magnitudes, so the two signs behave alike. Subclasses are frozen dataclasses that
    define `survival`.
    """

    jams: ClassVar[bool] = False
    """Whether a fraction below ``2**-bits`` counts as ``2**-bits`` instead of 0."""

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

        Raises
        ------
        OptionError
            If a fraction lies outside [0, 1).

        Examples
        --------
        >>> from minifloat.noise import Uniform
        >>> Uniform().probability_up([0.0, 0.25, 0.75]).tolist()
        [0.0, 0.25, 0.75]
        """
        f = np.asarray(fraction, dtype=np.float64)
        if not ((f >= 0) & (f < 1)).all():
            msg = "probability_up takes fractions of the quantum: 0 <= fraction < 1"
            raise OptionError(msg)
        return np.where(f > 0, np.clip(self.survival(1.0 - f), 0.0, 1.0), 0.0)

    def mass(self, bits: int) -> Float64Array:
        """Probability of each value that the noise takes on the grid of N random bits.

        Parameters
        ----------
        bits : int
            N, 1 to 16.

        Returns
        -------
        ndarray, shape (2**bits,), float64
            Entry k belongs to noise in ``[k / 2**bits, (k + 1) / 2**bits)``; what lies below 0 or
            at 1 and above counts in the first and the last. The sum is 1.

        Raises
        ------
        OptionError
            If `bits` is out of range.

        Examples
        --------
        >>> from minifloat.noise import Uniform
        >>> Uniform(0.0, 0.5).mass(2).tolist()
        [0.5, 0.5, 0.0, 0.0]
        """
        levels = _grid(bits)
        reached = np.clip(self.survival(levels[1:]), 0.0, 1.0)
        falling = np.concatenate([[1.0], reached, [0.0]])
        return np.asarray(falling[:-1] - falling[1:])

    def table(self, bits: int) -> npt.NDArray[np.uint32]:
        """Thresholds t: ``k / 2**bits`` rounds up iff a uniform 32-bit draw is below t[k].

        Parameters
        ----------
        bits : int
            N, 1 to 16.

        Returns
        -------
        ndarray, shape (2**bits,), uint32
            The nearest to ``P(up) * 2**32``; ``2**32 - 1`` means always.

        Raises
        ------
        OptionError
            If `bits` is out of range.

        Examples
        --------
        >>> from minifloat.noise import Uniform
        >>> Uniform().table(1).tolist()
        [0, 2147483648]
        """
        scaled = np.rint(self.probability_up(_grid(bits)) * 2.0**32)
        return np.minimum(scaled, 2.0**32 - 1).astype(np.uint32)

    def plot(self, bits: int = 8, axes: Any = None) -> Any:
        """Draw the density and the probability of rounding up against the fraction.

        Parameters
        ----------
        bits : int
            N of the grid that the noise is taken on, 1 to 16.
        axes : sequence of two matplotlib Axes, optional
            For the density and for the probability; made when omitted.

        Returns
        -------
        ndarray, shape (2,), of matplotlib Axes

        Raises
        ------
        MissingExtraError
            If matplotlib is not installed.
        OptionError
            If `bits` is out of range.
        """
        from minifloat.noise._plot import plot

        return plot(self, bits, axes)


def _grid(bits: int) -> Float64Array:
    if isinstance(bits, bool) or not isinstance(bits, (int, np.integer)) or not 1 <= bits <= 16:
        msg = f"bits={bits!r}: a noise density is tabled over 1 to 16 bits"
        raise OptionError(msg)
    return np.arange(2**bits) / 2.0**bits


def check_interval(noise: Any, least: float, most: float, *, truncated: bool = False) -> None:
    """Refuse ends that are disordered or out of range.

    Parameters
    ----------
    noise : Noise
        With `low` and `high`.
    least, most : float
        Allowed range of both.
    truncated : bool
        Whether the interval needs a width.

    Raises
    ------
    OptionError
        With what is allowed.
    """
    low, high = noise.low, noise.high
    if not (least <= low <= most and least <= high <= most):
        msg = f"{noise}: low and high must lie in [{least:g}, {most:g}]"
        raise OptionError(msg)
    if low > high or (truncated and low == high):
        relation = "low must lie below high" if truncated else "low must not exceed high"
        msg = f"{noise}: {relation}"
        raise OptionError(msg)


def check_positive(noise: Any, name: str) -> None:
    """Refuse a scale that is not positive, and a mean that is not finite.

    Parameters
    ----------
    noise : Noise
        With a `mean`.
    name : str
        Of the scale.

    Raises
    ------
    OptionError
    """
    scale = getattr(noise, name)
    if not (0 < scale < np.inf and -np.inf < noise.mean < np.inf):
        msg = f"{noise}: {name} must be positive and finite, mean finite"
        raise OptionError(msg)
