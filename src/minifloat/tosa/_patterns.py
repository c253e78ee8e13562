"""Where in a tensor each kernel index sits.

The kernel index k of an element is a mixed-radix number: each coordinate contributes the digit
``coordinate % radix``, the outermost axis being the most significant. A pattern lists
``(axis size, radix)``; a radix of 1 marks an axis that does not contribute.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from minifloat._errors import OptionError, nearest
from minifloat.tosa._editions import Edition

__all__ = ["Pattern", "default_kernel_size", "kernel_index", "selected_axes", "tensor_pattern"]

Pattern: TypeAlias = tuple[tuple[int, int], ...]
"""``(axis size, radix)`` of each axis, outermost first."""

_CONVOLUTIONS = ("CONV2D", "CONV3D", "TRANSPOSE_CONV2D")
_OPERATORS = (
    *_CONVOLUTIONS,
    *("DEPTHWISE_CONV2D", "FULLY_CONNECTED", "MATMUL", "MATMUL_T", "FFT2D", "RFFT2D"),
    *("REDUCE_SUM", "AVG_POOL2D"),
)
_RANKS: dict[tuple[str, int], int] = {
    ("CONV2D", 0): 4,
    ("CONV2D", 1): 4,
    ("TRANSPOSE_CONV2D", 0): 4,
    ("TRANSPOSE_CONV2D", 1): 4,
    ("CONV3D", 0): 5,
    ("CONV3D", 1): 5,
    ("DEPTHWISE_CONV2D", 0): 4,
    ("DEPTHWISE_CONV2D", 1): 4,
    ("FULLY_CONNECTED", 0): 2,
    ("FULLY_CONNECTED", 1): 2,
    **{(op, p): 3 for op in ("MATMUL", "MATMUL_T", "FFT2D") for p in (0, 1)},
    ("RFFT2D", 0): 3,
    ("AVG_POOL2D", 0): 4,
    **{(op, 2): 1 for op in (*_CONVOLUTIONS, "DEPTHWISE_CONV2D", "FULLY_CONNECTED")},
}


def check_tensor(op: str, position: int, shape: Sequence[int]) -> None:
    """Check that `op` has an input at `position` and that it may have this shape.

    Parameters
    ----------
    op : str
    position : int
    shape : sequence of int

    Raises
    ------
    OptionError
        Unknown operator, no such input, wrong rank, or an empty axis.

    Examples
    --------
    >>> check_tensor("MATMUL", 1, (2, 3, 4))
    """
    if op not in _OPERATORS:
        msg = f"unknown operator {op!r}{nearest(op, _OPERATORS)}; allowed are {list(_OPERATORS)}"
        raise OptionError(msg)
    rank = len(shape) if (op, position) == ("REDUCE_SUM", 0) else _RANKS.get((op, position))
    if rank is None:
        msg = f"{op} has no generated input at position {position}"
        raise OptionError(msg)
    if len(shape) != rank or any(size < 1 for size in shape):
        msg = f"{op} input {position} needs {rank} axes of size 1 or more, not shape {tuple(shape)}"
        raise OptionError(msg)


def tensor_pattern(
    op: str,
    position: int,
    shape: Sequence[int],
    kernel: Sequence[int] | None,
    axis: int | None,
    edition: Edition,
) -> Pattern:
    """Return the pattern of kernel indices in an input tensor.

    Parameters
    ----------
    op : str
        A TOSA operator.
    position : int
        0 data (FFT2D: real part), 1 weights (FFT2D: imaginary part), 2 bias.
    shape : sequence of int
        The tensor's shape in TOSA's layout.
    kernel : sequence of int, optional
        Kernel sizes, outermost first; needed for the data of convolutions and pools.
    axis : int, optional
        The reduced axis of REDUCE_SUM.
    edition : Edition

    Returns
    -------
    Pattern

    Raises
    ------
    OptionError
        If `kernel` or `axis` is needed and missing or does not fit.

    Examples
    --------
    >>> tensor_pattern("CONV2D", 0, (1, 8, 8, 4), (3, 2), None, Edition.TOOL)
    ((1, 1), (8, 3), (8, 2), (4, 4))
    """
    check_tensor(op, position, shape)
    sizes = tuple(int(size) for size in shape)
    if position == 2:
        return ((sizes[0], 1),)
    if op == "REDUCE_SUM":
        if axis is None or not 0 <= axis < len(sizes):
            msg = f"REDUCE_SUM of shape {sizes} needs axis= in 0..{len(sizes) - 1}, not {axis}"
            raise OptionError(msg)
        outer, inner = math.prod(sizes[:axis]), math.prod(sizes[axis + 1 :])
        return ((outer, 1), (sizes[axis], sizes[axis]), (inner, 1))
    if op in ("FFT2D", "RFFT2D"):
        batch, height, width = sizes
        return ((batch, 1), (height * width, height * width))
    if op == "MATMUL" and position == 1:
        batch, depth, width = sizes
        return ((batch, 1), (depth, depth), (width, 1))
    if op in ("MATMUL", "MATMUL_T", "FULLY_CONNECTED"):
        return ((math.prod(sizes[:-1]), 1), (sizes[-1], sizes[-1]))
    if position == 1:
        return _weight_pattern(op, sizes, edition)
    spatial = _kernel(op, kernel)
    pattern = ((sizes[0], 1), *zip(sizes[1:-1], spatial, strict=True))
    # The pool's text multiplies by C and adds the channel although its KS does not count channels.
    return (*pattern, (sizes[-1], 1 if op == "DEPTHWISE_CONV2D" else sizes[-1]))


def _weight_pattern(op: str, sizes: tuple[int, ...], edition: Edition) -> Pattern:
    if op == "DEPTHWISE_CONV2D":
        points, channels = math.prod(sizes[:2]), math.prod(sizes[2:])
        return ((points, points), (channels, 1))
    if op == "CONV3D" and edition is Edition.TOOL:
        # The tool takes the first four of the axes [OC, KD, KH, KW, IC] for [KD, KH, KW, IC].
        return ((math.prod(sizes), math.prod(sizes[:4])),)
    products = math.prod(sizes[1:])
    return ((sizes[0], 1), (products, products))


def _kernel(op: str, kernel: Sequence[int] | None) -> tuple[int, ...]:
    count = 3 if op == "CONV3D" else 2
    if kernel is None or len(kernel) != count or any(size < 1 for size in kernel):
        msg = f"{op} needs kernel= with {count} sizes of 1 or more, outermost first, not {kernel}"
        raise OptionError(msg)
    return tuple(int(size) for size in kernel)


def default_kernel_size(
    op: str,
    position: int,
    shape: Sequence[int],
    kernel: Sequence[int] | None,
    axis: int | None,
) -> int:
    """Return KS where one tensor determines it.

    Parameters
    ----------
    op : str
    position : int
    shape : sequence of int
    kernel : sequence of int, optional
    axis : int, optional
        As in `tensor_pattern`.

    Returns
    -------
    int

    Raises
    ------
    OptionError
        For a bias, whose KS is that of other tensors.

    Examples
    --------
    >>> default_kernel_size("CONV2D", 0, (1, 8, 8, 4), (3, 2), None)
    24
    """
    if position == 2:
        msg = f"the bias of {op} needs ks=: its own shape does not determine it"
        raise OptionError(msg)
    pattern = tensor_pattern(op, position, shape, kernel, axis, Edition.V1_1)
    product = math.prod(radix for _, radix in pattern)
    if op == "FFT2D":
        return 2 * product
    return product // shape[-1] if op == "AVG_POOL2D" else product


def selected_axes(pattern: Pattern, k: int) -> list[tuple[int, int, int]]:
    """Return ``(size, radix, digit)`` of each axis for the elements of kernel index `k`.

    Parameters
    ----------
    pattern : Pattern
    k : int
        A kernel index.

    Returns
    -------
    list of (int, int, int)
        Empty if no element has this index.

    Examples
    --------
    >>> selected_axes(((1, 1), (8, 3), (8, 2), (4, 4)), 13)
    [(1, 1, 0), (8, 3, 1), (8, 2, 1), (4, 4, 1)]
    """
    digits = []
    for size, radix in reversed(pattern):
        k, digit = divmod(k, radix)
        digits.append((size, radix, digit))
    return [] if k else digits[::-1]


def kernel_index(pattern: Pattern) -> NDArray[np.int64]:
    """Return the kernel index of every element, for tests and pictures.

    Parameters
    ----------
    pattern : Pattern

    Returns
    -------
    numpy.ndarray
        int64, one axis for each of the pattern's.

    Examples
    --------
    >>> kernel_index(((2, 1), (3, 3))).tolist()
    [[0, 1, 2], [0, 1, 2]]
    """
    k = np.zeros((), np.int64)
    for size, radix in pattern:
        k = k[..., None] * radix + np.arange(size) % radix
    return k
