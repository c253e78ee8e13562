"""The TOSA test data of the seed edition, element by element, as the appendix defines it.

Slow and literal: the recurrence is stepped from its start, and every operator is a loop over the
coordinates of its tensors. Tests compare `minifloat.tosa` with it. Where the text is silent on
roundings, roots and quotients are double, and each element is rounded to float32 once it is formed.

The text's slips are read thus: the bias call lacks its kernel index, which no set uses; the
depth of CONV3D runs to ID where UD is printed; the transforms' IW is W; the weights of the pool do
not depend on the channel and multiplier that are looped over.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterable
from decimal import Decimal, localcontext
from itertools import product

__all__ = ["SCALES", "expf", "mi_data", "set_data", "tensors"]

SCALES: dict[tuple[str, str], float] = {
    ("fp16", "fp16"): (1 << 8) - 1 / 8,
    ("fp16", "fp32"): float((1 << 16) - (1 << 5)),
    ("bf16", "fp32"): float((1 << 64) - (1 << 56)),
    ("fp32", "fp32"): float((1 << 64) - (1 << 40)),
}
"""B by type of the inputs and of the accumulator."""

_states: dict[int, list[int]] = {}


def _round(x: float) -> float:
    """Round to float32, ties to even; a value beyond its range becomes infinite."""
    try:
        rounded: float = struct.unpack("<f", struct.pack("<f", x))[0]
    except OverflowError:
        return math.copysign(math.inf, x)
    return rounded


def set_data(data_set: int, index: int) -> float:
    """Return draw `index` of stream `data_set`, reached step by step.

    Parameters
    ----------
    data_set, index : int

    Returns
    -------
    float
        A float32 value in [-1, 1].

    Examples
    --------
    >>> set_data(0, 2)
    -0.008368758484721184
    """
    multiplier = (8 * data_set + 1) * 0x705A5E75 % 2**32
    states = _states.setdefault(data_set, [(multiplier + 1) % 2**32])
    while len(states) <= index:
        states.append((states[-1] * multiplier + 1) % 2**32)
    state = states[index]
    sign = -1.0 if state >> 31 else 1.0
    return sign * _round(float(state & 0x7FFFFFFF)) / _round(float(0x7FFFFFFF))


def _two_to(numerator: int) -> float:
    """Return the double nearest to 2**(numerator / 32)."""
    with localcontext() as context:
        context.prec = 40
        return float((Decimal(2).ln() * numerator / 32).exp())


_POWERS = [_two_to(j) for j in range(32)]


def expf(x: float) -> float:
    """Return the exponential of a float32 value as glibc's and Arm's libraries compute it.

    Parameters
    ----------
    x : float
        A float32 value, of magnitude 64 or less.

    Returns
    -------
    float
        A float32 value, within 0.502 ulp of the exponential.

    References
    ----------
    The method and constants of the single-precision exp of Arm's optimized routines (MIT licence).

    Examples
    --------
    >>> expf(1.0)
    2.7182817459106445
    """
    scaled = x * (float.fromhex("0x1.71547652b82fep+0") * 32)
    nearest = round(scaled)
    rest = scaled - nearest
    power = math.ldexp(_POWERS[nearest % 32], nearest // 32)
    cubic = float.fromhex("0x1.c6af84b912394p-5") / 32**3
    square = float.fromhex("0x1.ebfce50fac4f3p-3") / 32**2
    linear = float.fromhex("0x1.62e42ff0c52d6p-1") / 32
    return _round(((cubic * rest + square) * (rest * rest) + (linear * rest + 1.0)) * power)


def mi_data(test_set: int, ks: int, parameter: int, k: int, i: int, scale: float) -> float:
    """Return one element of test data.

    Parameters
    ----------
    test_set : int
        S.
    ks : int
        KS.
    parameter : int
        p: 0 data, 1 weights, 2 bias.
    k, i : int
        Index within the kernel and within the tensor.
    scale : float
        B.

    Returns
    -------
    float
        A float32 value.

    Raises
    ------
    ValueError
        If there is no such test set.

    References
    ----------
    TOSA specification of early 2024, appendix A.

    Examples
    --------
    >>> mi_data(2, 9, 0, 0, 0, 1.0)
    1.0
    """
    if parameter == 2 and test_set != 1:
        return 0.0
    two, three = 2 * test_set, 3 * test_set
    if test_set == 0:
        chosen = (set_data(two, i) < 0) == (parameter == 1)
        return set_data(two + 1, i) if chosen else 0.0
    if test_set == 1:
        offset = _round(0.75 + _round(0.25 * set_data(three + parameter, i)))
        size = scale * scale / (ks + 1) if parameter == 2 else scale / math.sqrt(ks + 1)
        return _round(size * offset)
    if test_set == 2:
        return 1.0 if k == 0 else _round(set_data(two + parameter, i) / math.sqrt(ks))
    if test_set == 3:
        stream = two + parameter
        growth = expf(2 * set_data(stream, 2 * i))
        return 16.0 if k == 0 else _round(growth * set_data(stream, 2 * i + 1))
    if test_set == 4:
        negative = set_data(two, i) < 0
        if k == ks // 2:
            return -0.5 if negative == (parameter == 0) else 0.5
        if negative == (parameter == 0):
            return 0.0
        return _round(scale / math.sqrt(ks) * set_data(two + 1, i))
    if test_set == 5:
        return _round(scale / math.sqrt(ks) * set_data(three + parameter, i))
    msg = f"no test set {test_set}"
    raise ValueError(msg)


def tensors(op: str, test_set: int, scale: float, **size: int) -> dict[str, list[float]]:
    """Return the inputs of an operator, flattened in C order.

    Parameters
    ----------
    op : str
        A TOSA operator of the seed edition.
    test_set : int
        S.
    scale : float
        B.
    **size : int
        The sizes by the letters of the appendix: ``N IH IW IC OC KH KW BC``, ``ID KD``, ``C M``,
        ``H W``; for REDUCE_SUM ``outer``, ``KS`` and ``inner``: the products of the sizes before
        the axis, on it and after it.

    Returns
    -------
    dict of list of float
        float32 values.

    Raises
    ------
    KeyError
        If the operator is not one of the edition.

    Examples
    --------
    >>> tensors("MATMUL", 2, 1.0, N=1, H=1, C=2, W=1)["B"]
    [1.0, 0.007313682232052088]
    """
    return _OPERATORS[op](test_set, scale, **size)


_Data = dict[str, list[float]]


def _grid(*sizes: int) -> Iterable[tuple[int, ...]]:
    return product(*(range(size) for size in sizes))


def _bias(s: int, b: float, ks: int, channels: int) -> list[float]:
    return [mi_data(s, ks, 2, 0, oc, b) for oc in range(channels)]


def _conv2d(s: int, b: float, *, N: int, IH: int, IW: int, IC: int, OC: int, KH: int, KW: int,
            BC: int) -> _Data:  # fmt: skip
    ks = KW * KH * IC
    data = [
        mi_data(s, ks, 0, ((iy % KH) * KW + (ix % KW)) * IC + ic,
                ((n * IH + iy) * IW + ix) * IC + ic, b)
        for n, iy, ix, ic in _grid(N, IH, IW, IC)
    ]  # fmt: skip
    weight = [
        mi_data(s, ks, 1, (ky * KW + kx) * IC + ic, ((oc * KH + ky) * KW + kx) * IC + ic, b)
        for oc, ky, kx, ic in _grid(OC, KH, KW, IC)
    ]
    return {"input": data, "weight": weight, "bias": _bias(s, b, ks, BC)}


def _conv3d(s: int, b: float, *, N: int, ID: int, IH: int, IW: int, IC: int, OC: int, KD: int,
            KH: int, KW: int, BC: int) -> _Data:  # fmt: skip
    ks = KD * KW * KH * IC
    data = [
        mi_data(s, ks, 0, (((iz % KD) * KH + (iy % KH)) * KW + (ix % KW)) * IC + ic,
                (((n * ID + iz) * IH + iy) * IW + ix) * IC + ic, b)
        for n, iz, iy, ix, ic in _grid(N, ID, IH, IW, IC)
    ]  # fmt: skip
    weight = [
        mi_data(s, ks, 1, ((kd * KH + ky) * KW + kx) * IC + ic,
                (((oc * KD + kd) * KH + ky) * KW + kx) * IC + ic, b)
        for oc, kd, ky, kx, ic in _grid(OC, KD, KH, KW, IC)
    ]  # fmt: skip
    return {"input": data, "weight": weight, "bias": _bias(s, b, ks, BC)}


def _depthwise(s: int, b: float, *, N: int, IH: int, IW: int, C: int, M: int, KH: int,
               KW: int, BC: int) -> _Data:  # fmt: skip
    ks = KW * KH
    data = [
        mi_data(s, ks, 0, (iy % KH) * KW + (ix % KW), ((n * IH + iy) * IW + ix) * C + c, b)
        for n, iy, ix, c in _grid(N, IH, IW, C)
    ]
    weight = [
        mi_data(s, ks, 1, ky * KW + kx, ((ky * KW + kx) * C + c) * M + m, b)
        for ky, kx, c, m in _grid(KH, KW, C, M)
    ]
    return {"input": data, "weight": weight, "bias": _bias(s, b, ks, BC)}


def _fully_connected(s: int, b: float, *, N: int, IC: int, OC: int, BC: int) -> _Data:
    data = [mi_data(s, IC, 0, ic, n * IC + ic, b) for n, ic in _grid(N, IC)]
    weight = [mi_data(s, IC, 1, ic, oc * IC + ic, b) for oc, ic in _grid(OC, IC)]
    return {"input": data, "weight": weight, "bias": _bias(s, b, IC, BC)}


def _matmul(s: int, b: float, *, N: int, H: int, C: int, W: int) -> _Data:
    first = [mi_data(s, C, 0, c, (n * H + y) * C + c, b) for n, y, c in _grid(N, H, C)]
    second = [mi_data(s, C, 1, c, (n * C + c) * W + x, b) for n, c, x in _grid(N, C, W)]
    return {"A": first, "B": second}


def _fft2d(s: int, b: float, *, N: int, H: int, W: int) -> _Data:
    ks = 2 * H * W
    real, imag = (
        [mi_data(s, ks, 0, y * W + x, ((half * N + n) * H + y) * W + x, b)
         for n, y, x in _grid(N, H, W)]
        for half in (0, 1)
    )  # fmt: skip
    return {"input_real": real, "input_imag": imag, **_weights(H, W)}


def _rfft2d(s: int, b: float, *, N: int, H: int, W: int) -> _Data:
    real = [mi_data(s, H * W, 0, y * W + x, (n * H + y) * W + x, b) for n, y, x in _grid(N, H, W)]
    return {"input_real": real, **_weights(H, W)}


def _weights(H: int, W: int) -> _Data:
    turns = [2 * math.pi * (m * y / H + n * x / W) for y, x, m, n in _grid(H, W, H, W)]
    return {
        "weight_real": [math.cos(a) for a in turns],
        "weight_imag": [math.sin(a) for a in turns],
    }


def _reduce_sum(s: int, b: float, *, outer: int, KS: int, inner: int) -> _Data:
    data = [
        mi_data(s, KS, 0, k, (before * KS + k) * inner + after, b)
        for before, k, after in _grid(outer, KS, inner)
    ]
    return {"input": data, "weight": [1.0] * KS}


def _avg_pool2d(s: int, b: float, *, N: int, IH: int, IW: int, C: int, KH: int, KW: int) -> _Data:
    ks = KW * KH
    data = [
        mi_data(
            s, ks, 0, ((iy % KH) * KW + (ix % KW)) * C + c, ((n * IH + iy) * IW + ix) * C + c, b
        )
        for n, iy, ix, c in _grid(N, IH, IW, C)
    ]
    return {"input": data, "weight": [1 / ks] * ks}


_OPERATORS: dict[str, Callable[..., _Data]] = {
    "CONV2D": _conv2d,
    "CONV3D": _conv3d,
    "DEPTHWISE_CONV2D": _depthwise,
    "FULLY_CONNECTED": _fully_connected,
    "MATMUL": _matmul,
    "TRANSPOSE_CONV2D": _conv2d,
    "FFT2D": _fft2d,
    "RFFT2D": _rfft2d,
    "REDUCE_SUM": _reduce_sum,
    "AVG_POOL2D": _avg_pool2d,
}
