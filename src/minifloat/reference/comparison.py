"""Order on codes: comparisons, the minimum and maximum families, and neighbours."""

from __future__ import annotations

import dataclasses
from enum import IntEnum
from fractions import Fraction

from minifloat._context import Context
from minifloat._errors import OptionError, nearest
from minifloat._flags import Flag
from minifloat._formats import Format
from minifloat._rounding import Overflow
from minifloat.reference.arithmetic import (
    ARITHMETIC,
    Formats,
    decode_operands,
    result_format,
)
from minifloat.reference.exact import power_of_two
from minifloat.reference.how import How
from minifloat.reference.nans import choose_nan, deliver
from minifloat.reference.rounding import round_value
from minifloat.reference.spacing import quantum
from minifloat.reference.values import Kind, Value, decode, largest

__all__ = ["EXTREMA", "Relation", "compare", "extremum", "next_down", "next_up"]

_NONE = Flag(0)
_NEAR_ZERO = power_of_two(-2000)


class Relation(IntEnum):
    """The four mutually exclusive relations of IEEE 754-2019 §5.11."""

    LESS = -1
    EQUAL = 0
    GREATER = 1
    UNORDERED = 2


def _order(x: Value, y: Value) -> Relation:
    """Compare two values that are not NaN; zeros are equal."""

    def key(value: Value) -> tuple[int, Fraction]:
        if value.is_infinite:
            return (-1 if value.negative else 1), Fraction(0)
        return 0, value.number

    return Relation((key(x) > key(y)) - (key(x) < key(y)))


def compare(
    a: int, b: int, fmt: Formats, how: How = ARITHMETIC, *, signaling: bool = False
) -> tuple[Relation, Flag]:
    """Compare two codes.

    Parameters
    ----------
    a, b : int
    fmt : Format or pair of Format
    how : How
        Only its context counts.
    signaling : bool
        Whether a quiet NaN raises INVALID too (as the relations less, greater and their kin do).

    Returns
    -------
    relation : Relation
    flags : Flag

    Examples
    --------
    >>> from minifloat._formats import get_format
    >>> compare(0x00, 0x80, get_format("e4m3fn"))
    (<Relation.EQUAL: 0>, <Flag: 0>)
    """
    x, y = decode_operands((a, b), fmt, how)
    if x.is_nan or y.is_nan:
        invalid = signaling or x.signaling or y.signaling
        return Relation.UNORDERED, Flag.INVALID if invalid else _NONE
    return _order(x, y), _NONE


EXTREMA = tuple(
    side + name
    for side in ("min", "max")
    for name in (
        "imum",
        "imum_magnitude",
        "imum_number",
        "imum_magnitude_number",
        "_num",
        "_num_magnitude",
    )
)
"""The families: IEEE 754-2019's ``minimum`` (NaN wins) and ``minimum_number`` (numbers win),
IEEE 754-2008's ``min_num`` (numbers win over quiet NaN only), each also by magnitude."""


def extremum(
    name: str, a: int, b: int, fmt: Formats, how: How = ARITHMETIC, out: Format | None = None
) -> tuple[int, Flag]:
    """Return the smaller or larger of two codes, where -0 is below +0.

    Parameters
    ----------
    name : str
        One of `EXTREMA`. The ``_magnitude`` kinds compare magnitudes first, then values.
    a, b : int
    fmt : Format or pair of Format
    how : How
    out : Format, optional

    Returns
    -------
    code : int
        Always the canonical code of its value.
    flags : Flag
        INVALID for a signalling NaN.

    Raises
    ------
    OptionError
        If the name is unknown.

    References
    ----------
    IEEE 754-2019 §9.6; IEEE 754-2008 §5.3.1.

    Examples
    --------
    >>> from minifloat._formats import get_format
    >>> names = ("minimum", "minimum_number")
    >>> [extremum(name, 0x38, 0x7F, get_format("e4m3fn"))[0] for name in names]
    [127, 56]
    """
    if name not in EXTREMA:
        msg = f"unknown {name!r}; allowed are {', '.join(EXTREMA)}{nearest(name, EXTREMA)}"
        raise OptionError(msg)
    x, y = decode_operands((a, b), fmt, how)
    flags = Flag.INVALID if x.signaling or y.signaling else _NONE
    if x.is_nan or y.is_nan:
        value = _with_nan(name, x, y, how.context)
    else:
        wants_larger = name.startswith("max")
        value = y if _is_above(y, x, by_magnitude="magnitude" in name) == wants_larger else x
    code, raised = deliver(value, result_format(fmt, out), how)
    return code, flags | raised


def _with_nan(name: str, x: Value, y: Value, context: Context) -> Value:
    nan, other = (x, y) if x.is_nan else (y, x)
    words = name.split("_")
    numbers_win = "number" in words or ("num" in words and not nan.signaling)
    return other if numbers_win and not other.is_nan else choose_nan((x, y), context)


def _is_above(x: Value, y: Value, *, by_magnitude: bool) -> bool:
    """Tell whether x is strictly above y in the total order of numbers and zeros."""
    if by_magnitude:
        sizes = _order(_absolute(x), _absolute(y))
        if sizes is not Relation.EQUAL:
            return sizes is Relation.GREATER
    relation = _order(x, y)
    if relation is Relation.EQUAL:
        return y.negative and not x.negative
    return relation is Relation.GREATER


def _absolute(x: Value) -> Value:
    return Value(x.kind, magnitude=x.magnitude)


def next_up(a: int, fmt: Format, how: How = ARITHMETIC) -> tuple[int, Flag]:
    """Return the least value above a code.

    Beyond the end of the range comes the infinity, failing that NaN, failing that the value
    itself. P3109 formats give NaN above +infinity, others +infinity again.

    Parameters
    ----------
    a : int
    fmt : Format
    how : How
        Its context decides which NaNs signal; nothing is flushed.

    Returns
    -------
    code : int
        Below the smallest positive value comes -0 from below, if the format has it.
    flags : Flag
        INVALID for a signalling NaN.

    References
    ----------
    IEEE 754-2019 §5.3.1; IEEE P3109 v4.0, NextGreaterThan.

    Examples
    --------
    >>> from minifloat._formats import get_format
    >>> [hex(next_up(code, get_format("e5m2"))[0]) for code in (0x00, 0x7B, 0x81)]
    ['0x1', '0x7c', '0x80']
    """
    return _neighbour(a, fmt, how, upward=True)


def next_down(a: int, fmt: Format, how: How = ARITHMETIC) -> tuple[int, Flag]:
    """Return the greatest value below a code; see `next_up`.

    Parameters
    ----------
    a : int
    fmt : Format
    how : How

    Returns
    -------
    code : int
    flags : Flag
    """
    return _neighbour(a, fmt, how, upward=False)


def _neighbour(a: int, fmt: Format, how: How, *, upward: bool) -> tuple[int, Flag]:
    context = dataclasses.replace(how.context, flush_inputs=False)
    value = decode(a, result_format(fmt, None), context)
    if value.is_nan:
        code, _ = deliver(choose_nan([value], context), fmt, How(context=context))
        return code, Flag.INVALID if value.signaling else _NONE
    neighbour = _away_from_zero if value.is_zero or value.negative != upward else _toward_zero
    found = neighbour(value, fmt, negative=not upward)
    if found is None:
        return a, _NONE
    code, flags = round_value(found, fmt, How(overflow=Overflow.SATURATE_KEEP_INFINITY))
    assert not flags, f"{found} is no value of {fmt}"
    return code, _NONE


def _beyond(fmt: Format) -> Value | None:
    """Return what lies beyond an end without infinity: NaN, or None for nothing."""
    return Value(Kind.NAN) if fmt.has_nan else None


def _away_from_zero(value: Value, fmt: Format, *, negative: bool) -> Value | None:
    if value.is_infinite:
        return _beyond(fmt) if fmt.default_overflow is Overflow.P3109 else None
    if negative and not fmt.signed:
        return _beyond(fmt)
    if value.magnitude == largest(fmt, negative=negative).magnitude:
        return Value(Kind.INFINITE, negative) if fmt.has_infinity else _beyond(fmt)
    step = quantum(value.magnitude or _NEAR_ZERO, fmt)
    return Value(negative=negative, magnitude=abs(value.number) + step)


def _toward_zero(value: Value, fmt: Format, *, negative: bool) -> Value | None:
    if value.is_infinite:
        return largest(fmt, negative=value.negative)
    magnitude = abs(value.number)
    step = quantum(magnitude * (1 - power_of_two(-80)), fmt)
    if magnitude > step or fmt.has_zero:
        return Value(negative=value.negative, magnitude=magnitude - step)
    # Without a zero the smallest values of both signs are neighbours.
    return Value(negative=negative, magnitude=magnitude) if fmt.signed else _beyond(fmt)
