"""Builders of the operations that round: each returns the function of one format."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from minifloat._arrays import AnyArray
from minifloat._errors import OptionError
from minifloat._flags import Flag
from minifloat._operations import Op, Switches
from minifloat.softfloat._calls import Call
from minifloat.softfloat._causes import raises
from minifloat.softfloat._engine import Task, evaluate
from minifloat.softfloat._layouts import Layout
from minifloat.softfloat._status import FloatStatus
from minifloat.softfloat._words import MuladdFlag

__all__ = ["binary", "extremum", "muladd", "muladd_scalbn", "scalbn", "unary"]

_KINDS = {
    Op.ADD: "add",
    Op.SUBTRACT: "sub",
    Op.MULTIPLY: "mul",
    Op.DIVIDE: "div",
    Op.REMAINDER: "other",
    Op.SQUARE_ROOT: "sqrt",
    Op.ROUND_TO_INTEGRAL: "round_to_int",
}


def unary(layout: Layout, op: Op) -> Callable[..., Any]:
    """Build an operation on one number.

    Parameters
    ----------
    layout : Layout
    op : Op

    Returns
    -------
    callable
    """
    call = Call(_KINDS[op], op, (layout,), scales=False)

    def function(a: Any, status: FloatStatus) -> Any:
        return evaluate(call, (a,), status)

    return function


def binary(layout: Layout, op: Op) -> Callable[..., Any]:
    """Build an operation on two numbers.

    Parameters
    ----------
    layout : Layout
    op : Op

    Returns
    -------
    callable
    """
    call = Call(_KINDS[op], op, (layout, layout))

    def function(a: Any, b: Any, status: FloatStatus) -> Any:
        return evaluate(call, (a, b), status)

    return function


def extremum(layout: Layout, larger: bool, magnitude: bool, rule: int) -> Callable[..., Any]:
    """Build a minimum or maximum.

    Parameters
    ----------
    layout : Layout
    larger, magnitude : bool
    rule : int
        What NaN does: 0 wins, 1 loses to a number, 2 loses to a number if quiet.

    Returns
    -------
    callable
    """
    switches = Switches(wants_larger=larger, by_magnitude=magnitude, number_rule=rule)
    kind = ("other", "number", "num")[rule]

    call = Call(kind, Op.EXTREMUM, (layout, layout), switches=switches, scales=False)

    def function(a: Any, b: Any, status: FloatStatus) -> Any:
        return evaluate(call, (a, b), status)

    return function


def scalbn(layout: Layout) -> Callable[..., Any]:
    """Build the scaling by a power of two.

    Parameters
    ----------
    layout : Layout

    Returns
    -------
    callable
    """
    call = Call("other", Op.SCALE, (layout,))

    def function(a: Any, n: Any, status: FloatStatus) -> Any:
        return evaluate(call, (a,), status, counts=n)

    return function


def muladd(layout: Layout) -> Callable[..., Any]:
    """Build the fused multiply-add.

    Parameters
    ----------
    layout : Layout

    Returns
    -------
    callable
    """
    scaled = muladd_scalbn(layout)

    def function(a: Any, b: Any, c: Any, flags: int, status: FloatStatus) -> Any:
        return scaled(a, b, c, 0, flags, status)

    return function


def muladd_scalbn(layout: Layout) -> Callable[..., Any]:
    """Build the fused multiply-add whose exact sum is scaled before it is rounded.

    Parameters
    ----------
    layout : Layout

    Returns
    -------
    callable
    """
    calls: dict[tuple[int, int], Call] = {}

    def function(a: Any, b: Any, c: Any, scale: int, flags: int, status: FloatStatus) -> Any:
        call = calls.get((flags, scale))
        if call is None:
            call = calls[flags, scale] = _muladd_call(layout, MuladdFlag(flags), int(scale))
        adjust = None
        if flags & MuladdFlag.SUPPRESS_ADD_PRODUCT_ZERO:
            adjust = functools.partial(_keep_zero, MuladdFlag(flags), status)
        return evaluate(call, (a, b, c), status, adjust=adjust)

    return function


def _muladd_call(layout: Layout, wanted: MuladdFlag, scale: int) -> Call:
    if not 0 <= wanted < 16:
        msg = f"flags={int(wanted)}: allowed are sums of 1, 2, 4 and 8; see MuladdFlag"
        raise OptionError(msg)
    negates = (
        bool(wanted & MuladdFlag.NEGATE_PRODUCT)
        | bool(wanted & MuladdFlag.NEGATE_C) << 1
        | bool(wanted & MuladdFlag.NEGATE_RESULT) << 2
    )
    switches = Switches(negates=negates, scale=scale)
    return Call("muladd", Op.MULTIPLY_ADD, (layout, layout, layout), switches=switches)


def _keep_zero(
    wanted: MuladdFlag, status: FloatStatus, task: Task, found: AnyArray, raised: AnyArray
) -> None:
    """Where the product and c are zeros, the result has c's sign."""
    a, b, c = (one.is_zero(k, status) for k, one in zip(task.codes, task.layouts, strict=True))
    zeros = (a | b) & c & ~raises(raised, Flag.INVALID) & (found & task.result.magnitude == 0)
    flips = bool(wanted & MuladdFlag.NEGATE_C) ^ bool(wanted & MuladdFlag.NEGATE_RESULT)
    sign = found.dtype.type(task.result.sign)
    signs = (task.codes[2] & sign) ^ (sign if flips else found.dtype.type(0))
    np.copyto(found, signs, where=zeros)
