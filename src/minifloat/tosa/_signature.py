"""The types of one operation: its inputs, its accumulator, its output."""

from __future__ import annotations

from dataclasses import dataclass

from minifloat._errors import OptionError
from minifloat.tosa._editions import Edition
from minifloat.tosa._types import TensorType, TypeLike, as_type

__all__ = ["Signature", "signature"]


@dataclass(frozen=True, slots=True)
class Signature:
    """Types of an operation.

    Parameters
    ----------
    data, weight : TensorType
        Of the first and the second input.
    acc : TensorType
        Of the accumulator. Operators without that attribute accumulate in the output type.
    out : TensorType
        Of the output, and of the bias.
    """

    data: TensorType
    weight: TensorType
    acc: TensorType
    out: TensorType

    def scale_type(self, edition: Edition) -> TensorType:
        """Return the type that the scale of the test data depends on besides the inputs'.

        Parameters
        ----------
        edition : Edition

        Returns
        -------
        TensorType

        Examples
        --------
        >>> signature("CONV2D", "fp16", acc="fp32").scale_type(Edition.SEED).name
        'fp32'
        """
        return self.acc if edition is Edition.SEED else self.out

    def type_of(self, position: int) -> TensorType:
        """Return the type of the input at a position.

        Parameters
        ----------
        position : int
            0 data, 1 weights, 2 bias.

        Returns
        -------
        TensorType

        Examples
        --------
        >>> signature("CONV2D", "e4m3").type_of(2).name
        'fp16'
        """
        return (self.data, self.weight, self.out)[position]


_FREE_ACCUMULATOR = (
    *("CONV2D", "CONV3D", "DEPTHWISE_CONV2D", "TRANSPOSE_CONV2D"),
    *("AVG_POOL2D", "FULLY_CONNECTED"),
)


def signature(
    op: str,
    dtype: TypeLike = "fp32",
    *,
    weight_dtype: TypeLike | None = None,
    acc: TypeLike | None = None,
    out: TypeLike | None = None,
) -> Signature:
    """Work out the types of an operation.

    Parameters
    ----------
    op : str
    dtype : TensorType or str
        Type of the data.
    weight_dtype : TensorType or str, optional
        Type of the second input, `dtype` when omitted.
    acc : TensorType or str, optional
        Accumulator type. When omitted: fp32 for the operators with the attribute ``acc_type``
        (fp16 where the output is fp8), the output type for the others.
    out : TensorType or str, optional
        Output type. When omitted: `dtype`, but fp16 for products of fp8.

    Returns
    -------
    Signature

    Raises
    ------
    FormatError
        If a type is unknown.
    OptionError
        If the accumulator is narrower than the output, or a transform or sum changes type.

    Examples
    --------
    >>> signature("MATMUL", "e4m3", weight_dtype="e5m2", out="fp32").acc.name
    'fp32'
    """
    data = as_type(dtype)
    weight = data if weight_dtype is None else as_type(weight_dtype)
    unary = op in ("AVG_POOL2D", "REDUCE_SUM", "FFT2D", "RFFT2D")
    default_out = "fp16" if data.is_fp8 and not unary else data
    result = as_type(default_out if out is None else out)
    if op in _FREE_ACCUMULATOR:
        default_acc: TypeLike = "fp16" if result.is_fp8 else "fp32"
    else:
        default_acc = result
    accumulator = as_type(default_acc if acc is None else acc)
    if accumulator.trailing_bits < result.trailing_bits:
        msg = f"{op}: accumulator type {accumulator} is narrower than output type {result}"
        raise OptionError(msg)
    if unary and (result != data or weight != data):
        msg = f"{op} has one type for its input and output, not {data}, {weight} and {result}"
        raise OptionError(msg)
    return Signature(data, weight, accumulator, result)
