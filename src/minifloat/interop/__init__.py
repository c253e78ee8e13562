"""Tensors in files, and the arrays of other packages.

`open_tensors` and `write_tensors` read and write ``.safetensors``, ``.npy`` and ``.npz`` files in
pieces, formats included; `to_ml_dtypes` and `from_ml_dtypes` exchange arrays with `ml_dtypes`.
"""

from __future__ import annotations

from minifloat.interop._files import container_of, open_tensors, write_tensors
from minifloat.interop._keys import tensor_key
from minifloat.interop._mldtypes import from_ml_dtypes, ml_dtype, to_ml_dtypes
from minifloat.interop._output import TensorOutput
from minifloat.interop._tensor import Tensor, TensorFile

__all__ = [
    "Tensor",
    "TensorFile",
    "TensorOutput",
    "container_of",
    "from_ml_dtypes",
    "ml_dtype",
    "open_tensors",
    "tensor_key",
    "to_ml_dtypes",
    "write_tensors",
]
