"""Bridges to `ml_dtypes`: its arrays are codes under another dtype, so both ways are views."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from minifloat._errors import DtypeError, FormatError, MissingExtraError
from minifloat._formats import Format, FormatLike, get_format
from minifloat._plans import storage_dtype

__all__ = ["from_ml_dtypes", "ml_dtype", "to_ml_dtypes"]


def ml_dtype(fmt: FormatLike) -> np.dtype[Any]:
    """Return the numpy or `ml_dtypes` dtype whose elements are the codes of a format.

    Parameters
    ----------
    fmt : FormatLike

    Returns
    -------
    numpy.dtype

    Raises
    ------
    FormatError
        If there is no such dtype.
    MissingExtraError
        If `ml_dtypes` is needed and not installed.

    Examples
    --------
    >>> ml_dtype("float16")
    dtype('float16')
    """
    found = get_format(fmt)
    for find in (_numpy_type, _ml_dtypes_type):
        kind = find(found)
        if kind is not None and get_format(kind) == found:
            dtype: np.dtype[Any] = np.dtype(kind)
            return dtype
    msg = f"neither numpy nor ml_dtypes has a dtype for {found}"
    raise FormatError(msg)


def to_ml_dtypes(codes: ArrayLike, fmt: FormatLike) -> NDArray[Any]:
    """View codes as an array of the dtype that has them.

    Parameters
    ----------
    codes : array_like of unsigned integers, shape (...)
    fmt : FormatLike

    Returns
    -------
    ndarray, shape (...)
        A view where `codes` has the format's code dtype and the memory order allows it.

    Raises
    ------
    FormatError
        If there is no such dtype.
    DtypeError
        If `codes` has another dtype than the format's codes.
    """
    found = get_format(fmt)
    array = np.asarray(codes)
    if array.dtype != storage_dtype(found):
        msg = f"codes of {found} are {storage_dtype(found)}, not {array.dtype}"
        raise DtypeError(msg)
    return array.view(ml_dtype(found))


def from_ml_dtypes(array: NDArray[Any]) -> tuple[NDArray[Any], Format]:
    """View an array of numbers as codes and the format they are in.

    Parameters
    ----------
    array : ndarray, shape (...), of a numpy or `ml_dtypes` number dtype

    Returns
    -------
    codes : ndarray, shape (...), unsigned
        A view where possible (sub-byte integers are masked to their low bits).
    fmt : Format

    Raises
    ------
    FormatError
        If the dtype is that of no format.

    Examples
    --------
    >>> codes, fmt = from_ml_dtypes(np.float16([1.0, -2.0]))
    >>> codes, fmt.name
    (array([15360, 49152], dtype=uint16), 'float16')
    """
    fmt = get_format(array.dtype)
    native = array.astype(array.dtype.newbyteorder("="), copy=False)
    codes = native.view(storage_dtype(fmt))
    if fmt.bits < 8:
        codes = codes & codes.dtype.type((1 << fmt.bits) - 1)
    return codes, fmt


def _numpy_type(fmt: Format) -> Any:
    return getattr(np, fmt.name or "", None)


def _ml_dtypes_type(fmt: Format) -> Any:
    try:
        import ml_dtypes
    except ImportError as error:
        msg = f"arrays of {fmt} need ml_dtypes: pip install ml_dtypes"
        raise MissingExtraError(msg) from error
    return getattr(ml_dtypes, fmt.name or "", None)
