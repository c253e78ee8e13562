"""The object that holds a Gfloat format and a rounding, and casts there and back."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from minifloat._arrays import AnyArray, FlagsLike
from minifloat._random import RngLike
from minifloat.popfloat._cast_config import CastConfig
from minifloat.popfloat._compat import Compat, CompatLike, as_compat
from minifloat.popfloat._format import FormatConfig
from minifloat.popfloat._options import GfloatCastOptions, GfloatFormatOptions
from minifloat.popfloat._pipeline import Request, Run, from_gfloat, to_gfloat
from minifloat.popfloat._round import RoundConfig
from minifloat.popfloat._runtime import check_in_place, create_cast_op_params
from minifloat.popfloat._specials import InfinityWord, NanWord, Specials
from minifloat.popfloat._types import RoundType, SpecType, TypeLike, type_of_spec

__all__ = ["GfloatCast"]


class GfloatCast:
    """A Gfloat format with a rounding: casts to it and back.

    Parameters
    ----------
    format_config : FormatConfig
    round_config : RoundConfig
    nanoo : bool
        Finite overflow becomes NaN in every mode; otherwise the largest value. Formats without
        infinities and NaN always saturate.
    gf_type : SpecType or str
        How the format is stored: AUTO is its own storage type; FP16 and FP32 store values; INT8
        and INT16 store packed words.
    native_type : SpecType or str
        Type of the values that words become; AUTO is the format's native type. For either, AUTO is
        float32 where it would be a float16 that does not hold every value.
    compat : None, "popfloat" or Compat
        Departures from the default semantics; see `Compat`.
    infinity : {"saturate", "raise", "propagate"}
        What infinities become in a format without them.
    nan : {"propagate", "raise", "max", "zero"}, optional
        What NaN becomes in a format without it: by default it stays NaN in values, and is an error
        for packed words.

    Raises
    ------
    OptionError
        If a type or a word is unknown.

    Examples
    --------
    >>> gf = GfloatCast(FormatConfig(2, 5, 15, True, True), RoundConfig("RN"), True)
    >>> words = gf.cast_native_to_gfloat(np.float32([1.1, -3.0, 1e9]))
    >>> words, gf.cast_gfloat_to_native(words)
    (array([ 60, -62, 126], dtype=int8), array([ 1., -3., nan], dtype=float16))
    """

    def __init__(
        self,
        format_config: FormatConfig,
        round_config: RoundConfig,
        nanoo: bool,
        gf_type: SpecType | str = SpecType.AUTO,
        native_type: SpecType | str = SpecType.AUTO,
        *,
        compat: CompatLike = None,
        infinity: InfinityWord = "saturate",
        nan: NanWord | None = None,
    ) -> None:
        self._format = format_config
        kind, calculation = format_config.format_type, format_config.calculation_type
        roomy = format_config.roomy
        storage = type_of_spec(gf_type, roomy(format_config.storage_type), "gf_type")
        native = type_of_spec(native_type, roomy(format_config.native_type), "native_type")
        nanoo = bool(nanoo) and format_config.enable_infs_and_nans
        self._to_gf = CastConfig.create_cast_native_to_gf(
            kind, calculation, storage, round_config, nanoo
        )
        self._to_native = CastConfig.create_cast_gf_to_native(kind, calculation, native)
        self._compat = as_compat(compat)
        self._specials = Specials(infinity, nan)
        self._params: int | None = None

    @classmethod
    def from_options(
        cls,
        format_options: GfloatFormatOptions,
        cast_options: GfloatCastOptions,
        calculation_type: TypeLike,
        gf_type: SpecType | str = SpecType.AUTO,
        native_type: SpecType | str = SpecType.AUTO,
        *,
        compat: CompatLike = None,
    ) -> GfloatCast:
        """Make a cast from parsed options.

        Parameters
        ----------
        format_options : GfloatFormatOptions
        cast_options : GfloatCastOptions
        calculation_type : {"HALF", "FLOAT"} or dtype
        gf_type, native_type, compat
            As for the class.

        Returns
        -------
        GfloatCast

        Raises
        ------
        FormatError, OptionError
            As `FormatConfig.from_options` and `RoundConfig.from_options`.
        """
        return cls(
            FormatConfig.from_options(format_options, calculation_type),
            RoundConfig.from_options(cast_options),
            cast_options.enable_nanoo_mode,
            gf_type,
            native_type,
            compat=compat,
        )

    def cast_native_to_gfloat(
        self,
        x: Any,
        *,
        pack: bool = True,
        rng: RngLike | None = None,
        random_bits: Any = None,
        flags: FlagsLike | None = None,
        out: AnyArray | None = None,
        workers: int | None = None,
    ) -> Any:
        """Cast values to the format, and pack them unless it is stored as native.

        Parameters
        ----------
        x : array_like of float, shape (...)
            float16/32/64 or a floating ``ml_dtypes`` array. Every value is rounded once.
        pack : bool
            False leaves values, of the calculation type (float32 where half does not hold them).
        rng, random_bits, flags, workers
            As for `minifloat.encode`; the flags are those of the rounding into the format.
        out : ndarray, shape (...), optional

        Returns
        -------
        ndarray or numpy scalar, shape (...)
            Of `gf_storage_type`, or of the calculation type if it was not packed.

        Raises
        ------
        FormatError, OptionError, DtypeError, NanError
        """
        config = self._to_gf
        if not (pack or config.store_as_native):
            storage = self._current_format().roomy(config.calculation_type)
            config = dataclasses.replace(config, storage_type=storage)
        request = Request(self._current_format(), config, self._compat, self._specials)
        return to_gfloat(x, request, Run(rng, random_bits, flags, workers), out)

    def cast_native_to_gfloat_in_place(self, x: AnyArray, **options: Any) -> AnyArray:
        """Cast an array of the storage type, float16 or float32, in place; nothing is packed.

        Parameters
        ----------
        x : ndarray, shape (...)
            It is overwritten.
        **options
            `rng`, `random_bits`, `flags`, `workers`, as for `cast_native_to_gfloat`.

        Returns
        -------
        ndarray
            `x`.

        Raises
        ------
        DtypeError
            If `x` is not of the storage type.
        FormatError, OptionError, NanError
        """
        check_in_place(x, self._to_gf)
        done: AnyArray = self.cast_native_to_gfloat(x, out=x, **options)
        return done

    def cast_gfloat_to_native(self, words: Any) -> Any:
        """Return the values of words, exactly.

        Parameters
        ----------
        words : array_like, shape (...)
            int8 or int16 words (their unsigned views too); floats are values already.

        Returns
        -------
        ndarray or numpy scalar, shape (...), of `native_storage_type`

        Raises
        ------
        FormatError
            If the native type does not hold every value.
        CodeError
            If a word has bits outside the format's.
        """
        return from_gfloat(words, self._current_format(), self._to_native, self._compat)

    def create_cast_op_params(self) -> int:
        """Set and return the parameter word of the own format.

        Returns
        -------
        int

        Raises
        ------
        FormatError
            If the bias does not fit the word.
        """
        self._params = self._format.packed_float_parameters
        return self._params

    def set_gfloat_cast_parameters(self, parameters: int) -> None:
        """Take the format from a parameter word from now on; types and rounding stay.

        Parameters
        ----------
        parameters : int

        Raises
        ------
        FormatError
            If the word describes no format, or one that the calculation type cannot compute.
        """
        word = create_cast_op_params(parameters)
        FormatConfig.from_packed_parameters(word, self.calculation_type)
        self._params = word

    def in_place_op(self, dtype: TypeLike) -> bool:
        """Tell whether an array of this type can be cast in place.

        Parameters
        ----------
        dtype : str, type or numpy.dtype

        Returns
        -------
        bool
        """
        return self._to_gf.in_place_op(dtype)

    @property
    def cast_op_params(self) -> int | None:
        """The parameter word in force, or None where the own format is."""
        return self._params

    @property
    def is_cast_op_param_set(self) -> bool:
        """Whether a parameter word is in force."""
        return self._params is not None

    @property
    def format_config(self) -> FormatConfig:
        """The format that the cast was made with."""
        return self._format

    @property
    def native_to_gf_config(self) -> CastConfig:
        """The configuration towards the Gfloat format."""
        return self._to_gf

    @property
    def gf_to_native_config(self) -> CastConfig:
        """The configuration towards the native type."""
        return self._to_native

    @property
    def gf_storage_type(self) -> np.dtype[Any]:
        """The type that Gfloats are stored in."""
        return self._to_gf.storage_type

    @property
    def calculation_type(self) -> np.dtype[Any]:
        """The type that casts calculate in."""
        return self._to_gf.calculation_type

    @property
    def native_storage_type(self) -> np.dtype[Any]:
        """The type that values come back in."""
        return self._to_native.storage_type

    @property
    def store_as_native(self) -> bool:
        """Whether Gfloats are stored as IEEE values rather than packed words."""
        return self._to_gf.store_as_native

    @property
    def is_nanoo_mode_enabled(self) -> bool:
        """Whether finite overflow becomes NaN."""
        return self._to_gf.nanoo

    @property
    def round_mode(self) -> RoundType:
        """The rounding mode."""
        return self._to_gf.round_mode

    @property
    def compat(self) -> Compat:
        """The departures from the default semantics."""
        return self._compat

    def _current_format(self) -> FormatConfig:
        if self._params is None:
            return self._format
        return FormatConfig.from_packed_parameters(self._params, self.calculation_type)
