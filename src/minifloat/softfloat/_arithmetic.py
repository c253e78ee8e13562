"""Builders of the operations that round: each returns the function of one format."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from minifloat._arrays import AnyArray
from minifloat._flags import Flag
from minifloat._operations import Op, Switches
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

    def function(a: Any, status: FloatStatus) -> Any:
        return evaluate(_KINDS[op], op, (a,), (layout,), status, scales=False)

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

    def function(a: Any, b: Any, status: FloatStatus) -> Any:
        return evaluate(_KINDS[op], op, (a, b), (layout, layout), status)

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

    def function(a: Any, b: Any, status: FloatStatus) -> Any:
        return evaluate(
            kind,
            Op.EXTREMUM,
            (a, b),
            (layout, layout),
            status,
            switches=switches,
            scales=False,
        )

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

    def function(a: Any, n: Any, status: FloatStatus) -> Any:
        return evaluate("other", Op.SCALE, (a,), (layout,), status, counts=n)

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

    def function(a: Any, b: Any, c: Any, scale: int, flags: int, status: FloatStatus) -> Any:
        wanted = MuladdFlag(flags)
        negates = (
            bool(wanted & MuladdFlag.NEGATE_PRODUCT)
            | bool(wanted & MuladdFlag.NEGATE_C) << 1
            | bool(wanted & MuladdFlag.NEGATE_RESULT) << 2
        )

        def keep_zero(task: Task, found: AnyArray, raised: AnyArray) -> None:
            _keep_zero(task, found, raised, wanted, status)

        suppresses = bool(wanted & MuladdFlag.SUPPRESS_ADD_PRODUCT_ZERO)
        return evaluate(
            "muladd",
            Op.MULTIPLY_ADD,
            (a, b, c),
            (layout, layout, layout),
            status,
            switches=Switches(negates=negates, scale=int(scale)),
            adjust=keep_zero if suppresses else None,
        )

    return function


def _keep_zero(
    task: Task, found: AnyArray, raised: AnyArray, wanted: MuladdFlag, status: FloatStatus
) -> None:
    """Where the product and c are zeros, the result has c's sign."""
    a, b, c = (one.is_zero(k, status) for k, one in zip(task.codes, task.layouts, strict=True))
    zeros = (a | b) & c & (raised & Flag.INVALID == 0) & (found & task.result.magnitude == 0)
    flips = bool(wanted & MuladdFlag.NEGATE_C) ^ bool(wanted & MuladdFlag.NEGATE_RESULT)
    sign = found.dtype.type(task.result.sign)
    signs = (task.codes[2] & sign) ^ (sign if flips else found.dtype.type(0))
    np.copyto(found, signs, where=zeros)
