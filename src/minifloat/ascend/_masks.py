"""Mask registers: one bit for each byte of a vector register."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from minifloat._errors import DtypeError, OptionError, nearest
from minifloat.ascend._types import DataType, data_type

__all__ = ["MASK_PATTERNS", "MaskReg", "create_mask", "update_mask"]

VECTOR_BYTES = 256

MASK_PATTERNS = (
    "ALL",
    *(f"VL{count}" for count in (1, 2, 3, 4, 8, 16, 32, 64, 128)),
    "M3",
    "M4",
    "H",
    "Q",
    "ALLF",
)
"""The names of ``MaskPattern``: the first n elements, every 3rd or 4th, half, quarter, none."""


class MaskReg:
    """A mask register, or an array of them.

    An element of s bytes owns s bits, and instructions look at the lowest one only; so a mask built
    for one element size says something else about elements of another.

    Parameters
    ----------
    bits : array_like of bool, shape (..., 256)
        Bit i belongs to byte i.

    Raises
    ------
    DtypeError
        If the last axis is not 256 long, or the bits are no booleans.

    Examples
    --------
    >>> create_mask("float", "VL2")
    MaskReg(1000 1000 0000 ... 0000, 2 bits set)
    """

    __slots__ = ("bits",)

    bits: npt.NDArray[np.bool_]

    def __init__(self, bits: Any) -> None:
        array = np.asarray(bits)
        if array.dtype != np.bool_ or array.ndim < 1 or array.shape[-1] != VECTOR_BYTES:
            msg = f"a mask is bool of shape (..., 256), got {array.dtype} of shape {array.shape}"
            raise DtypeError(msg)
        self.bits = array

    @classmethod
    def of_bytes(cls, data: Any) -> MaskReg:
        """Read masks as memory holds them: 32 bytes each, bit 0 of byte 0 first.

        Parameters
        ----------
        data : array_like of uint8, shape (..., 32)

        Returns
        -------
        MaskReg

        Raises
        ------
        DtypeError
            If the last axis is not 32 long, or not of uint8.
        """
        array = np.asarray(data)
        if array.dtype != np.uint8 or array.ndim < 1 or array.shape[-1] != VECTOR_BYTES // 8:
            msg = f"masks are uint8 of shape (..., 32), got {array.dtype} of shape {array.shape}"
            raise DtypeError(msg)
        return cls(np.unpackbits(array, axis=-1, bitorder="little").view(np.bool_))

    def to_bytes(self) -> npt.NDArray[np.uint8]:
        """Return the masks as memory holds them.

        Returns
        -------
        ndarray, shape (..., 32), uint8
        """
        return np.packbits(self.bits, axis=-1, bitorder="little")

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the array of masks; () for one."""
        return self.bits.shape[:-1]

    def elements(self, dtype: str | DataType) -> npt.NDArray[np.bool_]:
        """Return which elements of a type are selected.

        Parameters
        ----------
        dtype : str or DataType
            Packed 4-bit types count in bytes, that is in pairs.

        Returns
        -------
        ndarray, shape (..., 256 // element size), bool
            A view.
        """
        return self.bits[..., :: data_type(dtype).word.itemsize]

    def __repr__(self) -> str:
        if self.shape:
            return f"MaskReg(shape={self.shape})"
        text = "".join("1" if bit else "0" for bit in self.bits)
        return (
            f"MaskReg({text[:4]} {text[4:8]} {text[8:12]} ... {text[-4:]},"
            f" {int(self.bits.sum())} bits set)"
        )


def _of_elements(chosen: npt.NDArray[np.bool_], size: int) -> MaskReg:
    bits = np.zeros((*chosen.shape[:-1], VECTOR_BYTES), np.bool_)
    bits[..., ::size] = chosen
    return MaskReg(bits)


def create_mask(dtype: str | DataType, pattern: str = "ALL") -> MaskReg:
    """Build the mask of a pattern, as ``CreateMask`` does.

    Parameters
    ----------
    dtype : str or DataType
        Its size is the granularity; only the lowest bit of each element is set.
    pattern : str
        One of `MASK_PATTERNS`.

    Returns
    -------
    MaskReg

    Raises
    ------
    OptionError
        If the pattern is unknown.

    Examples
    --------
    >>> int(create_mask("half").bits.sum()), int(create_mask("half", "Q").bits.sum())
    (128, 32)
    """
    if pattern not in MASK_PATTERNS:
        msg = f"unknown mask pattern {pattern!r}; allowed are {', '.join(MASK_PATTERNS)}"
        raise OptionError(msg + nearest(str(pattern), MASK_PATTERNS))
    size = data_type(dtype).word.itemsize
    count = VECTOR_BYTES // size
    index = np.arange(count)
    if pattern in ("M3", "M4"):
        return _of_elements(index % int(pattern[1]) == 0, size)
    sizes = {"ALL": count, "H": count // 2, "Q": count // 4, "ALLF": 0}
    first = sizes[pattern] if pattern in sizes else int(pattern[2:])
    return _of_elements(index < first, size)


def update_mask(count: Any, dtype: str | DataType) -> tuple[MaskReg, Any]:
    """Build the mask of the next `count` elements, as ``UpdateMask`` does.

    Parameters
    ----------
    count : int or array_like of int, shape (...)
        How many elements are left to do; not negative. An array gives an array of masks.
    dtype : str or DataType

    Returns
    -------
    mask : MaskReg, shape (...)
        The first `count` elements of a register, all of them if there are more.
    left : int or ndarray
        How many are left after this register: the updated scalar of the device function.

    Raises
    ------
    OptionError
        If a count is negative.

    Examples
    --------
    >>> mask, left = update_mask(100, "float")
    >>> int(mask.bits.sum()), left
    (64, 36)
    """
    counts = np.asarray(count)
    if counts.dtype.kind not in "iu" or (counts.size and counts.min() < 0):
        msg = f"count={count!r}: give how many elements are left, 0 or more"
        raise OptionError(msg)
    size = data_type(dtype).word.itemsize
    lanes = VECTOR_BYTES // size
    mask = _of_elements(np.arange(lanes) < counts[..., None], size)
    left = np.maximum(counts.astype(np.int64) - lanes, 0)
    return mask, (left if counts.ndim else int(left))
