"""Operators with their attributes worked out: shapes, kernel size, inputs and outputs."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from minifloat._errors import OptionError
from minifloat.tosa._attributes import Attributes, check_attributes

__all__ = ["MIN_DOT_PRODUCTS", "Operation", "Tensor", "operation"]

MIN_DOT_PRODUCTS = 1000
"""Outputs that a test needs for its statistics to mean something."""


@dataclass(frozen=True, slots=True)
class Tensor:
    """An input of an operation.

    Parameters
    ----------
    name : str
        Its name in the appendix.
    position : int
        0 data (FFT2D: real part), 1 weights (FFT2D: imaginary part), 2 bias.
    shape : tuple of int
    """

    name: str
    position: int
    shape: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Operation:
    """An operator with complete attributes.

    Parameters
    ----------
    op : str
    attributes : dict
        As `minifloat.tosa.ATTRIBUTES` lists them.
    ks : int
        KS, the products in one dot product.
    inputs : tuple of Tensor
    outputs : tuple of str
        Names of the outputs: one, or the real and the imaginary part.
    output_shape : tuple of int
        Shape of each output.

    Examples
    --------
    >>> conv = operation("CONV2D", {"ifm": (1, 8, 8, 4), "kernel": (3, 3), "ofm_channels": 5})
    >>> conv.ks, conv.output_shape
    (36, (1, 6, 6, 5))
    """

    op: str
    attributes: Attributes
    ks: int
    inputs: tuple[Tensor, ...]
    outputs: tuple[str, ...]
    output_shape: tuple[int, ...]

    @property
    def count(self) -> int:
        """Number of elements of each output."""
        return math.prod(self.output_shape)

    @property
    def kernel(self) -> tuple[int, ...] | None:
        """Kernel sizes, outermost first, or `None`."""
        return self.attributes.get("kernel")

    @property
    def axis(self) -> int | None:
        """The reduced axis, or `None`."""
        return self.attributes.get("axis")

    @property
    def local_bound(self) -> bool:
        """Whether error bounds follow the local inputs rather than the largest of the tensor."""
        return bool(self.attributes.get("local_bound", True))

    def require_enough_outputs(self) -> None:
        """Refuse a test too small to judge.

        Raises
        ------
        OptionError
            If there are fewer than `MIN_DOT_PRODUCTS` outputs; the message says how to enlarge it.

        Examples
        --------
        >>> operation("MATMUL", {"ifm": (1, 40, 8), "width": 40}).require_enough_outputs()
        """
        if self.count >= MIN_DOT_PRODUCTS:
            return
        ifm = self.attributes["ifm"]
        axis = 1 if self.axis == 0 and len(ifm) > 1 else 0
        factor = -(-MIN_DOT_PRODUCTS // self.count)
        larger = (*ifm[:axis], ifm[axis] * factor, *ifm[axis + 1 :])
        hint = f"ifm={larger} is enough"
        if self.op == "REDUCE_SUM" and len(ifm) == 1:
            hint = "give ifm a second axis"
        msg = (
            f"{self.op} with ifm={ifm} has {self.count} outputs; a test needs at least"
            f" {MIN_DOT_PRODUCTS} dot products: {hint}"
        )
        raise OptionError(msg)


def operation(op: str, attributes: Mapping[str, Any]) -> Operation:
    """Work out an operator's shapes.

    Parameters
    ----------
    op : str
        ``CONV2D``, ``CONV3D``, ``DEPTHWISE_CONV2D``, ``FULLY_CONNECTED``, ``MATMUL``, ``MATMUL_T``,
        ``TRANSPOSE_CONV2D``, ``FFT2D``, ``RFFT2D``, ``REDUCE_SUM`` or ``AVG_POOL2D``.
    attributes : mapping
        ``ifm`` is the shape of the data in TOSA's layout; then as the operator needs ``kernel``,
        ``stride``, ``pad``, ``dilation``, ``ofm_channels``, ``bias_channels``, ``multiplier``,
        ``width`` (MATMUL's W), ``weight_batch``, ``out_pad``, ``axis``, ``inverse``,
        ``local_bound``.

    Returns
    -------
    Operation

    Raises
    ------
    OptionError
        If attributes are unknown, missing, or do not fit each other.

    Examples
    --------
    >>> operation("RFFT2D", {"ifm": (1, 32, 64)}).output_shape
    (1, 32, 33)
    """
    known = check_attributes(op, attributes)
    ifm = known["ifm"]
    if op in ("CONV2D", "CONV3D", "TRANSPOSE_CONV2D"):
        return _convolution(op, known)
    if op == "DEPTHWISE_CONV2D":
        channels = ifm[3] * known["multiplier"]
        weight = Tensor("weight", 1, (*known["kernel"], ifm[3], known["multiplier"]))
        shape = (*_spatial(op, known), channels)
        inputs = (Tensor("input", 0, ifm), weight, _bias(op, known, channels))
        return Operation(op, known, math.prod(known["kernel"]), inputs, ("output",), shape)
    if op == "AVG_POOL2D":
        data = (Tensor("input", 0, ifm),)
        shape = (*_spatial(op, known), ifm[3])
        return Operation(op, known, math.prod(known["kernel"]), data, ("output",), shape)
    if op == "FULLY_CONNECTED":
        channels = known["ofm_channels"]
        weight = Tensor("weight", 1, (channels, ifm[1]))
        inputs = (Tensor("input", 0, ifm), weight, _bias(op, known, channels))
        return Operation(op, known, ifm[1], inputs, ("output",), (ifm[0], channels))
    if op in ("MATMUL", "MATMUL_T"):
        return _matrix_product(op, known)
    if op == "REDUCE_SUM":
        return _reduction(known)
    return _transform(op, known)


def _bias(op: str, known: Attributes, channels: int) -> Tensor:
    given = known["bias_channels"]
    if given not in (None, 1, channels):
        msg = f"{op} attribute 'bias_channels' must be 1 or {channels}, not {given}"
        raise OptionError(msg)
    known["bias_channels"] = given or channels
    return Tensor("bias", 2, (known["bias_channels"],))


def _spatial(op: str, known: Attributes) -> tuple[int, ...]:
    """Return the batch and the spatial output sizes of a convolution or pool."""
    kernel, stride, pad = known["kernel"], known["stride"], known["pad"]
    dilation = known.get("dilation", (1,) * len(kernel))
    sizes = [known["ifm"][0]]
    for axis, size in enumerate(known["ifm"][1:-1]):
        reach = (kernel[axis] - 1) * dilation[axis] + 1
        room = size + pad[2 * axis] + pad[2 * axis + 1] - reach
        if room < 0:
            msg = f"{op}: a kernel reaching over {reach} exceeds padded axis {axis + 1} of ifm"
            raise OptionError(msg)
        if room % stride[axis]:
            msg = (
                f"{op}: stride {stride[axis]} does not divide the {room} steps on axis {axis + 1}"
                f" of ifm, which TOSA forbids: {room % stride[axis]} less or"
                f" {stride[axis] - room % stride[axis]} more of padding or size makes it fit"
            )
            raise OptionError(msg)
        sizes.append(room // stride[axis] + 1)
    return tuple(sizes)


def _convolution(op: str, known: Attributes) -> Operation:
    ifm, kernel, channels = known["ifm"], known["kernel"], known["ofm_channels"]
    if op == "TRANSPOSE_CONV2D":
        stride, pad = known["stride"], known["out_pad"]
        sizes = [ifm[0]]
        for axis in (0, 1):
            before, after = pad[2 * axis], pad[2 * axis + 1]
            if min(before, after) <= -kernel[axis]:
                msg = f"{op} attribute 'out_pad' must be more than -{kernel[axis]}, not {pad}"
                raise OptionError(msg)
            sizes.append((ifm[1 + axis] - 1) * stride[axis] + before + after + kernel[axis])
        if min(sizes) < 1:
            msg = f"{op} with out_pad {pad} has no outputs"
            raise OptionError(msg)
    else:
        sizes = list(_spatial(op, known))
    inputs = (
        Tensor("input", 0, ifm),
        Tensor("weight", 1, (channels, *kernel, ifm[-1])),
        _bias(op, known, channels),
    )
    ks = math.prod(kernel) * ifm[-1]
    return Operation(op, known, ks, inputs, ("output",), (*sizes, channels))


def _matrix_product(op: str, known: Attributes) -> Operation:
    batch, height, depth = known["ifm"]
    width = known["width"]
    if op == "MATMUL":
        second = Tensor("B", 1, (batch, depth, width))
    else:
        given = known["weight_batch"] or batch
        if given not in (1, batch):
            msg = f"MATMUL_T attribute 'weight_batch' must be 1 or {batch}, not {given}"
            raise OptionError(msg)
        known["weight_batch"] = given
        second = Tensor("B", 1, (given, width, depth))
    inputs = (Tensor("A", 0, known["ifm"]), second)
    return Operation(op, known, depth, inputs, ("output",), (batch, height, width))


def _reduction(known: Attributes) -> Operation:
    ifm, axis = known["ifm"], known["axis"]
    if axis >= len(ifm):
        msg = f"REDUCE_SUM of shape {ifm} needs axis= in 0..{len(ifm) - 1}, not {axis}"
        raise OptionError(msg)
    shape = (*ifm[:axis], 1, *ifm[axis + 1 :])
    return Operation("REDUCE_SUM", known, ifm[axis], (Tensor("input", 0, ifm),), ("output",), shape)


def _transform(op: str, known: Attributes) -> Operation:
    batch, height, width = known["ifm"]
    for size in (height, width):
        if size & (size - 1):
            msg = f"{op} needs powers of two for height and width, not {height} and {width}"
            raise OptionError(msg)
    outputs = ("output_real", "output_imag")
    real = Tensor("input_real", 0, known["ifm"])
    if op == "RFFT2D":
        shape = (batch, height, width // 2 + 1)
        return Operation(op, known, height * width, (real,), outputs, shape)
    imaginary = Tensor("input_imag", 1, known["ifm"])
    shape = (batch, height, width)
    return Operation(op, known, 2 * height * width, (real, imaginary), outputs, shape)
