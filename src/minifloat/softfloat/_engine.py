"""How every operation runs: operands prepared, the core asked once, the flags worked out."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from minifloat._arrays import AnyArray, as_codes, is_scalar
from minifloat._context import Context
from minifloat._errors import DtypeError
from minifloat._flags import Flag
from minifloat._formats import Format, formats
from minifloat._operations import How, Op, operate
from minifloat.softfloat._calls import Call, core_words
from minifloat.softfloat._causes import denormal_flags, invalid_causes, raises, status_flags
from minifloat.softfloat._layouts import ALTERNATIVE_HALF, Layout
from minifloat.softfloat._quick import quick_result
from minifloat.softfloat._status import FloatStatus
from minifloat.softfloat._tfloat32 import admit, chopped, working_layout
from minifloat.softfloat._words import ExceptionFlag, FtzDetection, RoundMode

__all__ = [
    "Adjust",
    "Compute",
    "Task",
    "default_nan_code",
    "deliver",
    "evaluate",
    "prepare",
    "spread",
]

Compute: TypeAlias = Callable[[int, AnyArray | None], tuple[AnyArray, AnyArray]]
"""Results and the core's flags, scaled by a power of two, of all elements or those of a mask."""

_INT32: Format = formats["int32"]
_BLOCK = 1 << 15


@dataclass(frozen=True, slots=True)
class Task:
    """One operation on prepared operands.

    Parameters
    ----------
    kind : str
        Decides the sub-flags; see `CAUSES`.
    codes : sequence of ndarray
        Operands of one shape.
    layouts : sequence of Layout
        Of the operands.
    result : Layout
    compute : callable
    scales : bool
        Whether trapped results are rebiased.
    """

    kind: str
    codes: Sequence[AnyArray]
    layouts: Sequence[Layout]
    result: Layout
    compute: Compute
    scales: bool = True


Adjust: TypeAlias = Callable[[Task, AnyArray, AnyArray], None]
"""Changes results and flags in place."""


def prepare(codes: Any, layout: Layout, status: FloatStatus) -> AnyArray:
    """Turn an operand into an array of storage words.

    Parameters
    ----------
    codes : array_like of int
    layout : Layout
    status : FloatStatus

    Returns
    -------
    ndarray

    Raises
    ------
    CodeError
        For what is no code, and tfloat32 operands that the status rejects.
    """
    array = as_codes(codes, layout.fmt)
    return np.asarray(admit(array, status)) if layout.prefix == "tfloat32" else array


def spread(arrays: Sequence[AnyArray]) -> list[AnyArray]:
    """Broadcast operands against each other.

    Parameters
    ----------
    arrays : sequence of ndarray

    Returns
    -------
    list of ndarray

    Raises
    ------
    DtypeError
        If their shapes do not broadcast.
    """
    if all(array.shape == arrays[0].shape for array in arrays):
        return list(arrays)
    try:
        return list(np.broadcast_arrays(*arrays))
    except ValueError:
        shapes = ", ".join(str(array.shape) for array in arrays)
        msg = f"operands of shapes {shapes} do not broadcast"
        raise DtypeError(msg) from None


def evaluate(
    call: Call,
    operands: Sequence[Any],
    status: FloatStatus,
    *,
    adjust: Adjust | None = None,
    counts: Any = None,
) -> Any:
    """Run an operation that rounds, and raise its flags.

    Parameters
    ----------
    call : Call
    operands : sequence of array_like of int
    status : FloatStatus
    adjust : callable, optional
        Changes results and flags in place before the status looks at them.
    counts : array_like of int, optional
        The exponents of a scaling.

    Returns
    -------
    int or ndarray
        Codes.
    """
    if adjust is None and counts is None:
        quick = quick_result(call, operands, status)
        if quick is not None:
            return quick
    scalar = all(is_scalar(one) for one in operands) and (counts is None or is_scalar(counts))
    layouts, target = call.layouts, working_layout(call.target, status)
    sources = [working_layout(one, status) for one in layouts]
    arrays = [prepare(c, one, status) for c, one in zip(operands, layouts, strict=True)]
    formats_: list[Format] = [one.fmt for one in sources]
    extra: list[AnyArray] = []
    if counts is not None:
        extra, formats_ = [as_counts(counts)], [*formats_, _INT32]
    every = spread([*arrays, *extra])
    words = core_words(call, target, status)

    def compute(scale: int, mask: AnyArray | None) -> tuple[AnyArray, AnyArray]:
        chosen = every if mask is None else [one[mask] for one in every]
        flags = np.empty(chosen[0].shape, np.uint8)
        how: How = {**words, "flags": flags}  # type: ignore[typeddict-item]
        switches = call.switches
        if scale:
            switches = dataclasses.replace(switches, scale=switches.scale + scale)
        found = operate(call.op, chosen, tuple(formats_), how, switches=switches)
        return np.asarray(found), flags

    task = Task(call.kind, every[: len(arrays)], sources, target, compute, call.scales)
    found = deliver(task, status, adjust)
    if target is not call.target:
        found = chopped(found)
    return int(found) if scalar else found


def deliver(
    task: Task,
    status: FloatStatus,
    adjust: Adjust | None = None,
) -> AnyArray:
    """Compute results, let the status change them, and raise the flags.

    Parameters
    ----------
    task : Task
    status : FloatStatus
    adjust : callable, optional

    Returns
    -------
    ndarray
    """
    found, flags = task.compute(0, None)
    if adjust is not None:
        adjust(task, found, flags)
    total = _operand_flags(task, flags, status)
    if task.result is ALTERNATIVE_HALF:
        _settle_alternative(task, found, flags)
    if not task.result.fmt.has_infinity and task.result.fmt.has_nan:
        _settle_one_nan(task, found, flags, status)
    total |= _settle_range(task, found, flags, status)
    total |= status_flags(int(np.bitwise_or.reduce(flags, axis=None)))
    status.raise_flags(total)
    return found


@functools.lru_cache(maxsize=256)
def default_nan_code(layout: Layout, context: Context) -> int:
    """Return a format's default NaN: what zero divided by zero gives.

    Parameters
    ----------
    layout : Layout
    context : Context

    Returns
    -------
    int
    """
    how: How = {"context": context}
    return int(operate(Op.DIVIDE, (0, 0), (layout.fmt, layout.fmt), how))


def as_counts(counts: Any) -> AnyArray:
    """Return exponents as the core's 32-bit words.

    Parameters
    ----------
    counts : array_like of int

    Returns
    -------
    ndarray of uint32
    """
    array = np.asarray(counts)
    if array.dtype.kind not in "iu":
        msg = f"exponents are integers, got {array.dtype.name}"
        raise DtypeError(msg)
    return np.asarray(np.clip(array, -0x10000, 0x10000).astype(np.int32).view(np.uint32))


def _operand_flags(task: Task, flags: AnyArray, status: FloatStatus) -> ExceptionFlag:
    """Return what only the operands tell; block by block, so that all stays in the cache."""
    total = ExceptionFlag(0)
    if not task.codes:
        return total
    flat = flags.reshape(-1)
    columns = [codes.reshape(-1) for codes in task.codes]
    for start in range(0, flat.size, _BLOCK):
        block = slice(start, start + _BLOCK)
        codes = [column[block] for column in columns]
        invalid = raises(flat[block], Flag.INVALID)
        if invalid.any():
            bad = [part[invalid] for part in codes]
            total |= invalid_causes(task.kind, bad, task.layouts, status)
        known = status.exception_flags | total
        total |= denormal_flags(task.kind, codes, task.layouts, invalid, status, known)
    return total


def _settle_alternative(task: Task, found: AnyArray, flags: AnyArray) -> None:
    """Arm's alternative half: infinity, NaN and overflow are INVALID alone; NaN is a zero."""
    codes, layout = task.codes[0], task.layouts[0]
    signs = (codes & layout.sign != 0).astype(found.dtype) * found.dtype.type(task.result.sign)
    np.copyto(found, signs, where=layout.is_nan(codes))
    flags[layout.is_infinite(codes) | raises(flags, Flag.OVERFLOW)] = Flag.INVALID


def _settle_one_nan(task: Task, found: AnyArray, flags: AnyArray, status: FloatStatus) -> None:
    """Give formats without infinities the default NaN where no operand brought one."""
    layout = task.result
    fresh = layout.is_nan(found)
    if not fresh.any():
        return
    if status.rounding_mode is RoundMode.NEAREST_EVEN_MAX:
        over = fresh & raises(flags, Flag.OVERFLOW)
        found[over] -= 1  # the largest finite code is the one below NaN
        fresh &= ~over
    for codes, one in zip(task.codes, task.layouts, strict=True):
        fresh &= ~one.is_nan(codes)
    found[fresh] = default_nan_code(layout, status.context)


def _settle_range(
    task: Task, found: AnyArray, flags: AnyArray, status: FloatStatus
) -> ExceptionFlag:
    """Rebias or flush results beyond the range and tiny ones."""
    layout = task.result
    bias = 3 << layout.fmt.exponent_bits - 2
    if status.rebias_overflow and task.scales:
        _rebias(task, found, flags, raises(flags, Flag.OVERFLOW), -bias, Flag.OVERFLOW)
    if not (status.rebias_underflow or status.flush_to_zero):
        return ExceptionFlag(0)
    tiny = raises(flags, Flag.UNDERFLOW) | layout.is_subnormal(found)
    if status.rebias_underflow:
        if task.scales:
            _rebias(task, found, flags, tiny, bias, Flag.UNDERFLOW)
        return ExceptionFlag(0)
    if not tiny.any():
        return ExceptionFlag(0)
    found[tiny] &= found.dtype.type(layout.sign)
    before = status.ftz_detection is FtzDetection.BEFORE_ROUNDING
    gone = Flag.UNDERFLOW | Flag.INEXACT if before else Flag.UNDERFLOW
    flags[tiny] &= np.uint8(0xFF ^ gone)
    return ExceptionFlag.OUTPUT_DENORMAL_FLUSHED


def _rebias(
    task: Task, found: AnyArray, flags: AnyArray, mask: AnyArray, scale: int, flag: Flag
) -> None:
    if not mask.any():
        return
    codes, raised = task.compute(scale, mask)
    found[mask] = codes
    flags[mask] = (raised & np.uint8(Flag.INEXACT)) | np.uint8(flag)
