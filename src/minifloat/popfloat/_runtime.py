"""Casts whose format is a packed parameter word, given at run time."""

from __future__ import annotations

from typing import Any

import numpy as np

from minifloat._arrays import AnyArray, FlagsLike
from minifloat._errors import DtypeError
from minifloat._random import RngLike
from minifloat.popfloat._cast_config import CastConfig
from minifloat.popfloat._compat import CompatLike, as_compat
from minifloat.popfloat._format import FormatConfig
from minifloat.popfloat._pipeline import Request, Run, from_gfloat, to_gfloat
from minifloat.popfloat._specials import InfinityWord, NanWord, Specials

__all__ = [
    "cast_gfloat_to_native",
    "cast_native_to_gfloat",
    "cast_native_to_gfloat_in_place",
    "check_in_place",
    "create_cast_op_params",
]


def create_cast_op_params(packed_parameters: int) -> int:
    """Check a packed parameter word and return it as a cast takes it at run time.

    Parameters
    ----------
    packed_parameters : int
        As `FormatConfig.packed_float_parameters` gives it; negative 32-bit integers are read as
        unsigned.

    Returns
    -------
    int

    Raises
    ------
    FormatError
        If the word describes no format.

    Examples
    --------
    >>> hex(create_cast_op_params(FormatConfig(3, 4, 7, True, True).packed_float_parameters))
    '0x3070403'
    """
    word = int(packed_parameters) & 0xFFFFFFFF
    return FormatConfig.from_packed_parameters(word).packed_float_parameters


def cast_native_to_gfloat(
    x: Any,
    parameters: int,
    config: CastConfig,
    *,
    compat: CompatLike = None,
    infinity: InfinityWord = "saturate",
    nan: NanWord | None = None,
    rng: RngLike | None = None,
    random_bits: Any = None,
    flags: FlagsLike | None = None,
    out: AnyArray | None = None,
    workers: int | None = None,
) -> Any:
    """Cast values to the Gfloat format that a parameter word describes.

    Parameters
    ----------
    x : array_like of float, shape (...)
        float16/32/64 or a floating ``ml_dtypes`` array. Every value is rounded once.
    parameters : int
        The packed parameter word.
    config : CastConfig
        From `CastConfig.create_cast_native_to_gf`.
    compat : None, "popfloat" or Compat
        Departures from the default semantics.
    infinity : {"saturate", "raise", "propagate"}
        What infinities become in a format without them.
    nan : {"propagate", "raise", "max", "zero"}, optional
        What NaN becomes in a format without it: by default it stays NaN in values, and is an error
        for packed words.
    rng, random_bits, flags, workers
        As for `minifloat.encode`; the flags are those of the rounding into the format.
    out : ndarray, shape (...), of the storage type, optional

    Returns
    -------
    ndarray or numpy scalar, shape (...), of the configuration's storage type
        Values on the format's grid, or packed words: sign, exponent field, mantissa, left-aligned.

    Raises
    ------
    FormatError, OptionError, DtypeError, NanError
        If the arguments make no sense together, or the data calls for it.

    Examples
    --------
    >>> from minifloat.popfloat import RoundConfig
    >>> word = FormatConfig(3, 4, 7, True, True).packed_float_parameters
    >>> config = CastConfig.create_cast_native_to_gf(
    ...     "MIN_NORM_ALIGN_GF8", "HALF", "SIGNED_CHAR", RoundConfig("RN"), True
    ... )
    >>> cast_native_to_gfloat(np.float32([1.0, -1.06, 1000.0]), word, config)
    array([ 56, -72, 124], dtype=int8)
    """
    fmt = FormatConfig.from_packed_parameters(parameters, config.calculation_type)
    request = Request(fmt, config, as_compat(compat), Specials(infinity, nan))
    return to_gfloat(x, request, Run(rng, random_bits, flags, workers), out)


def cast_native_to_gfloat_in_place(
    x: AnyArray, parameters: int, config: CastConfig, **options: Any
) -> AnyArray:
    """Cast an array in place to the grid of the format that a parameter word describes.

    Parameters
    ----------
    x : ndarray, shape (...)
        Of the configuration's storage type, float16 or float32; it is overwritten.
    parameters, config
        As for `cast_native_to_gfloat`.
    **options
        As for `cast_native_to_gfloat`, `out` excepted.

    Returns
    -------
    ndarray
        `x`.

    Raises
    ------
    FormatError, OptionError, DtypeError, NanError
        As `cast_native_to_gfloat`; DtypeError if `x` is of another type.
    """
    check_in_place(x, config)
    done: AnyArray = cast_native_to_gfloat(x, parameters, config, out=x, **options)
    return done


def cast_gfloat_to_native(
    words: Any, parameters: int, config: CastConfig, *, compat: CompatLike = None
) -> Any:
    """Return the values of words of the format that a parameter word describes.

    Parameters
    ----------
    words : array_like, shape (...)
        int8 or int16 words (their unsigned views too); floats are values already.
    parameters : int
        The packed parameter word.
    config : CastConfig
        From `CastConfig.create_cast_gf_to_native`.
    compat : None, "popfloat" or Compat

    Returns
    -------
    ndarray or numpy scalar, shape (...), of the configuration's storage type
        Exact. Codes that only denormals would use are zero in a format without them.

    Raises
    ------
    FormatError
        If the native type does not hold every value.
    CodeError
        If a word has bits outside the format's.
    """
    fmt = FormatConfig.from_packed_parameters(parameters, config.calculation_type)
    return from_gfloat(words, fmt, config, as_compat(compat))


def check_in_place(x: Any, config: CastConfig) -> None:
    """Refuse what cannot be cast in place.

    Parameters
    ----------
    x : object
    config : CastConfig

    Raises
    ------
    DtypeError
    """
    if not isinstance(x, np.ndarray) or not config.store_as_native:
        msg = "in place: an array of values stored as native; packed words are not made in place"
        raise DtypeError(msg)
    if x.dtype != config.storage_type:
        msg = f"in place: x is {x.dtype.name}, the storage type is {config.storage_type.name}"
        raise DtypeError(msg)
