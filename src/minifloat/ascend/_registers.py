"""Vector registers of 256 bytes, single or by the million."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from minifloat._arrays import AnyArray
from minifloat._casting import decode
from minifloat._errors import DtypeError
from minifloat.ascend._cast import to_words
from minifloat.ascend._masks import VECTOR_BYTES
from minifloat.ascend._types import DataType, data_type

__all__ = ["RegTensor"]


class RegTensor:
    """A vector register of some element type, or an array of them.

    Parameters
    ----------
    dtype : str or DataType
        ``RegTensor<T>``'s T.
    data : ndarray of uint8, shape (..., 256)
        The bytes, little-endian elements, lowest lane first. Not copied.

    Raises
    ------
    DtypeError
        If `data` is something else.

    Examples
    --------
    >>> register = RegTensor.of("half", np.arange(128, dtype=np.float16))
    >>> register.lanes()[:3]
    array([    0, 15360, 16384], dtype=uint16)
    """

    __slots__ = ("data", "dtype")

    dtype: DataType
    data: npt.NDArray[np.uint8]

    def __init__(self, dtype: str | DataType, data: AnyArray) -> None:
        self.dtype = data_type(dtype)
        if (
            not isinstance(data, np.ndarray)
            or data.dtype != np.uint8
            or data.ndim < 1
            or data.shape[-1] != VECTOR_BYTES
            or not data.flags.c_contiguous
        ):
            found = f"{getattr(data, 'dtype', type(data).__name__)} {getattr(data, 'shape', '')}"
            msg = f"registers are C-contiguous uint8 arrays of shape (..., 256), got {found}"
            raise DtypeError(msg)
        self.data = data

    @classmethod
    def zeros(cls, dtype: str | DataType, shape: tuple[int, ...] = ()) -> RegTensor:
        """Return registers full of zeros.

        Parameters
        ----------
        dtype : str or DataType
        shape : tuple of int
            Of the array of registers; () for one.

        Returns
        -------
        RegTensor
        """
        return cls(dtype, np.zeros((*shape, VECTOR_BYTES), np.uint8))

    @classmethod
    def of(cls, dtype: str | DataType, elements: Any) -> RegTensor:
        """Fill registers with elements.

        Parameters
        ----------
        dtype : str or DataType
        elements : array_like, shape (..., lanes)
            As `minifloat.ascend.cast` takes them: one element each, 4-bit types unpacked (512
            lanes).

        Returns
        -------
        RegTensor

        Raises
        ------
        DtypeError
            If the elements are of another type, or do not fill whole registers.
        """
        found = data_type(dtype)
        words = to_words(np.asarray(elements), found)
        count = VECTOR_BYTES * 8 // found.bits
        if words.ndim < 1 or words.shape[-1] != count:
            msg = f"a register of {found} holds {count} elements, got shape {words.shape}"
            raise DtypeError(msg)
        if found.is_packed:
            words = words[..., ::2] | (words[..., 1::2] << np.uint8(4))
        return cls(found, np.array(words).view(np.uint8))

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the array of registers; () for one."""
        return self.data.shape[:-1]

    def lanes(self, dtype: str | DataType | None = None) -> AnyArray:
        """Return the raw words of the lanes.

        Parameters
        ----------
        dtype : str or DataType, optional
            Look at the register as of another type.

        Returns
        -------
        ndarray of unsigned, shape (..., 256 // element size)
            A view; packed 4-bit types come as bytes of two.
        """
        found = self.dtype if dtype is None else data_type(dtype)
        return self.data.view(found.word)

    def values(self, dtype: str | DataType | None = None) -> AnyArray:
        """Return the numbers in the lanes.

        Parameters
        ----------
        dtype : str or DataType, optional
            Look at the register as of another type.

        Returns
        -------
        ndarray, shape (..., elements)
            In the smallest of float32, float64 (int64) that holds them all.
        """
        found = self.dtype if dtype is None else data_type(dtype)
        words = self.lanes(found)
        if found.is_packed:
            low, high = words & np.uint8(0xF), words >> np.uint8(4)
            words = np.stack((low, high), axis=-1).reshape(*self.shape, 2 * VECTOR_BYTES)
        result: AnyArray = decode(words, found.format)
        return result

    def dump(self, *, rows: int = 8) -> str:
        """Show one register: words and values by lane.

        Parameters
        ----------
        rows : int
            How many lines at most; the rest is counted.

        Returns
        -------
        str

        Raises
        ------
        DtypeError
            For an array of registers.

        Examples
        --------
        >>> print(RegTensor.of("int16_t", np.arange(128, dtype=np.int16)).dump(rows=2))
        RegTensor<int16_t>
           0: 0000 0001 0002 0003 0004 0005 0006 0007 | 0 1 2 3 4 5 6 7
           8: 0008 0009 000A 000B 000C 000D 000E 000F | 8 9 10 11 12 13 14 15
        ... 14 more lines
        """
        if self.shape:
            msg = f"an array of registers, shape {self.shape}: dump one of them"
            raise DtypeError(msg)
        words = self.lanes()
        digits = 2 * words.itemsize
        line = 16 // words.itemsize
        per_word = 2 if self.dtype.is_packed else 1
        values = [_number(value) for value in self.values()]
        text = [f"RegTensor<{self.dtype}>"]
        starts = range(0, words.size, line)
        for start in starts[:rows]:
            codes = " ".join(f"{int(word):0{digits}X}" for word in words[start : start + line])
            shown = values[start * per_word : (start + line) * per_word]
            text.append(f"{start:4}: {codes} | {' '.join(shown)}")
        if len(starts) > rows:
            text.append(f"... {len(starts) - rows} more lines")
        return "\n".join(text)

    def __getitem__(self, index: Any) -> RegTensor:
        return RegTensor(self.dtype, np.ascontiguousarray(self.data[index]))

    def __repr__(self) -> str:
        return f"RegTensor<{self.dtype}>(shape={self.shape})"


def _number(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, np.floating) else str(int(value))
