"""All input tensors of an operator at once."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from minifloat._errors import OptionError
from minifloat.tosa._editions import Edition, EditionLike, as_edition, data_scale
from minifloat.tosa._fourier import coefficient_blocks
from minifloat.tosa._operators import Operation, Tensor, operation
from minifloat.tosa._patterns import tensor_pattern
from minifloat.tosa._rules import ElementRule, check_test_set, element_rule
from minifloat.tosa._signature import Signature, signature
from minifloat.tosa._tensors import fill_tensor
from minifloat.tosa._types import TypeLike

__all__ = ["first_index", "generate", "generate_inputs", "weight_arrays"]

_WEIGHT_BYTES = 1 << 30


def generate(
    op: str,
    attributes: Mapping[str, Any],
    *,
    test_set: int,
    dtype: TypeLike = "fp32",
    weight_dtype: TypeLike | None = None,
    acc: TypeLike | None = None,
    out: TypeLike | None = None,
    edition: EditionLike = Edition.TOOL,
    largest_first: bool = False,
    sum_order: Literal["reversed"] | Sequence[int] = "reversed",
    weights: bool = True,
    small: bool = False,
) -> dict[str, NDArray[Any]]:
    """Return the test data of an operator.

    Parameters
    ----------
    op : str
        A TOSA operator: ``CONV2D``, ``CONV3D``, ``DEPTHWISE_CONV2D``, ``FULLY_CONNECTED``,
        ``MATMUL``, ``MATMUL_T``, ``TRANSPOSE_CONV2D``, ``FFT2D``, ``RFFT2D``, ``REDUCE_SUM`` or
        ``AVG_POOL2D``.
    attributes : mapping
        ``ifm``, the shape of the data in TOSA's layout, and what else the operator needs; see
        `operation`.
    test_set : int
        S, 0 to 5.
    dtype, weight_dtype : TensorType or str
        Types of the data and of the second input (the same when omitted).
    acc, out : TensorType or str, optional
        Accumulator and output type; see `signature` for the defaults.
    edition : Edition or str
        ``"tool"``: byte for byte what Arm's tool makes; ``"1.1"`` or ``"seed"``: what a text says.
    largest_first : bool
        For a backend that adds in another order than that of the kernel index: put the large
        elements of sets 2 and 3 where `sum_order` begins. The other sets do not change.
    sum_order : "reversed" or sequence of int
        The order in which the backend adds: a permutation of the kernel indices.
    weights : bool
        Whether to add the constant weights that the appendix defines for operators without a second
        input, as float64: ``weight_real`` and ``weight_imag`` of the transforms, the ones
        of REDUCE_SUM, the 1/KS of AVG_POOL2D.
    small : bool
        Whether to allow fewer than 1000 outputs, too few for a verdict.

    Returns
    -------
    dict of numpy.ndarray
        The inputs by the appendix's names: float32 or float16 values, or codes (uint16 for bf16,
        uint8 for the 8-bit types).

    Raises
    ------
    OptionError
        If attributes, set and types do not go together, or the test is too small.
    FormatError
        If a type is unknown.

    References
    ----------
    TOSA specification, appendix A, "Main Inference operator test data".

    Examples
    --------
    >>> data = generate("MATMUL", {"ifm": (1, 40, 8), "width": 40}, test_set=2, dtype="bf16")
    >>> {name: (array.shape, array.dtype.name) for name, array in data.items()}
    {'A': ((1, 40, 8), 'uint16'), 'B': ((1, 8, 40), 'uint16')}
    """
    known = operation(op, attributes)
    if not small:
        known.require_enough_outputs()
    types = signature(op, dtype, weight_dtype=weight_dtype, acc=acc, out=out)
    first = first_index(known.ks, sum_order) if largest_first else 0
    inputs = generate_inputs(known, types, check_test_set(test_set), as_edition(edition), first)
    return inputs | weight_arrays(known, as_edition(edition)) if weights else inputs


def first_index(ks: int, sum_order: Literal["reversed"] | Sequence[int]) -> int:
    """Return the kernel index that a backend adds first.

    Parameters
    ----------
    ks : int
        KS.
    sum_order : "reversed" or sequence of int

    Returns
    -------
    int

    Raises
    ------
    OptionError
        If the order is no permutation of the kernel indices.

    Examples
    --------
    >>> first_index(9, "reversed")
    8
    """
    if isinstance(sum_order, str):
        if sum_order != "reversed":
            msg = f"sum_order must be 'reversed' or a permutation of 0..{ks - 1}, not {sum_order!r}"
            raise OptionError(msg)
        return ks - 1
    if sorted(sum_order) != list(range(ks)):
        msg = f"sum_order must be a permutation of the {ks} kernel indices 0..{ks - 1}"
        raise OptionError(msg)
    return int(sum_order[0])


def generate_inputs(
    known: Operation, types: Signature, test_set: int, law: Edition, first: int = 0
) -> dict[str, NDArray[Any]]:
    """Return the inputs of an operation.

    Parameters
    ----------
    known : Operation
    types : Signature
    test_set : int
    law : Edition
    first : int
        The kernel index that takes the large elements of sets 2 and 3.

    Returns
    -------
    dict of numpy.ndarray

    Raises
    ------
    OptionError
        If the edition has no data for these types.
    """
    inputs = {}
    for tensor in known.inputs:
        rule = _rule(known, tensor, types, test_set, law)
        if test_set in (2, 3):
            rule = rule.at_kernel_index(first)
        pattern = tensor_pattern(
            known.op, tensor.position, tensor.shape, known.kernel, known.axis, law
        )
        kind = types.type_of(0 if known.op == "FFT2D" else tensor.position)
        offset = math.prod(tensor.shape) if _is_imaginary(known, tensor) else 0
        out = np.empty(tensor.shape, kind.dtype)
        fill_tensor(out, rule, pattern, kind, offset)
        inputs[tensor.name] = out
    return inputs


def _is_imaginary(known: Operation, tensor: Tensor) -> bool:
    return known.op == "FFT2D" and tensor.position == 1


def _rule(
    known: Operation, tensor: Tensor, types: Signature, test_set: int, law: Edition
) -> ElementRule:
    parameter = 0 if _is_imaginary(known, tensor) else tensor.position
    own = types.type_of(parameter)
    other = types.type_of(0 if parameter == 1 else 1)
    if parameter == 2:
        # The tool scales a bias by its own type's B; the texts by that of the inputs.
        own, other = (own, own) if law is Edition.TOOL else (types.data, types.weight)
    elif law is Edition.TOOL and known.op not in ("MATMUL", "MATMUL_T"):
        other = own
    scale = data_scale(law, own, other, types.scale_type(law))
    return element_rule(law, test_set, known.ks, parameter, scale)


def weight_arrays(known: Operation, law: Edition) -> dict[str, NDArray[np.float64]]:
    """Return the constant weights that the appendix writes down for an operator.

    The text of the transforms' weights names indices that it does not declare and leaves out the
    sign of the exponent. They are read as the row and column of the element; the seed edition keeps
    the positive sign as printed, the others have that of the operator: negative unless inverse.

    Parameters
    ----------
    known : Operation
    law : Edition

    Returns
    -------
    dict of numpy.ndarray
        float64, by name; empty for operators with a second input.

    Raises
    ------
    OptionError
        If the weights of a transform would exceed 1 GiB.

    Examples
    --------
    >>> pool = operation("AVG_POOL2D", {"ifm": (1, 2, 2, 1), "kernel": (2, 2)})
    >>> weight_arrays(pool, Edition.TOOL)["weight"]
    array([[0.25, 0.25],
           [0.25, 0.25]])
    """
    if known.op == "REDUCE_SUM":
        return {"weight": np.ones(known.ks)}
    if known.op == "AVG_POOL2D":
        return {"weight": np.full(known.attributes["kernel"], 1 / known.ks)}
    if known.op not in ("FFT2D", "RFFT2D"):
        return {}
    _, height, width = known.attributes["ifm"]
    if 16 * (height * width) ** 2 > _WEIGHT_BYTES:
        size = 16 * (height * width) ** 2 / 2**30
        msg = (
            f"the weights of a {height} x {width} transform take {size:.0f} GiB;"
            " weights=False omits them"
        )
        raise OptionError(msg)
    # The weights are those of the full transform: RFFT2D keeps some of its outputs only.
    inverse = law is Edition.SEED or bool(known.attributes.get("inverse"))
    full = operation("FFT2D", {"ifm": (1, height, width), "inverse": inverse})
    turn = height * width
    real, imag = np.empty((turn, turn)), np.empty((turn, turn))
    for columns, coefficients, rotated in coefficient_blocks(full):
        real[:, columns], imag[:, columns] = coefficients[:turn], rotated[:turn]
    shape = (height, width, height, width)
    return {"weight_real": real.reshape(shape), "weight_imag": imag.reshape(shape)}
