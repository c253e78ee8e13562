"""popfloat's host code, retold: round a magnitude on a grid, flush, then look at the range.

Written from the description of that code; float64 holds every intermediate value exactly.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = ["cast"]

Doubles = npt.NDArray[np.float64]


def cast(
    x: npt.ArrayLike,
    fmt: tuple[int, int, int, bool, bool],
    mode: str,
    *,
    nanoo: bool,
    half: bool,
) -> Doubles:
    """Cast float32 values as the host code does.

    Parameters
    ----------
    x : array_like of float32, shape (n,)
        Infinite values are overflows; no NaN.
    fmt : tuple
        Mantissa bits, exponent bits, bias, denormals, infinities and NaN.
    mode : str
        RZ, RA, RN, RU or RD.
    nanoo : bool
    half : bool
        Whether the calculation type is half.

    Returns
    -------
    ndarray of float64, shape (n,)
    """
    m, e, bias, denorms, specials = fmt
    denorms, specials = denorms or e == 0, specials and e > 0
    nanoo = nanoo and specials
    value = np.asarray(x, np.float64)
    top = _largest(m, e, bias, specials)
    if half:
        value = _through_half(value, bias - 15 - (e == 5 and not specials), nanoo, top)
    step = 2.0 ** (1 - bias - m)
    size = _round(np.abs(value), np.signbit(value), m, step, mode)
    if half and e == 5:  # above half's largest value of m mantissa bits the bits are cut off
        cut = _round(np.abs(value), np.signbit(value), m, step, "RZ")
        size = np.where(np.abs(value) > top, cut, size)
    size[size < (step if denorms else 2.0 ** (1 - bias))] = 0.0
    over = size > top
    size = np.where(over, np.nan if nanoo else top, size)
    return np.where(np.signbit(value) & (size != 0), -size, size)


def _largest(m: int, e: int, bias: int, specials: bool) -> float:
    if e == 0 or (e == 1 and specials):
        return (2**m - 1) * 2.0 ** (1 - bias - m)
    return (2 - 2.0**-m) * 2.0 ** (2**e - 1 - specials - bias)


def _through_half(value: Doubles, scale: int, nanoo: bool, top: float) -> Doubles:
    if not nanoo:
        value = np.clip(value, -top, top)
    with np.errstate(over="ignore"):
        scaled = (value * 2.0**scale).astype(np.float16)
    return scaled.astype(np.float64) * 2.0**-scale


def _round(
    size: Doubles, negative: npt.NDArray[np.bool_], m: int, step: float, mode: str
) -> Doubles:
    with np.errstate(divide="ignore"):
        binade = np.frexp(size)[1] - 1
    finite = np.where(np.isfinite(size), size, 0.0)
    unit = np.maximum(np.ldexp(1.0, binade - m), step)
    quotient = finite / unit
    match mode:
        case "RZ":
            whole = np.floor(quotient)
        case "RA":
            whole = np.floor(quotient + 0.5)
        case "RN":
            whole = np.rint(quotient)
        case "RU":
            whole = np.where(negative, np.floor(quotient), np.ceil(quotient))
        case _:
            whole = np.where(negative, np.ceil(quotient), np.floor(quotient))
    if mode in ("RU", "RD"):
        whole = np.where(size < step / 2, 0.0, whole)
    return np.where(np.isfinite(size), whole * unit, np.inf)
