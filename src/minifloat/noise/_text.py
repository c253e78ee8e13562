"""Noise densities as text, for command lines and files."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from minifloat._errors import OptionError, nearest
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

__all__ = ["from_text"]

_KINDS: dict[str, type[Any]] = {
    "uniform": Uniform,
    "normal": Normal,
    "truncated_normal": TruncatedNormal,
    "laplace": Laplace,
    "truncated_laplace": TruncatedLaplace,
    "logistic": Logistic,
    "truncated_logistic": TruncatedLogistic,
    "logit_normal": LogitNormal,
    "truncated_logit_normal": TruncatedLogitNormal,
    "bernoulli": Bernoulli,
}


def from_text(text: str) -> Noise:
    """Make the noise that a text describes.

    Parameters
    ----------
    text : str
        A density, then a colon and parameters: ``"uniform"``, ``"normal:std=0.2,low=-0.4"``,
        ``"bernoulli:probability_down=0.3"``. What is missing keeps its default.

    Returns
    -------
    Noise

    Raises
    ------
    OptionError
        If a name is unknown, or a value is no number or out of range.

    Examples
    --------
    >>> from_text("normal:std=0.2")
    Normal(mean=0.0, std=0.2, low=-0.5, high=0.5)
    """
    name, _, rest = text.strip().partition(":")
    key = name.strip().lower().replace("-", "_")
    if key not in _KINDS:
        msg = f"unknown noise {name!r}; allowed are {', '.join(_KINDS)}{nearest(key, _KINDS)}"
        raise OptionError(msg)
    kind = _KINDS[key]
    allowed = [found.name for found in fields(kind)]
    parameters: dict[str, float] = {}
    for piece in filter(None, rest.split(",")):
        parameter, _, number = (part.strip() for part in piece.partition("="))
        if parameter not in allowed:
            hint = nearest(parameter, allowed)
            msg = f"{key} has no parameter {parameter!r}; allowed are {', '.join(allowed)}{hint}"
            raise OptionError(msg)
        try:
            parameters[parameter] = float(number)
        except ValueError:
            msg = f"{key}: {parameter}={number!r} is no number"
            raise OptionError(msg) from None
    noise: Noise = kind(**parameters)
    return noise
