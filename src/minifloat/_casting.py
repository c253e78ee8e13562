"""The verbs that move values between formats: encode, decode, quantize, cast."""

from __future__ import annotations

from typing import Any

import numpy as np

from minifloat._arrays import (
    AnyArray,
    FlagsLike,
    as_codes,
    as_output,
    as_values,
    default_workers,
    format_of_dtype,
    is_scalar,
    read_array,
    value_dtype,
)
from minifloat._context import Context
from minifloat._errors import DtypeError, FormatError, OptionError
from minifloat._flags import Flags
from minifloat._formats import FormatLike, IntFormat, formats, get_format
from minifloat._large_integers import encode_large
from minifloat._outcome import report
from minifloat._plans import Plan, holds, plan_for, storage_dtype
from minifloat._quick import quick, remember
from minifloat._random import RngLike, as_key
from minifloat._rounding import OverflowLike, RoundingLike

__all__ = ["cast", "decode", "encode", "quantize"]

_MOST_WORKERS = 1024  # more would only cost


def encode(
    x: Any,
    fmt: FormatLike,
    *,
    rounding: RoundingLike = "ties_to_even",
    overflow: OverflowLike | None = None,
    nan: str = "raise",
    context: Context | None = None,
    rng: RngLike | None = None,
    random_bits: Any = None,
    flags: FlagsLike | None = None,
    out: AnyArray | None = None,
    workers: int | None = None,
) -> Any:
    """Round numbers into a format and return its codes.

    Every value is rounded once, whatever its type. NaN becomes the format's canonical quiet NaN
    with the sign kept; -0 stays -0 where the format has it.

    Parameters
    ----------
    x : array_like, shape (...)
        float16/32/64, integers, ``ml_dtypes`` arrays, Python numbers. A Python int is exact at any
        size.
    fmt : Format, str or dtype
        The target format; see `get_format`.
    rounding : Rounding, Stochastic or str
        ``"ties_to_even"`` and so on, or short names such as ``"rtz"``.
    overflow : Overflow or str, optional
        What becomes of values beyond the range; the format's default when omitted.
    nan : {"raise", "max", "zero"}
        What NaN becomes where the format has none.
    context : Context, optional
        Tininess and flushing; IEEE 754's when omitted.
    rng : int, numpy.random.Generator or Key, optional
        Source of random bits; required by stochastic rounding unless `random_bits` is given.
    random_bits : array_like of int, optional
        The caller's own random bits, each below ``2**bits``, broadcastable to the output.
    flags : Flags or ndarray of uint8, optional
        Accumulates the IEEE flags, or receives them per element.
    out : ndarray, shape (...), optional
        Receives the codes.
    workers : int, optional
        Threads for large arrays; ``MINIFLOAT_WORKERS`` or the number of cores when omitted.

    Returns
    -------
    ndarray or numpy scalar, shape (...)
        Codes, in the smallest unsigned dtype.

    Raises
    ------
    FormatError, OptionError, DtypeError
        If the arguments make no sense together.
    NanError
        If NaN meets a format without NaN under ``nan="raise"``.

    References
    ----------
    IEEE 754-2019 §4.3, §7.4.

    Examples
    --------
    >>> encode(np.array([0.3, -500.0, 448.0]), "e4m3fn")
    array([ 42, 255, 126], dtype=uint8)
    """
    key = ("encode", fmt, rounding, overflow, nan, context)
    if (done := quick(key, x, rng, random_bits, flags, out, workers)) is not None:
        return done
    if nan == "propagate":
        msg = "nan='propagate' is for quantize: a code cannot hold a NaN its format lacks"
        raise OptionError(msg)
    source, words = as_values(x)
    plan = plan_for(source, fmt, rounding, overflow, nan, context)
    work = as_output(out, words.shape, plan.target_dtype, words)
    if words.dtype.kind == "O":
        refuse_random_bits(plan, random_bits)
        as_workers(workers)
        encode_large(plan, words, work, flags)
    else:
        run(plan, words, work, rng, random_bits, flags, workers)
    remember(key, x, plan, None, plan.target_dtype)
    return _finish(work, out, x)


def decode(codes: Any, fmt: FormatLike, *, dtype: Any = None, out: AnyArray | None = None) -> Any:
    """Return the values of codes.

    Parameters
    ----------
    codes : array_like of int, shape (...)
        Codes of the format, in any integer dtype; or an ``ml_dtypes`` array of the format.
    fmt : Format, str or dtype
        The format of the codes.
    dtype : dtype, optional
        Of the result: the smallest of float32 and float64 that holds every value when omitted
        (int64 or uint64 for wide integers). A narrower one rounds once, ties to even.
    out : ndarray, shape (...), optional
        Receives the values.

    Returns
    -------
    ndarray or numpy scalar, shape (...)

    Raises
    ------
    FormatError, DtypeError
        If the arguments make no sense together.
    CodeError
        If `codes` holds floats, or bits outside the format's.

    Examples
    --------
    >>> decode([0x2A, 0x30], "e4m3fn")
    array([0.3125, 0.5   ], dtype=float32)
    """
    key = ("decode", fmt, dtype)
    if (done := quick(key, codes, None, None, None, out, None)) is not None:
        return done
    source = get_format(fmt)
    words = as_codes(codes, source)
    if dtype is None and isinstance(out, np.ndarray):
        dtype = out.dtype
    asked = value_dtype(source) if dtype is None else as_dtype(dtype)
    dtype = asked.newbyteorder("=")
    plan = plan_for(source, format_of_dtype(dtype), nan="raise")
    work = as_output(out, words.shape, dtype, words)
    run(plan, words, work.view(plan.target_dtype), None, None, None, None)
    if not asked.isnative:
        return _finish(work.astype(asked) if out is None else work, out, codes)
    remember(key, codes, plan, None, dtype)
    return _finish(work, out, codes)


def cast(
    codes: Any,
    src: FormatLike,
    dst: FormatLike,
    *,
    rounding: RoundingLike = "ties_to_even",
    overflow: OverflowLike | None = None,
    nan: str = "raise",
    context: Context | None = None,
    rng: RngLike | None = None,
    random_bits: Any = None,
    flags: FlagsLike | None = None,
    out: AnyArray | None = None,
    workers: int | None = None,
) -> Any:
    """Convert codes of one format into codes of another, rounding once.

    Parameters
    ----------
    codes : array_like of int, shape (...)
        Codes of `src`.
    src, dst : Format, str or dtype
        Source and target formats.
    rounding, overflow, nan, context, rng, random_bits, flags, out, workers
        As for `encode`.

    Returns
    -------
    ndarray or numpy scalar, shape (...)
        Codes of `dst`, in the smallest unsigned dtype.

    Raises
    ------
    FormatError, OptionError, DtypeError, CodeError, NanError
        As for `encode` and `decode`.

    Examples
    --------
    >>> hex(cast(0x5C00, "float16", "e4m3fn"))
    '0x78'
    """
    if nan == "propagate":
        msg = "nan='propagate' is for quantize: a code cannot hold a NaN its format lacks"
        raise OptionError(msg)
    source = get_format(src)
    words = as_codes(codes, source)
    plan = plan_for(source, dst, rounding, overflow, nan, context)
    work = as_output(out, words.shape, plan.target_dtype, words)
    run(plan, words, work, rng, random_bits, flags, workers)
    return _finish(work, out, codes)


def quantize(
    x: Any,
    fmt: FormatLike,
    *,
    rounding: RoundingLike = "ties_to_even",
    overflow: OverflowLike | None = None,
    nan: str = "raise",
    context: Context | None = None,
    rng: RngLike | None = None,
    random_bits: Any = None,
    flags: FlagsLike | None = None,
    out: AnyArray | None = None,
    workers: int | None = None,
) -> Any:
    """Round numbers onto a format's grid, keeping their dtype ("fake quantisation").

    Parameters
    ----------
    x : array_like of float, shape (...)
        float16/32/64 or a floating ``ml_dtypes`` array; Python floats are float64.
    fmt : Format, str or dtype
        The format whose grid to round to. Its values must fit `x`'s dtype, or the other way round.
    nan : {"raise", "max", "zero", "propagate"}
        What NaN becomes where the format has none; ``"propagate"`` leaves it NaN.
    out : ndarray, shape (...), optional
        Receives the values; ``out=x`` is in place.
    rounding, overflow, context, rng, random_bits, flags, workers
        As for `encode`.

    Returns
    -------
    ndarray or numpy scalar, shape (...)
        Values in `x`'s dtype.

    Raises
    ------
    FormatError
        If neither holds the other; the message names the dtype to use.
    OptionError, DtypeError, NanError
        As for `encode`.

    Examples
    --------
    >>> quantize(np.float32([0.3, 1.7, 1000.0]), "e2m1fn")
    array([0.5, 1.5, 6. ], dtype=float32)
    """
    key = ("quantize", fmt, rounding, overflow, nan, context)
    if (done := quick(key, x, rng, random_bits, flags, out, workers)) is not None:
        return done
    source, words = as_values(x)
    target = get_format(fmt)
    if words.dtype.kind == "O" or isinstance(source, IntFormat):
        msg = "quantize keeps the dtype of floats; integers have no grid to keep: use encode"
        raise DtypeError(msg)
    if not holds(source, target) and not holds(target, source):
        fitting = next((n for n in ("float32", "float64") if holds(formats[n], target)), None)
        hint = "no dtype holds both: use encode" if fitting is None else f"use dtype {fitting}"
        msg = f"quantize: values of {target} do not fit {source}; {hint}"
        raise FormatError(msg)
    there = plan_for(source, target, rounding, overflow, nan, context)
    back = plan_for(target, source)
    dtype = _dtype_of(x)
    work = as_output(out, words.shape, dtype, words)
    target_words = work.view(storage_dtype(source))
    run(there, words, target_words, rng, random_bits, flags, workers, back)
    remember(key, x, there, back, dtype)
    return _finish(work, out, x)


def run(
    plan: Plan,
    words: AnyArray,
    out: AnyArray,
    rng: RngLike | None,
    random_bits: Any,
    flags: FlagsLike | None,
    workers: int | None,
    back: Plan | None = None,
) -> None:
    """Run a plan over contiguous words; there and back if `back` is given.

    Parameters
    ----------
    plan : Plan
    words, out : ndarray
        Contiguous, of the plan's dtypes; `out` is written.
    rng, random_bits, flags, workers
        As the public verbs take them.
    back : Plan, optional
        The way back of a quantisation.

    Raises
    ------
    CodeError, NanError, OptionError, DtypeError
        As the public verbs say.
    """
    stream, offset, bits = None, 0, None
    if plan.random_bits:
        if random_bits is None:
            found = as_key(rng)
            stream, offset = found.words, found.offset
        else:
            bits = as_random_bits(random_bits, plan.random_bits, words.shape)
    else:
        refuse_random_bits(plan, random_bits)
    counts = isinstance(flags, Flags)
    per_element: AnyArray | None = None
    if flags is not None and not isinstance(flags, Flags):
        per_element = as_output(flags, words.shape, np.dtype(np.uint8), words, "flags")
        if np.may_share_memory(per_element, out):
            msg = "flags= and out= share memory"
            raise DtypeError(msg)
    threads = as_workers(workers)
    if back is None:
        found_report = plan.core.run(words, out, stream, offset, bits, per_element, counts, threads)
    else:
        found_report = plan.core.quantize(
            back.core, words, out, stream, offset, bits, per_element, counts, threads
        )
    if per_element is not None and per_element is not flags:
        flags[...] = per_element  # type: ignore[index]
    if found_report is not None:
        report(plan, words, flags, found_report)


def as_workers(workers: int | None) -> int:
    if workers is None:
        return default_workers()
    if isinstance(workers, bool) or not isinstance(workers, (int, np.integer)) or workers < 1:
        msg = f"workers={workers!r}: give a positive integer"
        raise OptionError(msg)
    return min(int(workers), _MOST_WORKERS)


def refuse_random_bits(plan: Plan, random_bits: Any) -> None:
    if random_bits is not None and not plan.random_bits:
        msg = "random_bits= is for stochastic rounding"
        raise OptionError(msg)


def as_random_bits(random_bits: Any, bits: int, shape: tuple[int, ...]) -> AnyArray:
    """Check the caller's random bits and spread them over the output."""
    array = read_array(random_bits, "random_bits=")
    if array.dtype.kind not in "iu":
        msg = f"random_bits= must be unsigned integers, got {array.dtype.name}"
        raise OptionError(msg)
    if array.size and (array.min() < 0 or int(array.max()) >> bits):
        msg = f"random_bits= must lie below 2**{bits}, the bits that this rounding takes"
        raise OptionError(msg)
    try:
        spread = np.broadcast_to(array, shape)
    except ValueError:
        msg = f"random_bits= of shape {array.shape} does not broadcast to {shape}"
        raise OptionError(msg) from None
    return np.ascontiguousarray(spread, dtype=np.uint64).reshape(shape)


def as_dtype(dtype: Any) -> np.dtype[Any]:
    try:
        found: np.dtype[Any] = np.dtype(dtype)
    except (TypeError, ValueError):
        msg = f"dtype={dtype!r} is no dtype"
        raise DtypeError(msg) from None
    return found


def _dtype_of(x: Any) -> np.dtype[Any]:
    """Return the native dtype that numbers come in."""
    array: AnyArray = x if isinstance(x, np.ndarray) else np.asarray(x)
    return array.dtype.newbyteorder("=")


def _finish(work: AnyArray, out: AnyArray | None, x: Any) -> Any:
    if out is not None:
        if work is not out:
            out[...] = work
        return out
    return work[()] if is_scalar(x) else work
