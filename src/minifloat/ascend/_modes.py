"""The enumerations of ``Cast`` and the trait that joins them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TypeVar

from minifloat._errors import OptionError, nearest

__all__ = ["CastTrait", "MaskMergeMode", "RegLayout", "RoundMode", "SatMode", "as_mode"]


class RoundMode(IntEnum):
    """``AscendC::RoundMode``, and the `UNKNOWN` of pairs that take no rounding."""

    UNKNOWN = -1
    """The pair has no rounding operand."""
    CAST_NONE = 0
    """CAST_RINT, on the few pairs that accept it."""
    CAST_RINT = 1
    """Nearest, ties to even."""
    CAST_FLOOR = 2
    """Toward negative infinity."""
    CAST_CEIL = 3
    """Toward positive infinity."""
    CAST_ROUND = 4
    """Nearest, ties away from zero."""
    CAST_TRUNC = 5
    """Toward zero."""
    CAST_ODD = 6
    """An inexact result gets an odd significand."""
    CAST_HYBRID = 7
    """HiFloat8: ties away near 1, elsewhere a threshold from the input's own low bits."""


class SatMode(IntEnum):
    """``Reg::SatMode``: saturation as the instruction asks for it; `Ctrl` may overrule it."""

    UNKNOWN = -1
    NO_SAT = 0
    SAT = 1


class RegLayout(IntEnum):
    """``Reg::RegLayout``: which of the narrow lanes in a wide one take part."""

    UNKNOWN = -1
    ZERO = 0
    ONE = 1
    TWO = 2
    THREE = 3


class MaskMergeMode(IntEnum):
    """``Reg::MaskMergeMode``: what masked-off results hold."""

    UNKNOWN = -1
    """ZEROING."""
    MERGING = 0
    """The old contents of the destination."""
    ZEROING = 1
    """Zero."""


_Mode = TypeVar("_Mode", RoundMode, SatMode, RegLayout, MaskMergeMode)


def as_mode(kind: type[_Mode], mode: _Mode | str) -> _Mode:
    """Turn a name into a mode.

    Parameters
    ----------
    kind : type
        One of the four enumerations.
    mode : member or str
        ``"CAST_RINT"``, ``"RINT"``, ``"ZERO"`` and so on, in any case.

    Returns
    -------
    member of `kind`

    Raises
    ------
    OptionError
        If the enumeration has no such member.

    Examples
    --------
    >>> as_mode(RoundMode, "rint").name
    'CAST_RINT'
    """
    if isinstance(mode, kind):
        return mode
    word = str(mode).rpartition("::")[2].upper()
    for name in (word, f"CAST_{word}"):
        if isinstance(mode, str) and name in kind.__members__:
            return kind[name]
    allowed = list(kind.__members__)
    msg = f"unknown {kind.__name__} {mode!r}; allowed are {', '.join(allowed)}"
    raise OptionError(msg + nearest(word, allowed))


@dataclass(frozen=True, slots=True)
class CastTrait:
    """``Reg::CastTrait``, with the order of fields that the device headers have.

    Parameters
    ----------
    layout : RegLayout or str
    sat : SatMode or str
    merge : MaskMergeMode or str
    round : RoundMode or str

    Raises
    ------
    OptionError
        If a name is unknown.

    Examples
    --------
    >>> CastTrait("ZERO", "NO_SAT", "ZEROING", "CAST_RINT").round.name
    'CAST_RINT'
    """

    layout: RegLayout = RegLayout.UNKNOWN
    sat: SatMode = SatMode.UNKNOWN
    merge: MaskMergeMode = MaskMergeMode.UNKNOWN
    round: RoundMode = RoundMode.UNKNOWN

    def __post_init__(self) -> None:
        object.__setattr__(self, "layout", as_mode(RegLayout, self.layout))
        object.__setattr__(self, "sat", as_mode(SatMode, self.sat))
        object.__setattr__(self, "merge", as_mode(MaskMergeMode, self.merge))
        object.__setattr__(self, "round", as_mode(RoundMode, self.round))
