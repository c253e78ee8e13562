"""Operators as blocks of matrix products: what the reference and the emulated run both compute.

Every output of an operator is a dot product. `blocks` yields them in groups of bounded size: a left
matrix of windows of the data and a right matrix of weights, with zeros where a window leaves the
data. The order along the shared axis is the order of the kernel index k.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from minifloat.tosa._operators import Operation

__all__ = ["Block", "blocks", "window_counts"]

_BLOCK_BYTES = 1 << 25
"""Size that the windows of one block aim at."""


@dataclass(frozen=True, slots=True)
class Block:
    """Some of an operation's dot products.

    Parameters
    ----------
    rows : slice
        Which rows of the output, seen as ``(rows, groups, channels)``, the block makes.
    left : numpy.ndarray
        Shape ``(groups, rows, KS)``.
    right : numpy.ndarray
        Shape ``(groups, KS, channels)``.
    """

    rows: slice
    left: NDArray[Any]
    right: NDArray[Any]


def blocks(operation: Operation, data: NDArray[Any], weight: NDArray[Any]) -> Iterator[Block]:
    """Yield the dot products of an operation other than a Fourier transform.

    Parameters
    ----------
    operation : Operation
    data : numpy.ndarray
        The first input, of any dtype in which 0 stands for zero (values or codes).
    weight : numpy.ndarray
        The second input; for AVG_POOL2D and REDUCE_SUM an array of one element, one.

    Yields
    ------
    Block
        In the order of their rows.

    Examples
    --------
    >>> from minifloat.tosa import operation
    >>> product = operation("MATMUL", {"ifm": (1, 2, 3), "width": 2})
    >>> [b.left.shape for b in blocks(product, np.ones((1, 2, 3)), np.ones((1, 3, 2)))]
    [(1, 2, 3)]
    """
    op = operation.op
    if op in ("MATMUL", "MATMUL_T"):
        yield from _products(data, np.swapaxes(weight, 1, 2) if op == "MATMUL_T" else weight)
    elif op == "FULLY_CONNECTED":
        yield Block(slice(0, data.shape[0]), data[None], weight.T[None])
    elif op == "REDUCE_SUM":
        yield from _sums(operation, data, weight)
    else:
        yield from _convolutions(operation, data, weight)


def _products(data: NDArray[Any], right: NDArray[Any]) -> Iterator[Block]:
    batch, height, _ = data.shape
    for n in range(batch):
        rows = slice(n * height, (n + 1) * height)
        yield Block(rows, data[n : n + 1], right[n % right.shape[0]][None])


def _sums(operation: Operation, data: NDArray[Any], one: NDArray[Any]) -> Iterator[Block]:
    axis = operation.attributes["axis"]
    count = data.shape[axis]
    outer, inner = math.prod(data.shape[:axis]), math.prod(data.shape[axis + 1 :])
    right = np.full((1, count, 1), one.reshape(-1)[0])
    stacked = data.reshape(outer, count, inner)
    step = max(1, _BLOCK_BYTES // max(1, count * inner * data.itemsize))
    for begin in range(0, outer, step):
        part = stacked[begin : begin + step]
        left = np.swapaxes(part, 1, 2).reshape(1, -1, count)
        yield Block(slice(begin * inner, (begin + part.shape[0]) * inner), left, right)


def _convolutions(
    operation: Operation, data: NDArray[Any], weight: NDArray[Any]
) -> Iterator[Block]:
    kernel = operation.attributes["kernel"]
    points, channels = math.prod(kernel), data.shape[-1]
    windows = _windows(operation, data)
    per_group = operation.op in ("DEPTHWISE_CONV2D", "AVG_POOL2D")
    if operation.op == "DEPTHWISE_CONV2D":
        right = np.moveaxis(weight.reshape(points, channels, -1), 1, 0)
    elif operation.op == "AVG_POOL2D":
        right = np.broadcast_to(weight.reshape(-1)[0], (channels, points, 1))
    else:
        flipped = weight[:, ::-1, ::-1] if operation.op == "TRANSPOSE_CONV2D" else weight
        right = flipped.reshape(weight.shape[0], -1).T[None]
    first = 0
    for part in _parts(windows, data.itemsize):
        rows = math.prod(part.shape[: len(kernel) + 1])
        if per_group:
            left = np.moveaxis(part.reshape(rows, points, channels), 2, 0)
        else:
            left = part.reshape(1, rows, points * channels)
        yield Block(slice(first, first + rows), left, right)
        first += rows


def _windows(operation: Operation, data: NDArray[Any]) -> NDArray[Any]:
    """Return a view ``(N, *output sizes, *kernel, C)`` of the padded data."""
    attributes = operation.attributes
    kernel = attributes["kernel"]
    count = len(kernel)
    stride = attributes["stride"]
    if operation.op == "TRANSPOSE_CONV2D":
        data, pad = _spread(operation, data)
        stride = (1,) * count
    else:
        pad = attributes["pad"]
    dilation = attributes.get("dilation", (1,) * count)
    spatial = [(pad[2 * axis], pad[2 * axis + 1]) for axis in range(count)]
    if any(pad):
        data = np.pad(data, [(0, 0), *spatial, (0, 0)])
    reach = tuple((size - 1) * step + 1 for size, step in zip(kernel, dilation, strict=True))
    axes = tuple(range(1, count + 1))
    view = np.lib.stride_tricks.sliding_window_view(data, reach, axis=axes)
    steps = [slice(None), *(slice(None, None, step) for step in stride), slice(None)]
    view = view[(*steps, *(slice(None, None, step) for step in dilation))]
    return np.moveaxis(view, count + 1, -1)


def _spread(operation: Operation, data: NDArray[Any]) -> tuple[NDArray[Any], tuple[int, ...]]:
    """Return data with zeros between its elements, and the padding, of a transposed convolution."""
    kernel, stride = operation.attributes["kernel"], operation.attributes["stride"]
    out_pad = operation.attributes["out_pad"]
    sizes = [(data.shape[1 + axis] - 1) * stride[axis] + 1 for axis in (0, 1)]
    spread = np.zeros((data.shape[0], *sizes, data.shape[3]), data.dtype)
    spread[:, :: stride[0], :: stride[1]] = data
    return spread, tuple(kernel[i // 2] - 1 + out_pad[i] for i in range(4))


def _parts(windows: NDArray[Any], itemsize: int) -> Iterator[NDArray[Any]]:
    """Split windows along the batch, or along the first output axis of each batch element."""
    each = math.prod(windows.shape[1:]) * itemsize
    if each <= _BLOCK_BYTES:
        step = max(1, _BLOCK_BYTES // max(1, each))
        for begin in range(0, windows.shape[0], step):
            yield windows[begin : begin + step]
        return
    step = max(1, _BLOCK_BYTES // max(1, math.prod(windows.shape[2:]) * itemsize))
    for n in range(windows.shape[0]):
        for begin in range(0, windows.shape[1], step):
            yield windows[n : n + 1, begin : begin + step]


def window_counts(operation: Operation) -> NDArray[np.int64]:
    """Return how many elements of the data each window of a pool holds.

    Parameters
    ----------
    operation : Operation
        AVG_POOL2D.

    Returns
    -------
    numpy.ndarray
        int64, shape ``(1, OH, OW, 1)``.

    Examples
    --------
    >>> from minifloat.tosa import operation
    >>> pool = operation("AVG_POOL2D", {"ifm": (1, 2, 3, 1), "kernel": (2, 2), "pad": (0, 0, 1, 0)})
    >>> window_counts(pool).ravel()
    array([2, 4, 4])
    """
    ones = np.ones((1, *operation.attributes["ifm"][1:3], 1), np.int64)
    counts: NDArray[np.int64] = _windows(operation, ones).sum(axis=(3, 4))
    return counts
