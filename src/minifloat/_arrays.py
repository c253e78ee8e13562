"""What callers pass as arrays, made into contiguous words the core can read, and back."""

from __future__ import annotations

import functools
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from minifloat._errors import CodeError, DtypeError, FormatError
from minifloat._flags import Flags
from minifloat._formats import Format, IntFormat, formats
from minifloat._plans import storage_dtype

if TYPE_CHECKING:  # importing numpy.typing takes a while
    import numpy.typing as npt

__all__ = [
    "AnyArray",
    "FlagsLike",
    "as_codes",
    "as_output",
    "as_values",
    "default_workers",
    "format_of_dtype",
    "is_scalar",
    "read_array",
    "value_dtype",
]

if TYPE_CHECKING:
    AnyArray: TypeAlias = npt.NDArray[Any]
    FlagsLike: TypeAlias = Flags | npt.NDArray[np.uint8]
else:
    AnyArray = np.ndarray
    FlagsLike = Flags | np.ndarray

_FOR_THE_CORE: Any = ("C_CONTIGUOUS", "ALIGNED")
_REFUSED = "bool, complex, longdouble, object, text and time arrays are not numbers of a format"


@functools.lru_cache(maxsize=256)
def format_of_dtype(dtype: np.dtype[Any]) -> Format:
    """Return the format whose values an array of this dtype holds.

    Parameters
    ----------
    dtype : numpy.dtype

    Returns
    -------
    Format

    Raises
    ------
    DtypeError
        If the dtype is none of the numeric ones.

    Examples
    --------
    >>> format_of_dtype(np.dtype(">f4")).name
    'float32'
    """
    name = dtype.name
    if name in formats and dtype.kind not in "bcOSUmM":
        return formats[name]
    msg = f"dtype {name}: allowed are float16/32/64, integers and ml_dtypes types; {_REFUSED}"
    raise DtypeError(msg)


def is_scalar(x: object) -> bool:
    """Whether the result for `x` is a numpy scalar rather than an array."""
    return not isinstance(x, np.ndarray) and np.ndim(x) == 0  # type: ignore[arg-type]


def as_values(x: Any) -> tuple[Format, AnyArray]:
    """Turn numbers into their format and an array of storage words.

    Parameters
    ----------
    x : array_like
        Floats, integers, ``ml_dtypes`` arrays, Python numbers; any shape, strides, byte order.

    Returns
    -------
    tuple of Format and ndarray
        The array is C-contiguous, of the format's unsigned dtype; or of dtype object where it holds
        Python integers beyond 64 bits.

    Raises
    ------
    DtypeError
        For bool, complex, longdouble, object and non-numeric input.
    """
    array = x if type(x) is np.ndarray else _from_python(x)
    dtype = array.dtype
    if dtype.kind == "O" and array is not x:
        return formats["int64"], array
    fmt = format_of_dtype(dtype)
    if not (array.flags.c_contiguous and array.flags.aligned and dtype.isnative):
        array = np.require(array, dtype.newbyteorder("="), _FOR_THE_CORE).reshape(np.shape(x))
    words = array.view(storage_dtype(fmt))
    if fmt.bits < 8:  # ml_dtypes ignores the bits above the content
        words = words & np.uint8(2**fmt.bits - 1)
    return fmt, words


def read_array(x: Any, what: str) -> AnyArray:
    """Return what numpy makes of an array-like.

    Parameters
    ----------
    x : object
    what : str
        What the error calls it.

    Returns
    -------
    ndarray

    Raises
    ------
    DtypeError
        If numpy makes nothing of it.
    """
    try:
        return np.asarray(x)
    except (TypeError, ValueError) as error:
        msg = f"cannot read {what} as an array: {error}"
        raise DtypeError(msg) from None


def _from_python(x: Any) -> AnyArray:
    """Make an array of Python numbers or array-likes; integers beyond 64 bits stay Python's."""
    if isinstance(x, np.ndarray):
        array = x.view(np.ndarray)
        return array if array.dtype.kind != "O" else _refuse(x)
    if isinstance(x, (bool, np.bool_, complex)):
        return _refuse(x)
    try:
        array = read_array(x, "x")
    except OverflowError:
        array = np.asarray(x, dtype=object)
    if not hasattr(x, "dtype"):
        array = _without_loss(x, array)
    return array if array.dtype.kind != "O" or _holds_integers(array) else _refuse(x)


def _refuse(x: Any) -> AnyArray:
    msg = f"cannot take {type(x).__name__} as numbers: {_REFUSED}"
    raise DtypeError(msg)


def _holds_integers(array: AnyArray) -> bool:
    return array.size > 0 and all(type(item) is int for item in array.flat)


def _without_loss(x: Any, array: AnyArray) -> AnyArray:
    """Undo what numpy does to lists: integers turned into floats, and bools into numbers."""
    leaves = list(_leaves(x))
    if any(isinstance(leaf, (bool, np.bool_)) for leaf in leaves):
        return _refuse(x)
    whole = [isinstance(leaf, (int, np.integer)) for leaf in leaves]
    if array.dtype.kind not in "fO" or not leaves:
        return array
    if all(whole):
        exact = np.empty(len(leaves), object)
        exact[:] = [int(leaf) for leaf in leaves]
        return exact.reshape(array.shape)
    if not all(map(_fits_float64, leaves)):
        msg = "a list mixes floats with integers that float64 cannot hold: pass one kind"
        raise DtypeError(msg)
    numbers = all(isinstance(leaf, (int, float, np.integer, np.floating)) for leaf in leaves)
    return array.astype(np.float64) if array.dtype.kind == "O" and numbers else array


def _leaves(x: Any) -> Iterator[Any]:
    if isinstance(x, (list, tuple)):
        for item in x:
            yield from _leaves(item)
    else:
        yield x


def _fits_float64(leaf: Any) -> bool:
    """Whether a list item is no integer that float64 would round."""
    if isinstance(leaf, np.ndarray):
        return leaf.dtype.kind not in "iu" or all(map(_fits_float64, leaf.ravel().tolist()))
    if not isinstance(leaf, (int, np.integer)):
        return True
    try:
        return int(float(leaf)) == int(leaf)
    except OverflowError:
        return False


def as_codes(codes: Any, fmt: Format) -> AnyArray:
    """Turn codes into a contiguous array of the format's storage dtype.

    Parameters
    ----------
    codes : array_like of int
        Any integer dtype, or an ``ml_dtypes`` array of the same format.
    fmt : Format

    Returns
    -------
    ndarray
        C-contiguous, of `storage_dtype`.

    Raises
    ------
    CodeError
        If `codes` holds floats, or integers outside the storage word.
    DtypeError
        If it is no array at all.
    """
    array = read_array(codes, "codes")
    dtype = storage_dtype(fmt)
    if array.dtype == dtype and array.flags.c_contiguous and array.flags.aligned:
        return array.view(np.ndarray)
    kind = array.dtype.kind
    if kind not in "iu":
        if array.dtype.name in formats and formats[array.dtype.name] == fmt:
            return as_values(array)[1]
        if array.size == 0 and not hasattr(codes, "dtype"):
            return np.zeros(array.shape, dtype)
        msg = f"codes of {fmt} are integers, got {array.dtype.name}; did you mean encode?"
        raise CodeError(msg)
    if array.dtype.itemsize > dtype.itemsize or kind == "i":
        outside = (array < 0) | (array > np.iinfo(dtype).max)
        if outside.any():
            first = int(np.argmax(outside.ravel()))
            msg = (
                f"{int(outside.sum())} codes lie outside {dtype.name}, the storage of {fmt};"
                f" the first is {array.ravel()[first]} at index {first}"
            )
            raise CodeError(msg)
    return np.require(array, dtype, _FOR_THE_CORE).reshape(array.shape)


def value_dtype(fmt: Format) -> np.dtype[Any]:
    """Return the smallest of float32, float64 (int64, uint64) that holds every value.

    Parameters
    ----------
    fmt : Format

    Returns
    -------
    numpy.dtype

    Raises
    ------
    FormatError
        If none does.
    """
    for name in ("float32", "float64"):
        if _holds(name, fmt):
            return np.dtype(name)
    if isinstance(fmt, IntFormat) and fmt.scale_exponent == 0:
        return np.dtype("int64" if fmt.signed else "uint64")
    msg = f"no dtype holds every value of {fmt}: give dtype= to round them"
    raise FormatError(msg)


def _holds(name: str, fmt: Format) -> bool:
    from minifloat._plans import holds

    return holds(formats[name], fmt)


def as_output(
    out: AnyArray | None,
    shape: tuple[int, ...],
    dtype: np.dtype[Any],
    source: AnyArray,
    name: str = "out",
) -> AnyArray:
    """Return a contiguous native array to write to: `out` itself where that is safe.

    Parameters
    ----------
    out : ndarray or None
        The caller's array.
    shape : tuple of int
    dtype : numpy.dtype
        What the result is made of.
    source : ndarray
        The array being read; partial overlap with it calls for a temporary.
    name : str
        The keyword that errors speak of.

    Returns
    -------
    ndarray
        The caller copies it into `out` if it is not `out`.

    Raises
    ------
    DtypeError
        If `out` has another shape or dtype, or is read-only.
    """
    if out is None:
        return np.empty(shape, dtype)
    if not isinstance(out, np.ndarray):
        msg = f"{name}= must be a numpy array, got {type(out).__name__}"
        raise DtypeError(msg)
    if out.shape != shape or out.dtype.newbyteorder("=") != dtype:
        msg = f"{name}= has shape {out.shape} and dtype {out.dtype}, needed are {shape} and {dtype}"
        raise DtypeError(msg)
    if not out.flags.writeable:
        msg = f"{name}= is read-only"
        raise DtypeError(msg)
    direct = out.flags.c_contiguous and out.flags.aligned and out.dtype.isnative
    same = out.ctypes.data == source.ctypes.data and out.nbytes == source.nbytes
    if direct and (same or not np.may_share_memory(out, source)):
        return out
    return np.empty(shape, dtype)


@functools.lru_cache(maxsize=1)
def default_workers() -> int:
    """Return the number of threads for large arrays: ``MINIFLOAT_WORKERS``, or one per core.

    Returns
    -------
    int
    """
    asked = os.environ.get("MINIFLOAT_WORKERS", "")
    if asked.isdigit() and int(asked) > 0:
        return int(asked)
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on this system
        return os.cpu_count() or 1
