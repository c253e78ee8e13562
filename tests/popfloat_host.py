"""popfloat's host code, retold: round a magnitude on a grid, flush, then look at the range.

Written from the description of that code; float64 holds every intermediate value exactly.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from minifloat import FloatFormat

__all__ = ["cast", "some_edges"]

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


def some_edges(fmt: FloatFormat, dtype: type[np.floating] = np.float32) -> npt.NDArray[np.floating]:
    """Return grid points, midpoints and their neighbours: all of narrow formats, many of wide ones.

    Parameters
    ----------
    fmt : FloatFormat
        Of at most 20 bits, with values that `dtype` holds.
    dtype : numpy floating type

    Returns
    -------
    ndarray of dtype, shape (n,)
        Of both signs, with zeros and infinities, without NaN.
    """
    count = fmt.max_code + 1
    bound = min(1 << fmt.trailing_bits, count - 1)
    places = [0, bound, count - 1]
    near = np.concatenate([np.arange(place - 150, place + 150) for place in places])
    drawn = np.random.default_rng(1).integers(0, count, 1500)
    codes = np.concatenate([near, drawn]) if count > 2000 else np.arange(count)
    codes = np.unique(codes[(codes >= 0) & (codes < count)])
    points = np.array([float(fmt.magnitude(int(code))) for code in codes])
    steps = np.array([float(fmt.magnitude(int(code) + 1)) for code in codes]) - points
    exact = np.concatenate([points, points + steps / 2, points[-1:] + steps[-1:]])
    low = float(fmt.smallest_normal) * np.array(
        [0.25, 0.5, 0.75, 1 - 2.0 ** -(fmt.trailing_bits + 2)]
    )
    with np.errstate(over="ignore", under="ignore"):
        numbers = np.concatenate([exact, low]).astype(dtype)
        around = [np.nextafter(numbers, dtype(0)), numbers, np.nextafter(numbers, dtype(np.inf))]
    info = np.finfo(dtype)
    specials = np.array([0, info.max, info.smallest_subnormal, 1, 1e30, np.inf], dtype)
    magnitudes = np.unique(np.concatenate([*around, specials]))
    return np.concatenate([magnitudes, -magnitudes])
