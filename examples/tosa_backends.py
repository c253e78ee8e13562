"""Backends to run through the TOSA conformance tests.

    minifloat tosa sweep --backend examples.tosa_backends:numpy_float32
    minifloat tosa sweep --backend examples.tosa_backends:bfloat16_accumulator
    minifloat tosa sweep --backend examples.tosa_backends:torch_cpu --ops MATMUL,CONV2D

(with the folder above `examples` as the working directory and on PYTHONPATH). The first passes, the
second, which promises fp32 accumulators and keeps bf16 ones, fails.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

import minifloat as mf
from minifloat import tosa

Output = np.ndarray | Mapping[str, np.ndarray]


def values(case: tosa.TestCase, name: str, kind: tosa.TensorType) -> np.ndarray:
    """Return an input as float32 values."""
    stored = case.inputs[name]
    if kind.name == "fp32":
        return stored
    codes = stored.view(np.uint16 if stored.itemsize == 2 else np.uint8)
    return mf.decode(codes, kind.format_name, dtype=np.float32)


def stored(result: np.ndarray, kind: tosa.TensorType) -> np.ndarray:
    """Round float32 results to the output type, as it is stored."""
    if kind.name == "fp32":
        return result
    return mf.encode(result, kind.format_name).view(kind.dtype)


def numpy_float32(case: tosa.TestCase) -> Output:
    """Compute every operator in float32."""
    op, types, attributes = case.operation.op, case.types, case.operation.attributes
    inputs = [
        values(case, each.name, types.type_of(0 if op == "FFT2D" else each.position))
        for each in case.operation.inputs
    ]
    if op in ("FFT2D", "RFFT2D"):
        return _transform(inputs, attributes, op)
    if op == "MATMUL":
        result = inputs[0] @ inputs[1]
    elif op == "MATMUL_T":
        result = inputs[0] @ inputs[1].swapaxes(1, 2)
    elif op == "FULLY_CONNECTED":
        result = inputs[0] @ inputs[1].T + inputs[2]
    elif op == "REDUCE_SUM":
        result = inputs[0].sum(axis=attributes["axis"], keepdims=True, dtype=np.float32)
    elif op == "TRANSPOSE_CONV2D":
        result = _transposed(*inputs, case)
    else:
        result = _windowed(op, inputs, case)
    return stored(result, types.out)


def _windowed(op: str, inputs: list[np.ndarray], case: tosa.TestCase) -> np.ndarray:
    """Add the contribution of each position of the kernel: convolutions and the pool."""
    attributes, shape = case.operation.attributes, case.operation.output_shape
    kernel, stride, pad = attributes["kernel"], attributes["stride"], attributes["pad"]
    dilation = attributes.get("dilation", (1,) * len(kernel))
    widths = [(0, 0), *zip(pad[::2], pad[1::2], strict=True), (0, 0)]
    padded = np.pad(inputs[0], widths)
    inside = np.pad(np.ones_like(inputs[0][:1, ..., :1]), [(0, 0), *widths[1:]])
    total, count = np.zeros(shape, np.float32), np.float32(0)
    for tap in np.ndindex(*kernel):
        where = tuple(
            slice(
                tap[a] * dilation[a], tap[a] * dilation[a] + (size - 1) * stride[a] + 1, stride[a]
            )
            for a, size in enumerate(shape[1:-1])
        )
        part = padded[:, *where]
        if op == "AVG_POOL2D":
            total += part
            count = count + inside[:, *where]
        elif op == "DEPTHWISE_CONV2D":
            total += (part[..., None] * inputs[1][tap]).reshape(shape)
        else:
            total += part @ inputs[1][:, *tap].T
    return total / count if op == "AVG_POOL2D" else total + inputs[2]


def _transposed(
    data: np.ndarray, weight: np.ndarray, bias: np.ndarray, case: tosa.TestCase
) -> np.ndarray:
    """Scatter the data times each position of the kernel."""
    (sy, sx), out_pad = case.operation.attributes["stride"], case.operation.attributes["out_pad"]
    batch, height, width, _ = data.shape
    _, kh, kw, _ = weight.shape
    full = np.zeros(
        (batch, (height - 1) * sy + kh, (width - 1) * sx + kw, weight.shape[0]), np.float32
    )
    for y, x in np.ndindex(kh, kw):
        rows = slice(y, y + (height - 1) * sy + 1, sy)
        columns = slice(x, x + (width - 1) * sx + 1, sx)
        full[:, rows, columns] += data @ weight[:, y, x].T
    for axis in (1, 2):
        before, after = out_pad[2 * axis - 2 : 2 * axis]
        full = np.take(full, range(max(-before, 0), full.shape[axis] + min(after, 0)), axis)
        widths = [(0, 0)] * 4
        widths[axis] = (max(before, 0), max(after, 0))
        full = np.pad(full, widths)
    return full + bias


def _transform(
    inputs: list[np.ndarray], attributes: Mapping[str, Any], op: str
) -> dict[str, np.ndarray]:
    _, height, width = attributes["ifm"]
    sign = 2j if attributes.get("inverse") else -2j
    rows = np.exp(sign * np.pi * np.outer(range(height), range(height)) / height)
    columns = np.exp(sign * np.pi * np.outer(range(width), range(width)) / width)
    if op == "RFFT2D":
        columns = columns[:, : width // 2 + 1]
    data = inputs[0] if op == "RFFT2D" else inputs[0] + 1j * inputs[1]
    result = rows.astype(np.complex64) @ (data.astype(np.complex64) @ columns.astype(np.complex64))
    if op == "RFFT2D":  # exactly real where the transform of real data is its own conjugate
        own = np.ix_([0, height // 2], [0, width // 2])
        result.imag[:, own[0], own[1]] = 0
    return {"output_real": result.real.copy(), "output_imag": result.imag.copy()}


def bfloat16_accumulator(case: tosa.TestCase) -> Output:
    """Compute every operator with an accumulator of bfloat16, whatever type is asked for."""
    return emulated(case, accumulator="bfloat16")


def emulated(case: tosa.TestCase, **how: Any) -> Output:
    """Compute every operator step by step in the types asked for; see `minifloat.tosa.run`."""
    types = case.types
    return tosa.run(
        case.operation.op,
        case.operation.attributes,
        case.inputs,
        dtype=types.data,
        weight_dtype=types.weight,
        acc=types.acc,
        out=types.out,
        **how,
    )


def torch_cpu(case: tosa.TestCase) -> Output:
    """Compute MATMUL and CONV2D of one type with torch on the CPU."""
    import torch

    dtypes = {"fp32": torch.float32, "fp16": torch.float16, "bf16": torch.bfloat16}
    op, types, attributes = case.operation.op, case.types, case.operation.attributes
    if op not in ("MATMUL", "CONV2D") or not types.data == types.weight == types.out:
        raise tosa.UnsupportedError(case.name)
    if types.data.name not in dtypes:
        raise tosa.UnsupportedError(case.name)
    dtype = dtypes[types.data.name]
    inputs = [
        torch.from_numpy(values(case, each.name, types.data).copy()).to(dtype)
        for each in case.operation.inputs
    ]
    if op == "MATMUL":
        result = inputs[0] @ inputs[1]
    else:
        top, bottom, left, right = attributes["pad"]
        channels_first = torch.nn.functional.pad(
            inputs[0].permute(0, 3, 1, 2), (left, right, top, bottom)
        )
        result = torch.nn.functional.conv2d(
            channels_first,
            inputs[1].permute(0, 3, 1, 2),
            inputs[2].expand(inputs[1].shape[0]),
            stride=attributes["stride"],
            dilation=attributes["dilation"],
        ).permute(0, 2, 3, 1)
    return stored(result.to(torch.float32).contiguous().numpy(), types.out)
