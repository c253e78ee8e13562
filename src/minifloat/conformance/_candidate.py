"""What is compared: a format with a rounding, a policy for overflow, and a scaling."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from minifloat._errors import OptionError, nearest
from minifloat._formats import Format
from minifloat._rounding import Overflow, Rounding, Stochastic

__all__ = ["Candidate", "Scaling", "as_scaling", "scales_for"]

_FLOAT32 = np.finfo(np.float32)


class Scaling(Enum):
    """How many scales a tensor has. A scale is a float32 and counts as 32 bits."""

    NONE = "none"
    """The values are quantised as they are."""
    TENSOR = "tensor"
    """One scale for the whole tensor."""
    CHANNEL = "channel"
    """One for each index of the first axis; tensors of fewer than two axes have one in all."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """One way to store weights.

    Attributes
    ----------
    fmt : Format
    scaling : Scaling
    rounding : Rounding or Stochastic
    overflow : Overflow or None
        None is the format's own policy.
    """

    fmt: Format
    scaling: Scaling = Scaling.NONE
    rounding: Rounding | Stochastic = Rounding.TIES_TO_EVEN
    overflow: Overflow | None = Overflow.SATURATE

    @property
    def rounding_name(self) -> str:
        """The rounding in one word or two."""
        if isinstance(self.rounding, Rounding):
            return self.rounding.value
        bits = "" if self.rounding.bits is None else f" {self.rounding.bits}"
        variant = "" if self.rounding.variant == "floor" else f" {self.rounding.variant}"
        return f"stochastic{bits}{variant}"

    def __str__(self) -> str:
        words = [str(self.fmt)]
        if self.scaling is not Scaling.NONE:
            words.append(f"a scale per {self.scaling.value}")
        if self.rounding is not Rounding.TIES_TO_EVEN:
            words.append(self.rounding_name)
        return ", ".join(words)


def as_scaling(word: str) -> Scaling:
    """Turn a name into a scaling.

    Parameters
    ----------
    word : str

    Returns
    -------
    Scaling

    Raises
    ------
    OptionError
        If the name is unknown.

    Examples
    --------
    >>> as_scaling("channel")
    <Scaling.CHANNEL: 'channel'>
    """
    names = [scaling.value for scaling in Scaling]
    if word not in names:
        msg = f"unknown scale {word!r}{nearest(word, names)}; allowed are {', '.join(names)}"
        raise OptionError(msg)
    return Scaling(word)


def scales_for(amax: NDArray[Any], fmt: Format) -> NDArray[np.float64]:
    """Return the scales that map the largest magnitudes to a format's largest finite value.

    Parameters
    ----------
    amax : ndarray, shape (n,), float64
        Largest finite magnitudes.
    fmt : Format

    Returns
    -------
    ndarray, shape (n,), float64
        ``amax / max`` rounded to float32, and kept within float32's positive finite values; 1
        where `amax` is 0.

    Notes
    -----
    For float32 operands the quotient in float64 rounded to float32 is the float32 quotient:
    float64 has more than twice float32's precision and two bits besides.

    Examples
    --------
    >>> from minifloat._formats import get_format
    >>> scales_for(np.array([896.0, 0.0]), get_format("e4m3fn"))
    array([2., 1.])
    """
    with np.errstate(over="ignore", under="ignore"):
        scales = (amax / float(fmt.max)).astype(np.float32)
    scales = np.clip(scales, _FLOAT32.smallest_subnormal, _FLOAT32.max)
    return np.where(amax == 0, 1.0, scales.astype(np.float64))
