"""How a file that knows only unsigned integers says which formats its codes are in.

One JSON object, ``{"version": 1, "formats": {"<tensor>": "<format>", ...}}``, where a format is a
name or spec string that `minifloat.get_format` reads back. Safetensors files keep it in their
string metadata, ``.npz`` files as one more entry, ``.npy`` files as a second array after the
first.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from reprlib import repr as short
from typing import Any

from minifloat._errors import FileFormatError, FormatError, MinifloatError
from minifloat._formats import Format, get_format

__all__ = ["KEY", "dump_formats", "format_key", "load_formats", "parse_json"]

KEY = "minifloat"
_VERSION = 1


def format_key(fmt: Format) -> str:
    """Return the text that `minifloat.get_format` reads back as `fmt`.

    Parameters
    ----------
    fmt : Format

    Returns
    -------
    str

    Examples
    --------
    >>> format_key(get_format("e4m3fn")), format_key(get_format("e5m6:bias=9"))
    ('float8_e4m3fn', 'e5m6:bias=9')
    """
    try:
        if get_format(str(fmt)) == fmt:
            return str(fmt)
    except FormatError:
        pass
    return fmt.spec


def dump_formats(formats: Mapping[str, Format]) -> str:
    """Return the JSON text that records which tensor is in which format.

    Parameters
    ----------
    formats : mapping of str to Format

    Returns
    -------
    str
    """
    names = {name: format_key(fmt) for name, fmt in formats.items()}
    return json.dumps({"version": _VERSION, "formats": names}, separators=(",", ":"))


def load_formats(text: str, where: str) -> dict[str, Format]:
    """Read back what `dump_formats` wrote.

    Parameters
    ----------
    text : str
    where : str
        The file, for messages.

    Returns
    -------
    dict of str to Format

    Raises
    ------
    FileFormatError
        If the text is not such a record, or names an unknown format.
    """
    record = parse_json(text, f"{where}: its minifloat record")
    formats = record.get("formats") if isinstance(record, dict) else None
    if not isinstance(formats, dict) or record.get("version") != _VERSION:
        msg = f"{where}: its minifloat record is not of version {_VERSION}"
        raise FileFormatError(msg)
    try:
        return {name: get_format(_text(fmt)) for name, fmt in formats.items()}
    except MinifloatError as error:
        msg = f"{where}: its minifloat record names an unusable format: {error}"
        raise FileFormatError(msg) from error


def parse_json(text: str, where: str) -> Any:
    """Parse JSON strictly: no duplicate keys, no NaN, bounded nesting.

    Parameters
    ----------
    text : str
    where : str
        What the text is, for messages.

    Returns
    -------
    object

    Raises
    ------
    FileFormatError
        If the text is not strict JSON.
    """
    try:
        return json.loads(text, object_pairs_hook=_unique, parse_constant=_text)
    except FileFormatError as error:
        msg = f"{where}: {error}"
        raise FileFormatError(msg) from error
    except (ValueError, RecursionError) as error:
        msg = f"{where} is not valid JSON ({_first_line(error)})"
        raise FileFormatError(msg) from error


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make a dict of a JSON object, refusing duplicate keys and text that is no Unicode."""
    found = dict(pairs)
    for text in (text for pair in pairs for text in pair if isinstance(text, str)):
        if any("\ud800" <= char <= "\udfff" for char in text):
            msg = f"{text[:40]!a} holds half a surrogate pair"
            raise FileFormatError(msg)
    if len(found) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for index, key in enumerate(keys) if key in keys[:index])
        msg = f"the key {short(twice)} occurs twice"
        raise FileFormatError(msg)
    return found


def _text(value: object) -> str:
    if not isinstance(value, str) or value in ("NaN", "Infinity", "-Infinity"):
        msg = f"{short(value)} is not allowed here"
        raise FileFormatError(msg)
    return value


def _first_line(error: BaseException) -> str:
    text = str(error) or type(error).__name__
    return text.splitlines()[0][:120]
