"""Builders of what looks at codes or moves their bits: order, predicates, signs, constants."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from minifloat._arithmetic import div
from minifloat._arrays import AnyArray, as_codes, is_scalar
from minifloat._casting import encode
from minifloat._comparison import compare as compare_codes
from minifloat._errors import OptionError
from minifloat._flags import Flag
from minifloat.softfloat._causes import denormal_flags, invalid_causes, raises, status_flags
from minifloat.softfloat._engine import default_nan_code, prepare, spread
from minifloat.softfloat._layouts import Layout
from minifloat.softfloat._quick import quick_relation
from minifloat.softfloat._status import FloatStatus
from minifloat.softfloat._tfloat32 import working_layout
from minifloat.softfloat._words import ExceptionFlag, Relation

__all__ = [
    "PREDICATES",
    "STATUS_PREDICATES",
    "VALUES",
    "absolute",
    "changed_sign",
    "compare",
    "constant",
    "default_nan",
    "predicate",
    "relation",
    "set_sign",
    "silence_nan",
    "squash_input_denormal",
    "status_predicate",
]

VALUES = {"zero": 0.0, "half": 0.5, "one": 1.0, "one_point_five": 1.5, "two": 2.0, "three": 3.0}
"""The constants that every format has."""

PREDICATES: dict[str, Callable[[Layout, AnyArray], AnyArray]] = {
    "is_any_nan": lambda one, a: one.is_nan(a),
    "is_infinity": lambda one, a: one.is_infinite(a),
    "is_zero": lambda one, a: a & one.magnitude == 0,
    "is_neg": lambda one, a: a & one.sign != 0,
    "is_normal": lambda one, a: _is_normal(one, a),
    "is_denormal": lambda one, a: one.is_subnormal(a),
    "is_zero_or_denormal": lambda one, a: a & one.magnitude < one.normal,
    "is_zero_or_normal": lambda one, a: _is_normal(one, a) | (a & one.magnitude == 0),
}
"""Predicates of the bits alone."""

STATUS_PREDICATES: dict[str, Callable[[Layout, AnyArray, FloatStatus], AnyArray]] = {
    "is_quiet_nan": lambda one, a, s: one.is_nan(a) & ~np.asarray(one.is_signaling(a, s)),
    "is_signaling_nan": lambda one, a, s: one.is_signaling(a, s),
}
"""Predicates that depend on which NaNs signal."""


def compare(layout: Layout, quiet: bool) -> Callable[..., Any]:
    """Build a comparison.

    Parameters
    ----------
    layout : Layout
    quiet : bool
        Whether a quiet NaN raises nothing.

    Returns
    -------
    callable
    """

    def function(a: Any, b: Any, status: FloatStatus) -> Any:
        quick = quick_relation(layout, quiet, a, b, status)
        if quick is not None:
            return Relation(quick)
        found = _compare(a, b, layout, quiet, status)
        return Relation(int(found)) if is_scalar(a) and is_scalar(b) else found

    return function


def relation(layout: Layout, quiet: bool, *holds: Relation) -> Callable[..., Any]:
    """Build a relation.

    Parameters
    ----------
    layout : Layout
    quiet : bool
    *holds : Relation
        The outcomes of a comparison for which it is true.

    Returns
    -------
    callable
    """
    # Indexed by the relation: less, -1, is the last.
    truth = np.array([outcome in holds for outcome in (0, 1, 2, -1)])

    def function(a: Any, b: Any, status: FloatStatus) -> Any:
        quick = quick_relation(layout, quiet, a, b, status)
        if quick is not None:
            return quick in holds
        found = truth[_compare(a, b, layout, quiet, status)]
        return bool(found) if is_scalar(a) and is_scalar(b) else np.asarray(found)

    return function


def predicate(layout: Layout, name: str) -> Callable[..., Any]:
    """Build a predicate of the bits.

    Parameters
    ----------
    layout : Layout
    name : str

    Returns
    -------
    callable
    """
    test = PREDICATES[name]

    def function(a: Any) -> Any:
        found = test(layout, _raw(a, layout))
        return bool(found) if is_scalar(a) else np.asarray(found)

    return function


def status_predicate(layout: Layout, name: str) -> Callable[..., Any]:
    """Build a predicate that asks the status which NaNs signal.

    Parameters
    ----------
    layout : Layout
    name : str

    Returns
    -------
    callable
    """
    test = STATUS_PREDICATES[name]

    def function(a: Any, status: FloatStatus) -> Any:
        found = test(layout, _raw(a, layout), status)
        return bool(found) if is_scalar(a) else np.asarray(found)

    return function


def absolute(layout: Layout) -> Callable[..., Any]:
    """Build the operation that clears the sign bit.

    Parameters
    ----------
    layout : Layout

    Returns
    -------
    callable
    """
    return _bits(layout, lambda a: a & a.dtype.type(layout.magnitude))


def changed_sign(layout: Layout) -> Callable[..., Any]:
    """Build the operation that flips the sign bit.

    Parameters
    ----------
    layout : Layout

    Returns
    -------
    callable
    """
    return _bits(layout, lambda a: a ^ a.dtype.type(layout.sign))


def set_sign(layout: Layout) -> Callable[..., Any]:
    """Build the operation that sets the sign bit to 0 or 1.

    Parameters
    ----------
    layout : Layout

    Returns
    -------
    callable
    """

    def function(a: Any, sign: int) -> Any:
        if sign not in (0, 1):
            msg = f"sign={sign!r}: allowed are 0 and 1"
            raise OptionError(msg)
        codes = _raw(a, layout)
        kind = codes.dtype.type
        found = (codes & kind(layout.magnitude)) | kind(layout.sign if sign else 0)
        return int(found) if is_scalar(a) else np.asarray(found)

    return function


def silence_nan(layout: Layout) -> Callable[..., Any]:
    """Build the operation that makes signalling NaNs quiet.

    Parameters
    ----------
    layout : Layout

    Returns
    -------
    callable
    """

    def function(a: Any, status: FloatStatus) -> Any:
        codes = _raw(a, layout)
        kind = codes.dtype.type
        quiet = codes | kind(layout.quiet_bit)
        if status.snan_bit_is_one:  # clearing the bit might leave an infinity
            quiet = np.full_like(codes, default_nan_code(layout, status.context))
        found = np.where(layout.is_signaling(codes, status), quiet, codes)
        return int(found) if is_scalar(a) else found

    return function


def squash_input_denormal(layout: Layout) -> Callable[..., Any]:
    """Build the operation that flushes subnormal numbers where the status flushes inputs.

    Parameters
    ----------
    layout : Layout

    Returns
    -------
    callable
    """

    def function(a: Any, status: FloatStatus) -> Any:
        codes = _raw(a, layout)
        tiny = np.asarray(layout.is_subnormal(codes))
        found = codes
        if status.flush_inputs_to_zero and tiny.any():
            status.raise_flags(ExceptionFlag.INPUT_DENORMAL_FLUSHED)
            found = np.where(tiny, codes & codes.dtype.type(layout.sign), codes)
        return int(found) if is_scalar(a) else found

    return function


def default_nan(layout: Layout) -> Callable[..., Any]:
    """Build the function that returns the default NaN.

    Parameters
    ----------
    layout : Layout

    Returns
    -------
    callable
    """

    def function(status: FloatStatus) -> Any:
        return default_nan_code(layout, status.context)

    return function


def constant(layout: Layout, name: str) -> int:
    """Return the code of a constant.

    Parameters
    ----------
    layout : Layout
    name : str

    Returns
    -------
    int

    Examples
    --------
    >>> from minifloat.softfloat._layouts import LAYOUTS
    >>> hex(constant(LAYOUTS["tfloat32"], "one_point_five"))
    '0x3fc00000'
    """
    if name == "infinity":
        one = constant(layout, "one")
        return int(div(one, constant(layout, "zero"), layout.fmt))
    return int(encode(VALUES[name], layout.fmt))


def _compare(a: Any, b: Any, layout: Layout, quiet: bool, status: FloatStatus) -> AnyArray:
    one = working_layout(layout, status)
    codes = spread([prepare(a, layout, status), prepare(b, layout, status)])
    flags = np.empty(codes[0].shape, np.uint8)
    first, second = codes
    found = compare_codes(
        first, second, one.fmt, signaling=not quiet, context=status.context, flags=flags
    )
    invalid = raises(flags, Flag.INVALID)
    total = status_flags(int(np.bitwise_or.reduce(flags, axis=None)))
    if invalid.any():
        bad = [part[invalid] for part in codes]
        total |= invalid_causes("other", bad, [one, one], status)
    total |= denormal_flags("other", codes, [one, one], invalid, status, status.exception_flags)
    status.raise_flags(total)
    return np.asarray(found)


def _raw(a: Any, layout: Layout) -> AnyArray:
    """Codes as they stand: operations on bits apply no input policy."""
    return as_codes(a, layout.fmt)


def _bits(layout: Layout, change: Callable[[AnyArray], AnyArray]) -> Callable[..., Any]:
    def function(a: Any) -> Any:
        found = change(_raw(a, layout))
        return int(found) if is_scalar(a) else np.asarray(found)

    return function


def _is_normal(layout: Layout, codes: AnyArray) -> AnyArray:
    size = codes & layout.magnitude
    finite = ~np.asarray(layout.is_nan(codes) | layout.is_infinite(codes))
    return np.asarray(size >= layout.normal) & finite
