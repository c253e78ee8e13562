"""What a cast does, apart from the format's widths: types, rounding, overflow, and packing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from minifloat._errors import OptionError
from minifloat.popfloat._round import RoundConfig
from minifloat.popfloat._types import (
    FLOAT,
    HALF,
    FormatType,
    RoundType,
    SRDensityType,
    TypeLike,
    as_member,
    as_type,
)

__all__ = ["CastConfig"]


@dataclass(frozen=True, slots=True)
class CastConfig:
    """One direction of a cast; made by `create_cast_native_to_gf` or `create_cast_gf_to_native`.

    Parameters
    ----------
    format_type : FormatType
    calculation_type : numpy.dtype
        float16 or float32.
    storage_type : numpy.dtype
        Of the result: int8, int16, float16 or float32.
    round_config : RoundConfig or None
        None towards the native type, which is exact.
    nanoo : bool
        Whether finite overflow becomes NaN ("NaN on overflow") instead of the largest value.
    """

    format_type: FormatType
    calculation_type: np.dtype[Any]
    storage_type: np.dtype[Any]
    round_config: RoundConfig | None
    nanoo: bool

    @classmethod
    def create_cast_native_to_gf(
        cls,
        format_type: FormatType | str,
        calculation_type: TypeLike,
        storage_type: TypeLike,
        round_config: RoundConfig,
        nanoo: bool,
    ) -> CastConfig:
        """Make the configuration of a cast from a native type to a Gfloat format.

        Parameters
        ----------
        format_type : FormatType or str
        calculation_type : {"HALF", "FLOAT"} or dtype
        storage_type : {"SIGNED_CHAR", "SHORT", "HALF", "FLOAT"} or dtype
        round_config : RoundConfig
        nanoo : bool
            Has no effect on formats without infinities and NaN: they saturate.

        Returns
        -------
        CastConfig

        Raises
        ------
        OptionError
            If the calculation type is an integer type.

        Examples
        --------
        >>> config = CastConfig.create_cast_native_to_gf(
        ...     "BFLOAT16", "FLOAT", "SHORT", RoundConfig("RN"), True
        ... )
        >>> config.store_as_native, config.in_place_op("FLOAT")
        (False, False)
        """
        kind, calculation = as_member(FormatType, format_type), _calculation(calculation_type)
        return cls(kind, calculation, as_type(storage_type), round_config, bool(nanoo))

    @classmethod
    def create_cast_gf_to_native(
        cls, format_type: FormatType | str, calculation_type: TypeLike, storage_type: TypeLike
    ) -> CastConfig:
        """Make the configuration of a cast from a Gfloat format to a native type.

        Parameters
        ----------
        format_type : FormatType or str
        calculation_type : {"HALF", "FLOAT"} or dtype
        storage_type : {"HALF", "FLOAT"} or dtype
            Of the values.

        Returns
        -------
        CastConfig

        Raises
        ------
        OptionError
            If a type is an integer type.
        """
        kind, calculation = as_member(FormatType, format_type), _calculation(calculation_type)
        return cls(kind, calculation, _calculation(storage_type, "storage_type"), None, False)

    @property
    def store_as_native(self) -> bool:
        """Whether the result is stored as IEEE values rather than packed words."""
        return self.storage_type in (HALF, FLOAT)

    def in_place_op(self, dtype: TypeLike) -> bool:
        """Tell whether an array of this type can be cast in place.

        Parameters
        ----------
        dtype : str, type or numpy.dtype

        Returns
        -------
        bool
        """
        return as_type(dtype) == self.storage_type

    @property
    def round_mode(self) -> RoundType:
        """The rounding mode; INV towards the native type."""
        rounds = self.round_config
        return RoundType.INV if rounds is None else as_member(RoundType, rounds.round_mode)

    @property
    def num_sr_bits(self) -> int:
        """The number of random bits asked for."""
        return 0 if self.round_config is None else self.round_config.num_sr_bits

    @property
    def sr_noise_density(self) -> SRDensityType:
        """The noise density."""
        rounds = self.round_config
        if rounds is None:
            return SRDensityType.INVALID
        return as_member(SRDensityType, rounds.noise_density)

    @property
    def sr_noise_offset(self) -> float:
        """The mean of the noise."""
        return 0.0 if self.round_config is None else self.round_config.offset

    @property
    def sr_noise_scale(self) -> float:
        """The scale of the noise; 0 where there is none."""
        return 0.0 if self.round_config is None else self.round_config.scale or 0.0

    @property
    def sr_noise_max(self) -> float:
        """The upper limit of the noise; 0 where there is none."""
        return 0.0 if self.round_config is None else self.round_config.max or 0.0

    @property
    def sr_noise_min(self) -> float:
        """The lower limit of the noise; 0 where there is none."""
        return 0.0 if self.round_config is None else self.round_config.min or 0.0

    @property
    def bernoulli_probability(self) -> float:
        """The probability of rounding towards zero under BERNOULLI."""
        return 0.0 if self.round_config is None else self.round_config.bernoulli_prob

    @property
    def is_nanoo_mode_enabled(self) -> bool:
        """Whether finite overflow becomes NaN."""
        return self.nanoo


def _calculation(word: TypeLike, what: str = "calculation_type") -> np.dtype[Any]:
    found = as_type(word)
    if found not in (HALF, FLOAT):
        msg = f"{what}={found.name}: allowed are HALF and FLOAT"
        raise OptionError(msg)
    return found
