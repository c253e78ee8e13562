"""Noise densities for stochastic rounding: ``Stochastic(bits=8, noise=Normal(0.0, 0.1))``.

A density says how likely a discarded fraction is to round up; it becomes a table of thresholds over
the fractions of an N-bit grid, so that no sample of the noise itself is ever drawn.
"""

from __future__ import annotations

from minifloat.noise._base import Noise
from minifloat.noise._centred import (
    Laplace,
    Logistic,
    Normal,
    TruncatedLaplace,
    TruncatedLogistic,
    TruncatedNormal,
)
from minifloat.noise._logit_normal import LogitNormal, TruncatedLogitNormal
from minifloat.noise._simple import Bernoulli, Uniform
from minifloat.noise._text import from_text

__all__ = [
    "Bernoulli",
    "Laplace",
    "Logistic",
    "LogitNormal",
    "Noise",
    "Normal",
    "TruncatedLaplace",
    "TruncatedLogistic",
    "TruncatedLogitNormal",
    "TruncatedNormal",
    "Uniform",
    "from_text",
]
