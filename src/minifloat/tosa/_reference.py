"""Reference results in double precision, and the bounds that errors are measured by."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from minifloat._errors import OptionError, nearest
from minifloat.tosa._editions import Edition, EditionLike, as_edition
from minifloat.tosa._fourier import transform, transform_bound
from minifloat.tosa._lowering import blocks, window_counts
from minifloat.tosa._numbers import as_stored, values_of
from minifloat.tosa._operators import Operation, operation
from minifloat.tosa._signature import Signature, signature
from minifloat.tosa._types import TypeLike

__all__ = ["Reference", "input_values", "reference", "reference_of"]

_ONE = np.ones(1)


@dataclass(frozen=True, slots=True)
class Reference:
    """What an operation should give, and on what scale errors count.

    Parameters
    ----------
    results : dict of numpy.ndarray
        float64, one array for each output by name: the operation in double precision.
    bounds : dict of numpy.ndarray
        float64, of the same names and shapes: the operation on magnitudes.
    has_bias : bool
        Whether a bias takes part, that is, has an element other than zero.
    """

    results: dict[str, NDArray[np.float64]]
    bounds: dict[str, NDArray[np.float64]]
    has_bias: bool


def reference(
    op: str,
    attributes: Mapping[str, Any],
    inputs: Mapping[str, ArrayLike],
    *,
    dtype: TypeLike = "fp32",
    weight_dtype: TypeLike | None = None,
    acc: TypeLike | None = None,
    out: TypeLike | None = None,
    edition: EditionLike = Edition.TOOL,
) -> Reference:
    """Compute an operator in double precision, with its bounds.

    Padding takes part in no product. Windows of the data are made in blocks, so the memory beyond
    the results stays bounded.

    Parameters
    ----------
    op : str
        A TOSA operator.
    attributes : mapping
        As for `generate`.
    inputs : mapping
        Stored input tensors by name, as `generate` returns them; other names are ignored.
    dtype, weight_dtype, acc, out : TensorType or str, optional
        Types, as for `generate`.
    edition : Edition or str
        ``"seed"`` takes plain magnitudes for the bounds; the later ones raise each to the smallest
        normal number of its type. All take the largest magnitude of the whole first input where
        the operator has the attribute ``local_bound`` and it is false.

    Returns
    -------
    Reference

    Raises
    ------
    OptionError
        If an input is missing or has another shape.
    DtypeError
        If an input is not stored as its type is.

    References
    ----------
    TOSA specification, "Dot product accuracy requirements".

    Examples
    --------
    >>> inputs = {"A": np.ones((1, 1, 2), np.float32), "B": np.ones((1, 2, 1), np.float32)}
    >>> reference("MATMUL", {"ifm": (1, 1, 2), "width": 1}, inputs).results["output"]
    array([[[2.]]])
    """
    types = signature(op, dtype, weight_dtype=weight_dtype, acc=acc, out=out)
    known = operation(op, attributes)
    return reference_of(known, types, input_values(known, types, inputs), as_edition(edition))


def input_values(
    known: Operation, types: Signature, inputs: Mapping[str, ArrayLike]
) -> list[NDArray[np.float64]]:
    """Return the values of an operation's inputs, checked, in the order of its inputs.

    Parameters
    ----------
    known : Operation
    types : Signature
    inputs : mapping
        Stored tensors by name.

    Returns
    -------
    list of numpy.ndarray
        float64.

    Raises
    ------
    OptionError
        If an input is missing or has another shape.
    """
    values = []
    for tensor in known.inputs:
        if tensor.name not in inputs:
            wanted = [each.name for each in known.inputs]
            hint = nearest(tensor.name, inputs)
            msg = f"{known.op} needs inputs {wanted}; {tensor.name!r} is missing{hint}"
            raise OptionError(msg)
        kind = types.type_of(tensor.position)
        stored = as_stored(inputs[tensor.name], kind, f"input {tensor.name!r}")
        if stored.shape != tensor.shape:
            msg = (
                f"{known.op} input {tensor.name!r} must have shape {tensor.shape},"
                f" not {stored.shape}"
            )
            raise OptionError(msg)
        values.append(values_of(stored, kind).astype(np.float64))
    return values


def reference_of(
    known: Operation, types: Signature, values: list[NDArray[np.float64]], law: Edition
) -> Reference:
    """Compute results and bounds from input values; see `reference`.

    Parameters
    ----------
    known : Operation
    types : Signature
    values : list of numpy.ndarray
        As `input_values` returns them.
    law : Edition

    Returns
    -------
    Reference
    """
    magnitudes = [
        _magnitudes(each, types.type_of(tensor.position).smallest_normal, law)
        for tensor, each in zip(known.inputs, values, strict=True)
    ]
    if not known.local_bound:
        for index, tensor in enumerate(known.inputs):
            if tensor.position == 0 or known.op == "FFT2D":
                largest = magnitudes[index].max()
                magnitudes[index] = np.full(magnitudes[index].shape, largest)
    has_bias = any(
        tensor.position == 2 and known.op != "FFT2D" and bool(np.any(each != 0))
        for tensor, each in zip(known.inputs, values, strict=True)
    )
    if known.op in ("FFT2D", "RFFT2D"):
        imag = values[1] if len(values) > 1 else None
        imag_magnitudes = magnitudes[1] if len(values) > 1 else None
        results = transform(known, values[0], imag)
        least = 0.0 if law is Edition.SEED else types.data.smallest_normal
        bounds = transform_bound(known, magnitudes[0], imag_magnitudes, least)
        return Reference(results, bounds, has_bias)
    if known.op == "AVG_POOL2D":
        counts = window_counts(known)
        result = _linear(known, [values[0]]) / counts
        return Reference(
            {"output": result}, {"output": _linear(known, [magnitudes[0]]) / counts}, has_bias
        )
    if law is Edition.TOOL and known.op == "CONV2D":
        bound = _filled_bound(known, magnitudes, types)
    else:
        bound = _linear(known, magnitudes)
    return Reference({"output": _linear(known, values)}, {"output": bound}, has_bias)


def _filled_bound(
    known: Operation, magnitudes: list[NDArray[np.float64]], types: Signature
) -> NDArray[np.float64]:
    """Return a bound in which the padding of CONV2D counts as data.

    The tool raises, and fills, the data of this operator after padding it; of the others before.
    """
    data, weight, bias = magnitudes
    if not known.local_bound:
        of_channel = data.flat[0] * weight.reshape(weight.shape[0], -1).sum(axis=1) + bias
        return np.broadcast_to(of_channel, known.output_shape).copy()
    top, bottom, left, right = known.attributes["pad"]
    widths = [(0, 0), (top, bottom), (left, right), (0, 0)]
    padded = np.pad(data, widths, constant_values=types.data.smallest_normal)
    unpadded = replace(known, attributes={**known.attributes, "pad": (0, 0, 0, 0)})
    return _linear(unpadded, [padded, weight, bias])


def _magnitudes(
    values: NDArray[np.float64], smallest_normal: float, law: Edition
) -> NDArray[np.float64]:
    magnitudes = np.abs(values)
    return magnitudes if law is Edition.SEED else np.maximum(magnitudes, smallest_normal)


def _linear(known: Operation, values: list[NDArray[np.float64]]) -> NDArray[np.float64]:
    """Sum the products of every output, and the bias."""
    weight = values[1] if len(values) > 1 else _ONE
    padded = any(known.attributes.get("pad", ())) or known.op == "TRANSPOSE_CONV2D"
    inside = None
    if padded and not np.isfinite(weight).all():
        inside = blocks(known, np.ones(values[0].shape, np.bool_), weight)
    channels = known.output_shape[-1]
    groups = values[0].shape[-1] if known.op in ("DEPTHWISE_CONV2D", "AVG_POOL2D") else 1
    if known.op == "REDUCE_SUM":
        channels = 1
    result = np.empty((math.prod(known.output_shape) // channels, groups, channels // groups))
    with np.errstate(invalid="ignore", over="ignore"):
        for block in blocks(known, values[0], weight):
            if inside is None:
                product = block.left @ block.right
            else:
                product = _products_inside(block.left, block.right, next(inside).left)
            result[block.rows] = np.moveaxis(product, 0, 1)
        total = result.reshape(known.output_shape)
        return total + values[2] if len(values) > 2 else total


def _products_inside(
    left: NDArray[np.float64], right: NDArray[np.float64], inside: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Return ``left @ right`` over the products that are inside the data only.

    Zero padding times an infinite weight would be NaN, where the operator has no product at all.
    """
    total = np.zeros((left.shape[0], left.shape[1], right.shape[2]))
    for k in range(left.shape[2]):
        term = left[:, :, k, None] * right[:, None, k, :]
        total += np.where(inside[:, :, k, None], term, 0.0)
    return total
