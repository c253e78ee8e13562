"""Whole tensors of test data."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from minifloat import _core
from minifloat._errors import OptionError
from minifloat.tosa._editions import Edition, EditionLike, as_edition, data_scale
from minifloat.tosa._numbers import narrow_into
from minifloat.tosa._patterns import (
    Pattern,
    check_tensor,
    default_kernel_size,
    selected_axes,
    tensor_pattern,
)
from minifloat.tosa._rules import ElementRule, check_test_set, element_rule
from minifloat.tosa._types import TensorType, TypeLike, as_type

__all__ = ["fill_tensor", "generate_tensor"]

_CHUNK = 1 << 15
"""Elements made in float32 at a time before they are narrowed: 128 KiB."""


def generate_tensor(
    op: str,
    shape: Sequence[int],
    *,
    position: int,
    test_set: int,
    dtype: TypeLike,
    out_dtype: TypeLike,
    ks: int | None = None,
    kernel: Sequence[int] | None = None,
    axis: int | None = None,
    other_dtype: TypeLike | None = None,
    edition: EditionLike = Edition.TOOL,
) -> NDArray[Any]:
    """Return one input tensor of an operator.

    Parameters
    ----------
    op : str
        A TOSA operator: ``"CONV2D"``, ``"MATMUL"``, ...
    shape : sequence of int
        The tensor's shape in TOSA's layout.
    position : int
        Which input: 0 data, 1 weights (FFT2D: imaginary part), 2 bias.
    test_set : int
        S, 0 to 5.
    dtype : TensorType or str
        The type of this tensor.
    out_dtype : TensorType or str
        The operator's output type; its accumulator type in edition ``"seed"``.
    ks : int, optional
        KS. Needed for a bias; derived from the shape otherwise.
    kernel : sequence of int, optional
        Kernel sizes, outermost first: for the data of convolutions and pools.
    axis : int, optional
        The reduced axis of REDUCE_SUM.
    other_dtype : TensorType or str, optional
        The type of the other input, where it differs. For a bias in the editions ``"seed"`` and
        ``"1.1"``: the type of the other inputs, whose row of the table it takes its scale from.
    edition : Edition or str

    Returns
    -------
    numpy.ndarray
        float32 or float16 values, or codes: uint16 for bf16, uint8 for the 8-bit types.

    Raises
    ------
    OptionError
        If the operator, shape, set or types do not go together.
    FormatError
        If a type is unknown.

    References
    ----------
    TOSA specification, appendix A, "Main Inference operator test data".

    Examples
    --------
    >>> generate_tensor("MATMUL", (1, 2, 3), position=0, test_set=3, dtype="fp32", out_dtype="fp32")
    array([[[16.        ,  1.8624634 ,  0.7781473 ],
            [16.        ,  0.45343858, -0.5971411 ]]], dtype=float32)
    """
    law = as_edition(edition)
    check_tensor(op, position, shape)
    kind, result = as_type(dtype), as_type(out_dtype)
    size = default_kernel_size(op, position, shape, kernel, axis) if ks is None else ks
    if size < 1:
        msg = f"ks must be 1 or more, not {ks}"
        raise OptionError(msg)
    scale = _scale(law, op, position, kind, other_dtype, result)
    imaginary = op == "FFT2D" and position == 1
    parameter = 0 if imaginary else position
    rule = element_rule(law, check_test_set(test_set), size, parameter, scale)
    pattern = tensor_pattern(op, position, shape, kernel, axis, law)
    out = np.empty(tuple(shape), kind.dtype)
    fill_tensor(out, rule, pattern, kind, math.prod(shape) if imaginary else 0)
    return out


def _scale(
    law: Edition,
    op: str,
    position: int,
    kind: TensorType,
    other_dtype: TypeLike | None,
    result: TensorType,
) -> float:
    other = kind if other_dtype is None else as_type(other_dtype)
    if position == 2 and law is not Edition.TOOL:
        return data_scale(law, other, other, result)
    if law is Edition.TOOL and op not in ("MATMUL", "MATMUL_T"):
        other = kind
    return data_scale(law, kind, other, result)


def fill_tensor(
    out: NDArray[Any], rule: ElementRule, pattern: Pattern, kind: TensorType, draw_offset: int
) -> None:
    """Fill a tensor by a rule.

    Parameters
    ----------
    out : numpy.ndarray
        C-contiguous, of the type's storage dtype.
    rule : ElementRule
    pattern : Pattern
    kind : TensorType
    draw_offset : int
        Index of the first element's draws.

    Examples
    --------
    >>> from minifloat.tosa._rules import RuleKind
    >>> out = np.empty(2, np.float32)
    >>> fill_tensor(out, ElementRule(RuleKind.SCALED, scale=2.0), ((2, 1),), as_type("fp32"), 0)
    >>> out
    array([1.7555157, 1.4604797], dtype=float32)
    """
    axes = [] if rule.special_k is None else selected_axes(pattern, rule.special_k)
    flat = out.reshape(-1)
    direct = kind.name == "fp32"
    step = max(flat.size, 1) if direct else _CHUNK
    chunk = np.empty(0 if direct else min(step, flat.size), np.float32)
    for begin in range(0, flat.size, step):
        part = flat[begin : begin + step]
        values = part if direct else chunk[: part.size]
        _core.tosa.fill(
            values,
            begin,
            draw_offset,
            int(rule.kind),
            rule.first,
            rule.second,
            rule.when_negative,
            rule.scale,
            rule.special_signed,
            rule.special_value,
            axes,
        )
        if not direct:
            narrow_into(part, values, kind)
