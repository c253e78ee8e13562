"""Operations on the sign bit: they raise nothing, and leave NaN payloads alone."""

from __future__ import annotations

from typing import Any, Unpack

from minifloat._errors import FormatError
from minifloat._formats import FormatLike
from minifloat._operations import FormatsLike, Op, Quiet, operand_formats, operate

__all__ = ["abs", "copysign", "negate"]


def negate(codes: Any, fmt: FormatLike, **how: Unpack[Quiet]) -> Any:
    """Flip signs: a bit operation that raises nothing. NaN keeps its payload.

    Zeros and NaNs that have no sign stay.

    Parameters
    ----------
    codes : array_like of int, shape (...)
    fmt : Format, str or dtype
        A signed format.
    **how
        `out`, `workers`.

    Returns
    -------
    ndarray or numpy scalar, shape (...)

    Raises
    ------
    FormatError
        For integer and unsigned formats.

    References
    ----------
    IEEE 754-2019 §5.5.1.

    Examples
    --------
    >>> [hex(code) for code in negate([0x38, 0x00, 0x80], "e4m3fnuz")]
    ['0xb8', '0x0', '0x80']
    """
    return _sign_operation(Op.NEGATE, (codes,), fmt, how)


def abs(codes: Any, fmt: FormatLike, **how: Unpack[Quiet]) -> Any:
    """Clear signs: a bit operation that raises nothing. See `negate`.

    Parameters
    ----------
    codes : array_like of int, shape (...)
    fmt : Format, str or dtype
    **how
        As for `negate`.

    Returns
    -------
    ndarray or numpy scalar, shape (...)

    Examples
    --------
    >>> hex(abs(0xB8, "e4m3fn"))
    '0x38'
    """
    return operate(Op.ABSOLUTE, (codes,), operand_formats(fmt, 1), how)


def copysign(a: Any, b: Any, fmt: FormatsLike, **how: Unpack[Quiet]) -> Any:
    """Give `a` the sign of `b`: a bit operation that raises nothing. See `negate`.

    Parameters
    ----------
    a, b : array_like of int, shapes that broadcast
    fmt : Format, str or dtype, or a pair
        The format of `a` is signed, and that of the result.
    **how
        As for `negate`.

    Returns
    -------
    ndarray or numpy scalar, broadcast shape

    Raises
    ------
    FormatError
        For integer and unsigned formats.

    Examples
    --------
    >>> hex(copysign(0x38, 0x80, "e4m3fn"))
    '0xb8'
    """
    return _sign_operation(Op.COPY_SIGN, (a, b), fmt, how)


def _sign_operation(op: Op, codes: tuple[Any, ...], fmt: FormatsLike, how: Quiet) -> Any:
    found = operand_formats(fmt, len(codes))
    if not found[0].signed:
        msg = f"{found[0]} has no sign to change"
        raise FormatError(msg)
    return operate(op, codes, found, how, result=found[0])
