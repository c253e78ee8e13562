"""The Fourier transforms of TOSA: results, bounds, and their coefficients as a matrix."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from minifloat.tosa._operators import Operation

__all__ = ["coefficient_blocks", "transform", "transform_bound"]

_BLOCK_BYTES = 1 << 26


def _circle(count: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return cos and sin of 2 pi j / count, exact at the multiples of a quarter turn."""
    j = np.arange(count)
    angle = 2 * np.pi * j / count
    cos, sin = np.cos(angle), np.sin(angle)
    cos[4 * j % count == 0] = np.rint(cos[4 * j % count == 0])
    sin[4 * j % count == 0] = np.rint(sin[4 * j % count == 0])
    return cos, sin


def coefficient_blocks(
    operation: Operation,
) -> Iterator[tuple[slice, NDArray[np.float64], NDArray[np.float64]]]:
    """Yield the coefficients of the real and of the imaginary output, some outputs at a time.

    Parameters
    ----------
    operation : Operation
        FFT2D or RFFT2D.

    Yields
    ------
    columns : slice
        Which outputs, counted in C order over the output's last two axes.
    real, imag : numpy.ndarray
        float64, shape ``(KS, columns)``: the coefficients of the real parts of the data and, for
        FFT2D, below them those of the imaginary parts.

    Examples
    --------
    >>> from minifloat.tosa import operation
    >>> (_, real, imag), = coefficient_blocks(operation("RFFT2D", {"ifm": (1, 1, 4)}))
    >>> imag[:, 1].tolist()
    [-0.0, -1.0, -0.0, 1.0]
    """
    _, height, width = operation.attributes["ifm"]
    columns = operation.output_shape[2]
    turn = height * width
    cos, sin = _circle(turn)
    sign = -1.0 if operation.attributes.get("inverse") else 1.0
    y, x = np.divmod(np.arange(turn), width)
    outputs = height * columns
    step = max(1, _BLOCK_BYTES // (turn * 8))
    for begin in range(0, outputs, step):
        m, n = np.divmod(np.arange(begin, min(begin + step, outputs)), columns)
        index = (np.outer(y, m) % height * width + np.outer(x, n) % width * height) % turn
        c, s = cos[index], sign * sin[index]
        if operation.op == "FFT2D":
            real, imag = np.concatenate([c, s]), np.concatenate([-s, c])
        else:
            real, imag = c, -s
        yield slice(begin, begin + m.size), real, imag


def transform(
    operation: Operation, real: NDArray[np.float64], imag: NDArray[np.float64] | None
) -> dict[str, NDArray[np.float64]]:
    """Return the transform in double precision.

    Parameters
    ----------
    operation : Operation
        FFT2D or RFFT2D.
    real, imag : numpy.ndarray
        float64, shape ``(N, H, W)``; `imag` is `None` for RFFT2D.

    Returns
    -------
    dict
        The two outputs by name. Elements that are zero by symmetry are exactly zero.

    Examples
    --------
    >>> from minifloat.tosa import operation
    >>> rfft = operation("RFFT2D", {"ifm": (1, 1, 4)})
    >>> transform(rfft, np.array([[[1.0, 2, 3, 4]]]), None)["output_real"]
    array([[[10., -2., -2.]]])
    """
    data = real if imag is None else real + 1j * imag
    if not np.isfinite(data).all():
        return _by_definition(operation, real, imag)
    if imag is None:
        result = np.fft.rfft2(data)
        selfs = np.ix_(_self_conjugate(real.shape[1]), _self_conjugate(real.shape[2]))
        result.imag[:, selfs[0], selfs[1]] = 0.0
    elif operation.attributes["inverse"]:
        result = np.fft.ifft2(data, norm="forward")
    else:
        result = np.fft.fft2(data)
    return {"output_real": result.real.copy(), "output_imag": result.imag.copy()}


def _self_conjugate(count: int) -> list[int]:
    return [0] if count == 1 else [0, count // 2]


def _by_definition(
    operation: Operation, real: NDArray[np.float64], imag: NDArray[np.float64] | None
) -> dict[str, NDArray[np.float64]]:
    parts = [real] if imag is None else [real, imag]
    left = np.concatenate([part.reshape(part.shape[0], -1) for part in parts], axis=1)
    outputs = [np.empty((left.shape[0], operation.count // left.shape[0])) for _ in range(2)]
    with np.errstate(invalid="ignore"):
        for columns, *coefficients in coefficient_blocks(operation):
            for output, right in zip(outputs, coefficients, strict=True):
                output[:, columns] = left @ right
    named = zip(operation.outputs, outputs, strict=True)
    return {name: output.reshape(operation.output_shape) for name, output in named}


def transform_bound(
    operation: Operation,
    real: NDArray[np.float64],
    imag: NDArray[np.float64] | None,
    least: float,
) -> dict[str, NDArray[np.float64]]:
    """Return the transform with the magnitudes of its coefficients.

    Parameters
    ----------
    operation : Operation
        FFT2D or RFFT2D.
    real, imag : numpy.ndarray
        float64 magnitudes of the data, shape ``(N, H, W)``; `imag` is `None` for RFFT2D. Arrays of
        a single value take a short cut: the angles of an output spread evenly over the circle.
    least : float
        What magnitudes of coefficients are raised to.

    Returns
    -------
    dict
        The two outputs' bounds by name.

    Examples
    --------
    >>> from minifloat.tosa import operation
    >>> rfft = operation("RFFT2D", {"ifm": (1, 1, 4)})
    >>> transform_bound(rfft, np.ones((1, 1, 4)), None, 0.0)["output_imag"]
    array([[[0., 2., 0.]]])
    """
    parts: list[NDArray[Any]] = [real] if imag is None else [real, imag]
    if all(part.size and (part == part.flat[0]).all() for part in parts):
        return _even_bound(operation, [float(part.flat[0]) for part in parts], least)
    left = np.concatenate([part.reshape(part.shape[0], -1) for part in parts], axis=1)
    outputs = [np.empty((left.shape[0], operation.count // left.shape[0])) for _ in range(2)]
    for columns, *coefficients in coefficient_blocks(operation):
        for output, right in zip(outputs, coefficients, strict=True):
            output[:, columns] = left @ np.maximum(np.abs(right), least)
    named = zip(operation.outputs, outputs, strict=True)
    return {name: output.reshape(operation.output_shape) for name, output in named}


def _even_bound(
    operation: Operation, magnitudes: list[float], least: float
) -> dict[str, NDArray[np.float64]]:
    _, height, width = operation.attributes["ifm"]
    order_y = height // np.gcd(np.arange(height), height)
    order_x = width // np.gcd(np.arange(operation.output_shape[2]), width)
    order = np.lcm.outer(order_y, order_x)  # angles of an output are the multiples of 1/order
    cos_sum, sin_sum = np.empty(order.shape), np.empty(order.shape)
    for distinct in np.unique(order):
        cos, sin = _circle(int(distinct))
        scale = height * width / distinct
        cos_sum[order == distinct] = scale * math.fsum(np.maximum(np.abs(cos), least))
        sin_sum[order == distinct] = scale * math.fsum(np.maximum(np.abs(sin), least))
    if len(magnitudes) == 1:
        real, imag = magnitudes[0] * cos_sum, magnitudes[0] * sin_sum
    else:
        real = magnitudes[0] * cos_sum + magnitudes[1] * sin_sum
        imag = magnitudes[0] * sin_sum + magnitudes[1] * cos_sum
    shape = operation.output_shape
    return {
        "output_real": np.broadcast_to(real, shape).copy(),
        "output_imag": np.broadcast_to(imag, shape).copy(),
    }
