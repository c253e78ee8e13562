"""Builders of the conversions: between formats, and from and to integers."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from minifloat._arrays import AnyArray, is_scalar
from minifloat._flags import Flag
from minifloat._integers import from_int, to_int
from minifloat._operations import Op
from minifloat.softfloat._calls import ROUNDING, Call, overflow_policy
from minifloat.softfloat._causes import denormal_flags, invalid_causes, raises, status_flags
from minifloat.softfloat._engine import Task, deliver, evaluate, prepare
from minifloat.softfloat._layouts import ALTERNATIVE_HALF, Layout
from minifloat.softfloat._quick import quick_from_integer, quick_to_integer
from minifloat.softfloat._status import FloatStatus
from minifloat.softfloat._tfloat32 import chopped, working_layout
from minifloat.softfloat._words import RoundMode

__all__ = [
    "from_integer",
    "from_integer_scalbn",
    "narrowing",
    "plain",
    "to_integer",
    "to_integer_modulo",
    "to_integer_scalbn",
    "to_integer_to_zero",
    "with_half",
    "with_half_narrowing",
]


def plain(source: Layout, target: Layout) -> Callable[..., Any]:
    """Build a conversion that takes nothing but the status.

    Parameters
    ----------
    source, target : Layout

    Returns
    -------
    callable
    """

    def function(a: Any, status: FloatStatus) -> Any:
        return _convert(a, source, target, status)

    return function


def narrowing(source: Layout, target: Layout) -> Callable[..., Any]:
    """Build a conversion that may saturate.

    Parameters
    ----------
    source, target : Layout

    Returns
    -------
    callable
    """

    def function(a: Any, saturate: bool, status: FloatStatus) -> Any:
        return _convert(a, source, target, status, saturate)

    return function


def with_half(source: Layout, target: Layout) -> Callable[..., Any]:
    """Build a conversion from or to float16, IEEE's or Arm's alternative.

    Parameters
    ----------
    source, target : Layout

    Returns
    -------
    callable
    """

    def function(a: Any, ieee: bool, status: FloatStatus) -> Any:
        return _convert(a, _half(source, ieee), _half(target, ieee), status)

    return function


def with_half_narrowing(source: Layout, target: Layout) -> Callable[..., Any]:
    """Build a conversion from float16 that may saturate.

    Parameters
    ----------
    source, target : Layout

    Returns
    -------
    callable
    """

    def function(a: Any, ieee: bool, saturate: bool, status: FloatStatus) -> Any:
        return _convert(a, _half(source, ieee), target, status, saturate)

    return function


def to_integer(source: Layout, integer: str) -> Callable[..., Any]:
    """Build a conversion to integers in the status's rounding mode.

    Parameters
    ----------
    source : Layout
    integer : str

    Returns
    -------
    callable
    """

    def function(a: Any, status: FloatStatus) -> Any:
        return _to_integer(a, source, integer, status.rounding_mode, status)

    return function


def to_integer_to_zero(source: Layout, integer: str) -> Callable[..., Any]:
    """Build a conversion to integers that truncates.

    Parameters
    ----------
    source : Layout
    integer : str

    Returns
    -------
    callable
    """

    def function(a: Any, status: FloatStatus) -> Any:
        return _to_integer(a, source, integer, RoundMode.TO_ZERO, status)

    return function


def to_integer_scalbn(source: Layout, integer: str) -> Callable[..., Any]:
    """Build a conversion to integers, scaled first, in a rounding mode given.

    Parameters
    ----------
    source : Layout
    integer : str

    Returns
    -------
    callable
    """

    def function(a: Any, mode: int, scale: int, status: FloatStatus) -> Any:
        return _to_integer(a, source, integer, RoundMode(mode), status, scale=scale)

    return function


def to_integer_modulo(source: Layout, integer: str) -> Callable[..., Any]:
    """Build a conversion to integers that keeps the low bits.

    Parameters
    ----------
    source : Layout
    integer : str

    Returns
    -------
    callable
    """

    def function(a: Any, mode: int, status: FloatStatus) -> Any:
        return _to_integer(a, source, integer, RoundMode(mode), status, modulo=True)

    return function


def from_integer(target: Layout, integer: str) -> Callable[..., Any]:
    """Build a conversion from integers.

    Parameters
    ----------
    target : Layout
    integer : str

    Returns
    -------
    callable
    """

    def function(a: Any, status: FloatStatus) -> Any:
        return _from_integer(a, target, integer, 0, status)

    return function


def from_integer_scalbn(target: Layout, integer: str) -> Callable[..., Any]:
    """Build a conversion from integers with a scale.

    Parameters
    ----------
    target : Layout
    integer : str

    Returns
    -------
    callable
    """

    def function(a: Any, scale: int, status: FloatStatus) -> Any:
        return _from_integer(a, target, integer, scale, status)

    return function


def _half(layout: Layout, ieee: bool) -> Layout:
    return ALTERNATIVE_HALF if layout.prefix == "float16" and not ieee else layout


@functools.cache
def _conversion(source: Layout, target: Layout, saturate: bool) -> Call:
    return Call("other", Op.CONVERT, (source,), target, saturate=saturate)


def _convert(
    a: Any, source: Layout, target: Layout, status: FloatStatus, saturate: bool = False
) -> Any:
    return evaluate(_conversion(source, target, bool(saturate)), (a,), status)


def _to_integer(
    a: Any,
    source: Layout,
    integer: str,
    mode: RoundMode,
    status: FloatStatus,
    *,
    scale: int = 0,
    modulo: bool = False,
) -> Any:
    if scale == 0 and not modulo:
        quick = quick_to_integer(source, integer, mode, a, status)
        if quick is not None:
            return quick
    layout = working_layout(source, status)
    codes = prepare(a, source, status)
    flags = np.empty(codes.shape, np.uint8)
    found = to_int(
        codes,
        layout.fmt,
        integer,
        rounding=ROUNDING[mode],
        exponent=scale,
        modulo=modulo,
        context=status.context,
        flags=flags,
    )
    total = status_flags(int(np.bitwise_or.reduce(flags, axis=None)))
    invalid = raises(flags, Flag.INVALID)
    if invalid.any():
        total |= invalid_causes("to_int", [codes[invalid]], [layout], status)
    total |= denormal_flags("to_int", [codes], [layout], invalid, status, status.exception_flags)
    status.raise_flags(total)
    return int(found) if is_scalar(a) else found


def _from_integer(a: Any, target: Layout, integer: str, scale: int, status: FloatStatus) -> Any:
    if scale == 0:
        quick = quick_from_integer(target, integer, a, status)
        if quick is not None:
            return quick
    layout = working_layout(target, status)
    numbers = np.asarray(a)
    policy = overflow_policy(layout, status.rounding_mode, saturate=False)

    def compute(more: int, mask: AnyArray | None) -> tuple[AnyArray, AnyArray]:
        chosen = numbers if mask is None else numbers[mask]
        flags = np.empty(chosen.shape, np.uint8)
        found = from_int(
            chosen,
            layout.fmt,
            integer,
            exponent=scale + more,
            rounding=ROUNDING[status.rounding_mode],
            overflow=policy,
            context=status.context,
            flags=flags,
        )
        return np.asarray(found), flags

    found = deliver(Task("other", (), (), layout, compute), status)
    if layout is not target:
        found = chopped(found)
    return int(found) if is_scalar(a) else found
