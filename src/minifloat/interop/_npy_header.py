"""The header of an ``.npy`` array, read as if its writer were hostile."""

from __future__ import annotations

import ast
import math
import warnings
from dataclasses import dataclass
from reprlib import repr as short
from typing import Any, NoReturn

import numpy as np

from minifloat._errors import FileFormatError

__all__ = ["MAGIC", "NpyHeader", "parse_npy_header", "text_of"]

MAGIC = b"\x93NUMPY"
_LONGEST = 1 << 16
_MOST_DIMENSIONS = 64
_MOST_ELEMENTS = 2**63 - 1


@dataclass(frozen=True, slots=True)
class NpyHeader:
    """What the header says: element type, shape, order, and where the data begins and ends.

    `lost` marks what numpy writes for `ml_dtypes` arrays: bytes (`dtype` is unsigned then) without
    a word on what they mean.
    """

    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    fortran_order: bool
    begin: int
    lost: bool = False

    @property
    def end(self) -> int:
        """Where the data ends, counted as `begin` is."""
        return self.begin + math.prod(self.shape) * self.dtype.itemsize


def parse_npy_header(content: Any, where: str) -> NpyHeader:
    """Read and check the header of an array.

    Parameters
    ----------
    content : buffer
        The array from its magic on; it may end anywhere after the header.
    where : str
        The file, for messages.

    Returns
    -------
    NpyHeader

    Raises
    ------
    FileFormatError
        If the header is corrupt, or the array is of a kind that is not read.

    References
    ----------
    NumPy Enhancement Proposal 1, "A Simple File Format for NumPy Arrays".
    """
    view = memoryview(content)
    if len(view) < 10 or bytes(view[:6]) != MAGIC:
        _fail(where, "not an .npy file (its magic bytes are missing)")
    major = view[6]
    if major not in (1, 2, 3):
        _fail(where, f"unknown .npy version {major}")
    width = 2 if major == 1 else 4
    length = int.from_bytes(view[8 : 8 + width], "little")
    begin = 8 + width + length
    if length > _LONGEST:
        _fail(where, f"its header of {length} bytes is longer than {_LONGEST}")
    if begin > len(view):
        _fail(where, f"truncated: the header ends at byte {begin}, the file at {len(view)}")
    fields = _fields(bytes(view[8 + width : begin]), where)
    shape, order = fields["shape"], fields["fortran_order"]
    naturals = isinstance(shape, tuple) and all(type(n) is int and 0 <= n < 2**63 for n in shape)
    if not naturals or len(shape) > _MOST_DIMENSIONS:
        _fail(where, f"bad shape {short(shape)}")
    if not isinstance(order, bool):
        _fail(where, f"bad fortran_order {short(order)}")
    dtype, lost = _dtype(fields["descr"], where)
    if math.prod(n for n in shape if n) * max(dtype.itemsize, 1) > _MOST_ELEMENTS:
        _fail(where, f"shape {short(shape)} has too many elements")
    return NpyHeader(dtype, shape, order, begin, lost)


def text_of(content: Any, header: NpyHeader, where: str) -> str:
    """Return the text that an array of one text element holds.

    Numpy itself would make invalid texts of invalid bytes, so they are decoded here.

    Parameters
    ----------
    content : buffer
        The array from its magic on.
    header : NpyHeader
    where : str
        The file, for messages.

    Returns
    -------
    str

    Raises
    ------
    FileFormatError
        If the array is something else, or no valid Unicode.
    """
    data = bytes(memoryview(content)[header.begin : header.end])
    if header.dtype.kind != "U" or header.shape != () or len(data) != header.dtype.itemsize:
        _fail(where, "is not one text")
    try:
        order = "be" if header.dtype.byteorder == ">" else "le"
        return data.decode(f"utf-32-{order}").rstrip("\0")
    except UnicodeDecodeError:
        _fail(where, "is no valid Unicode")


def _fields(text: bytes, where: str) -> dict[str, Any]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            fields = ast.literal_eval(text.decode("latin-1").strip())
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        _fail(where, "its header is no Python literal")
    wanted = {"descr", "fortran_order", "shape"}
    if not isinstance(fields, dict) or set(fields) != wanted:
        _fail(where, f"its header does not have the keys {', '.join(sorted(wanted))}")
    return fields


def _dtype(descr: object, where: str) -> tuple[np.dtype[Any], bool]:
    if not isinstance(descr, str):
        _fail(where, f"structured arrays ({short(descr)}) are not read")
    if descr[:1] in ("<", ">", "|", "=") and descr[1:] in ("f1", "V1", "V2"):
        order = descr[0].replace("|", "<")
        return np.dtype(f"{order}u{descr[2]}"), True
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            dtype = np.dtype(descr)
    except (TypeError, ValueError, SyntaxError, MemoryError, OverflowError):
        _fail(where, f"unknown element type {short(descr)}")
    if dtype.hasobject or dtype.kind in "OV" or dtype.names or dtype.itemsize == 0:
        _fail(where, f"arrays of {short(descr)} are not read")
    return dtype, False


def _fail(where: str, reason: str) -> NoReturn:
    msg = f"{where}: {reason}"
    raise FileFormatError(msg)
