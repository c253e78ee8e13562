"""Rounding modes and range policies: what a caller may ask of anything that rounds."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Literal, TypeAlias

from minifloat._errors import OptionError, nearest

if TYPE_CHECKING:
    from minifloat.noise import Noise

__all__ = [
    "NanPolicy",
    "Overflow",
    "OverflowLike",
    "Rounding",
    "RoundingLike",
    "Stochastic",
    "as_overflow",
    "as_rounding",
]


class Rounding(Enum):
    """The deterministic rounding modes (IEEE 754-2019 §4.3 and their usual relatives)."""

    TIES_TO_EVEN = "ties_to_even"
    """Nearest; a tie goes to the candidate whose code has least significant bit 0."""
    TIES_TO_AWAY = "ties_to_away"
    """Nearest; a tie goes to the larger magnitude."""
    TIES_TO_ZERO = "ties_to_zero"
    """Nearest; a tie goes to the smaller magnitude."""
    TOWARD_ZERO = "toward_zero"
    """The candidate of smaller magnitude."""
    TOWARD_POSITIVE = "toward_positive"
    """The larger candidate."""
    TOWARD_NEGATIVE = "toward_negative"
    """The smaller candidate."""
    AWAY_FROM_ZERO = "away_from_zero"
    """The candidate of larger magnitude."""
    TO_ODD = "to_odd"
    """An inexact value goes to the candidate whose code has least significant bit 1."""
    HYBRID = "hybrid"
    """HiFloat8's pseudo-stochastic mode: the threshold comes from the input's own low bits."""


class Overflow(Enum):
    """What becomes of a value beyond the largest finite one, and of an infinite source."""

    IEEE = "ieee"
    """IEEE 754-2019 §7.4 by mode; NaN stands in where the format has no infinity."""
    SATURATE = "saturate"
    """Finite overflow and infinities become the largest finite value."""
    SATURATE_KEEP_INFINITY = "saturate_keep_infinity"
    """Finite overflow becomes the largest finite value; infinities stay."""
    NAN = "nan"
    """NaN in every mode."""
    INFINITY = "infinity"
    """Infinity in every mode."""
    WRAP = "wrap"
    """Integers only: round, then keep the low bits."""
    P3109 = "p3109"
    """IEEE P3109 v4.0 ``SatNone``."""
    NAN_KEEP_INFINITY = "nan_keep_infinity"
    """Finite overflow becomes NaN in every mode; infinities stay."""


NanPolicy: TypeAlias = Literal["raise", "max", "zero", "propagate"]


@dataclass(frozen=True, slots=True)
class Stochastic:
    """Stochastic rounding: the magnitude is rounded up with a probability set by its fraction.

    Parameters
    ----------
    bits : int, optional
        Number of random bits, 1 to 32 (64 for sources wider than float32). ``None`` uses as many
        as the source discards, so that the probability of rounding up equals the fraction.
    variant : {"floor", "nearest", "centred"}
        How the fraction meets the `bits`-bit grid: IEEE P3109's StochasticA, C and B.
    noise : minifloat.noise.Noise, optional
        A noise density other than the uniform one.

    Raises
    ------
    OptionError
        If `bits` or `variant` is out of range.

    Examples
    --------
    >>> Stochastic(bits=8)
    Stochastic(bits=8, variant='floor', noise=None)
    """

    bits: int | None = None
    variant: Literal["floor", "nearest", "centred"] = "floor"
    noise: Noise | None = None

    def __post_init__(self) -> None:
        if self.bits is not None:
            if not _is_integer(self.bits) or not 1 <= self.bits <= 64:
                msg = f"Stochastic(bits={self.bits!r}): allowed are 1 to 64, or None for all"
                raise OptionError(msg)
            object.__setattr__(self, "bits", int(self.bits))
        variants = ("floor", "nearest", "centred")
        if self.variant not in variants:
            msg = (
                f"Stochastic(variant={self.variant!r}): allowed are {', '.join(variants)}"
                f"{nearest(str(self.variant), variants)}"
            )
            raise OptionError(msg)
        if self.noise is not None and not callable(getattr(self.noise, "table", None)):
            msg = f"Stochastic(noise={self.noise!r}): give a minifloat.noise.Noise"
            raise OptionError(msg)
        if self.noise is not None and (
            self.bits is None or self.bits > 16 or self.variant != "floor"
        ):
            msg = "Stochastic(noise=...) needs bits of 16 or fewer and variant='floor'"
            raise OptionError(msg)


def _is_integer(number: object) -> bool:
    return hasattr(number, "__index__") and not isinstance(number, bool)


RoundingLike: TypeAlias = Rounding | Stochastic | str
OverflowLike: TypeAlias = Overflow | str

_SHORT_NAMES = {
    "rne": Rounding.TIES_TO_EVEN,
    "rna": Rounding.TIES_TO_AWAY,
    "rnz": Rounding.TIES_TO_ZERO,
    "rtz": Rounding.TOWARD_ZERO,
    "rtp": Rounding.TOWARD_POSITIVE,
    "rtn": Rounding.TOWARD_NEGATIVE,
    "raz": Rounding.AWAY_FROM_ZERO,
    "rto": Rounding.TO_ODD,
}
_ROUNDINGS: dict[str, Rounding] = {mode.value: mode for mode in Rounding} | _SHORT_NAMES
_OVERFLOWS: dict[str, Overflow] = {policy.value: policy for policy in Overflow}


def as_rounding(rounding: RoundingLike) -> Rounding | Stochastic:
    """Turn a name, a short name or a mode into a rounding mode.

    Parameters
    ----------
    rounding : Rounding, Stochastic or str
        Long names (``"ties_to_even"``), short ones (``"rne"``), or ``"sr"``/``"stochastic"``.

    Returns
    -------
    Rounding or Stochastic

    Raises
    ------
    OptionError
        If the name is unknown.

    Examples
    --------
    >>> as_rounding("rtz")
    <Rounding.TOWARD_ZERO: 'toward_zero'>
    """
    if isinstance(rounding, (Rounding, Stochastic)):
        return rounding
    word = str(rounding).lower()
    if word in ("sr", "stochastic"):
        return Stochastic()
    try:
        return _ROUNDINGS[word]
    except KeyError:
        names = [*_ROUNDINGS, "sr", "stochastic"]
        msg = f"unknown rounding {rounding!r}; allowed are {', '.join(names)}{nearest(word, names)}"
        raise OptionError(msg) from None


def as_overflow(overflow: OverflowLike) -> Overflow:
    """Turn a name or a policy into an overflow policy.

    Parameters
    ----------
    overflow : Overflow or str

    Returns
    -------
    Overflow

    Raises
    ------
    OptionError
        If the name is unknown.

    Examples
    --------
    >>> as_overflow("saturate")
    <Overflow.SATURATE: 'saturate'>
    """
    if isinstance(overflow, Overflow):
        return overflow
    try:
        return _OVERFLOWS[str(overflow).lower()]
    except KeyError:
        msg = (
            f"unknown overflow policy {overflow!r}; allowed are {', '.join(_OVERFLOWS)}"
            f"{nearest(str(overflow).lower(), _OVERFLOWS)}"
        )
        raise OptionError(msg) from None
