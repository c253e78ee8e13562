"""Small files for the reader tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from minifloat import get_format
from minifloat.interop import Tensor, TensorOutput


def safetensors_bytes(header: object, data: bytes = b"") -> bytes:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + data


def entry(dtype: str, shape: list[int], begin: int, end: int) -> dict[str, Any]:
    return {"dtype": dtype, "shape": shape, "data_offsets": [begin, end]}


def write(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def random_codes(name: str, shape: tuple[int, ...], seed: int = 0) -> np.ndarray[Any, Any]:
    fmt = get_format(name)
    size = next(n for n in (1, 2, 4, 8) if 8 * n >= fmt.code_bits)
    raw = np.random.default_rng(seed).integers(0, 2 ** min(fmt.bits, 63), shape, np.uint64)
    return np.asarray(raw << np.uint64(fmt.code_shift)).astype(f"u{size}")


def code_output(name: str, fmt: str, codes: np.ndarray[Any, Any]) -> TensorOutput:
    flat = codes.reshape(-1)
    pieces = lambda: iter([flat[:8], flat[8:]])  # noqa: E731
    return TensorOutput.from_codes(name, codes.shape, get_format(fmt), pieces)


def all_codes(tensor: Tensor) -> np.ndarray[Any, Any]:
    return tensor.codes(0, tensor.size).reshape(tensor.shape)
