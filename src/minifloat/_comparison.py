"""Order on codes: the relations and the total order."""

from __future__ import annotations

from typing import Any, Unpack

import numpy as np

from minifloat._errors import DtypeError
from minifloat._formats import formats
from minifloat._operations import FormatsLike, Op, Quiet, Switches, operand_formats, operate

__all__ = [
    "compare",
    "equal",
    "greater",
    "greater_equal",
    "less",
    "less_equal",
    "not_equal",
    "total_order",
    "unordered",
]

_BYTE = formats["uint8"]
_LESS, _EQUAL, _GREATER, _UNORDERED = -1, 0, 1, 2


def compare(
    a: Any, b: Any, fmt: FormatsLike, *, signaling: bool = False, **how: Unpack[Quiet]
) -> Any:
    """Compare codes; all other relations follow from this one.

    Parameters
    ----------
    a, b : array_like of int, shapes that broadcast
        Codes.
    fmt : Format, str or dtype, or a pair
        The format of both operands, or of each.
    signaling : bool
        Whether a quiet NaN raises INVALID, as a signalling one always does.
    **how
        `context`, `flags`, `out` (int8), `workers`.

    Returns
    -------
    ndarray or numpy scalar of int8, broadcast shape
        -1 less, 0 equal, 1 greater, 2 unordered. Zeros are equal whatever their signs.

    Raises
    ------
    FormatError, OptionError, DtypeError, CodeError
        As for `add`.

    References
    ----------
    IEEE 754-2019 §5.11.

    Examples
    --------
    >>> compare([0x00, 0x38, 0x7F], [0x80, 0x40, 0x38], "e4m3fn")
    array([ 0, -1,  2], dtype=int8)
    """
    relation = _relation(a, b, fmt, signaling, as_bytes(how, "i1"))
    return finish(relation, how, "i1")


def equal(
    a: Any, b: Any, fmt: FormatsLike, *, signaling: bool = False, **how: Unpack[Quiet]
) -> Any:
    """Whether codes have equal values. See `compare`.

    Parameters
    ----------
    a, b : array_like of int, shapes that broadcast
    fmt : Format, str or dtype, or a pair
    signaling : bool
        Whether a quiet NaN raises INVALID.
    **how
        `context`, `flags`, `out`, `workers`.

    Returns
    -------
    ndarray or numpy scalar of bool, broadcast shape

    Raises
    ------
    FormatError, OptionError, DtypeError, CodeError
        As for `add`.

    Examples
    --------
    >>> equal([0x00, 0x7F], [0x80, 0x7F], "e4m3fn")
    array([ True, False])
    """
    return _holds(a, b, fmt, signaling, how, _EQUAL)


def not_equal(
    a: Any, b: Any, fmt: FormatsLike, *, signaling: bool = False, **how: Unpack[Quiet]
) -> Any:
    """Whether codes have different values, or one is NaN. See `equal`.

    Parameters
    ----------
    a, b : array_like of int, shapes that broadcast
    fmt : Format, str or dtype, or a pair
    signaling : bool
    **how
        As for `equal`.

    Returns
    -------
    ndarray or numpy scalar of bool, broadcast shape
    """
    return _holds(a, b, fmt, signaling, how, _LESS, _GREATER, _UNORDERED)


def less(a: Any, b: Any, fmt: FormatsLike, *, signaling: bool = True, **how: Unpack[Quiet]) -> Any:
    """Whether ``a < b``; signalling unless told otherwise. See `equal`.

    Parameters
    ----------
    a, b : array_like of int, shapes that broadcast
    fmt : Format, str or dtype, or a pair
    signaling : bool
        Whether a quiet NaN raises INVALID.
    **how
        As for `equal`.

    Returns
    -------
    ndarray or numpy scalar of bool, broadcast shape

    Examples
    --------
    >>> bool(less(0xB8, 0x38, "e4m3fn"))
    True
    """
    return _holds(a, b, fmt, signaling, how, _LESS)


def less_equal(
    a: Any, b: Any, fmt: FormatsLike, *, signaling: bool = True, **how: Unpack[Quiet]
) -> Any:
    """Whether ``a <= b``; signalling unless told otherwise. See `less`.

    Parameters
    ----------
    a, b : array_like of int, shapes that broadcast
    fmt : Format, str or dtype, or a pair
    signaling : bool
    **how
        As for `equal`.

    Returns
    -------
    ndarray or numpy scalar of bool, broadcast shape
    """
    return _holds(a, b, fmt, signaling, how, _LESS, _EQUAL)


def greater(
    a: Any, b: Any, fmt: FormatsLike, *, signaling: bool = True, **how: Unpack[Quiet]
) -> Any:
    """Whether ``a > b``; signalling unless told otherwise. See `less`.

    Parameters
    ----------
    a, b : array_like of int, shapes that broadcast
    fmt : Format, str or dtype, or a pair
    signaling : bool
    **how
        As for `equal`.

    Returns
    -------
    ndarray or numpy scalar of bool, broadcast shape
    """
    return _holds(a, b, fmt, signaling, how, _GREATER)


def greater_equal(
    a: Any, b: Any, fmt: FormatsLike, *, signaling: bool = True, **how: Unpack[Quiet]
) -> Any:
    """Whether ``a >= b``; signalling unless told otherwise. See `less`.

    Parameters
    ----------
    a, b : array_like of int, shapes that broadcast
    fmt : Format, str or dtype, or a pair
    signaling : bool
    **how
        As for `equal`.

    Returns
    -------
    ndarray or numpy scalar of bool, broadcast shape
    """
    return _holds(a, b, fmt, signaling, how, _GREATER, _EQUAL)


def unordered(
    a: Any, b: Any, fmt: FormatsLike, *, signaling: bool = False, **how: Unpack[Quiet]
) -> Any:
    """Whether one of the codes is NaN. See `equal`.

    Parameters
    ----------
    a, b : array_like of int, shapes that broadcast
    fmt : Format, str or dtype, or a pair
    signaling : bool
    **how
        As for `equal`.

    Returns
    -------
    ndarray or numpy scalar of bool, broadcast shape
    """
    return _holds(a, b, fmt, signaling, how, _UNORDERED)


def total_order(a: Any, b: Any, fmt: FormatsLike, **how: Unpack[Quiet]) -> Any:
    """Whether `a` comes before `b` or is the same in IEEE 754's total order.

    Negative NaNs come first, then numbers with -0 before +0, then positive NaNs; signalling NaNs
    are nearer to the numbers than quiet ones.

    Parameters
    ----------
    a, b : array_like of int, shapes that broadcast
    fmt : Format, str or dtype, or a pair
    **how
        As for `equal`.

    Returns
    -------
    ndarray or numpy scalar of bool, broadcast shape

    References
    ----------
    IEEE 754-2019 §5.10.

    Examples
    --------
    >>> total_order([0x80, 0x00], [0x00, 0x80], "e4m3fn")
    array([ True, False])
    """
    formats_ = operand_formats(fmt, 2)
    found = operate(Op.TOTAL_ORDER, (a, b), formats_, as_bytes(how, "?"), result=_BYTE)
    return finish(found, how, "?")


def as_bytes(how: Quiet, dtype: str) -> Quiet:
    """Return keywords whose `out` is seen as bytes.

    Parameters
    ----------
    how : Quiet
        The caller's keywords.
    dtype : str
        The one-byte dtype that the result, and so `out`, has.

    Returns
    -------
    Quiet

    Raises
    ------
    DtypeError
        If `out` has another dtype.
    """
    out = how.get("out")
    if out is None:
        return how
    if not isinstance(out, np.ndarray) or out.dtype != np.dtype(dtype):
        msg = f"out= must be an array of {np.dtype(dtype).name}"
        raise DtypeError(msg)
    return {**how, "out": out.view(np.uint8)}


def finish(found: Any, how: Quiet, dtype: str) -> Any:
    """Return the caller's `out`, or bytes seen as the result's dtype.

    Parameters
    ----------
    found : ndarray or numpy scalar of uint8
    how : Quiet
        The caller's keywords.
    dtype : str

    Returns
    -------
    ndarray or numpy scalar
    """
    out = how.get("out")
    return found.view(dtype) if out is None else out


def _relation(a: Any, b: Any, fmt: FormatsLike, signaling: bool, how: Quiet) -> Any:
    switches = Switches(signaling=bool(signaling))
    formats_ = operand_formats(fmt, 2)
    return operate(Op.COMPARE, (a, b), formats_, how, result=_BYTE, switches=switches)


def _holds(a: Any, b: Any, fmt: FormatsLike, signaling: bool, how: Quiet, *relations: int) -> Any:
    found = _relation(a, b, fmt, signaling, as_bytes(how, "?"))
    truth = np.zeros(256, np.uint8)
    truth[list(relations)] = 1
    out = how.get("out")
    if out is None:
        return truth[found].view("?")
    out.view(np.uint8)[...] = truth[found]
    return out
