"""Arithmetic on codes: each result is the exact one, rounded once."""

from __future__ import annotations

from typing import Any, Unpack

import numpy as np

from minifloat._arrays import is_scalar
from minifloat._errors import CodeError, OptionError
from minifloat._formats import FormatLike, formats, get_format
from minifloat._operations import FormatsLike, How, Op, Switches, operand_formats, operate

__all__ = [
    "add",
    "convert",
    "div",
    "fma",
    "mul",
    "rem",
    "round_to_integral",
    "scalbn",
    "sqrt",
    "sub",
]

_INT32 = formats["int32"]


def add(a: Any, b: Any, fmt: FormatsLike, **how: Unpack[How]) -> Any:
    """Add codes: the exact sum, rounded once.

    An exact zero sum of operands of unlike signs is +0, or -0 when rounding toward negative.

    Parameters
    ----------
    a, b : array_like of int, shapes that broadcast
        Codes.
    fmt : Format, str or dtype, or a pair
        The format of both operands, or of each.
    **how
        `rounding`, `overflow`, `nan`, `context`, `rng`, `random_bits`, `flags`, `out`, `workers`
        as for `encode`, but ``nan="max"`` when omitted; and `out_format`, the format of the
        result (that of the operands when omitted).

    Returns
    -------
    ndarray or numpy scalar, broadcast shape
        Codes of the result, in the smallest unsigned dtype.

    Raises
    ------
    FormatError
        For integer formats, and for a pair of formats without `out_format`.
    OptionError, DtypeError, CodeError, NanError
        As for `cast`.

    References
    ----------
    IEEE 754-2019 §5.4.1, §6.3.

    Examples
    --------
    >>> import minifloat as mf
    >>> flags = mf.Flags()
    >>> add([0x38, 0x7E], [0x18, 0x7E], "e4m3fn", flags=flags)  # 1 + 2**-4, 448 + 448
    array([ 56, 127], dtype=uint8)
    >>> flags.raised
    <Flag.INEXACT|OVERFLOW: 5>
    """
    return operate(Op.ADD, (a, b), operand_formats(fmt, 2), how)


def sub(a: Any, b: Any, fmt: FormatsLike, **how: Unpack[How]) -> Any:
    """Subtract codes: ``a - b``, rounded once. See `add`.

    Parameters
    ----------
    a, b : array_like of int, shapes that broadcast
    fmt : Format, str or dtype, or a pair
    **how
        As for `add`.

    Returns
    -------
    ndarray or numpy scalar, broadcast shape

    Raises
    ------
    FormatError, OptionError, DtypeError, CodeError, NanError
        As for `add`.

    Examples
    --------
    >>> hex(sub(0x3C00, 0x3C01, "float16"))
    '0x9400'
    """
    return operate(Op.SUBTRACT, (a, b), operand_formats(fmt, 2), how)


def mul(a: Any, b: Any, fmt: FormatsLike, **how: Unpack[How]) -> Any:
    """Multiply codes: the exact product, rounded once. See `add`.

    Parameters
    ----------
    a, b : array_like of int, shapes that broadcast
    fmt : Format, str or dtype, or a pair
    **how
        As for `add`.

    Returns
    -------
    ndarray or numpy scalar, broadcast shape

    Raises
    ------
    FormatError, OptionError, DtypeError, CodeError, NanError
        As for `add`.

    Examples
    --------
    >>> hex(mul(0x40, 0x3E, ("e4m3fn", "e5m2"), out_format="float16"))  # 2 * 1.5
    '0x4200'
    """
    return operate(Op.MULTIPLY, (a, b), operand_formats(fmt, 2), how)


def div(a: Any, b: Any, fmt: FormatsLike, **how: Unpack[How]) -> Any:
    """Divide codes: ``a / b``, rounded once. See `add`.

    A finite non-zero number divided by zero is an exact infinity with DIVIDE_BY_ZERO, which then
    passes the range step like an infinite source: NaN under the IEEE policy in formats without
    infinity, the largest finite value under saturation. Where the result format's default policy is
    P3109's, zero has no sign and every ``x / 0`` is NaN with INVALID.

    Parameters
    ----------
    a, b : array_like of int, shapes that broadcast
    fmt : Format, str or dtype, or a pair
    **how
        As for `add`.

    Returns
    -------
    ndarray or numpy scalar, broadcast shape

    Raises
    ------
    FormatError, OptionError, DtypeError, CodeError, NanError
        As for `add`.

    References
    ----------
    IEEE 754-2019 §5.4.1, §7.3; IEEE P3109 v4.0, Divide.

    Examples
    --------
    >>> import minifloat as mf
    >>> flags = mf.Flags()
    >>> hex(div(0x38, 0x80, "e4m3fn", flags=flags)), flags.raised
    ('0xff', <Flag.DIVIDE_BY_ZERO: 8>)
    """
    return operate(Op.DIVIDE, (a, b), operand_formats(fmt, 2), how)


def rem(a: Any, b: Any, fmt: FormatsLike, **how: Unpack[How]) -> Any:
    """Take IEEE 754's remainder: ``a - n * b`` with n the integer nearest ``a / b``, ties to even.

    The remainder is exact; only a result format narrower than the operands' rounds it. A zero
    result has the sign of `a`; an infinite `a` or a zero `b` is INVALID.

    Parameters
    ----------
    a, b : array_like of int, shapes that broadcast
    fmt : Format, str or dtype, or a pair
    **how
        As for `add`.

    Returns
    -------
    ndarray or numpy scalar, broadcast shape

    Raises
    ------
    FormatError, OptionError, DtypeError, CodeError, NanError
        As for `add`.

    References
    ----------
    IEEE 754-2019 §5.3.1.

    Examples
    --------
    >>> import minifloat as mf
    >>> codes = rem(mf.encode([5.0, 7.0], "bf16"), mf.encode(2.0, "bf16"), "bf16")
    >>> mf.decode(codes, "bf16")
    array([ 1., -1.], dtype=float32)
    """
    return operate(Op.REMAINDER, (a, b), operand_formats(fmt, 2), how)


def sqrt(a: Any, fmt: FormatLike, **how: Unpack[How]) -> Any:
    """Take square roots, rounded once; that of -0 is -0, of other negative numbers INVALID.

    Parameters
    ----------
    a : array_like of int, shape (...)
    fmt : Format, str or dtype
    **how
        As for `add`.

    Returns
    -------
    ndarray or numpy scalar, shape (...)

    Raises
    ------
    FormatError, OptionError, DtypeError, CodeError, NanError
        As for `add`.

    References
    ----------
    IEEE 754-2019 §5.4.1.

    Examples
    --------
    >>> hex(sqrt(0x4400, "float16"))  # 4
    '0x4000'
    """
    return operate(Op.SQUARE_ROOT, (a,), operand_formats(fmt, 1), how)


def fma(
    a: Any,
    b: Any,
    c: Any,
    fmt: FormatsLike,
    *,
    negate_product: bool = False,
    negate_addend: bool = False,
    negate_result: bool = False,
    exponent: int = 0,
    **how: Unpack[How],
) -> Any:
    """Fused multiply-add: ``(a * b + c) * 2**exponent``, rounded once.

    Infinity times zero is INVALID whatever `c` is, unless the context says otherwise.

    Parameters
    ----------
    a, b, c : array_like of int, shapes that broadcast
    fmt : Format, str or dtype, or a triple
        The format of all operands, or of each.
    negate_product, negate_addend : bool
        Change the sign inside the operation; signs of NaN stay.
    negate_result : bool
        Change the sign of the rounded result, NaN excepted.
    exponent : int
        Scales the exact sum before it is rounded.
    **how
        As for `add`.

    Returns
    -------
    ndarray or numpy scalar, broadcast shape

    Raises
    ------
    FormatError, OptionError, DtypeError, CodeError, NanError
        As for `add`.

    References
    ----------
    IEEE 754-2019 §5.4.1, §7.2.

    Examples
    --------
    >>> import minifloat as mf
    >>> hex(fma(0x3C01, 0x3C01, 0xBC02, "float16"))  # (1 + u)**2 - (1 + 2u) = u**2
    '0x10'
    """
    negates = negate_product | negate_addend << 1 | negate_result << 2
    switches = Switches(negates=negates, scale=_as_int(exponent, "exponent"))
    formats_ = operand_formats(fmt, 3)
    return operate(Op.MULTIPLY_ADD, (a, b, c), formats_, how, switches=switches)


def scalbn(a: Any, exponent: Any, fmt: FormatLike, **how: Unpack[How]) -> Any:
    """Scale by powers of two: ``a * 2**exponent``, rounded once.

    Parameters
    ----------
    a : array_like of int, shape that broadcasts
        Codes.
    exponent : array_like of int, shape that broadcasts
        Integers.
    fmt : Format, str or dtype
    **how
        As for `add`.

    Returns
    -------
    ndarray or numpy scalar, broadcast shape

    Raises
    ------
    FormatError, OptionError, DtypeError, CodeError, NanError
        As for `add`.

    References
    ----------
    IEEE 754-2019 §5.3.3.

    Examples
    --------
    >>> scalbn(0x38, [-9, 0, 8], "e4m3fn")
    array([  1,  56, 120], dtype=uint8)
    """
    source = operand_formats(fmt, 1)[0]
    counts = np.asarray(exponent)
    if counts.dtype.kind not in "iu":
        msg = f"exponent= must be integers, got {counts.dtype.name}"
        raise CodeError(msg)
    clipped = np.clip(counts, -(2**30), 2**30).astype(np.int32).view(np.uint32)
    words = clipped[()] if is_scalar(exponent) else clipped
    how.setdefault("out_format", source)
    return operate(Op.SCALE, (a, words), (source, _INT32), how)


def round_to_integral(a: Any, fmt: FormatLike, *, exact: bool = True, **how: Unpack[How]) -> Any:
    """Round to integers that stay in the format; ties and TO_ODD go by the integer's parity.

    Parameters
    ----------
    a : array_like of int, shape (...)
    fmt : Format, str or dtype
    exact : bool
        Whether INEXACT is raised where the value changes.
    **how
        As for `add`.

    Returns
    -------
    ndarray or numpy scalar, shape (...)
        A zero keeps the sign of its operand.

    Raises
    ------
    FormatError, OptionError, DtypeError, CodeError, NanError
        As for `add`.

    References
    ----------
    IEEE 754-2019 §5.9.

    Examples
    --------
    >>> import minifloat as mf
    >>> codes = mf.encode([0.5, 1.5, 2.5, -0.2], "float16")
    >>> mf.decode(round_to_integral(codes, "float16"), "float16")
    array([ 0.,  2.,  2., -0.], dtype=float32)
    """
    switches = Switches(exact=exact)
    return operate(Op.ROUND_TO_INTEGRAL, (a,), operand_formats(fmt, 1), how, switches=switches)


def convert(codes: Any, src: FormatLike, dst: FormatLike, **how: Unpack[How]) -> Any:
    """Convert codes to another format as an arithmetic operation.

    Unlike `cast` it treats NaN by the context's rules (payloads move where those say so), and takes
    ``nan="max"`` when omitted.

    Parameters
    ----------
    codes : array_like of int, shape (...)
        Codes of `src`.
    src, dst : Format, str or dtype
    **how
        As for `add`, without `out_format`.

    Returns
    -------
    ndarray or numpy scalar, shape (...)
        Codes of `dst`.

    Raises
    ------
    FormatError, OptionError, DtypeError, CodeError, NanError
        As for `add`.

    Examples
    --------
    >>> import minifloat as mf
    >>> hex(convert(0xFFC12300, "float32", "bf16", context=mf.contexts.ARM))
    '0xffc1'
    """
    how["out_format"] = get_format(dst)
    return operate(Op.CONVERT, (codes,), operand_formats(src, 1), how)


def _as_int(value: object, name: str) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        msg = f"{name}={value!r}: give an integer"
        raise OptionError(msg)
    return int(value)
