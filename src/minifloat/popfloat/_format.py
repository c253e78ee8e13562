"""Gfloat formats: the configuration, what it implies, and the format of the core it stands for."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from minifloat._errors import FormatError
from minifloat._formats import FloatFormat, NanCode, formats
from minifloat._plans import holds
from minifloat.popfloat._options import GfloatFormatOptions
from minifloat.popfloat._types import (
    FLOAT,
    HALF,
    SHORT,
    SIGNED_CHAR,
    FormatType,
    SpecType,
    TypeLike,
    as_member,
    as_type,
)

__all__ = ["FormatConfig"]

_NATIVE_STORAGE = (FormatType.QUANTISED_FP16, FormatType.QUANTISED_FP32, FormatType.IEEE_FP16)


@dataclass(frozen=True, init=False)
class FormatConfig:
    """A Gfloat format: sign, exponent field, mantissa field, bias, and two switches.

    Exponent field 0 holds zero and, with denormals, ``m * 2**(1 - bias - mantissa_bits)``; a field
    e holds ``(1 + m / 2**mantissa_bits) * 2**(e - bias)``. With infinities and NaN the top field is
    theirs, otherwise it is an ordinary binade. Without exponent bits the values are the integers
    ``0 .. 2**mantissa_bits - 1`` times the denormal step; both switches then have no effect.

    Parameters
    ----------
    mantissa_bits : int
        0 to 23.
    exponent_bits : int
        0 to 8.
    exponent_bias : int
    enable_denorms : bool
    enable_infs_and_nans : bool
    spec_calculation_type : {"AUTO", "FP32", "FP16"} or SpecType
        The IEEE type to calculate in. FP16 is for formats with at most 10 mantissa and 5 exponent
        bits, 1/5/10 itself excepted.

    Raises
    ------
    FormatError
        If a width is out of range, or FP16 does not fit.

    Examples
    --------
    >>> config = FormatConfig(3, 4, 7, True, True)
    >>> config.format_type.name, config.storage_type.name, hex(config.packed_float_parameters)
    ('MIN_NORM_ALIGN_GF8', 'int8', '0x3070403')
    >>> config.to_format().max
    Fraction(240, 1)
    """

    mantissa_bits: int
    exponent_bits: int
    exponent_bias: int
    enable_denorms: bool
    """Whether there are denormals; always true without exponent bits."""
    enable_infs_and_nans: bool
    """Whether there are infinities and NaN; always false without exponent bits."""
    calculation_type: np.dtype[Any]
    """float16 or float32."""
    format_type: FormatType = field(compare=False)
    storage_type: np.dtype[Any] = field(compare=False)
    """The smallest type that stores the format: int8, int16, float16 or float32."""
    packed_float_bits: int = field(compare=False)
    """8, 16 or 32."""
    _flags: int = field(compare=False, repr=False)

    def __init__(
        self,
        mantissa_bits: int,
        exponent_bits: int,
        exponent_bias: int,
        enable_denorms: bool,
        enable_infs_and_nans: bool,
        spec_calculation_type: SpecType | str = SpecType.AUTO,
    ) -> None:
        spec = as_member(SpecType, spec_calculation_type)
        if spec not in (SpecType.AUTO, SpecType.FP32, SpecType.FP16):
            msg = f"spec_calculation_type={spec.name}: allowed are AUTO, FP32, FP16"
            raise FormatError(msg)
        half = _fits_half(mantissa_bits, exponent_bits) and spec is not SpecType.FP32
        if spec is SpecType.FP16 and not half:
            raise FormatError(_no_half(mantissa_bits, exponent_bits))
        widths = (mantissa_bits, exponent_bits, exponent_bias)
        self._set(*widths, enable_denorms, enable_infs_and_nans, HALF if half else FLOAT, half)

    @classmethod
    def with_calculation_type(
        cls,
        mantissa_bits: int,
        exponent_bits: int,
        exponent_bias: int,
        enable_denorms: bool,
        enable_infs_and_nans: bool,
        calculation_type: TypeLike,
    ) -> FormatConfig:
        """Make a format that is calculated in a given type.

        The format type follows from the widths alone: a format that fits half keeps the format
        type of a half calculation, also when it is calculated in single.

        Parameters
        ----------
        mantissa_bits, exponent_bits, exponent_bias, enable_denorms, enable_infs_and_nans
            As for the class.
        calculation_type : {"HALF", "FLOAT"} or dtype

        Returns
        -------
        FormatConfig

        Raises
        ------
        FormatError
            If a width is out of range, or half does not fit.
        """
        calculation = as_type(calculation_type)
        if calculation not in (HALF, FLOAT):
            msg = f"calculation_type={calculation.name}: allowed are HALF and FLOAT"
            raise FormatError(msg)
        half = _fits_half(mantissa_bits, exponent_bits)
        if calculation == HALF and not half:
            raise FormatError(_no_half(mantissa_bits, exponent_bits))
        config = cls.__new__(cls)
        widths = (mantissa_bits, exponent_bits, exponent_bias)
        config._set(*widths, enable_denorms, enable_infs_and_nans, calculation, half)
        return config

    @classmethod
    def from_options(cls, options: GfloatFormatOptions, calculation_type: TypeLike) -> FormatConfig:
        """Make the format that parsed options describe.

        Parameters
        ----------
        options : GfloatFormatOptions
        calculation_type : {"HALF", "FLOAT"} or dtype

        Returns
        -------
        FormatConfig

        Raises
        ------
        FormatError
            As `with_calculation_type`.
        """
        return cls.with_calculation_type(
            options.num_mantissa_bits,
            options.num_exponent_bits,
            options.num_exponent_bias,
            options.enable_denorms,
            options.enable_infs_and_nans,
            calculation_type,
        )

    @classmethod
    def from_packed_parameters(
        cls, parameters: int, calculation_type: TypeLike | None = None
    ) -> FormatConfig:
        """Make the format that a packed parameter word describes.

        Parameters
        ----------
        parameters : int
            As `packed_float_parameters` gives it.
        calculation_type : {"HALF", "FLOAT"} or dtype, optional
            The smallest that fits when omitted.

        Returns
        -------
        FormatConfig

        Raises
        ------
        FormatError
            If the word has bits above the flags, or describes no format.

        Examples
        --------
        >>> FormatConfig.from_packed_parameters(0x03070403) == FormatConfig(3, 4, 7, True, True)
        True
        """
        word = int(parameters)
        if not 0 <= word < 1 << 26:
            msg = f"parameter word {word:#x}: 8 bits of mantissa, exponent and bias, then 2 flags"
            raise FormatError(msg)
        bias = (word >> 16 & 0xFF) - (word >> 15 & 0x100)
        fields = (word & 0xFF, word >> 8 & 0xFF, bias, bool(word >> 24 & 1), bool(word >> 25 & 1))
        if calculation_type is None:
            return cls(*fields)
        return cls.with_calculation_type(*fields, calculation_type)

    def _set(
        self,
        mantissa_bits: int,
        exponent_bits: int,
        exponent_bias: int,
        denorms: bool,
        specials: bool,
        calculation: np.dtype[Any],
        half: bool,
    ) -> None:
        if not (0 <= mantissa_bits <= 23 and 0 <= exponent_bits <= 8):
            msg = (
                f"1/{exponent_bits}/{mantissa_bits}: allowed are 0 to 8 exponent and 0 to 23"
                " mantissa bits"
            )
            raise FormatError(msg)
        kind, storage, packed = _classify(mantissa_bits, exponent_bits, denorms, specials, half)
        values: dict[str, Any] = {
            "mantissa_bits": mantissa_bits,
            "exponent_bits": exponent_bits,
            "exponent_bias": exponent_bias,
            "enable_denorms": bool(denorms) or exponent_bits == 0,
            "enable_infs_and_nans": bool(specials) and exponent_bits > 0,
            "calculation_type": calculation,
            "format_type": kind,
            "storage_type": storage,
            "packed_float_bits": packed,
            "_flags": int(denorms) | int(specials) << 1,
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @property
    def bits(self) -> int:
        """Number of bits: sign, exponent, mantissa."""
        return 1 + self.exponent_bits + self.mantissa_bits

    @property
    def native_type(self) -> np.dtype[Any]:
        """The IEEE type that represents the format's values: float16 or float32.

        float16 for what is calculated as half, for 8 bits or fewer with 5 exponent bits or fewer,
        and wherever float16 holds every value.
        """
        small = self.packed_float_bits == 8 and self.exponent_bits <= 5
        if small or self.format_type in (FormatType.QUANTISED_FP16, FormatType.IEEE_FP16):
            return HALF
        fits = _fits_half(self.mantissa_bits, self.exponent_bits)
        return HALF if fits and self.roomy(HALF) == HALF else FLOAT

    def roomy(self, dtype: np.dtype[Any]) -> np.dtype[Any]:
        """Return a type itself, or float32 for a float16 that does not hold every value.

        Parameters
        ----------
        dtype : numpy.dtype

        Returns
        -------
        numpy.dtype

        Examples
        --------
        >>> FormatConfig(3, 4, -20, True, True).roomy(np.dtype(np.float16)).name
        'float32'
        """
        if dtype != HALF:
            return dtype
        try:
            return HALF if holds(formats["float16"], self.to_format()) else FLOAT
        except FormatError:  # no value but zero
            return HALF

    @property
    def is_packed_float_format(self) -> bool:
        """Whether the format is stored as integer words."""
        return self.format_type not in _NATIVE_STORAGE

    @property
    def packed_float_parameters(self) -> int:
        """The format as a word: mantissa, exponent, signed bias (a byte each), then two flags.

        The flags are those the caller gave. Raises `FormatError` if the bias does not fit a byte.
        """
        if not -128 <= self.exponent_bias <= 127:
            msg = f"bias {self.exponent_bias} does not fit the word's signed byte, -128 to 127"
            raise FormatError(msg)
        bias = self.exponent_bias & 0xFF
        return self.mantissa_bits | self.exponent_bits << 8 | bias << 16 | self._flags << 24

    @property
    def is_block_float(self) -> bool:
        """Whether every code is on one uniform grid around zero: integers times one scale."""
        one_bit = self.exponent_bits == 1 and self.enable_denorms
        return self.exponent_bits == 0 or (one_bit and not self.enable_infs_and_nans)

    @property
    def is_uniform_grid(self) -> bool:
        """Whether all finite values are on one uniform grid, infinities and NaN aside."""
        return self.is_block_float or (self.exponent_bits == 1 and self.enable_denorms)

    def to_format(self, *, negative_zero: bool = True, word_bits: int | None = None) -> FloatFormat:
        """Return the format of the core with the same values and codes.

        Parameters
        ----------
        negative_zero : bool
            Whether -0 exists.
        word_bits : int, optional
            Width of the storage word, with the sign in its top bit and zeros below the mantissa;
            `bits` when omitted.

        Returns
        -------
        FloatFormat

        Raises
        ------
        FormatError
            If the format has no value but zero, or the word is too small.

        Examples
        --------
        >>> str(FormatConfig(15, 0, -1, True, True).to_format())
        'e0m15:finite,bias=-1'
        """
        specials = self.enable_infs_and_nans
        width = self.bits if word_bits is None else word_bits
        if width < self.bits:
            msg = f"1/{self.exponent_bits}/{self.mantissa_bits} needs {self.bits} bits, not {width}"
            raise FormatError(msg)
        return FloatFormat(
            self.exponent_bits,
            self.mantissa_bits,
            self.exponent_bias,
            subnormals=self.enable_denorms,
            infinities=specials,
            # Without mantissa bits the top field has room for infinity only.
            nan=NanCode.IEEE if specials and self.mantissa_bits else NanCode.NONE,
            negative_zero=negative_zero,
            code_shift=width - self.bits,
        )


def _fits_half(mantissa_bits: int, exponent_bits: int) -> bool:
    small = mantissa_bits <= 10 and exponent_bits <= 5
    return small and (mantissa_bits, exponent_bits) != (10, 5)


def _no_half(mantissa_bits: int, exponent_bits: int) -> str:
    return (
        f"1/{exponent_bits}/{mantissa_bits} cannot be calculated in half: that takes at most 5"
        " exponent and 10 mantissa bits, and not both; use FP32"
    )


def _classify(
    mantissa_bits: int, exponent_bits: int, denorms: bool, specials: bool, half: bool
) -> tuple[FormatType, np.dtype[Any], int]:
    """Return the format type, the storage type and the packed width."""
    bits = 1 + exponent_bits + mantissa_bits
    if half:
        if bits > 8:
            return FormatType.QUANTISED_FP16, HALF, 16
        if exponent_bits < 5:
            return FormatType.MIN_NORM_ALIGN_GF8, SIGNED_CHAR, 8
        kind = FormatType.ONE_FIVE_TWO_GF8 if specials else FormatType.MAX_NORM_ALIGN_GF8
        return kind, SIGNED_CHAR, 8
    if (mantissa_bits, exponent_bits) == (10, 5) and specials:
        return FormatType.IEEE_FP16, HALF, 16
    if bits <= 8:
        return FormatType.ENABLE_DENORM_GF16, SIGNED_CHAR, 8
    if bits > 16:
        return FormatType.QUANTISED_FP32, FLOAT, 32
    if exponent_bits == 8:
        return FormatType.BFLOAT16, SHORT, 16
    kind = FormatType.ENABLE_DENORM_GF16 if denorms else FormatType.NO_DENORM_GF16
    return kind, SHORT, 16
