"""The other accuracy rules: an interval around each reference value."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from minifloat._errors import OptionError, nearest
from minifloat.tosa._numbers import as_stored, values_of
from minifloat.tosa._report import ElementReport, WorstElement
from minifloat.tosa._types import TensorType, TypeLike, as_type

__all__ = ["MODES", "abs_error", "check_intervals", "ulps", "verify_elements"]

Array: TypeAlias = NDArray[np.float64]
Bounds: TypeAlias = tuple[Array, Array]
"""How far below and above the reference a value may be, as magnitudes."""

_WORST = 8


def ulps(reference: Array, kind: TensorType) -> Array:
    """Return the unit in the last place of each reference value.

    Parameters
    ----------
    reference : numpy.ndarray
        float64.
    kind : TensorType

    Returns
    -------
    numpy.ndarray
        float64; the unit of the smallest normal number below it, 0 for zeros, infinities and NaN.

    Examples
    --------
    >>> from minifloat.tosa import as_type
    >>> ulps(np.array([1.5, 0.0]), as_type("fp16")).tolist()
    [0.0009765625, 0.0]
    """
    magnitude = np.abs(reference)
    useful = np.isfinite(reference) & (magnitude != 0)
    exponent = np.frexp(np.where(useful, magnitude, 1.0))[1] - 1
    power = np.maximum(np.ldexp(1.0, exponent), kind.smallest_normal)
    return np.where(useful, power * 2.0**-kind.trailing_bits, 0.0)


def abs_error(
    magnitude: Array,
    factor: Array | float,
    kind: TensorType,
    *,
    lower: float = 0.0,
    divisor: float = 1,
) -> Array:
    """Return an error bound in proportion to a magnitude.

    Parameters
    ----------
    magnitude : numpy.ndarray
        float64: what the bound is in proportion to, at least the smallest normal number.
    factor : numpy.ndarray or float
        How many units.
    kind : TensorType
    lower : float
        The bound is at least this many units of 1.
    divisor : float
        The unit is 2 to minus the trailing bits over this. The quotient is not cut to an
        integer.

    Returns
    -------
    numpy.ndarray
        float64.

    Examples
    --------
    >>> from minifloat.tosa import as_type
    >>> abs_error(np.array([2.0]), 3.0, as_type("fp16")).tolist()
    [0.005859375]
    """
    factors = np.asarray(factor, np.float64)
    magnitudes = np.abs(magnitude)
    unit = 2.0 ** (-kind.trailing_bits / divisor)
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        scale = np.where(magnitudes < kind.smallest_normal, kind.smallest_normal, magnitudes)
        if lower > 0:  # a NaN magnitude gives way to the lower bound
            floor = lower / factors
            scale = np.where(floor < scale, scale, floor)
        bound = unit * scale * factors
    return np.where(np.isfinite(factors) | (magnitudes != 0), bound, 0.0)


def check_intervals(
    values: NDArray[np.float32], reference: Array, bounds: Bounds, kind: TensorType
) -> NDArray[np.bool_]:
    """Return which values lie in their intervals.

    NaN must meet NaN. An infinite bound accepts everything else. The ends of an interval beyond the
    largest finite number become infinite. Zero may stand for results below the smallest normal
    number, in types other than fp8. A type without infinity may give NaN where the upper end
    overflows.

    Parameters
    ----------
    values : numpy.ndarray
        float32: what the implementation gave.
    reference : numpy.ndarray
        float64.
    bounds : tuple of numpy.ndarray
        How far toward zero, and how far away from it, a value may be.
    kind : TensorType

    Returns
    -------
    numpy.ndarray
        bool.

    References
    ----------
    TOSA specification, ``tosa_reference_check_fp_bnd``.

    Examples
    --------
    >>> from minifloat.tosa import as_type
    >>> found = check_intervals(
    ...     np.float32([1.0, 2.0]), np.ones(2), (np.zeros(2), np.zeros(2)), as_type("fp32"))
    >>> found.tolist()
    [True, False]
    """
    low, high = bounds
    with np.errstate(invalid="ignore", over="ignore"):
        sign = np.where(reference < 0, -1.0, 1.0)
        magnitude, x = sign * reference, sign * values
        top, bottom = magnitude + high, magnitude - low
        top = np.where(top > kind.largest, np.inf, top)
        bottom = np.where(bottom > kind.largest, np.inf, bottom)
        bottom = np.where(bottom < -kind.largest, -np.inf, bottom)
        passed = (x >= bottom) & (x <= top)
        if not kind.is_fp8:
            passed |= (x == 0) & (bottom < kind.smallest_normal)
        if math.isnan(kind.overflow):
            passed |= np.isnan(x) & (top == np.inf)
        passed |= np.isinf(low) & np.isinf(high)
    return np.where(np.isnan(reference), np.isnan(values), passed)


def _exact(reference: Array, bound: Array | None, kind: TensorType) -> Bounds:
    del bound, kind
    return np.zeros_like(reference), np.zeros_like(reference)


def _ulp(
    reference: Array,
    bound: Array | None,
    kind: TensorType,
    *,
    ulp: float,
    ulp_lower: float | None = None,
) -> Bounds:
    del bound
    unit = ulps(reference, kind)
    return unit * (ulp if ulp_lower is None else ulp_lower), unit * ulp


def _abs_error(
    reference: Array,
    bound: Array | None,
    kind: TensorType,
    *,
    lower_bound: float = 0.0,
    normal_divisor: float = 1.0,
    bound_as_magnitude: bool = False,
    max_compare: float = 0.0,
    base_bound: float = 0.0,
) -> Bounds:
    if bound is None:
        msg = "mode ABS_ERROR needs bound="
        raise OptionError(msg)
    magnitude = bound if bound_as_magnitude else reference
    factor = base_bound + (np.zeros_like(bound) if bound_as_magnitude else bound)
    error = abs_error(magnitude, factor, kind, lower=lower_bound, divisor=normal_divisor)
    if max_compare > 0:
        error = np.maximum(error, max_compare)
    return error, error


def _reduce_product(reference: Array, bound: Array | None, kind: TensorType, *, n: int) -> Bounds:
    del bound
    growth = (1 + kind.half_ulp) ** n - 1
    error = np.maximum(np.abs(reference), kind.smallest_normal) * growth
    return error, error


def _max_relative(
    reference: Array,
    bound: Array | None,
    kind: TensorType,
    *,
    max: float,
    scale: float,
    ulp_bound: float,
) -> Bounds:
    del bound
    unit = 2.0**-kind.trailing_bits * np.maximum(max, kind.smallest_normal)
    error = np.full_like(reference, np.maximum(max * scale, ulp_bound * unit))
    return error, error


MODES: dict[str, Callable[..., Bounds]] = {
    "EXACT": _exact,
    "ULP": _ulp,
    "ABS_ERROR": _abs_error,
    "REDUCE_PRODUCT": _reduce_product,
    "MAX_RELATIVE": _max_relative,
}
"""The modes of a ``desc.json`` that are intervals; FP_SPECIAL and DOT_PRODUCT are not."""


def verify_elements(
    mode: str,
    reference: ArrayLike,
    actual: ArrayLike,
    *,
    dtype: TypeLike,
    bound: ArrayLike | None = None,
    name: str = "output",
    **info: Any,
) -> ElementReport:
    """Judge an output tensor element by element.

    Parameters
    ----------
    mode : str
        ``EXACT``; ``ULP`` (``ulp=``, ``ulp_lower=``); ``ABS_ERROR`` (``bound``, ``lower_bound=``,
        ``normal_divisor=``, ``bound_as_magnitude=``, ``max_compare=``, ``base_bound=``);
        ``REDUCE_PRODUCT`` (``n=``); ``MAX_RELATIVE`` (``max=``, ``scale=``, ``ulp_bound=``);
        ``FP_SPECIAL`` (``bound``): zeros, infinities and NaN only. The words are those of the
        tool's ``desc.json``.
    reference : array_like
        float64, shape ``(...)``.
    actual : array_like
        The stored output, of the same shape.
    dtype : TensorType or str
        Type of the output.
    bound : array_like, optional
        float64, of the same shape, for the modes that use it.
    name : str
        The tensor's name in the report.
    **info
        The numbers of the mode.

    Returns
    -------
    ElementReport

    Raises
    ------
    OptionError
        If the mode is unknown, its numbers are not those it takes, or shapes differ.
    DtypeError
        If the output is not stored as its type is.

    References
    ----------
    TOSA specification, "Floating-Point Precision Requirements".

    Examples
    --------
    >>> verify_elements("ULP", [1.0, 1.0], np.float32([1.0, 1.0000001]), dtype="fp32", ulp=1).passed
    True
    """
    kind = as_type(dtype)
    stored = as_stored(actual, kind, name)
    expected = np.asarray(reference, np.float64)
    scale = None if bound is None else np.asarray(bound, np.float64)
    if expected.shape != stored.shape or (scale is not None and scale.shape != stored.shape):
        msg = f"{name}: actual has shape {stored.shape}, reference {expected.shape}"
        raise OptionError(msg + ("" if scale is None else f", bound {scale.shape}"))
    values = values_of(stored, kind)
    if mode == "FP_SPECIAL":
        passed = _special(values, expected, expected if scale is None else scale)
        nothing = np.zeros_like(expected)
        return element_report(name, mode, values, expected, (nothing, nothing), passed, kind.name)
    if mode not in MODES:
        allowed = [*MODES, "FP_SPECIAL"]
        msg = f"unknown mode {mode!r}{nearest(mode, allowed)}; allowed are {allowed}"
        raise OptionError(msg)
    try:
        bounds = MODES[mode](expected, scale, kind, **info)
    except TypeError as error:
        msg = f"mode {mode}: {str(error).partition(') ')[2] or error}"
        raise OptionError(msg) from error
    if mode == "EXACT" and kind.is_fp8:  # no interval: a value beyond the type's range fails
        passed = (values == expected) | (np.isnan(values) & np.isnan(expected))
    else:
        passed = check_intervals(values, expected, bounds, kind)
    return element_report(name, mode, values, expected, bounds, passed, kind.name)


def _special(values: NDArray[np.float32], reference: Array, bound: Array) -> NDArray[np.bool_]:
    """Return where signs, zeros, infinities and NaN are as they should be."""
    nan = np.isnan(values)
    zeros = (reference == 0) & (values == 0)
    spoiled = nan & (np.isnan(reference) | np.isnan(bound))
    alike = (
        (np.isnan(reference) == nan)
        & (np.isfinite(reference) == np.isfinite(values))
        & (np.signbit(reference) == np.signbit(values))
    )
    found: NDArray[np.bool_] = zeros | spoiled | alike
    return found


def element_report(
    name: str,
    mode: str,
    values: NDArray[np.float32] | Array,
    reference: Array,
    bounds: Bounds,
    passed: NDArray[np.bool_],
    dtype: str,
) -> ElementReport:
    """Summarise which elements passed.

    Parameters
    ----------
    name, mode : str
    values, reference : numpy.ndarray
    bounds : tuple of numpy.ndarray
    passed : numpy.ndarray
    dtype : str
        The name of the output's type.

    Returns
    -------
    ElementReport
    """
    failures = int(passed.size - np.count_nonzero(passed))
    flat = passed.reshape(-1)
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        difference = np.abs(values - reference).reshape(-1)
        limit = np.maximum(*bounds).reshape(-1)
        ratio = np.where(difference == 0, 0.0, difference / limit)
    rank = np.where(flat, np.nan_to_num(ratio, nan=0.0, posinf=0.0), np.inf)
    order = np.argsort(-rank, kind="stable")[:_WORST]
    shown = [
        WorstElement(
            index=tuple(int(i) for i in np.unravel_index(at, passed.shape)),
            reference=float(reference.flat[at]),
            bound=float(limit[at]),
            actual=float(values.flat[at]),
            error=float(ratio[at]),
        )
        for at in order
        if rank[at] > 0
    ]
    first = None
    if failures:
        at = int(np.argmin(flat))
        first = tuple(int(i) for i in np.unravel_index(at, passed.shape))
    finite = ratio[np.isfinite(ratio)]
    largest = float(finite.max()) if finite.size else 0.0
    return ElementReport(name, dtype, passed.shape, mode, failures, first, largest, tuple(shown))
