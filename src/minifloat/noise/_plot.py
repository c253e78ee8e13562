"""The plot of a noise density."""

from __future__ import annotations

from typing import Any

import numpy as np

from minifloat._errors import MissingExtraError
from minifloat.noise._base import Noise

__all__ = ["plot"]


def plot(noise: Noise, bits: int = 8, axes: Any = None) -> Any:
    """Draw a density on its N-bit grid, and the probability of rounding up.

    Parameters
    ----------
    noise : Noise
    bits : int
        N, 1 to 16.
    axes : sequence of two matplotlib Axes, optional
        Made when omitted.

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
    mass = noise.mass(bits)
    fractions = np.arange(2**bits) / 2.0**bits
    if axes is None:
        axes = _new_axes()
    density, chance = np.ravel(np.asarray(axes, dtype=object))
    density.stairs(mass * 2.0**bits, np.append(fractions, 1.0), fill=True, alpha=0.4)
    density.set(xlabel="noise (quanta)", ylabel=f"density on {bits} bits", xlim=(0, 1), title=noise)
    chance.plot(fractions, fractions, color="0.7", linewidth=1, linestyle="--", label="unbiased")
    chance.plot(fractions, noise.probability_up(fractions), drawstyle="steps-post", label="P(up)")
    chance.set(xlabel="discarded fraction (quanta)", ylabel="P(round up)", xlim=(0, 1))
    chance.legend()
    return np.array([density, chance], dtype=object)


def _new_axes() -> Any:
    try:
        import matplotlib.pyplot as plt
    except ModuleNotFoundError as error:
        msg = "plots need matplotlib: pip install 'minifloat[plot]'"
        raise MissingExtraError(msg) from error
    return plt.subplots(1, 2, figsize=(10, 4), layout="constrained")[1]
