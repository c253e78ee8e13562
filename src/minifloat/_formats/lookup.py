"""Turn whatever a user calls a format into a `Format`: a name, a spec string, a dtype."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np

from minifloat._errors import FormatError, nearest
from minifloat._formats.floats import FloatFormat
from minifloat._formats.hifloat8 import HiFloat8Format
from minifloat._formats.integers import IntFormat
from minifloat._formats.named import _NAMED, ALIASES, formats
from minifloat._formats.types import Format, NanCode, Subnormals
from minifloat._rounding import as_overflow

__all__ = ["FormatLike", "get_format", "parse_format"]

FormatLike: TypeAlias = Format | str | Any
"""A `Format`, its name, alias or spec string, or a numpy, ml_dtypes or torch dtype."""

_FLOAT_SPEC = re.compile(r"(u?)e(\d+)m(\d+)(?::(.*))?")
_INT_SPEC = re.compile(r"(u?)int(\d+)(?::(.*))?")
_HIFLOAT8_SPEC = re.compile(r"hifloat8:(.*)")


def get_format(fmt: FormatLike) -> Format:
    """Look up a format.

    Parameters
    ----------
    fmt : Format, str, or dtype
        A `Format` (returned as it is); a name (``"float8_e4m3fn"``), alias (``"e4m3fn"``,
        ``"tf32"``) or P3109 name (``"binary8p3se"``); a spec string; a numpy, ml_dtypes or torch
        dtype. A spec string is ``[u]e<E>m<M>`` or ``[u]int<N>``, then ``:`` and these keys:
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
        return text
    try:
        # Not None, which numpy takes for float64, nor lists and dicts, which are structures to it.
        if isinstance(dtype, (np.dtype, type)):
            return str(np.dtype(dtype).name)
    except TypeError:
        pass
    msg = f"{dtype!r} is neither a format nor a dtype of one"
    raise FormatError(msg)


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
    word = text.strip().lower().removeprefix("torch.").removesuffix("_x2")
    try:
        return formats[word]
    except KeyError:
        pass
    if found := _INT_SPEC.fullmatch(word):
        options = _parse_keys(found[3], text, ("scale", "overflow"))
        return _named(IntFormat(int(found[2]), not found[1], **options))
    if found := _HIFLOAT8_SPEC.fullmatch(word):
        return _named(HiFloat8Format(**_parse_keys(found[1], text, ("overflow",))))
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
    keys = (*_FLAGS, "bias", "overflow", "shift")
    options = {"signed": not found[1]} | _parse_keys(found[4], text, keys)
    exponent_bits = int(found[2])
    if options.get("nan") is NanCode.NEGATIVE_ZERO and exponent_bits > 1:
        options.setdefault("bias", 2 ** (exponent_bits - 1))
    return FloatFormat(exponent_bits, int(found[3]), **options)


def _parse_keys(keys: str | None, text: str, allowed: Sequence[str]) -> dict[str, Any]:
    """Turn the comma-separated keys of a spec string into arguments of the format's class."""
    options: dict[str, Any] = {}
    for word in filter(None, (keys or "").split(",")):
        key, equals, value = word.strip().partition("=")
        readers = _VALUES if equals else _FLAGS
        if key not in allowed or key not in readers:
            names = [name + "=" * (name in _VALUES) for name in allowed]
            msg = f"{text!r}: unknown key {word!r}; allowed are {', '.join(names)}"
            raise FormatError(msg + nearest(word, names))
        if not equals:
            options |= _FLAGS[key]
            continue
        name, reader = _VALUES[key]
        try:
            options[name] = reader(value)
        except ValueError as error:
            msg = f"{text!r}: bad value {value!r} of key {key!r}"
            raise FormatError(msg) from error
    # `inf` adds infinities to a kind that has none, wherever it stands.
    if options.pop("also_infinities", False):
        options["infinities"] = True
    return options


_VALUES: dict[str, tuple[str, Callable[[str], Any]]] = {
    "bias": ("bias", int),
    "shift": ("code_shift", int),
    "scale": ("scale_exponent", int),
    "overflow": ("default_overflow", as_overflow),
}
_KINDS: dict[str, dict[str, Any]] = {
    "ieee": {"infinities": True, "nan": NanCode.IEEE},
    "fn": {"infinities": False, "nan": NanCode.ALL_ONES},
    "fnuz": {"infinities": False, "nan": NanCode.NEGATIVE_ZERO},
    "finite": {"infinities": False, "nan": NanCode.NONE},
}
_FLAGS: dict[str, dict[str, Any]] = _KINDS | {
    "inf": {"also_infinities": True},
    "nosubnormals": {"subnormals": Subnormals.ZERO},
    "fullrange": {"subnormals": Subnormals.NORMAL},
    "nozero": {"zero": False, "subnormals": Subnormals.NORMAL},
    "nonegzero": {"negative_zero": False},
}
