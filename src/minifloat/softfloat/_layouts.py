"""The formats by QEMU's names, and what their codes look like."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from minifloat._formats import FloatFormat, formats, get_format

if TYPE_CHECKING:
    from minifloat._arrays import AnyArray
    from minifloat.softfloat._status import FloatStatus

__all__ = ["ALTERNATIVE_HALF", "LAYOUTS", "Layout", "layout_of"]


@dataclass(frozen=True, slots=True)
class Layout:
    """A format and the masks of its storage codes, which all have the sign on top.

    Parameters
    ----------
    prefix : str
        QEMU's name.
    fmt : FloatFormat
    sign, infinity, quiet_bit, normal : int
        The sign bit; the smallest magnitude that is no finite number; the bit that distinguishes
        quiet NaNs (0 where all are quiet); the smallest normal magnitude.
    """

    prefix: str
    fmt: FloatFormat
    sign: int
    infinity: int
    quiet_bit: int
    normal: int

    @property
    def magnitude(self) -> int:
        """The bits below the sign."""
        return self.sign - 1

    def is_nan(self, codes: AnyArray) -> AnyArray:
        """Whether codes are NaN.

        Parameters
        ----------
        codes : ndarray of unsigned int

        Returns
        -------
        ndarray of bool
        """
        size = codes & self.magnitude
        return np.asarray(size > self.infinity if self.fmt.has_infinity else size >= self.infinity)

    def is_infinite(self, codes: AnyArray) -> AnyArray:
        """Whether codes are infinities.

        Parameters
        ----------
        codes : ndarray of unsigned int

        Returns
        -------
        ndarray of bool
        """
        return np.asarray((codes & self.magnitude == self.infinity) & self.fmt.has_infinity)

    def is_subnormal(self, codes: AnyArray) -> AnyArray:
        """Whether codes are subnormal.

        Parameters
        ----------
        codes : ndarray of unsigned int

        Returns
        -------
        ndarray of bool
        """
        size = codes & self.magnitude
        return np.asarray((size < self.normal) & (size != 0))

    def is_zero(self, codes: AnyArray, status: FloatStatus) -> AnyArray:
        """Whether codes count as zeros: subnormal ones do where inputs are flushed.

        Parameters
        ----------
        codes : ndarray of unsigned int
        status : FloatStatus

        Returns
        -------
        ndarray of bool
        """
        below = self.normal if status.flush_inputs_to_zero else 1
        return np.asarray(codes & self.magnitude < below)

    def is_signaling(self, codes: AnyArray, status: FloatStatus) -> AnyArray:
        """Whether codes are signalling NaNs.

        Parameters
        ----------
        codes : ndarray of unsigned int
        status : FloatStatus

        Returns
        -------
        ndarray of bool
        """
        all_quiet = status.no_signaling_nans or not self.quiet_bit
        narrow = status.narrow_nans_quiet and self.fmt.bits <= 8
        marked = codes & self.quiet_bit != 0
        signals = marked if status.snan_bit_is_one else marked ^ True
        return np.asarray(self.is_nan(codes) & signals & (not (all_quiet or narrow)))


def layout_of(prefix: str, fmt: FloatFormat) -> Layout:
    """Work out the masks of a signed format whose codes are magnitudes below a sign bit.

    Parameters
    ----------
    prefix : str
    fmt : FloatFormat

    Returns
    -------
    Layout
    """
    shift, width = fmt.code_shift, fmt.exponent_bits + fmt.trailing_bits
    top = ((1 << width) - 1) << shift
    exponents = ((1 << fmt.exponent_bits) - 1) << fmt.trailing_bits + shift
    # Without infinities the only NaN, if any, is all ones.
    beyond = exponents if fmt.has_infinity else top if fmt.has_nan else top + 1
    quiet = 1 << fmt.trailing_bits - 1 + shift if fmt.has_infinity and fmt.has_nan else 0
    return Layout(prefix, fmt, 1 << width + shift, beyond, quiet, 1 << fmt.trailing_bits + shift)


_NAMES = {
    "float16": "float16",
    "bfloat16": "bfloat16",
    "tfloat32": "tfloat32",
    "float32": "float32",
    "float64": "float64",
    "float8e4m3": "float8_e4m3fn",
    "float8e5m2": "float8_e5m2",
    "float4e2m1": "float4_e2m1fn",
}


def _float(name: str) -> FloatFormat:
    fmt = formats[name]
    assert isinstance(fmt, FloatFormat)
    return fmt


LAYOUTS: dict[str, Layout] = {
    prefix: layout_of(prefix, _float(name)) for prefix, name in _NAMES.items()
}
"""By QEMU's names; its float8e4m3 is OCP's, `float8_e4m3fn`."""

_finite_half = get_format("e5m10:finite")
assert isinstance(_finite_half, FloatFormat)
ALTERNATIVE_HALF: Layout = layout_of("float16", _finite_half)
"""Arm's alternative half precision: neither infinities nor NaN, twice the range."""
