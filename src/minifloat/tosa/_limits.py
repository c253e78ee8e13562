"""How large the errors of dot products may be."""

from __future__ import annotations

import math
from dataclasses import dataclass

from minifloat.tosa._editions import Edition
from minifloat.tosa._signature import Signature
from minifloat.tosa._types import TensorType

__all__ = ["Limits", "dot_product_limits"]


@dataclass(frozen=True, slots=True)
class Limits:
    """What the errors of an output tensor may be, in units of half an ulp of the bound.

    Parameters
    ----------
    ksb : int
        The kernel size as it counts for errors, the bias included.
    max_error : float
        Largest magnitude of an error.
    variance : float
        Largest mean square of the errors.
    unit_type : TensorType
        The type whose half ulp of the bound is the unit.
    growth : bool
        Whether a bound that overflows only when enlarged by the largest error is exempt as well.
    """

    ksb: int
    max_error: float
    variance: float
    unit_type: TensorType
    growth: bool = True

    def sum_limit(self, count: int) -> float:
        """Return the largest magnitude of the sum of errors over `count` outputs.

        Parameters
        ----------
        count : int

        Returns
        -------
        float

        Examples
        --------
        >>> from minifloat.tosa import as_type
        >>> Limits(1, 2.0, 1.6, as_type("fp32")).sum_limit(100)
        40.0
        """
        return math.sqrt(10 * self.variance * count)


def dot_product_limits(ks: int, types: Signature, *, has_bias: bool, edition: Edition) -> Limits:
    """Return the limits of an operation.

    Parameters
    ----------
    ks : int
        KS, the products in one dot product.
    types : Signature
    has_bias : bool
        Whether a bias other than zero takes part.
    edition : Edition

    Returns
    -------
    Limits

    References
    ----------
    TOSA specification, "Dot product accuracy requirements": the tables of ABS_BOUND and
    VARIANCE_ERROR_BOUND; for the seed edition, the limits KS and 0.4 KS of early 2024.

    Examples
    --------
    >>> from minifloat.tosa import signature
    >>> limits = dot_product_limits(
    ...     36, signature("CONV2D", "fp16"), has_bias=False, edition=Edition.TOOL)
    >>> limits.ksb, limits.max_error, limits.variance
    (1, 2, 1.6)
    """
    bias = 1 if has_bias else 0
    if edition is Edition.SEED:
        ksb = ks + bias
        return Limits(ksb, ksb, 0.4 * ksb, types.acc, growth=False)
    # The exponent is half the difference of the trailing bits, a fraction where that is odd.
    gain = 2.0 ** ((types.acc.trailing_bits - types.out.trailing_bits) / 2)
    ksb = math.ceil(ks / gain) + bias
    if (types.data.is_fp8 or types.weight.is_fp8) and types.acc.name == "fp32":
        error = 2 * max(ksb, min(ksb, 64) << 10)
        return Limits(ksb, error, 1.6 * max(ksb, min(ksb, 64) << 20), types.out)
    all_fp32 = types.data.name == "fp32" and types.weight.name == "fp32"
    return Limits(ksb, (6 if all_fp32 else 2) * ksb, 1.6 * ksb, types.out)
