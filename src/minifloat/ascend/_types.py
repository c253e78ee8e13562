"""The data types of ``Cast`` by their Ascend C names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from minifloat._errors import FormatError, nearest
from minifloat._formats import Format, formats

__all__ = ["TYPES", "DataType", "data_type"]


@dataclass(frozen=True, slots=True)
class DataType:
    """A data type of the vector unit.

    Parameters
    ----------
    name : str
        The Ascend C name. The ``x2`` types name a byte of two 4-bit elements, the even one low.
    format : Format
        What one element is.
    numpy : numpy.dtype
        What an array of elements is made of: the native dtype where numpy has one, signed bytes for
        `int4x2_t`, unsigned codes for the rest.
    bits : int
        The width of one element.
    word : numpy.dtype
        The unsigned dtype that holds the bits of one element.
    is_packed : bool
        Whether two elements share a byte.
    """

    name: str
    format: Format
    numpy: np.dtype[Any]
    bits: int
    word: np.dtype[Any]
    is_packed: bool

    def __str__(self) -> str:
        return self.name


def _type(name: str, fmt: str, dtype: str) -> DataType:
    bits = formats[fmt].bits
    word = np.dtype(f"u{max(bits // 8, 1)}")
    return DataType(name, formats[fmt], np.dtype(dtype), bits, word, bits == 4)


TYPES: Mapping[str, DataType] = MappingProxyType(
    {
        found.name: found
        for found in (
            _type("half", "float16", "float16"),
            _type("bfloat16_t", "bfloat16", "uint16"),
            _type("float", "float32", "float32"),
            _type("hifloat8_t", "hifloat8", "uint8"),
            _type("fp8_e4m3fn_t", "float8_e4m3fn", "uint8"),
            _type("fp8_e5m2_t", "float8_e5m2", "uint8"),
            _type("fp8_e8m0_t", "float8_e8m0fnu", "uint8"),
            _type("fp4x2_e2m1_t", "float4_e2m1fn", "uint8"),
            _type("fp4x2_e1m2_t", "float4_e1m2fn", "uint8"),
            _type("int4x2_t", "int4", "int8"),
            *(
                _type(f"{sign}int{bits}_t", f"{sign}int{bits}", f"{sign}int{bits}")
                for bits in (8, 16, 32)
                for sign in ("", "u")
            ),
            _type("int64_t", "int64", "int64"),
        )
    }
)
"""The types by name."""


def data_type(name: str | DataType) -> DataType:
    """Look a data type up.

    Parameters
    ----------
    name : str or DataType
        Such as ``"half"`` or ``"fp4x2_e2m1_t"``.

    Returns
    -------
    DataType

    Raises
    ------
    FormatError
        If the unit has no such type.

    Examples
    --------
    >>> data_type("hifloat8_t").format.name, data_type("int4x2_t").is_packed
    ('hifloat8', True)
    """
    if isinstance(name, DataType):
        return name
    try:
        return TYPES[name]
    except (KeyError, TypeError):
        msg = f"unknown data type {name!r}; Cast has {', '.join(TYPES)}{nearest(str(name), TYPES)}"
        raise FormatError(msg) from None
