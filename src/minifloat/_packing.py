"""Dense storage of codes whose width is no whole number of bytes."""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np
import numpy.typing as npt

from minifloat._arrays import AnyArray, as_codes, read_array
from minifloat._errors import CodeError, OptionError
from minifloat._formats import Format, FormatLike, get_format
from minifloat._plans import storage_dtype

__all__ = ["pack", "packed_size", "unpack"]

_CHUNK = 1 << 20  # codes at a time: bounds the working set


def packed_size(count: int, fmt: FormatLike) -> int:
    """Return the number of bytes that `count` codes take when packed.

    Parameters
    ----------
    count : int
    fmt : Format, str or dtype

    Returns
    -------
    int

    Examples
    --------
    >>> packed_size(3, "e2m1fn")
    2
    """
    return -(-count * get_format(fmt).bits // 8)


def pack(codes: Any, fmt: FormatLike) -> npt.NDArray[np.uint8]:
    """Pack codes densely, the first element in the lowest bits.

    Parameters
    ----------
    codes : array_like of int, shape (...)
        Codes of the format; C order is kept.
    fmt : Format, str or dtype

    Returns
    -------
    ndarray, shape (ceil(n * bits / 8),), uint8
        Unused bits of the last byte are zero.

    Raises
    ------
    CodeError
        If a code has bits outside the format's.

    Examples
    --------
    >>> pack([0x1, 0x2, 0xF], "e2m1fn")
    array([33, 15], dtype=uint8)
    """
    found = get_format(fmt)
    flat = as_codes(codes, found).ravel()
    _refuse_stray(flat, found)
    out = np.empty(packed_size(flat.size, found), np.uint8)
    for start in range(0, flat.size, _CHUNK):
        packed = _pack_chunk(flat[start : start + _CHUNK], found)
        first = start * found.bits // 8
        out[first : first + packed.size] = packed
    return out


def unpack(packed: Any, fmt: FormatLike, shape: int | tuple[int, ...]) -> AnyArray:
    """Undo `pack`.

    Parameters
    ----------
    packed : array_like of uint8, shape (ceil(n * bits / 8),)
    fmt : Format, str or dtype
    shape : int or tuple of int
        Shape of the codes.

    Returns
    -------
    ndarray, shape `shape`
        Codes, in the smallest unsigned dtype.

    Raises
    ------
    CodeError
        If the number of bytes does not fit the shape.
    OptionError
        If the shape is none.

    Examples
    --------
    >>> unpack(np.array([33, 15], np.uint8), "e2m1fn", 3)
    array([ 1,  2, 15], dtype=uint8)
    """
    found = get_format(fmt)
    shape = _as_shape(shape)
    count = math.prod(shape)
    data = read_array(packed, "packed bytes")
    if data.dtype != np.uint8 or data.size != packed_size(count, found):
        msg = (
            f"{count} codes of {found} are {packed_size(count, found)} bytes of uint8;"
            f" got {data.size} items of {data.dtype}"
        )
        raise CodeError(msg)
    data = data.ravel()
    out = np.empty(count, storage_dtype(found))
    for start in range(0, count, _CHUNK):
        size = min(_CHUNK, count - start)
        first = start * found.bits // 8
        out[start : start + size] = _unpack_chunk(
            data[first : first + packed_size(size, found)], found, size
        )
    return out.reshape(shape)


def _as_shape(shape: Any) -> tuple[int, ...]:
    try:
        sizes = tuple(map(operator.index, shape if np.iterable(shape) else (shape,)))
    except TypeError:
        sizes = (-1,)
    if any(size < 0 for size in sizes):
        msg = f"shape={shape!r}: give a non-negative integer or a tuple of them"
        raise OptionError(msg)
    return sizes


def _refuse_stray(flat: AnyArray, fmt: Format) -> None:
    allowed = ((1 << fmt.bits) - 1) << fmt.code_shift
    stray = flat & np.array(~allowed & np.iinfo(flat.dtype).max, flat.dtype)
    if stray.any():
        first = int(np.argmax(stray != 0))
        msg = (
            f"{int((stray != 0).sum())} codes have bits outside {fmt}'s {fmt.bits};"
            f" the first is {int(flat[first]):#x} at index {first}"
        )
        raise CodeError(msg)


def _pack_chunk(codes: AnyArray, fmt: Format) -> npt.NDArray[np.uint8]:
    """Eight codes make a whole number of bytes; spread each over its bits."""
    bits = fmt.bits
    content = codes >> np.array(fmt.code_shift, codes.dtype)
    padded = np.zeros(-(-codes.size // 8) * 8, np.uint64)
    padded[: codes.size] = content
    groups = padded.reshape(-1, 8)
    size = packed_size(codes.size, fmt)
    if bits <= 8:
        shifts = np.arange(8, dtype=np.uint64) * np.uint64(bits)
        words = np.bitwise_or.reduce(groups << shifts, axis=1)
        dense: npt.NDArray[np.uint8] = words.view(np.uint8).reshape(-1, 8)[:, :bits].ravel()[:size]
        return dense
    as_bits = np.unpackbits(padded.view(np.uint8).reshape(-1, 8), axis=1, bitorder="little")
    return np.packbits(as_bits[:, :bits].ravel(), bitorder="little")[:size]


def _unpack_chunk(data: npt.NDArray[np.uint8], fmt: Format, count: int) -> AnyArray:
    bits = fmt.bits
    dtype = storage_dtype(fmt)
    if bits <= 8:
        groups = -(-count // 8)
        padded = np.zeros(groups * bits, np.uint8)
        padded[: data.size] = data
        words = np.zeros((groups, 8), np.uint8)
        words[:, :bits] = padded.reshape(-1, bits)
        shifts = np.arange(8, dtype=np.uint64) * np.uint64(bits)
        codes = (words.view(np.uint64) >> shifts) & np.uint64(2**bits - 1)
        return codes.ravel()[:count].astype(dtype)
    as_bits = np.unpackbits(data, count=count * bits, bitorder="little").reshape(count, bits)
    wide = np.zeros((count, 64), np.uint8)
    wide[:, :bits] = as_bits
    codes = np.packbits(wide, axis=1, bitorder="little").view(np.uint64).ravel()
    return (codes << np.uint64(fmt.code_shift)).astype(dtype)
