"""Between float32 values and the stored form of a tensor: the package's only use of the casts."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from minifloat._casting import decode, encode
from minifloat._errors import DtypeError
from minifloat.tosa._types import TensorType

__all__ = ["as_stored", "from_values", "narrow_into", "values_of"]

_CODE_DTYPES: dict[int, np.dtype[Any]] = {2: np.dtype(np.uint16), 1: np.dtype(np.uint8)}


def narrow_into(out: NDArray[Any], values: NDArray[np.float32], kind: TensorType) -> None:
    """Round float32 values to a tensor type, ties to even, overflow as IEEE 754.

    Parameters
    ----------
    out : numpy.ndarray
        C-contiguous, of the type's storage dtype and the size of `values`.
    values : numpy.ndarray
        float32.
    kind : TensorType

    Examples
    --------
    >>> from minifloat.tosa import as_type
    >>> out = np.empty(1, np.uint16)
    >>> narrow_into(out, np.ones(1, np.float32), as_type("bf16"))
    >>> hex(out[0])
    '0x3f80'
    """
    if kind.name == "fp32":
        out[...] = values
    else:
        codes = out.view(_CODE_DTYPES[out.itemsize])
        encode(values, kind.format_name, out=codes)
        if kind.name == "fp8e4m3":
            codes[codes == 0xFF] = 0x7F  # an overflow is the NaN without sign


def from_values(values: ArrayLike, kind: TensorType) -> NDArray[Any]:
    """Return values, rounded once, in the stored form of a tensor type.

    Parameters
    ----------
    values : array_like
        float32 or float64.
    kind : TensorType

    Returns
    -------
    numpy.ndarray
        Of the type's storage dtype and the shape of `values`.

    Examples
    --------
    >>> from minifloat.tosa import as_type
    >>> from_values([1.0, 500.0], as_type("e4m3"))
    array([ 56, 127], dtype=uint8)
    """
    x = np.asarray(values)
    codes = np.asarray(encode(x, kind.format_name))
    return codes.view(kind.dtype)


def values_of(tensor: NDArray[Any], kind: TensorType) -> NDArray[np.float32]:
    """Return the values of a stored tensor, which float32 holds exactly.

    Parameters
    ----------
    tensor : numpy.ndarray
        Of the type's storage dtype.
    kind : TensorType

    Returns
    -------
    numpy.ndarray
        float32, of the tensor's shape.

    Examples
    --------
    >>> from minifloat.tosa import as_type
    >>> values_of(np.array([0x3f80], np.uint16), as_type("bf16"))
    array([1.], dtype=float32)
    """
    if kind.name == "fp32":
        return tensor
    codes = np.ascontiguousarray(tensor).view(_CODE_DTYPES[tensor.itemsize])
    return np.asarray(decode(codes, kind.format_name, dtype=np.float32))


def as_stored(tensor: ArrayLike, kind: TensorType, what: str) -> NDArray[Any]:
    """Return a user's tensor in the stored form of its type.

    Parameters
    ----------
    tensor : array_like
        Of the storage dtype; a matching ``ml_dtypes`` dtype; or raw bytes of the same width, as
        ``numpy.load`` returns for such arrays. fp16 is taken as uint16 codes too.
    kind : TensorType
    what : str
        What to call the tensor in an error.

    Returns
    -------
    numpy.ndarray
        A view where possible.

    Raises
    ------
    DtypeError
        If the dtype is another one: values are never converted silently.

    Examples
    --------
    >>> from minifloat.tosa import as_type
    >>> as_stored(np.array([0x3c00], np.uint16), as_type("fp16"), "x")
    array([1.], dtype=float16)
    """
    array = np.asarray(tensor)
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    if array.dtype == kind.dtype:
        return array
    same_width = array.dtype.itemsize == kind.dtype.itemsize
    codes = same_width and array.dtype.kind == "u" and kind.name != "fp32"
    raw = same_width and array.dtype.name in ("void8", "void16")
    if codes or raw or array.dtype.name == kind.format_name:
        return array.view(kind.dtype)
    msg = (
        f"{what} of type {kind} must be an array of {kind.dtype} or of dtype {kind.format_name},"
        f" not {array.dtype}"
    )
    raise DtypeError(msg)
