"""Operators in emulated types: what a backend that rounds every step would give."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from minifloat._casting import quantize
from minifloat._errors import OptionError
from minifloat._formats import get_format
from minifloat.tosa._fourier import coefficient_blocks
from minifloat.tosa._lowering import blocks, window_counts
from minifloat.tosa._numbers import from_values
from minifloat.tosa._operators import Operation, operation
from minifloat.tosa._reference import input_values
from minifloat.tosa._signature import Signature, signature
from minifloat.tosa._types import TypeLike

__all__ = ["run"]

Array: TypeAlias = NDArray[np.float64]
Rounding: TypeAlias = Callable[[Array], Array]

_WIDEST = 24
"""Precision up to which rounding a double result is the one rounding: 53 >= 2 * 24 + 2."""


def run(
    op: str,
    attributes: Mapping[str, Any],
    inputs: Mapping[str, ArrayLike],
    *,
    dtype: TypeLike = "fp32",
    weight_dtype: TypeLike | None = None,
    acc: TypeLike | None = None,
    out: TypeLike | None = None,
    accumulator: Any = None,
    order: str = "sequential",
) -> NDArray[Any] | dict[str, NDArray[Any]]:
    """Compute an operator with every product and every sum rounded.

    Each product is rounded to the accumulator's format, the sums of an output are formed from +0 in
    the stated order with a rounding at each step, the bias, rounded likewise, comes last, and the
    result is rounded to the output type; all ties to even, overflow as IEEE 754. Padding adds
    zeros. The mean of a pool is the sum divided by the number of elements; a transform multiplies
    by coefficients rounded to the type of its data.

    Parameters
    ----------
    op : str
        A TOSA operator, as for `generate`.
    attributes : mapping
    inputs : mapping
        Stored input tensors by name.
    dtype, weight_dtype, acc, out : TensorType or str, optional
        Types, as for `generate`.
    accumulator : format, optional
        A format of precision 24 or less to accumulate in instead of the type `acc`: what a backend
        that promises one and does another would give.
    order : str
        ``"sequential"``, by rising kernel index; ``"reversed"``; ``"pairwise"``, split at the
        largest power of two below the number of terms; ``"blocked:n"``, the sums of n terms each,
        then their sums.

    Returns
    -------
    numpy.ndarray or dict of numpy.ndarray
        The output as its type is stored; the two of a transform by name.

    Raises
    ------
    OptionError
        If inputs are missing or do not fit, or the order or the accumulator is not possible.
    DtypeError
        If an input is not stored as its type is.

    Notes
    -----
    Operands have at most 24 bits of precision, so that double arithmetic followed by one rounding
    to a format of as many is the correctly rounded operation. Products are exact in double.

    Examples
    --------
    >>> from minifloat.tosa import generate, verify
    >>> shape = {"ifm": (1, 40, 300), "width": 40}
    >>> data = generate("MATMUL", shape, test_set=3)
    >>> for fmt in ("float32", "bfloat16"):
    ...     output = run("MATMUL", shape, data, accumulator=fmt)
    ...     print(verify("MATMUL", shape, data, output, test_set=3).passed)
    True
    False
    """
    known = operation(op, attributes)
    types = signature(op, dtype, weight_dtype=weight_dtype, acc=acc, out=out)
    values = input_values(known, types, inputs)
    fmt = get_format(types.acc.format_name if accumulator is None else accumulator)
    if fmt.precision > _WIDEST:
        msg = f"accumulator {fmt} has precision {fmt.precision}; {_WIDEST} or less is possible"
        raise OptionError(msg)

    def rounded(x: Array) -> Array:
        with np.errstate(over="ignore"):
            if fmt == get_format("float32"):
                return x.astype(np.float32).astype(np.float64)
            return np.asarray(quantize(x, fmt))

    total = _summation(order)
    with np.errstate(invalid="ignore", over="ignore"):
        if op in ("FFT2D", "RFFT2D"):
            return _transform(known, types, values, rounded, total)
        return from_values(_linear(known, values, rounded, total), types.out)


def _linear(known: Operation, values: list[Array], rounded: Rounding, total: _Sum) -> Array:
    grouped = known.op in ("DEPTHWISE_CONV2D", "AVG_POOL2D")
    groups = values[0].shape[-1] if grouped else 1
    channels = 1 if known.op == "REDUCE_SUM" else known.output_shape[-1]
    result = np.empty((known.count // channels, groups, channels // groups))
    weight = values[1] if len(values) > 1 else np.ones(1)
    for block in blocks(known, values[0], weight):
        result[block.rows] = np.moveaxis(total(block.left, block.right, rounded), 0, 1)
    result = result.reshape(known.output_shape)
    if known.op == "AVG_POOL2D":
        return rounded(result / window_counts(known))
    return rounded(result + rounded(values[2])) if len(values) > 2 else result


def _transform(
    known: Operation, types: Signature, values: list[Array], rounded: Rounding, total: _Sum
) -> dict[str, NDArray[Any]]:
    rows = values[0].shape[0]
    left = np.concatenate([part.reshape(rows, -1) for part in values], axis=1)[None]
    outputs = [np.empty((rows, known.count // rows)) for _ in known.outputs]
    for columns, *coefficients in coefficient_blocks(known):
        for output, right in zip(outputs, coefficients, strict=True):
            narrowed = np.asarray(quantize(right, types.data.format_name))
            output[:, columns] = total(left, narrowed[None], rounded)[0]
    return {
        name: from_values(output.reshape(known.output_shape), types.out)
        for name, output in zip(known.outputs, outputs, strict=True)
    }


_Sum: TypeAlias = Callable[[Array, Array, Rounding], Array]
"""From matrices ``(groups, rows, KS)`` and ``(groups, KS, channels)`` to their product."""


def _summation(order: str) -> _Sum:
    name, _, size = order.partition(":")
    if name == "blocked" and size.isdecimal() and int(size) > 0:
        return _blocked(int(size))
    known: dict[str, _Sum] = {
        "sequential": _sequential,
        "reversed": _reversed,
        "pairwise": _pairwise,
    }
    if order not in known:
        msg = f"order must be one of {[*known, 'blocked:n']}, not {order!r}"
        raise OptionError(msg)
    return known[order]


def _product(left: Array, right: Array, k: int, rounded: Rounding) -> Array:
    return rounded(left[:, :, k, None] * right[:, None, k, :])


def _sequential(left: Array, right: Array, rounded: Rounding) -> Array:
    total = np.zeros((left.shape[0], left.shape[1], right.shape[2]))
    for k in range(left.shape[2]):
        total = rounded(total + _product(left, right, k, rounded))
    return total


def _reversed(left: Array, right: Array, rounded: Rounding) -> Array:
    return _sequential(left[:, :, ::-1], right[:, ::-1], rounded)


def _pairwise(left: Array, right: Array, rounded: Rounding) -> Array:
    count = left.shape[2]
    if count == 1:
        return _product(left, right, 0, rounded)
    half = 1 << (count - 1).bit_length() - 1
    return rounded(
        _pairwise(left[:, :, :half], right[:, :half], rounded)
        + _pairwise(left[:, :, half:], right[:, half:], rounded)
    )


def _blocked(size: int) -> _Sum:
    def total(left: Array, right: Array, rounded: Rounding) -> Array:
        result = np.zeros((left.shape[0], left.shape[1], right.shape[2]))
        for begin in range(0, left.shape[2], size):
            part = slice(begin, begin + size)
            result = rounded(result + _sequential(left[:, :, part], right[:, part], rounded))
        return result

    return total
