"""Safetensors files: memory-mapped reading, and writing in pieces."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from minifloat._errors import FileFormatError
from minifloat._formats import Format, get_format
from minifloat._packing import pack
from minifloat.interop._metadata import KEY, dump_formats, load_formats
from minifloat.interop._output import TensorOutput
from minifloat.interop._safetensors_header import DTYPES, Entry, build_header, parse_header
from minifloat.interop._tensor import Bytes, Tensor, TensorFile, map_file

__all__ = ["native_dtype", "read_safetensors", "write_safetensors"]

_BY_FORMAT = {get_format(name): dtype for dtype, (_, _, name) in DTYPES.items() if name}
_BY_NUMPY = {np.dtype(text): name for name, (_, text, fmt) in DTYPES.items() if fmt is None}
_PLAIN_UNSIGNED = ("U8", "U16", "U32", "U64")


def native_dtype(fmt: Format) -> str | None:
    """Return safetensors' own name of a format, or None where it has none.

    Parameters
    ----------
    fmt : Format

    Returns
    -------
    str or None

    Examples
    --------
    >>> native_dtype(get_format("e4m3fn")), native_dtype(get_format("hifloat8"))
    ('F8_E4M3', None)
    """
    return _BY_FORMAT.get(fmt)


def read_safetensors(path: Path) -> TensorFile:
    """Open a safetensors file.

    Parameters
    ----------
    path : pathlib.Path

    Returns
    -------
    TensorFile

    Raises
    ------
    FileFormatError
        If the file is missing, truncated or corrupt.
    """
    mapping, content = map_file(path)
    start, entries, metadata = parse_header(mapping, str(path))
    formats = load_formats(metadata.pop(KEY), str(path)) if KEY in metadata else {}
    tensors = {
        entry.name: _tensor(entry, content[start:], formats.get(entry.name), path)
        for entry in entries
    }
    return TensorFile(path, "safetensors", tensors, metadata, [mapping])


def _tensor(entry: Entry, data: Bytes, recorded: Format | None, path: Path) -> Tensor:
    bits, storage, name = DTYPES[entry.dtype]
    dtype = np.dtype(storage)
    fmt = get_format(name) if name else None
    plain = entry.dtype in _PLAIN_UNSIGNED
    if recorded is not None and plain:
        if recorded.code_bits > 8 * dtype.itemsize:
            msg = f"{path}: tensor {entry.name!r} is {entry.dtype}, too narrow for {recorded}"
            raise FileFormatError(msg)
        fmt = recorded
    return Tensor(
        entry.name,
        entry.shape,
        dtype,
        fmt,
        entry.dtype,
        lambda: data[entry.begin : entry.end],
        packed=bits < 8,
        fixed=not plain or recorded is not None,
    )


def write_safetensors(
    file: IO[bytes], outputs: Sequence[TensorOutput], metadata: Mapping[str, str]
) -> None:
    """Write a safetensors file.

    A format that safetensors names is written as such (sub-byte ones dense, two F4 a byte, the
    first in the low bits); others as U8, U16, U32 or U64 codes, recorded under the metadata key
    ``minifloat``.

    Parameters
    ----------
    file : binary file
    outputs : sequence of TensorOutput
    metadata : mapping of str to str

    Raises
    ------
    FileFormatError
        If safetensors has no type for a tensor.
    """
    dtypes = {output.name: _dtype(output) for output in outputs}
    by_codes = {
        output.name: output.fmt
        for output in outputs
        if output.fmt is not None and native_dtype(output.fmt) != dtypes[output.name]
    }
    record = {KEY: dump_formats(by_codes)} if by_codes else {}
    shapes = [(output.name, dtypes[output.name], output.shape) for output in outputs]
    header, order = build_header(shapes, {**metadata, **record})
    file.write(header)
    named = {output.name: output for output in outputs}
    for name in order:
        for piece in _stored(named[name], dtypes[name]):
            file.write(np.ascontiguousarray(piece).data)


def _dtype(output: TensorOutput) -> str:
    if output.fmt is None:
        dtype = _BY_NUMPY.get(output.dtype.newbyteorder("<"))
        if dtype is None:
            msg = f"tensor {output.name!r}: safetensors has no type for {output.dtype}"
            raise FileFormatError(msg)
        return dtype
    native = native_dtype(output.fmt)
    if native is not None and np.prod(output.shape, dtype=object) * DTYPES[native][0] % 8 == 0:
        return native
    return f"U{8 * output.dtype.itemsize}"


def _stored(output: TensorOutput, dtype: str) -> Iterator[NDArray[Any]]:
    dense = DTYPES[dtype][0] < 8
    for piece in output.chunks():
        if dense and output.fmt is not None:
            yield pack(piece, output.fmt)
        else:
            yield piece.astype(piece.dtype.newbyteorder("<"), copy=False)
