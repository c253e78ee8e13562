"""``.npz`` archives: stored members memory-mapped, compressed ones through a temporary file."""

from __future__ import annotations

import functools
import mmap
import shutil
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path
from reprlib import repr as short
from typing import IO, NoReturn

import numpy as np

from minifloat._errors import FileFormatError
from minifloat._formats import Format
from minifloat.interop._metadata import KEY, dump_formats, load_formats
from minifloat.interop._npy import array_tensor, is_codes, write_array
from minifloat.interop._npy_header import NpyHeader, parse_npy_header, text_of
from minifloat.interop._output import TensorOutput
from minifloat.interop._tensor import Bytes, Tensor, TensorFile, map_file

__all__ = ["RECORD", "read_npz", "write_npz"]

RECORD = f"__{KEY}__"
"""The entry (a text array) that records which arrays are codes of which formats."""

_STEP = 1 << 22
_HEADER_READ = 1 << 17
_ZIP_ERRORS = (
    zipfile.BadZipFile,
    zipfile.LargeZipFile,
    zlib.error,
    struct.error,
    NotImplementedError,
    RuntimeError,
    EOFError,
    OSError,
    OverflowError,
    LookupError,
    ValueError,
)


def read_npz(path: Path) -> TensorFile:
    """Open an ``.npz`` archive.

    Parameters
    ----------
    path : pathlib.Path

    Returns
    -------
    TensorFile

    Raises
    ------
    FileFormatError
        If the file is missing, truncated or corrupt, or a member is no plain array.
    """
    mapping, content = map_file(path)
    try:
        archive = zipfile.ZipFile(path)
    except _ZIP_ERRORS as error:
        _fail(path, f"not an .npz archive, or corrupt ({_reason(error)})")
    members = _Members(path, content, archive)
    names = _names(archive, path)
    formats = members.record(names.pop(RECORD)) if RECORD in names else {}
    tensors = {name: members.tensor(name, info, formats) for name, info in names.items()}
    return TensorFile(path, "npz", tensors, {}, [mapping])


def write_npz(file: IO[bytes], outputs: Sequence[TensorOutput]) -> None:
    """Write an uncompressed ``.npz`` archive, with the record of formats if numpy lacks any.

    Parameters
    ----------
    file : binary file
    outputs : sequence of TensorOutput

    Raises
    ------
    FileFormatError
        If a tensor has the name of the record.
    """
    by_codes = {o.name: o.fmt for o in outputs if is_codes(o) and o.fmt is not None}
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        for output in outputs:
            if output.name == RECORD or "\0" in output.name:
                msg = f"a tensor in an .npz file cannot be called {output.name!r}"
                raise FileFormatError(msg)
            with archive.open(_member(output.name), "w", force_zip64=True) as member:
                write_array(member, output)
        if by_codes:
            with archive.open(_member(RECORD), "w") as member:
                text = np.array(dump_formats(by_codes))
                np.lib.format.write_array(member, text, allow_pickle=False)


def _member(name: str) -> zipfile.ZipInfo:
    return zipfile.ZipInfo(f"{name}.npy")  # dated 1980, so that equal content gives equal bytes


def _names(archive: zipfile.ZipFile, path: Path) -> dict[str, zipfile.ZipInfo]:
    names: dict[str, zipfile.ZipInfo] = {}
    for info in archive.infolist():
        name = info.filename.removesuffix(".npy")
        if name in names:
            _fail(path, f"the member {name!r} occurs twice")
        names[name] = info
    return names


class _Members:
    """The arrays of an archive, each found (and inflated, where need be) when first asked for."""

    def __init__(self, path: Path, content: Bytes, archive: zipfile.ZipFile) -> None:
        self._path = path
        self._content = content
        self._archive = archive

    def record(self, info: zipfile.ZipInfo) -> dict[str, Format]:
        header = self._header(info)
        text = text_of(self._load(info, header), header, f"{self._path}: {RECORD!r}")
        return load_formats(text, str(self._path))

    def tensor(self, name: str, info: zipfile.ZipInfo, formats: dict[str, Format]) -> Tensor:
        header = self._header(info)
        where = str(self._path)
        empty = np.zeros(0, np.uint8)
        plain = array_tensor(name, empty, header, formats.get(name), where)

        @functools.cache
        def load() -> Bytes:
            return array_tensor(name, self._load(info, header), header, None, where).load()

        return Tensor(
            name, plain.shape, plain.dtype, plain.fmt, plain.label, load, fixed=plain.fixed
        )

    def _header(self, info: zipfile.ZipInfo) -> NpyHeader:
        where = f"{self._path}: {short(info.filename)}"
        try:
            with self._archive.open(info) as member:
                start = member.read(_HEADER_READ)
        except _ZIP_ERRORS as error:
            _fail(where, f"corrupt ({_reason(error)})")
        header = parse_npy_header(start, where)
        if header.end > info.file_size:
            _fail(where, f"truncated: {info.file_size} bytes, {header.end} needed")
        return header

    def _load(self, info: zipfile.ZipInfo, header: NpyHeader) -> Bytes:
        where = f"{self._path}: {short(info.filename)}"
        try:
            if info.compress_type == zipfile.ZIP_STORED and not info.flag_bits & 1:
                return self._mapped(info, where)[: header.end]
            return self._inflated(info, where)[: header.end]
        except _ZIP_ERRORS as error:
            if isinstance(error, FileFormatError):
                raise
            _fail(where, f"corrupt ({_reason(error)})")

    def _mapped(self, info: zipfile.ZipInfo, where: str) -> Bytes:
        local = self._content[info.header_offset :][:30].tobytes()
        name, extra = struct.unpack("<26xHH", local)
        begin = info.header_offset + 30 + name + extra
        data = self._content[begin : begin + info.file_size]
        checksum = 0
        for start in range(0, data.size, _STEP):
            checksum = zlib.crc32(data[start : start + _STEP].data, checksum)
        if data.size != info.file_size or checksum != info.CRC:
            _fail(where, "corrupt (its checksum does not match)")
        return data

    def _inflated(self, info: zipfile.ZipInfo, where: str) -> Bytes:
        free = shutil.disk_usage(tempfile.gettempdir()).free
        if info.file_size > free:
            _fail(where, f"inflates to {info.file_size} bytes, the disk has {free} left")
        with tempfile.TemporaryFile() as file, self._archive.open(info) as member:
            left = info.file_size
            while piece := member.read(_STEP):
                left -= len(piece)
                if left < 0:
                    _fail(where, f"corrupt (it inflates to more than {info.file_size} bytes)")
                file.write(piece)
            if left:
                _fail(where, f"truncated ({left} bytes are missing)")
            file.flush()
            return np.frombuffer(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ), np.uint8)


def _reason(error: Exception) -> str:
    return str(error)[:120]


def _fail(where: object, reason: str) -> NoReturn:
    msg = f"{where}: {reason}"
    raise FileFormatError(msg)
