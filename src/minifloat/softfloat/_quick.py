"""The short way for single operands: one call of the core, where nothing is settled afterwards.

Whatever needs more than that (a sub-flag, a flush, a first subnormal operand, an error) takes the
long way, which finds the same result.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from minifloat._flags import Flag
from minifloat._formats import Format, IntFormat, formats
from minifloat._operations import Op, Switches, _plan
from minifloat._plans import storage_dtype
from minifloat.softfloat._calls import ROUNDING, Call, core_words, overflow_policy
from minifloat.softfloat._causes import status_flags
from minifloat.softfloat._layouts import LAYOUTS, Layout
from minifloat.softfloat._status import FloatStatus
from minifloat.softfloat._words import ExceptionFlag, RoundMode

__all__ = ["quick_from_integer", "quick_relation", "quick_result", "quick_to_integer"]

_INVALID = int(Flag.INVALID)
_FLUSHED = int(ExceptionFlag.INPUT_DENORMAL_FLUSHED)
_USED = int(ExceptionFlag.INPUT_DENORMAL_USED)
_BYTE = formats["uint8"]
_INTEGERS = {
    name: (int(fmt.min), int(fmt.max), (1 << fmt.bits) - 1)
    for name, fmt in formats.items()
    if isinstance(fmt, IntFormat)
}


@dataclass(frozen=True, slots=True)
class _Quick:
    """A plan of the core; of operands, the dtype, the magnitude bits and the smallest normal."""

    run: Callable[..., object]
    operands: tuple[tuple[np.dtype[Any], int, int], ...]
    result: np.dtype[Any]

    def __call__(self, codes: Sequence[int], status: FloatStatus) -> int | None:
        arrays = []
        for code, (dtype, magnitude, normal) in zip(codes, self.operands, strict=True):
            if code < 0 or (0 < code & magnitude < normal and not _knows_subnormals(status)):
                return None
            try:
                arrays.append(np.array(code, dtype))
            except OverflowError:
                return None
        out, flags = np.empty((), self.result), np.empty((), np.uint8)
        if self.run(arrays, out, None, 0, None, flags, False, 1) is not None:
            return None
        raised = int(flags)
        if raised & _INVALID:
            return None
        if raised:
            status.raise_flags(status_flags(raised))
        return int(out)


def quick_result(call: Call, operands: Sequence[Any], status: FloatStatus) -> int | None:
    """Return the result of an operation on Python integers, or None.

    Parameters
    ----------
    call : Call
    operands : sequence
    status : FloatStatus

    Returns
    -------
    int or None
    """
    for one in operands:
        if type(one) is not int:
            return None
    quick: _Quick | bool | None = status.memo.get(call)
    if quick is None:
        quick = status.memo[call] = _for_call(call, status)
    found = quick(operands, status) if isinstance(quick, _Quick) else None
    target = call.target
    if found is not None and not target.fmt.has_infinity and target.fmt.has_nan:
        return found if found & target.magnitude < target.infinity else None
    return found


def quick_relation(layout: Layout, quiet: bool, a: Any, b: Any, status: FloatStatus) -> int | None:
    """Return the relation of two Python integers, or None.

    Parameters
    ----------
    layout : Layout
    quiet : bool
    a, b : int
    status : FloatStatus

    Returns
    -------
    int or None
    """
    if type(a) is not int or type(b) is not int:
        return None
    key = (layout.prefix, quiet)
    quick: _Quick | bool | None = status.memo.get(key)
    if quick is None:
        quick = False
        if _is_plain(status):
            switches = Switches(signaling=not quiet)
            plan = _plan(
                *(Op.COMPARE, (layout.fmt,) * 2, _BYTE, "ties_to_even", None, "max"),
                *(status.context, switches),
            )
            quick = _Quick(plan.core.run, (_operand(layout),) * 2, plan.dtype)
        status.memo[key] = quick
    found = quick((a, b), status) if isinstance(quick, _Quick) else None
    return -1 if found == 0xFF else found


def quick_to_integer(
    layout: Layout, integer: str, mode: RoundMode, a: Any, status: FloatStatus
) -> int | None:
    """Return a Python integer converted to an integer, or None.

    Parameters
    ----------
    layout : Layout
    integer : str
    mode : RoundMode
    a : int
    status : FloatStatus

    Returns
    -------
    int or None
    """
    if type(a) is not int:
        return None
    key = (layout.prefix, integer, int(mode))
    quick: _Quick | bool | None = status.memo.get(key)
    if quick is None:
        quick = False
        if _is_plain(status):
            target = formats[integer]
            plan = _plan(
                *(Op.TO_INTEGER, (layout.fmt,), target, ROUNDING[mode], None, "max"),
                *(status.context, Switches()),
            )
            quick = _Quick(plan.core.run, (_operand(layout),), plan.dtype)
        status.memo[key] = quick
    found = quick((a,), status) if isinstance(quick, _Quick) else None
    low, high, mask = _INTEGERS[integer]
    return found - mask - 1 if found is not None and low < 0 and found > high else found


def quick_from_integer(layout: Layout, integer: str, a: Any, status: FloatStatus) -> int | None:
    """Return the code of a Python integer, or None.

    Parameters
    ----------
    layout : Layout
    integer : str
    a : int
    status : FloatStatus

    Returns
    -------
    int or None
    """
    low, high, mask = _INTEGERS[integer]
    if type(a) is not int or not low <= a <= high or not layout.fmt.has_infinity:
        return None
    key = (integer, layout.prefix)
    quick: _Quick | bool | None = status.memo.get(key)
    if quick is None:
        quick = status.memo[key] = _for_integer(layout, formats[integer], status)
    return quick((a & mask,), status) if isinstance(quick, _Quick) else None


def _knows_subnormals(status: FloatStatus) -> bool:
    """Whether the flag that a subnormal operand might raise is raised already."""
    flushes = status.flush_inputs_to_zero
    return bool(status.exception_flags & (_FLUSHED if flushes else _USED))


def _is_plain(status: FloatStatus) -> bool:
    settles = status.flush_to_zero or status.rebias_overflow or status.rebias_underflow
    return not settles and status.tfloat32_scheme == "exact" and status.tfloat32_input != "keep"


def _operand(layout: Layout) -> tuple[np.dtype[Any], int, int]:
    return storage_dtype(layout.fmt), layout.magnitude, layout.normal


def _for_call(call: Call, status: FloatStatus) -> _Quick | bool:
    target = call.target
    if not _is_plain(status) or any(
        LAYOUTS.get(one.prefix) is not one for one in (*call.layouts, target)
    ):
        return False
    how = core_words(call, target, status)
    words = [how[word] for word in ("rounding", "overflow", "nan", "context")]
    sources = tuple(one.fmt for one in call.layouts)
    plan = _plan(call.op, sources, target.fmt, *words, call.switches)
    return _Quick(plan.core.run, tuple(_operand(one) for one in call.layouts), plan.dtype)


def _for_integer(layout: Layout, source: Format, status: FloatStatus) -> _Quick | bool:
    if not _is_plain(status) or not isinstance(source, IntFormat):
        return False
    policy = overflow_policy(layout, status.rounding_mode, saturate=False)
    plan = _plan(
        *(Op.CONVERT, (source,), layout.fmt, ROUNDING[status.rounding_mode], policy, "max"),
        *(status.context, Switches()),
    )
    return _Quick(plan.core.run, ((storage_dtype(source), 0, 0),), plan.dtype)
