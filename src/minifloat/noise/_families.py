"""Standard distributions on the real line, with tails and shares free of cancellation."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from minifloat.noise._base import Float64Array

__all__ = ["LAPLACE", "LOGISTIC", "NORMAL", "Family"]

_erfc = np.vectorize(math.erfc, otypes=[np.float64])
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(20)


@dataclass(frozen=True, slots=True)
class Family:
    """A standard distribution (location 0, scale 1).

    Parameters
    ----------
    tail : callable
        ``tail(z)``: the probability of at least z.
    share : callable
        ``share(z, low, high)``: the probability of at least z, given a value in [low, high] and z
        in that interval. NaN if the interval's own probability underflows.
    """

    tail: Callable[[Float64Array], Float64Array]
    share: Callable[[Float64Array, float, float], Float64Array]


def _normal_tail(z: Float64Array) -> Float64Array:
    return np.asarray(0.5 * _erfc(np.asarray(z) / math.sqrt(2)))


def _normal_mass(low: Float64Array, high: float) -> Float64Array:
    """Probability of [low, high]: by quadrature where the interval is narrow, else by tails."""
    below = np.asarray(low)
    above = np.full(below.shape, high)
    # An interval below zero is mirrored, so that the small tails are subtracted.
    mirrored = above < 0
    below, above = np.where(mirrored, -above, below), np.where(mirrored, -below, above)
    mass = np.asarray(_normal_tail(below) - _normal_tail(above))
    straddles = below < 0
    mass = np.where(straddles, 1.0 - _normal_tail(-below) - _normal_tail(above), mass)
    with np.errstate(invalid="ignore"):  # infinite ends are never narrow
        width = above - below
        narrow = np.nan_to_num(width * (1 + np.maximum(below, 0)), nan=np.inf) < 2
    a, half = below[narrow, np.newaxis], width[narrow, np.newaxis] / 2
    points = a + half * (1 + _NODES)
    heights = np.exp(-points * points / 2) / math.sqrt(2 * math.pi)
    mass[narrow] = (half * heights) @ _WEIGHTS
    return mass


def _normal_share(z: Float64Array, low: float, high: float) -> Float64Array:
    whole = _normal_mass(np.array([low]), high)[0]
    if whole < np.finfo(np.float64).tiny:
        return np.full(np.shape(z), np.nan)
    return np.asarray(_normal_mass(z, high) / whole)


def _laplace_tail(z: Float64Array) -> Float64Array:
    small = 0.5 * np.exp(-np.abs(z))
    return np.where(np.asarray(z) > 0, small, 1.0 - small)


def _laplace_share(z: Float64Array, low: float, high: float) -> Float64Array:
    offset = max(low, -high, 0.0)  # heights relative to the highest of the interval

    def mass(a: Float64Array) -> Float64Array:
        if high <= 0:
            return np.asarray(-np.expm1(a - high))
        right = -np.exp(offset - np.maximum(a, 0)) * np.expm1(np.maximum(a, 0) - high)
        return np.asarray(right - np.expm1(np.minimum(a, 0)))

    return np.asarray(mass(z) / mass(np.array(low)))


def _logistic_tail(z: Float64Array) -> Float64Array:
    small = np.exp(-np.abs(z))
    return np.where(np.asarray(z) > 0, small, 1.0) / (1.0 + small)


def _logistic_share(z: Float64Array, low: float, high: float) -> Float64Array:
    # F(b) - F(a) = sinh((b - a) / 2) / (2 cosh(a / 2) cosh(b / 2)); high's factor cancels.
    widths = np.expm1(z - high) / np.expm1(low - high)
    heights = (1 + np.exp(-abs(low))) / (1 + np.exp(-np.abs(z)))
    return np.asarray(widths * heights * np.exp(max(low, 0.0) - np.maximum(z, 0.0)))


NORMAL = Family(_normal_tail, _normal_share)
LAPLACE = Family(_laplace_tail, _laplace_share)
LOGISTIC = Family(_logistic_tail, _logistic_share)
