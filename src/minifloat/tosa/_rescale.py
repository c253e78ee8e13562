"""The accuracy rule of RESCALE where rounding may be inexact."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from minifloat._errors import DtypeError, OptionError
from minifloat.tosa._elements import element_report
from minifloat.tosa._report import ElementReport

__all__ = ["verify_rescale"]


def verify_rescale(
    values: ArrayLike,
    actual: ArrayLike,
    *,
    multiplier: ArrayLike,
    shift: ArrayLike,
    input_zp: int = 0,
    output_zp: int = 0,
) -> ElementReport:
    """Judge the output of RESCALE with rounding mode INEXACT_ROUND.

    The output may be off by half a unit, for its own rounding, and by four roundings of fp32: of
    the value, of the multiplier, of their product, and of the sum with the zero point.

    Parameters
    ----------
    values : array_like of int
        The inputs, of magnitude below 2^53.
    actual : array_like of int
        The outputs, of the same shape; their dtype sets the range that results are clipped to.
    multiplier, shift : array_like of int
        One value, or one for each channel of the last axis: the scale is multiplier * 2^-shift.
    input_zp, output_zp : int
        Zero points.

    Returns
    -------
    ElementReport
        ``error`` of its worst elements is in units of the bound before results are clipped.

    Raises
    ------
    DtypeError
        If an array does not hold integers.
    OptionError
        If the shapes do not fit.

    References
    ----------
    TOSA specification, RESCALE.

    Examples
    --------
    >>> verify_rescale([10, 11], np.int8([5, 6]), multiplier=1 << 30, shift=31).passed
    True
    >>> verify_rescale([10, 11], np.int8([5, 7]), multiplier=1 << 30, shift=31).passed
    False
    """
    arrays = [np.asarray(each) for each in (values, actual, multiplier, shift)]
    for array, what in zip(arrays, ("values", "actual", "multiplier", "shift"), strict=True):
        if array.dtype.kind not in "iu":
            msg = f"RESCALE: {what} must be integers, not {array.dtype}"
            raise DtypeError(msg)
    source, output, factor, exponent = arrays
    if source.shape != output.shape:
        msg = f"RESCALE: actual has shape {output.shape}, values {source.shape}"
        raise OptionError(msg)
    try:
        factors = np.broadcast_to(factor, source.shape).astype(np.float64)
        scale = np.ldexp(factors, -exponent.astype(np.int32))
    except ValueError:
        msg = (
            f"RESCALE: multiplier {factor.shape} or shift {exponent.shape} does not fit the values"
        )
        raise OptionError(msg) from None
    reference = (source.astype(np.float64) - input_zp) * scale
    bound = 0.5 + (3 * np.abs(reference) + np.abs(reference + output_zp)) * 2.0**-24
    limits = np.iinfo(output.dtype)
    low = np.clip(np.ceil(reference - bound + output_zp), limits.min, limits.max)
    high = np.clip(np.floor(reference + bound + output_zp), limits.min, limits.max)
    found = output.astype(np.float64)
    passed = (found >= low) & (found <= high)
    expected = np.clip(reference + output_zp, limits.min, limits.max)
    return element_report(
        "output", "RESCALE", found, expected, (bound, bound), passed, output.dtype.name
    )
