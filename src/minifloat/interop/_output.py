"""What a writer is given: named tensors whose elements come in pieces."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from minifloat._formats import Format
from minifloat._plans import storage_dtype
from minifloat.interop._tensor import Tensor

__all__ = ["TensorOutput"]


@dataclass(frozen=True, slots=True)
class TensorOutput:
    """One tensor to write.

    Attributes
    ----------
    name : str
    shape : tuple of int
    fmt : Format or None
        What the elements are; None for elements that are no numbers, written as `dtype` is.
    dtype : numpy.dtype
        Of the pieces: the unsigned code dtype of `fmt`, or the elements' own dtype.
    chunks : callable
        Returns an iterator over the elements in C order, in 1-D arrays of any length that is a
        multiple of 8 (but for the last).
    """

    name: str
    shape: tuple[int, ...]
    fmt: Format | None
    dtype: np.dtype[Any]
    chunks: Callable[[], Iterator[NDArray[Any]]] = field(repr=False)

    @classmethod
    def from_codes(
        cls, name: str, shape: tuple[int, ...], fmt: Format, chunks: Callable[[], Iterator[Any]]
    ) -> TensorOutput:
        """Describe a tensor given by codes.

        Parameters
        ----------
        name : str
        shape : tuple of int
        fmt : Format
        chunks : callable
            Returns an iterator over arrays of codes.

        Returns
        -------
        TensorOutput
        """
        return cls(name, shape, fmt, storage_dtype(fmt), chunks)

    @classmethod
    def copy_of(cls, tensor: Tensor) -> TensorOutput:
        """Describe an unchanged copy of a tensor of another file.

        Parameters
        ----------
        tensor : Tensor

        Returns
        -------
        TensorOutput
        """
        if tensor.fmt is not None:
            read, dtype = tensor.codes, storage_dtype(tensor.fmt)
        else:
            read, dtype = tensor.raw, tensor.dtype.newbyteorder("=")
        pieces = lambda: (read(start, stop) for start, stop in tensor.chunks())  # noqa: E731
        return cls(tensor.name, tensor.shape, tensor.fmt, dtype, pieces)
