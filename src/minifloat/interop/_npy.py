"""``.npy`` files: memory-mapped reading, and writing in pieces.

Codes are a plain unsigned array, which `numpy.load` reads. Which format they are in is a second
array in the same file, after the first: text that `minifloat.interop` reads and that
`numpy.load` leaves alone.
"""

from __future__ import annotations

import io
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any

import numpy as np

from minifloat._errors import FileFormatError
from minifloat._formats import Format
from minifloat.interop._metadata import dump_formats, load_formats
from minifloat.interop._npy_header import MAGIC, NpyHeader, parse_npy_header, text_of
from minifloat.interop._output import TensorOutput
from minifloat.interop._tensor import Bytes, Tensor, TensorFile, format_of_dtype, map_file

__all__ = ["ARRAY_NAME", "array_tensor", "header_bytes", "is_codes", "read_npy", "write_npy"]

ARRAY_NAME = "arr_0"
"""What the only array of an ``.npy`` file is called, as `numpy.savez` calls it."""

_NATIVE = ("float16", "float32", "float64")


def read_npy(path: Path) -> TensorFile:
    """Open an ``.npy`` file.

    Parameters
    ----------
    path : pathlib.Path

    Returns
    -------
    TensorFile
        With one tensor, `ARRAY_NAME`.

    Raises
    ------
    FileFormatError
        If the file is missing, truncated, corrupt, or holds objects or structures.
    """
    mapping, content = map_file(path)
    header = parse_npy_header(mapping, str(path))
    if header.end > content.size:
        msg = f"{path}: truncated: its data ends at byte {header.end}, the file at {content.size}"
        raise FileFormatError(msg)
    recorded = _record(content[header.end :], str(path)).get(ARRAY_NAME)
    tensor = array_tensor(ARRAY_NAME, content[: header.end], header, recorded, str(path))
    return TensorFile(path, "npy", {ARRAY_NAME: tensor}, {}, [mapping])


def array_tensor(
    name: str, content: Bytes, header: NpyHeader, recorded: Format | None, where: str
) -> Tensor:
    """Make a tensor of an array's bytes.

    Parameters
    ----------
    name : str
    content : ndarray, uint8
        The array's header and data.
    header : NpyHeader
    recorded : Format or None
        The format that the file records for it.
    where : str
        The file, for messages.

    Returns
    -------
    Tensor

    Raises
    ------
    FileFormatError
        If the recorded format does not fit the array.
    """
    if recorded is not None and (
        header.dtype.kind != "u" or recorded.code_bits > 8 * header.dtype.itemsize
    ):
        msg = f"{where}: {name!r} is {header.dtype}, which cannot hold codes of {recorded}"
        raise FileFormatError(msg)
    fmt = recorded if recorded is not None or header.lost else format_of_dtype(header.dtype)
    label = "bytes of unknown meaning" if header.lost else header.dtype.name
    load = lambda: _in_c_order(content[header.begin : header.end], header)  # noqa: E731
    fixed = recorded is not None or (header.dtype.kind != "u")
    return Tensor(name, header.shape, header.dtype, fmt, label, load, fixed=fixed)


def write_npy(file: IO[bytes], outputs: Sequence[TensorOutput]) -> None:
    """Write an ``.npy`` file, and after the array the record of its format if numpy has none.

    Parameters
    ----------
    file : binary file
    outputs : sequence of TensorOutput
        Exactly one.

    Raises
    ------
    FileFormatError
        If there are more tensors than one, or none.
    """
    if len(outputs) != 1:
        msg = f"an .npy file holds one array, not {len(outputs)}; write .npz or .safetensors"
        raise FileFormatError(msg)
    (output,) = outputs
    write_array(file, output)
    if is_codes(output) and output.fmt is not None:
        text = np.array(dump_formats({ARRAY_NAME: output.fmt}))
        np.lib.format.write_array(file, text, allow_pickle=False)


def is_codes(output: TensorOutput) -> bool:
    """Whether numpy has no dtype for the elements, so that codes and a record are written.

    Parameters
    ----------
    output : TensorOutput

    Returns
    -------
    bool
    """
    return output.fmt is not None and _numpy_dtype(output.fmt) is None


def write_array(file: IO[bytes], output: TensorOutput) -> None:
    """Write one array, header and data.

    Parameters
    ----------
    file : binary file
    output : TensorOutput
    """
    dtype = (output.fmt and _numpy_dtype(output.fmt)) or output.dtype
    dtype = dtype.newbyteorder("<")
    file.write(header_bytes(dtype, output.shape))
    for piece in output.chunks():
        stored = piece.view(dtype.newbyteorder("=")) if output.fmt is not None else piece
        file.write(np.ascontiguousarray(stored.astype(dtype, copy=False)).view(np.uint8).data)


def header_bytes(dtype: np.dtype[Any], shape: tuple[int, ...]) -> bytes:
    """Return the header of an array in C order.

    Parameters
    ----------
    dtype : numpy.dtype
    shape : tuple of int

    Returns
    -------
    bytes
    """
    fields = {"descr": np.lib.format.dtype_to_descr(dtype), "fortran_order": False, "shape": shape}
    buffer = io.BytesIO()
    np.lib.format.write_array_header_1_0(buffer, fields)
    return buffer.getvalue()


def _numpy_dtype(fmt: Format) -> np.dtype[Any] | None:
    name = fmt.name
    if name in _NATIVE or (name.lstrip("u").startswith("int") and fmt.bits in (8, 16, 32, 64)):
        dtype = np.dtype(name)
        return dtype if format_of_dtype(dtype) == fmt else None
    return None


def _record(trailer: Bytes, where: str) -> dict[str, Format]:
    if trailer[: len(MAGIC)].tobytes() != MAGIC:
        return {}
    second = f"{where}: its second array"
    header = parse_npy_header(trailer, second)
    if header.dtype.kind != "U" or header.shape != () or header.end > trailer.size:
        return {}
    text = text_of(trailer, header, second)
    return load_formats(text, where) if text.startswith("{") else {}


def _in_c_order(data: Bytes, header: NpyHeader) -> Bytes:
    """Return the data in C order; a Fortran-ordered array goes through a temporary file."""
    if not header.fortran_order or len(header.shape) < 2 or data.size == 0:
        return data
    columns = data.view(header.dtype).reshape(header.shape[::-1]).T
    with tempfile.TemporaryFile() as file:
        rows = np.memmap(file, header.dtype, "w+", shape=header.shape)
    rows[...] = columns
    return np.asarray(rows).reshape(-1).view(np.uint8)
