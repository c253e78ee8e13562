"""Open and write tensor files of any supported kind."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from minifloat._errors import FileFormatError, FormatError, nearest
from minifloat._formats import Format, FormatLike, get_format
from minifloat._plans import storage_dtype
from minifloat.interop._atomic import replacing
from minifloat.interop._npy import read_npy, write_npy
from minifloat.interop._npz import read_npz, write_npz
from minifloat.interop._output import TensorOutput
from minifloat.interop._safetensors import read_safetensors, write_safetensors
from minifloat.interop._tensor import Tensor, TensorFile

__all__ = ["container_of", "open_tensors", "write_tensors"]

_READERS = {".safetensors": read_safetensors, ".npy": read_npy, ".npz": read_npz}


def container_of(path: str | os.PathLike[str]) -> str:
    """Return the kind of file that a name promises.

    Parameters
    ----------
    path : str or path-like

    Returns
    -------
    {".safetensors", ".npy", ".npz"}

    Raises
    ------
    FileFormatError
        If the name ends in none of these.

    Examples
    --------
    >>> container_of("model/weights.npz")
    '.npz'
    """
    suffix = Path(path).suffix.lower()
    if suffix not in _READERS:
        hint = nearest(suffix, _READERS)
        msg = f"{path}: unknown kind of file {suffix!r}{hint}; known are {', '.join(_READERS)}"
        raise FileFormatError(msg)
    return suffix


def open_tensors(path: str | os.PathLike[str], source: FormatLike | None = None) -> TensorFile:
    """Open the tensors of a ``.safetensors``, ``.npy`` or ``.npz`` file, reading nothing yet.

    The file is memory-mapped; corrupt, truncated or hostile files give one clear error here, or,
    for the members of archives, when they are first read.

    Parameters
    ----------
    path : str or path-like
    source : FormatLike, optional
        The format of codes for which the file does not say it: unsigned integers of its width
        (and the bytes that numpy writes for `ml_dtypes` arrays) are then read as such codes.

    Returns
    -------
    TensorFile

    Raises
    ------
    FileFormatError
        If the file is missing, of an unknown kind, truncated or corrupt.
    FormatError
        If nothing in the file can be codes of `source`.

    Examples
    --------
    >>> import numpy, tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "w.npy"
    ...     numpy.save(path, numpy.float32([1, 2, 3]))
    ...     with open_tensors(path) as file:
    ...         tensor = file.tensors["arr_0"]
    ...         print(tensor.shape, tensor.fmt, tensor.values(0, 2))
    (3,) float32 [1. 2.]
    """
    file = _READERS[container_of(path)](Path(path))
    if source is None:
        return file
    fmt = get_format(source)
    tensors = {name: _as_codes(tensor, fmt) for name, tensor in file.tensors.items()}
    if not any(tensor.fmt == fmt for tensor in tensors.values()):
        msg = f"{path}: nothing in it can be codes of {fmt} ({storage_dtype(fmt)})"
        raise FormatError(msg)
    return replace(file, tensors=tensors)


def _as_codes(tensor: Tensor, fmt: Format) -> Tensor:
    dtype = np.dtype(tensor.dtype)
    if tensor.fixed or dtype.kind != "u" or dtype.itemsize != storage_dtype(fmt).itemsize:
        return tensor
    return replace(tensor, fmt=fmt, fixed=True)


def write_tensors(
    path: str | os.PathLike[str],
    outputs: Sequence[TensorOutput],
    *,
    metadata: Mapping[str, str] | None = None,
    force: bool = False,
) -> None:
    """Write tensors to a ``.safetensors``, ``.npy`` or ``.npz`` file, whole or not at all.

    Parameters
    ----------
    path : str or path-like
    outputs : sequence of TensorOutput
    metadata : mapping of str to str, optional
        String metadata (kept by ``.safetensors`` only).
    force : bool
        Whether an existing file may be replaced.

    Raises
    ------
    FileFormatError
        If the file exists or the kind of file cannot hold the tensors.

    Notes
    -----
    A format that the kind of file knows is written as such. Other formats become unsigned codes
    and a record of which tensor is in which format: the key ``minifloat`` of safetensors'
    metadata, the entry ``__minifloat__`` of an archive, or a second array after the first in an
    ``.npy`` file; `open_tensors` reads all three.
    """
    suffix = container_of(path)
    with replacing(Path(path), force=force) as file:
        if suffix == ".safetensors":
            write_safetensors(file, outputs, metadata or {})
        elif suffix == ".npy":
            write_npy(file, outputs)
        else:
            write_npz(file, outputs)
