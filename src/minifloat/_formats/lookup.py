"""Turn whatever a user calls a format into a `Format`: a name, a spec string, a dtype."""

from __future__ import annotations

import functools
import re
from typing import Any, TypeAlias

import numpy as np

from minifloat._errors import FormatError, nearest
from minifloat._formats.named import _NAMED, ALIASES, formats
from minifloat._formats.types import FloatFormat, Format, IntFormat, NanCode, Subnormals
from minifloat._rounding import as_overflow

__all__ = ["FormatLike", "get_format", "parse_format"]

FormatLike: TypeAlias = Format | str | Any
"""A `Format`, its name, alias or spec string, or a numpy, ml_dtypes or torch dtype."""

_FLOAT_SPEC = re.compile(r"(u?)e(\d+)m(\d+)(?::(.*))?")
_INT_SPEC = re.compile(r"(u?)int(\d+)(?::scale=(-?\d+))?")
_KINDS = {
    "ieee": (True, NanCode.IEEE),
    "fn": (False, NanCode.ALL_ONES),
    "fnuz": (False, NanCode.NEGATIVE_ZERO),
    "finite": (False, NanCode.NONE),
}
_KEYS = [
    *_KINDS,
    *("inf", "bias=", "nosubnormals", "fullrange", "nozero", "nonegzero", "overflow=", "shift="),
]


def get_format(fmt: FormatLike) -> Format:
    """Look up a format.

    Parameters
    ----------
    fmt : Format, str, or dtype
        A `Format` (returned as it is); a name (``"float8_e4m3fn"``), alias (``"e4m3fn"``, ``"tf32"``)
        or P3109 name (``"binary8p3se"``); a spec string; a numpy, ml_dtypes or torch dtype.
        A spec string is ``[u]e<E>m<M>`` or ``[u]int<N>``, then ``:`` and comma-separated keys:
        ``ieee`` (the default), ``fn``, ``fnuz``, ``finite``, ``inf``, ``bias=<int>``,
        ``nosubnormals``, ``fullrange``, ``nozero``, ``nonegzero``, ``overflow=<policy>``,
        ``shift=<int>``; for integers ``scale=<exponent>``.

    Returns
    -------
    Format

    Raises
    ------
    FormatError
        If nothing fits; the message names the closest format.

    Examples
    --------
    >>> get_format("e6m9:bias=40,finite").max
    Fraction(16760832, 1)
    >>> get_format(np.float16).name
    'float16'
    """
    if isinstance(fmt, Format):
        return fmt
    if isinstance(fmt, str):
        return parse_format(fmt)
    return parse_format(_dtype_name(fmt))


def _dtype_name(dtype: Any) -> str:
    text = str(dtype)
    if text.startswith("torch."):
        return text.removeprefix("torch.").removesuffix("_x2")
    try:
        return np.dtype(dtype).name
    except TypeError:
        msg = f"{dtype!r} is neither a format nor a dtype of one"
        raise FormatError(msg) from None


@functools.lru_cache(maxsize=1024)
def parse_format(text: str) -> Format:
    """Read a format's name or spec string; see `get_format`.

    Parameters
    ----------
    text : str

    Returns
    -------
    Format

    Raises
    ------
    FormatError
        If the text is no name and no spec string, or describes an impossible format.

    Examples
    --------
    >>> parse_format("e2m1:finite") == parse_format("float4_e2m1fn")
    True
    """
    word = text.strip().lower()
    try:
        return formats[word]
    except KeyError:
        pass
    if found := _INT_SPEC.fullmatch(word):
        return _named(IntFormat(int(found[2]), not found[1], int(found[3] or 0)))
    if found := _FLOAT_SPEC.fullmatch(word):
        return _named(_parse_float(found, text))
    names = [*formats, *ALIASES]
    msg = (
        f"unknown format {text!r}{nearest(word, names)}; `minifloat.formats` lists the named ones,"
        " and a spec string reads e<E>m<M>[:ieee|fn|fnuz|finite,bias=<int>,nosubnormals]"
    )
    raise FormatError(msg)


def _named(fmt: Format) -> Format:
    return next((known for known in _NAMED.values() if known == fmt), fmt)


def _parse_float(found: re.Match[str], text: str) -> FloatFormat:
    options: dict[str, Any] = {"infinities": True, "nan": NanCode.IEEE, "signed": not found[1]}
    infinities = False
    for key in filter(None, (found[4] or "").split(",")):
        key, _, value = key.strip().partition("=")
        try:
            if key in _KINDS and not value:
                options["infinities"], options["nan"] = _KINDS[key]
            elif key == "inf" and not value:
                infinities = True
            elif key in ("bias", "shift"):
                options["code_shift" if key == "shift" else key] = int(value)
            elif key == "overflow":
                options["default_overflow"] = as_overflow(value)
            elif key in _FLAGS and not value:
                options |= _FLAGS[key]
            else:
                msg = f"{text!r}: unknown key {key!r}; allowed are {', '.join(_KEYS)}"
                raise FormatError(msg + nearest(key, _KEYS))
        except ValueError as error:
            if isinstance(error, FormatError):
                raise
            msg = f"{text!r}: bad value {value!r} of key {key!r}"
            raise FormatError(msg) from error
    options["infinities"] |= infinities
    exponent_bits = int(found[2])
    if options["nan"] is NanCode.NEGATIVE_ZERO and exponent_bits > 1:
        options.setdefault("bias", 2 ** (exponent_bits - 1))
    return FloatFormat(exponent_bits, int(found[3]), options.pop("bias", None), **options)


_FLAGS: dict[str, dict[str, Any]] = {
    "nosubnormals": {"subnormals": Subnormals.ZERO},
    "fullrange": {"subnormals": Subnormals.NORMAL},
    "nozero": {"zero": False, "subnormals": Subnormals.NORMAL},
    "nonegzero": {"negative_zero": False},
}
