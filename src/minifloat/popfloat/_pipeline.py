"""The steps of a cast: settings and passes of the core's own casts, and nothing that rounds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from minifloat._arrays import AnyArray, FlagsLike, format_of_dtype, is_scalar
from minifloat._casting import cast, decode, encode, quantize
from minifloat._errors import CodeError, DtypeError, FormatError, OptionError
from minifloat._formats import FloatFormat, formats
from minifloat._plans import holds
from minifloat._random import RngLike
from minifloat._rounding import Overflow, Rounding, Stochastic
from minifloat.popfloat._cast_config import CastConfig
from minifloat.popfloat._compat import Compat
from minifloat.popfloat._format import FormatConfig
from minifloat.popfloat._specials import Specials
from minifloat.popfloat._types import HALF, FormatType, RoundType

__all__ = ["Request", "from_gfloat", "to_gfloat"]

_DIRECTED = (RoundType.RU, RoundType.RD)
_GF8 = (
    FormatType.MIN_NORM_ALIGN_GF8,
    FormatType.ONE_FIVE_TWO_GF8,
    FormatType.MAX_NORM_ALIGN_GF8,
)
_SINGLE_NAN, _HALF_NAN, _WIDENED_HALF_NAN = 0x7FD9C07E, 0x7ECE, 0x7FD9C000
_FLUSH: dict[str, Any] = {
    "rounding": Rounding.TOWARD_ZERO,
    "overflow": Overflow.SATURATE_KEEP_INFINITY,
}


@dataclass(frozen=True, slots=True)
class Request:
    """Everything about a cast to a Gfloat format but the data.

    Parameters
    ----------
    format : FormatConfig
    config : CastConfig
        Towards the Gfloat format.
    compat : Compat
    specials : Specials
    """

    format: FormatConfig
    config: CastConfig
    compat: Compat
    specials: Specials

    def target(self, *, word_bits: int | None = None) -> FloatFormat:
        """Return the format to round to, which may differ from the one to end in."""
        fmt = self.format
        if self.flushes:
            fields = (fmt.mantissa_bits, fmt.exponent_bits, fmt.exponent_bias, True)
            fmt = FormatConfig(*fields, fmt.enable_infs_and_nans)
        zero = not self.compat.positive_zero
        return fmt.to_format(negative_zero=zero, word_bits=word_bits)

    @property
    def flushes(self) -> bool:
        """Whether the rounding on the denormal grid is followed by a flush to zero."""
        return self.compat.flush_after_rounding and not self.format.enable_denorms

    @property
    def overflow(self) -> Overflow:
        """The policy of the core."""
        fmt = self.target()
        merged = self.compat.infinities_overflow
        if self.config.nanoo and fmt.has_nan:
            return Overflow.NAN if merged else Overflow.NAN_KEEP_INFINITY
        if self.config.nanoo and fmt.has_infinity:
            return Overflow.INFINITY
        if fmt.has_infinity and not merged:
            return Overflow.SATURATE_KEEP_INFINITY
        return Overflow.SATURATE

    @property
    def keeps_infinity(self) -> bool:
        """Whether infinite inputs stay in a format that has no infinity."""
        return self.specials.infinity == "propagate" and not self.format.enable_infs_and_nans

    @property
    def has_after_steps(self) -> bool:
        """Whether the result of the core's rounding is not yet the result."""
        again = self.flushes or self.compat.nan_pattern
        return again or self.keeps_infinity or self.marks_overflow

    @property
    def rounding(self) -> Rounding | Stochastic:
        """The rounding of the core."""
        config = self.config.round_config
        if config is None:
            msg = "this CastConfig leads to the native type; use create_cast_native_to_gf"
            raise OptionError(msg)
        if self.sends_ties_up:
            return Rounding.TIES_TO_AWAY
        return config.core_rounding(extra_bit=self.compat.extra_sx_bit)

    @property
    def sends_ties_up(self) -> bool:
        """Whether RN is TIES_TO_AWAY, except for the tie with zero."""
        lacks = self.format.mantissa_bits == 0 and self.config.round_mode is RoundType.RN
        return lacks and self.compat.ties_by_significand

    def final(self, *, word_bits: int | None = None) -> FloatFormat:
        """Return the format to end in."""
        zero = not self.compat.positive_zero
        return self.format.to_format(negative_zero=zero, word_bits=word_bits)

    @property
    def marks_overflow(self) -> bool:
        """Whether infinite results stand for NaN: the format has infinity, but no NaN code."""
        return self.overflow is Overflow.INFINITY


@dataclass(frozen=True, slots=True)
class Run:
    """The arguments that go to the core's rounding unchanged.

    Parameters
    ----------
    rng, random_bits, flags, workers
        As `minifloat.encode` takes them.
    """

    rng: RngLike | None = None
    random_bits: Any = None
    flags: FlagsLike | None = None
    workers: int | None = None

    def arguments(self) -> dict[str, Any]:
        """Return them as keywords."""
        return {name: getattr(self, name) for name in self.__slots__}


def to_gfloat(x: Any, request: Request, run: Run, out: AnyArray | None = None) -> Any:
    """Cast values to a Gfloat format, as values or as packed words.

    Parameters
    ----------
    x : array_like of float, shape (...)
    request : Request
    run : Run
    out : ndarray, shape (...), of the storage type, optional
        May be `x`.

    Returns
    -------
    ndarray or numpy scalar, shape (...), of the storage type

    Raises
    ------
    DtypeError, FormatError, OptionError, NanError
    """
    array = _as_floats(x)
    _refuse_infinities(array, request)
    dtype = request.config.storage_type
    prepared = _prepare(array, request)
    direct = None
    if out is not None:
        _check_out(out, array.shape, dtype)
        direct = None if request.has_after_steps or not out.flags.c_contiguous else out
    store = _to_values if request.config.store_as_native else _to_words
    result = store(prepared, array, request, run, direct)
    if out is None:
        return result[()] if is_scalar(x) else result
    if result is not out:
        out[...] = result
    return out


def from_gfloat(words: Any, fmt: FormatConfig, config: CastConfig, compat: Compat) -> Any:
    """Return the values of packed words, or of values already stored as such.

    Parameters
    ----------
    words : array_like, shape (...)
        int8 or int16 words (or unsigned ones), or floats.
    fmt : FormatConfig
    config : CastConfig
        Towards the native type.
    compat : Compat
        `positive_zero` makes -0 of the 8-bit format types +0.

    Returns
    -------
    ndarray or numpy scalar, shape (...), of the native type

    Raises
    ------
    FormatError
        If the native type does not hold every value of the format.
    CodeError
        If words have bits outside the format's.
    """
    array = np.asarray(words)
    target = config.storage_type
    _check_holds(target, fmt.to_format(), "native_type")
    if array.dtype.kind in "iu":
        result = _unpack(array, fmt, target)
    else:
        result = _as_floats(words).astype(target)
    if compat.positive_zero and fmt.format_type in _GF8:
        result = result + target.type(0)
    return result[()] if is_scalar(words) else result


def _unpack(words: AnyArray, fmt: FormatConfig, target: np.dtype[Any]) -> AnyArray:
    size = words.dtype.itemsize
    if size > 2 or not fmt.is_packed_float_format:
        msg = f"packed words are int8 or int16, and {fmt.format_type.name} has none"
        if fmt.is_packed_float_format:
            msg = "packed words are int8 or int16"
        msg = f"{msg}: got {words.dtype.name}"
        raise CodeError(msg)
    codes = np.ascontiguousarray(words).view(f"u{size}").reshape(words.shape)
    return np.asarray(decode(codes, fmt.to_format(word_bits=8 * size), dtype=target))


def _as_floats(x: Any) -> AnyArray:
    array = np.asarray(x)
    if array.dtype.kind in "biucOSUmM":
        msg = f"a popfloat cast takes floating-point values, got {array.dtype.name}"
        raise DtypeError(msg)
    return array


def _check_out(out: AnyArray, shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
    if not isinstance(out, np.ndarray) or out.shape != shape or out.dtype != dtype:
        msg = f"out= must be an array of shape {shape} and dtype {dtype.name}"
        raise DtypeError(msg)


def _check_holds(dtype: np.dtype[Any], fmt: FloatFormat, option: str) -> None:
    if not holds(formats[dtype.name], fmt):
        wide = "'FP32'" if dtype == HALF and holds(formats["float32"], fmt) else None
        hint = f"use {option}={wide}" if wide else "neither does float32; use to_format()"
        msg = f"{dtype.name} does not hold every value of {fmt}: {hint}"
        raise FormatError(msg)


def _refuse_infinities(x: AnyArray, request: Request) -> None:
    if request.specials.infinity != "raise" or request.format.enable_infs_and_nans:
        return
    found = np.isinf(x)
    if found.any():
        first = int(np.argmax(found.ravel()))
        msg = (
            f"{int(found.sum())} infinities, the first at index {first}, and no infinity in"
            f" {request.final()}; infinity='saturate' clamps them"
        )
        raise FormatError(msg)


def _prepare(x: AnyArray, request: Request) -> AnyArray:
    """Do the compatibility steps on the input; returns `x` itself if there are none."""
    compat, fmt = request.compat, request.format
    if compat.round_through_half and fmt.calculation_type == HALF:
        # Scaled so that the format's exponents are half's: half's grid with another bias.
        top_in_use = fmt.exponent_bits == 5 and not fmt.enable_infs_and_nans
        half = FloatFormat(5, 10, fmt.exponent_bias - top_in_use)
        source = format_of_dtype(x.dtype)
        if not (holds(source, half) or holds(half, source)):
            x = x.astype(np.float64)
        halves = np.asarray(quantize(x, half, overflow=Overflow.INFINITY))
        # A finite value beyond half stays finite, and beyond every format that is calculated in it.
        beyond = np.copysign(x.dtype.type(2 * half.max), x)
        x = np.where(np.isinf(halves) & np.isfinite(x), beyond, halves)
    smallest = 2.0 ** (1 - fmt.exponent_bias - fmt.mantissa_bits)
    if compat.tiny_to_zero and request.config.round_mode in _DIRECTED:
        x = np.where(np.abs(x) < smallest / 2, x.dtype.type(0), x)
    if request.sends_ties_up:  # but not the tie with zero
        x = np.where(np.abs(x) == smallest / 2, x.dtype.type(0), x)
    if compat.half_top_truncates and fmt.calculation_type == HALF and fmt.exponent_bits == 5:
        top = float(request.final().max)
        above = top + top / (2 ** (fmt.mantissa_bits + 1) - 1)
        size = np.abs(x)
        x = np.where((size > top) & (size < above), np.copysign(x.dtype.type(top), x), x)
    return x


def _work_dtype(source: np.dtype[Any], storage: np.dtype[Any]) -> np.dtype[Any]:
    """Return the smallest dtype that holds all values of both."""
    both = (format_of_dtype(source), format_of_dtype(storage))
    names = ("float16", "float32")
    fitting = (name for name in names if all(holds(formats[name], fmt) for fmt in both))
    return np.dtype(next(fitting, "float64"))


def _to_values(
    x: AnyArray, given: AnyArray, request: Request, run: Run, out: AnyArray | None
) -> AnyArray:
    dtype, target = request.config.storage_type, request.target()
    _check_holds(dtype, target, "gf_type")
    work = x.astype(_work_dtype(x.dtype, dtype), copy=False)
    how: dict[str, Any] = {"overflow": request.overflow, "nan": request.specials.nan or "propagate"}
    if out is not None and work.dtype != dtype:
        out = None
    found = quantize(work, target, rounding=request.rounding, out=out, **how, **run.arguments())
    result = np.asarray(found)
    if request.flushes:
        result = np.asarray(quantize(result, request.final(), **_FLUSH, nan="propagate"))
    if request.keeps_infinity:
        result = np.where(np.isinf(given), given.astype(work.dtype), result)
    if request.marks_overflow:
        stays = np.isinf(given) & (not request.compat.infinities_overflow)
        nans = np.copysign(work.dtype.type(np.nan), result)
        result = np.where(np.isinf(result) & ~stays, nans, result)
    result = result.astype(dtype, copy=False)
    if request.compat.nan_pattern:
        _mark_nans(result, half=request.format.calculation_type == HALF)
    return found if out is not None else result


def _mark_nans(values: AnyArray, *, half: bool) -> None:
    """Write popfloat's NaN over all others; what was half once has no sign for it."""
    words, found = values.view(f"u{values.dtype.itemsize}"), np.isnan(values)
    if values.dtype == HALF:
        words[found] = _HALF_NAN
    elif half:
        words[found] = _WIDENED_HALF_NAN
    else:
        words[found] = words[found] & np.uint32(1 << 31) | np.uint32(_SINGLE_NAN)


def _to_words(
    x: AnyArray, given: AnyArray, request: Request, run: Run, out: AnyArray | None
) -> AnyArray:
    del given
    dtype = request.config.storage_type
    if not request.format.is_packed_float_format:
        msg = f"{request.format.format_type.name} is never packed; gf_type must be FP16 or FP32"
        raise FormatError(msg)
    if request.keeps_infinity:
        msg = "infinity='propagate' is for values: packed words have no code for it"
        raise OptionError(msg)
    nan, width = request.specials.nan or "raise", 8 * dtype.itemsize
    target, unsigned = request.target(word_bits=width), f"u{dtype.itemsize}"
    how: dict[str, Any] = {"rounding": request.rounding, "overflow": request.overflow, "nan": nan}
    codes = None if out is None else out.view(unsigned)
    words = np.asarray(encode(x, target, out=codes, **how, **run.arguments()))
    if out is not None:
        return out
    if request.flushes:
        words = np.asarray(cast(words, target, request.final(word_bits=width), **_FLUSH))
    if request.compat.nan_pattern and target.has_nan:
        words = _mark_nan_words(words, target, half=request.format.calculation_type == HALF)
    return words.view(dtype)


def _mark_nan_words(words: AnyArray, fmt: FloatFormat, *, half: bool) -> AnyArray:
    """Write popfloat's NaN over all others: the top bits of the carrier's."""
    trailing = fmt.trailing_bits
    below = 10 if half else 23
    pattern = (_HALF_NAN if half else _SINGLE_NAN) & ((1 << below) - 1)
    top = (1 << fmt.exponent_bits) - 1
    code = (top << trailing | pattern >> (below - trailing)) << fmt.code_shift
    infinity = (top << trailing) << fmt.code_shift
    sign = 1 << (fmt.code_bits - 1)
    magnitude = words & words.dtype.type(sign - 1)
    signs = words & words.dtype.type(0 if half else sign)
    return np.where(magnitude > infinity, signs | words.dtype.type(code), words)
