"""What is known of an operation before it runs, and how the core is asked for it."""

from __future__ import annotations

import dataclasses
import functools
from dataclasses import dataclass
from typing import Any

from minifloat._context import Context
from minifloat._operations import Op, Switches
from minifloat.softfloat._layouts import ALTERNATIVE_HALF, Layout
from minifloat.softfloat._status import FloatStatus
from minifloat.softfloat._words import FtzDetection, RoundMode

__all__ = ["ROUNDING", "Call", "core_words", "overflow_policy"]

ROUNDING = {
    RoundMode.NEAREST_EVEN: "ties_to_even",
    RoundMode.DOWN: "toward_negative",
    RoundMode.UP: "toward_positive",
    RoundMode.TO_ZERO: "toward_zero",
    RoundMode.TIES_AWAY: "ties_to_away",
    RoundMode.TO_ODD: "to_odd",
    RoundMode.TO_ODD_INF: "to_odd",
    RoundMode.NEAREST_EVEN_MAX: "ties_to_even",
}
"""The core's word for each mode; what overflow gives is `overflow_policy`'s part."""


@dataclass(frozen=True, eq=False, slots=True)
class Call:
    """What is known of an operation before its operands and its status.

    Parameters
    ----------
    kind : str
        Decides the sub-flags; see `CAUSES`.
    op : Op
    layouts : sequence of Layout
        Of the operands.
    result : Layout, optional
        Of the result, where that is not the first operand's.
    switches : Switches
    saturate : bool
    scales : bool
        Whether trapped results are rebiased.
    """

    kind: str
    op: Op
    layouts: tuple[Layout, ...]
    result: Layout | None = None
    switches: Switches = Switches()  # noqa: RUF009  (frozen)
    saturate: bool = False
    scales: bool = True

    @property
    def target(self) -> Layout:
        """The result's layout."""
        return self.layouts[0] if self.result is None else self.result


def overflow_policy(layout: Layout, mode: RoundMode, saturate: bool) -> str:
    """Return what the core is told about results beyond the range.

    Parameters
    ----------
    layout : Layout
        Of the result.
    mode : RoundMode
    saturate : bool

    Returns
    -------
    str
    """
    if saturate or not (layout.fmt.has_infinity or layout.fmt.has_nan):
        return "saturate"
    if mode is RoundMode.TO_ODD_INF:
        return "infinity" if layout.fmt.has_infinity else "nan"
    if mode is RoundMode.NEAREST_EVEN_MAX and layout.fmt.has_infinity:
        return "saturate_keep_infinity"
    return "ieee"


def core_words(call: Call, target: Layout, status: FloatStatus) -> dict[str, Any]:
    """Return the keywords that the core is asked with.

    Parameters
    ----------
    call : Call
    target : Layout
        What the result is computed in.
    status : FloatStatus

    Returns
    -------
    dict
    """
    return {
        "rounding": ROUNDING[status.rounding_mode],
        "overflow": overflow_policy(target, status.rounding_mode, call.saturate),
        "nan": "zero" if target is ALTERNATIVE_HALF else "max",
        "context": _working_context(status.context, _looks_before(status)),
        "out_format": target.fmt,
    }


def _looks_before(status: FloatStatus) -> bool:
    """Whether the flags of the core must tell what is tiny before rounding."""
    before = status.ftz_detection is FtzDetection.BEFORE_ROUNDING
    return status.rebias_underflow or (status.flush_to_zero and before)


@functools.lru_cache(maxsize=256)
def _working_context(context: Context, before: bool) -> Context:
    return dataclasses.replace(context, tininess="before") if before else context
