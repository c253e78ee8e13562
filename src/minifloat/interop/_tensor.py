"""Tensors of a file: named, typed, read in pieces of bounded size."""

from __future__ import annotations

import contextlib
import math
import mmap
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from minifloat._casting import decode
from minifloat._errors import FileFormatError
from minifloat._formats import Format, IntFormat, get_format
from minifloat._packing import unpack
from minifloat._plans import storage_dtype

__all__ = ["Bytes", "Tensor", "TensorFile", "format_of_dtype", "map_file"]

Bytes: TypeAlias = NDArray[np.uint8]

CHUNK = 1 << 20
"""Elements that `Tensor.chunks` reads at a time."""

_NATIVE = {name: np.dtype(name) for name in ("float16", "float32", "float64")}


def format_of_dtype(dtype: np.dtype[Any]) -> Format | None:
    """Return the format whose codes a numpy number's bits are, or None.

    Parameters
    ----------
    dtype : numpy.dtype

    Returns
    -------
    Format or None

    Examples
    --------
    >>> format_of_dtype(np.dtype(">f4")).name, format_of_dtype(np.dtype(bool))
    ('float32', None)
    """
    if dtype.kind in "iuf" and dtype.itemsize <= 8 and dtype.names is None:
        return get_format(dtype.newbyteorder("=").name)
    return None


@dataclass(frozen=True, slots=True)
class Tensor:
    """One tensor of a file. Nothing is read before it is asked for.

    Attributes
    ----------
    name : str
    shape : tuple of int
    dtype : numpy.dtype
        How an element is stored, byte order included; ``uint8`` for dense sub-byte storage.
    fmt : Format or None
        What the elements are; None for what is no number here (bool, complex, text).
    label : str
        The file's own word for the element type.
    load : callable
        Returns the stored bytes, shape ``(n,)``, uint8, usually memory-mapped.
    packed : bool
        Dense sub-byte storage: `fmt.bits` bits an element, the first in the low bits.
    fixed : bool
        Whether the file itself says what the elements are (false for plain unsigned integers,
        which may well be codes).
    """

    name: str
    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    fmt: Format | None
    label: str
    load: Callable[[], Bytes] = field(repr=False)
    packed: bool = False
    fixed: bool = True

    @property
    def size(self) -> int:
        """Number of elements."""
        return math.prod(self.shape)

    @property
    def is_float(self) -> bool:
        """Whether the elements are numbers of a format that is no integer format."""
        return self.fmt is not None and not isinstance(self.fmt, IntFormat)

    def raw(self, start: int, stop: int) -> NDArray[Any]:
        """Read elements as they are stored, in native byte order.

        Parameters
        ----------
        start, stop : int
            Range of elements in C order.

        Returns
        -------
        ndarray, shape (stop - start,)
        """
        if self.packed:
            return self.codes(start, stop)
        size = self.dtype.itemsize
        piece = self.load()[start * size : stop * size].view(self.dtype)
        return np.require(piece, piece.dtype.newbyteorder("="), "A")

    def codes(self, start: int, stop: int) -> NDArray[Any]:
        """Read elements as codes.

        Parameters
        ----------
        start, stop : int
            Range of elements in C order.

        Returns
        -------
        ndarray, shape (stop - start,), unsigned
        """
        fmt = self._format()
        if self.packed:
            first = start - start % 8
            packed = self.load()[first * fmt.bits // 8 : -(-stop * fmt.bits // 8)]
            return unpack(packed, fmt, (stop - first,))[start - first :]
        piece = self.raw(start, stop)
        return piece.view(storage_dtype(fmt)) if piece.itemsize * 8 >= fmt.code_bits else piece

    def values(self, start: int, stop: int) -> NDArray[Any]:
        """Read elements as numbers.

        Parameters
        ----------
        start, stop : int
            Range of elements in C order.

        Returns
        -------
        ndarray, shape (stop - start,)
            float16, float32 and float64 as they are; others decoded into the smallest of float32
            and float64 (64-bit integers: int64, uint64) that holds every value of the format.
        """
        fmt = self._format()
        if self.dtype.newbyteorder("=") == _NATIVE.get(fmt.name):
            return self.raw(start, stop)
        return np.asarray(decode(self.codes(start, stop), fmt))

    def chunks(self, size: int = CHUNK) -> Iterator[tuple[int, int]]:
        """Yield the ranges that cover the tensor.

        Parameters
        ----------
        size : int
            Elements in a range, a multiple of 8.

        Yields
        ------
        tuple of int
            Start and stop.
        """
        for start in range(0, self.size, size):
            yield start, min(start + size, self.size)

    def _format(self) -> Format:
        if self.fmt is None:
            msg = f"tensor {self.name!r} holds {self.label}, which is no number format"
            raise FileFormatError(msg)
        return self.fmt


@dataclass(frozen=True, slots=True)
class TensorFile:
    """The tensors of one file, in the file's order.

    Attributes
    ----------
    path : pathlib.Path
    container : str
        ``"safetensors"``, ``"npy"`` or ``"npz"``.
    tensors : dict of str to Tensor
    metadata : dict of str to str
        The file's own string metadata (safetensors), less this package's record.
    maps : list of mmap.mmap
        What is mapped, for `release`.
    """

    path: Path
    container: str
    tensors: dict[str, Tensor]
    metadata: dict[str, str] = field(default_factory=dict)
    maps: list[mmap.mmap] = field(default_factory=list, repr=False)

    def release(self) -> None:
        """Drop the mapped pages read so far from this process, so that its memory stays bounded."""
        for mapped in self.maps:
            with contextlib.suppress(AttributeError, OSError, ValueError):
                mapped.madvise(mmap.MADV_DONTNEED)

    def close(self) -> None:
        """Unmap the file. Arrays read from it keep what they need alive."""
        for mapped in self.maps:
            with contextlib.suppress(BufferError):
                mapped.close()
        self.maps.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def map_file(path: Path) -> tuple[mmap.mmap, Bytes]:
    """Map a file for reading.

    Parameters
    ----------
    path : pathlib.Path

    Returns
    -------
    mapping : mmap.mmap
    content : ndarray, shape (n,), uint8
        A read-only view of it.

    Raises
    ------
    FileFormatError
        If there is no such regular file or it is empty.
    """
    if not path.exists():
        msg = f"{path}: no such file"
        raise FileFormatError(msg)
    if not path.is_file():
        msg = f"{path}: is not a regular file"
        raise FileFormatError(msg)
    if path.stat().st_size == 0:
        msg = f"{path}: is empty"
        raise FileFormatError(msg)
    with path.open("rb") as file:
        mapping = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    return mapping, np.frombuffer(mapping, np.uint8)
