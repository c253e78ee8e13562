"""The header of a safetensors file, read as if its writer were hostile."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from reprlib import repr as short
from typing import Any, NoReturn

from minifloat._errors import FileFormatError, nearest
from minifloat.interop._metadata import parse_json

__all__ = ["DTYPES", "Entry", "build_header", "parse_header"]

DTYPES: dict[str, tuple[int, str, str | None]] = {
    # name: bits an element, numpy dtype in storage, format
    "F64": (64, "<f8", "float64"),
    "I64": (64, "<i8", "int64"),
    "U64": (64, "<u8", "uint64"),
    "C64": (64, "<c8", None),
    "F32": (32, "<f4", "float32"),
    "I32": (32, "<i4", "int32"),
    "U32": (32, "<u4", "uint32"),
    "F16": (16, "<f2", "float16"),
    "BF16": (16, "<u2", "bfloat16"),
    "I16": (16, "<i2", "int16"),
    "U16": (16, "<u2", "uint16"),
    "F8_E5M2": (8, "u1", "float8_e5m2"),
    "F8_E4M3": (8, "u1", "float8_e4m3fn"),
    "F8_E8M0": (8, "u1", "float8_e8m0fnu"),
    "F8_E4M3FNUZ": (8, "u1", "float8_e4m3fnuz"),
    "F8_E5M2FNUZ": (8, "u1", "float8_e5m2fnuz"),
    "I8": (8, "i1", "int8"),
    "U8": (8, "u1", "uint8"),
    "BOOL": (8, "?", None),
    "F6_E2M3": (6, "u1", "float6_e2m3fn"),
    "F6_E3M2": (6, "u1", "float6_e3m2fn"),
    "F4": (4, "u1", "float4_e2m1fn"),
}
"""The element types of safetensors 0.8, widest first: files are laid out in this order."""

_LONGEST = 100_000_000
_PREFIX = 8
_MOST_DIMENSIONS = 64
_MOST_ELEMENTS = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Entry:
    """What the header says of one tensor: its name, type, shape, and bytes in the data part."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    begin: int
    end: int


def parse_header(content: Any, where: str) -> tuple[int, list[Entry], dict[str, str]]:
    """Read and check the header of a safetensors file.

    Everything is checked against the file's real size before it is believed: lengths, types,
    shapes, and that the tensors cover the data part without holes or overlaps.

    Parameters
    ----------
    content : buffer
        The whole file.
    where : str
        The file, for messages.

    Returns
    -------
    start : int
        Where the data part begins.
    entries : list of Entry
        Sorted by position.
    metadata : dict of str to str

    Raises
    ------
    FileFormatError
        If anything is wrong, with what it is.

    References
    ----------
    safetensors, "Format" (huggingface.co/docs/safetensors).
    """
    view = memoryview(content)
    if len(view) < _PREFIX:
        _fail(where, f"{len(view)} bytes are too few for a safetensors file")
    length = int.from_bytes(view[:_PREFIX], "little")
    start = _PREFIX + length
    if length > _LONGEST:
        _fail(where, f"not a safetensors file, or corrupt: header length {length} > {_LONGEST}")
    if start > len(view):
        _fail(where, f"truncated: the header ends at byte {start}, the file at {len(view)}")
    try:
        text = str(view[_PREFIX:start], "utf-8")
    except UnicodeDecodeError:
        _fail(where, "its header is not UTF-8")
    if not text.startswith("{"):
        _fail(where, "its header is no JSON object")
    fields = parse_json(text, f"{where}: its header")
    metadata = _metadata(fields.pop("__metadata__", {}), where)
    entries = [_entry(name, value, where) for name, value in fields.items()]
    entries.sort(key=lambda entry: (entry.begin, entry.end))
    _check_cover(entries, len(view) - start, where)
    return start, entries, metadata


def build_header(
    tensors: Iterable[tuple[str, str, tuple[int, ...]]], metadata: Mapping[str, str]
) -> tuple[bytes, list[str]]:
    """Lay out a safetensors file.

    Parameters
    ----------
    tensors : iterable of (name, dtype, shape)
    metadata : mapping of str to str

    Returns
    -------
    header : bytes
        The length prefix and the header, padded so that the data part is aligned to 8 bytes.
    order : list of str
        The names in the order in which their bytes follow.
    """
    rank = list(DTYPES)
    ordered = sorted(tensors, key=lambda tensor: (rank.index(tensor[1]), tensor[0]))
    fields: dict[str, Any] = {"__metadata__": dict(metadata)} if metadata else {}
    begin = 0
    for name, dtype, shape in ordered:
        end = begin + math.prod(shape) * DTYPES[dtype][0] // 8
        fields[name] = {"dtype": dtype, "shape": list(shape), "data_offsets": [begin, end]}
        begin = end
    text = json.dumps(fields, separators=(",", ":"), ensure_ascii=False).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(_PREFIX, "little") + text, [name for name, _, _ in ordered]


def _metadata(value: object, where: str) -> dict[str, str]:
    if value is None:
        return {}
    if not isinstance(value, dict) or not all(isinstance(text, str) for text in value.values()):
        _fail(where, "its __metadata__ is not a map from text to text")
    return value


def _entry(name: str, value: object, where: str) -> Entry:
    where = f"{where}: tensor {short(name)}"
    if not isinstance(value, dict):
        _fail(where, "is not described by a JSON object")
    dtype, shape, offsets = (value.get(key, ()) for key in ("dtype", "shape", "data_offsets"))
    if not isinstance(dtype, str) or dtype not in DTYPES:
        hint = nearest(str(dtype)[:40], DTYPES)
        _fail(where, f"unknown dtype {short(dtype)}{hint}; known are {', '.join(DTYPES)}")
    if not _naturals(shape) or len(shape) > _MOST_DIMENSIONS:
        _fail(where, f"bad shape {short(shape)}")
    if not _naturals(offsets) or len(offsets) != 2 or offsets[0] > offsets[1]:
        _fail(where, f"bad data_offsets {short(offsets)}")
    size = math.prod(shape)
    if math.prod(n for n in shape if n) > _MOST_ELEMENTS:
        _fail(where, f"shape {short(shape)} has too many elements")
    begin, end = offsets
    bits = size * DTYPES[dtype][0]
    if bits != 8 * (end - begin):
        _fail(where, f"{dtype} of shape {short(shape)} needs {bits / 8:g} bytes, not {end - begin}")
    return Entry(name, dtype, tuple(shape), begin, end)


def _naturals(value: Any) -> bool:
    return isinstance(value, list) and all(type(n) is int and 0 <= n < 2**63 for n in value)


def _check_cover(entries: list[Entry], length: int, where: str) -> None:
    position = 0
    for entry in entries:
        if entry.begin != position:
            what = "overlaps the one before" if entry.begin < position else "follows a hole"
            _fail(
                where, f"tensor {short(entry.name)} at byte {entry.begin} {what} (byte {position})"
            )
        position = entry.end
    if position != length:
        what = "truncated" if position > length else "corrupt"
        _fail(where, f"{what}: the tensors need {position} bytes of data, the file has {length}")


def _fail(where: str, reason: str) -> NoReturn:
    msg = f"{where}: {reason}"
    raise FileFormatError(msg)
