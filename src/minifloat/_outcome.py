"""What a pass over data found: flags to accumulate, and errors that only the data could tell."""

from __future__ import annotations

from typing import Any

from minifloat._arrays import AnyArray, FlagsLike
from minifloat._errors import CodeError, NanError
from minifloat._flags import Flags
from minifloat._plans import Plan

__all__ = ["report"]


def report(plan: Plan, words: AnyArray, flags: FlagsLike | None, found: Any) -> None:
    """Pass on the flags of a pass, and raise what its data calls for.

    Parameters
    ----------
    plan : Plan
    words : ndarray
        What was read.
    flags : Flags, ndarray or None
        What the caller gave.
    found : tuple
        What the core reports: NaNs and stray codes by count and first index, then flags.

    Raises
    ------
    CodeError
        If there were codes with bits outside the format.
    NanError
        If NaN met a format without NaN under ``nan="raise"``.
    """
    (nans, nan_first), (strays, stray_first), counts, firsts = found
    if isinstance(flags, Flags):
        flags.accumulate(counts, firsts, words.size)
    if strays:
        code = int(words.ravel()[stray_first])
        msg = (
            f"{strays} codes have bits outside {plan.source}'s {plan.source.bits};"
            f" the first is {code:#x} at index {stray_first}"
        )
        raise CodeError(msg)
    if nans and plan.core.raises_nan:
        msg = (
            f"{nans} NaNs, the first at index {nan_first}, and {plan.target} has no NaN;"
            " nan='max' or 'zero' replaces them"
        )
        raise NanError(msg)
