"""How every arithmetic verb runs: options checked into a plan, codes broadcast, one pass."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Literal, TypeAlias, TypedDict, cast

import numpy as np

from minifloat import _core
from minifloat._arrays import AnyArray, FlagsLike, as_codes, as_output, is_scalar
from minifloat._casting import as_random_bits, as_workers
from minifloat._context import Context, contexts
from minifloat._errors import CodeError, DtypeError, FormatError, NanError, OptionError, nearest
from minifloat._flags import Flags
from minifloat._formats import Format, FormatLike, IntFormat, get_format
from minifloat._options import settle
from minifloat._plans import (
    native,
    native_context,
    storage_dtype,
)
from minifloat._random import RngLike, as_key
from minifloat._rounding import (
    Overflow,
    OverflowLike,
    RoundingLike,
)

__all__ = [
    "FormatsLike",
    "How",
    "Op",
    "Quiet",
    "Switches",
    "check_keywords",
    "draws",
    "operand_formats",
    "operate",
    "refuse_integers",
]

FormatsLike: TypeAlias = FormatLike | Sequence[FormatLike]
"""The format of all operands, or one for each."""


class Op(IntEnum):
    """The core's operations, in its order."""

    ADD = 0
    SUBTRACT = 1
    MULTIPLY = 2
    DIVIDE = 3
    REMAINDER = 4
    SQUARE_ROOT = 5
    MULTIPLY_ADD = 6
    SCALE = 7
    ROUND_TO_INTEGRAL = 8
    CONVERT = 9
    TO_INTEGER = 10
    EXTREMUM = 11
    COMPARE = 12
    TOTAL_ORDER = 13
    NEXT_UP = 14
    NEXT_DOWN = 15
    QUANTUM_EXPONENT = 16
    CLASSIFY = 17
    NEGATE = 18
    ABSOLUTE = 19
    COPY_SIGN = 20
    IS_SIGNED = 21


class Quiet(TypedDict, total=False):
    """The keywords of operations that never round.

    Parameters
    ----------
    context : Context
        The machine's rules for NaN, flushing and tininess; IEEE 754's when omitted.
    flags : Flags or ndarray of uint8
        Accumulates the IEEE flags, or receives them per element.
    out : ndarray
        Receives the result.
    workers : int
        Threads for large arrays.
    """

    context: Context | None
    flags: FlagsLike | None
    out: AnyArray | None
    workers: int | None


class How(Quiet, total=False):
    """The keywords of operations that round: those of `Quiet`, and these.

    Parameters
    ----------
    rounding : Rounding, Stochastic or str
        Ties to even when omitted.
    overflow : Overflow or str
        What becomes of results beyond the range; the result format's default when omitted.
    nan : {"max", "zero", "raise"}
        What NaN becomes in a format without one; ``"max"`` when omitted, with INVALID.
    rng : int, numpy.random.Generator or Key
        Source of random bits of stochastic rounding.
    random_bits : array_like of int
        The caller's own random bits, each below ``2**bits``.
    out_format : Format, str or dtype
        The format of the result; that of the operands when omitted.
    """

    rounding: RoundingLike
    overflow: OverflowLike | None
    nan: Literal["max", "zero", "raise"]
    rng: RngLike | None
    random_bits: Any
    out_format: FormatLike | None


@dataclass(frozen=True, slots=True)
class Switches:
    """What distinguishes operations of one kind; see the core's ``Operation``."""

    exact: bool = True
    signaling: bool = False
    wants_larger: bool = False
    by_magnitude: bool = False
    number_rule: int = 0
    negates: int = 0
    scale: int = 0


_PLAIN = Switches()
_KEYWORDS = (*How.__annotations__, *Quiet.__annotations__)


@dataclass(frozen=True, slots=True)
class Plan:
    """A plan of the core with what Python needs to know about it."""

    core: _core.ArithPlan
    operands: tuple[Format, ...]
    result: Format
    dtype: np.dtype[Any]
    random_bits: int


def operand_formats(fmt: FormatsLike, count: int) -> tuple[Format, ...]:
    """Return the formats of the operands, refusing integers.

    Parameters
    ----------
    fmt : Format, str, dtype, or a sequence of them
    count : int
        Number of operands.

    Returns
    -------
    tuple of Format

    Raises
    ------
    FormatError
        For integer formats, or another number of formats than operands.
    """
    if isinstance(fmt, (tuple, list)):
        if len(fmt) != count:
            msg = f"{len(fmt)} formats for {count} operands: give one format, or one for each"
            raise FormatError(msg)
        found = tuple(get_format(one) for one in fmt)
    else:
        found = (get_format(cast("FormatLike", fmt)),) * count
    for one in found:
        refuse_integers(one)
    return found


def refuse_integers(fmt: Format) -> None:
    """Raise for integer formats.

    Parameters
    ----------
    fmt : Format

    Raises
    ------
    FormatError
        There is no arithmetic on integers here.
    """
    if isinstance(fmt, IntFormat):
        msg = f"{fmt} is a source and destination of casts; there is no arithmetic on it"
        raise FormatError(msg)


def result_format(operands: Sequence[Format], out_format: FormatLike | None) -> Format:
    """Return the format of a result: what was asked for, or the one format of all operands."""
    if out_format is None:
        if any(one != operands[0] for one in operands):
            names = ", ".join(str(one) for one in operands)
            msg = f"operands of {names}: give out_format=, the format of the result"
            raise FormatError(msg)
        return operands[0]
    found = get_format(out_format)
    refuse_integers(found)
    return found


def operate(
    op: Op,
    codes: Sequence[Any],
    operands: tuple[Format, ...],
    how: How | Quiet,
    *,
    result: Format | None = None,
    switches: Switches = _PLAIN,
) -> Any:
    """Run an operation on codes.

    Parameters
    ----------
    op : Op
    codes : sequence of array_like
        One for each operand; they broadcast against each other.
    operands : tuple of Format
    how : How or Quiet
        The caller's keywords.
    result : Format, optional
        Of results that are no numbers of the operands' format (integers, predicates).
    switches : Switches

    Returns
    -------
    ndarray or numpy scalar
        Codes of the result.

    Raises
    ------
    FormatError, OptionError, DtypeError, CodeError, NanError
        As the verbs say.
    """
    words = cast("dict[str, Any]", how)
    check_keywords(words)
    target = result_format(operands, words.get("out_format")) if result is None else result
    plan = _plan(
        op,
        operands,
        target,
        words.get("rounding", "ties_to_even"),
        words.get("overflow"),
        words.get("nan", "max"),
        words.get("context"),
        switches,
    )
    arrays = [as_codes(c, f) for c, f in zip(codes, operands, strict=True)]
    shape = _common_shape(arrays)
    out = words.get("out")
    work = _output(out, shape, plan.dtype, arrays)
    _run(plan, [_spread(a, shape) for a in arrays], work, words)
    if out is not None:
        if work is not out:
            out[...] = work
        return out
    return work[()] if all(is_scalar(c) for c in codes) else work


def check_keywords(words: dict[str, Any]) -> None:
    """Refuse keywords that are none of `How`.

    Parameters
    ----------
    words : dict

    Raises
    ------
    OptionError
        Naming the nearest.
    """
    for word in words:
        if word not in _KEYWORDS:
            hint = nearest(word, _KEYWORDS)
            msg = f"unknown keyword {word!r}; allowed are {', '.join(_KEYWORDS)}{hint}"
            raise OptionError(msg)


def draws(
    how: dict[str, Any], bits: int, shape: tuple[int, ...]
) -> tuple[Any, int, AnyArray | None]:
    """Return the random stream of a call, its offset, or the caller's own bits.

    Parameters
    ----------
    how : dict
        The caller's keywords.
    bits : int
        Random bits of an element; 0 for deterministic modes.
    shape : tuple of int
        Of the elements that draw.

    Returns
    -------
    words : tuple of 4 ints, or None
    offset : int
    random_bits : ndarray of uint64, or None

    Raises
    ------
    OptionError
        Without a source of random bits, or with one that nothing takes.
    """
    random_bits = how.get("random_bits")
    if not bits:
        if random_bits is not None:
            msg = "random_bits= is for stochastic rounding"
            raise OptionError(msg)
        return None, 0, None
    if random_bits is not None:
        return None, 0, as_random_bits(random_bits, bits, shape)
    key = as_key(how.get("rng"))
    return key.words, key.offset, None


@functools.lru_cache(maxsize=4096)
def _plan(
    op: Op,
    operands: tuple[Format, ...],
    result: Format,
    rounding: RoundingLike,
    overflow: OverflowLike | None,
    nan: str,
    context: Context | None,
    switches: Switches,
) -> Plan:
    options = settle(operands, result, rounding, overflow, nan, context)
    flags = (
        result.default_overflow is Overflow.P3109,
        switches.exact,
        switches.signaling,
        switches.wants_larger,
        switches.by_magnitude,
        switches.number_rule,
        switches.negates,
    )
    try:
        core = _core.ArithPlan(
            int(op),
            [native(one) for one in operands],
            native(result),
            context=native_context(context or contexts.IEEE),
            how=options.how,
            table=options.table,
            switches=tuple(int(flag) for flag in flags),
            scale=max(min(switches.scale, 2**30), -(2**30)),
        )
    except ValueError as error:
        msg = f"overflow={options.policy.value!r} cannot be honoured by {result}: {error}"
        raise OptionError(msg) from None
    return Plan(core, operands, result, storage_dtype(result), options.random_bits)


def _common_shape(arrays: Sequence[AnyArray]) -> tuple[int, ...]:
    first = arrays[0].shape
    if all(array.shape == first for array in arrays):
        return first
    try:
        return np.broadcast_shapes(*(array.shape for array in arrays))
    except ValueError:
        shapes = ", ".join(str(array.shape) for array in arrays)
        msg = f"operands of shapes {shapes} do not broadcast"
        raise DtypeError(msg) from None


def _spread(array: AnyArray, shape: tuple[int, ...]) -> AnyArray:
    """Return a contiguous array of the shape, or of one element that counts for all."""
    if array.shape == shape or array.size == 1:
        return array
    return np.ascontiguousarray(np.broadcast_to(array, shape))


def _output(
    out: AnyArray | None,
    shape: tuple[int, ...],
    dtype: np.dtype[Any],
    arrays: Sequence[AnyArray],
) -> AnyArray:
    work = as_output(out, shape, dtype, arrays[0])
    if work is not out or all(_is_apart(work, array) for array in arrays):
        return work
    return np.empty(shape, dtype)


def _is_apart(out: AnyArray, array: AnyArray) -> bool:
    """Whether writing `out` element by element leaves `array` readable until it is read."""
    same = out.ctypes.data == array.ctypes.data and out.nbytes == array.nbytes
    return (same and out.itemsize == array.itemsize) or not np.may_share_memory(out, array)


def _run(plan: Plan, arrays: list[AnyArray], out: AnyArray, how: dict[str, Any]) -> None:
    flags = how.get("flags")
    stream, offset, bits = draws(how, plan.random_bits, out.shape)
    counts = isinstance(flags, Flags)
    per_element = None
    if flags is not None and not counts:
        per_element = as_output(flags, out.shape, np.dtype(np.uint8), out)
    workers = how.get("workers")
    threads = as_workers(workers)
    found = plan.core.run(arrays, out, stream, offset, bits, per_element, counts, threads)
    if per_element is not None and flags is not None and per_element is not flags:
        flags[...] = per_element
    if found is not None:
        _report(plan, arrays, flags, found, out.size)


def _report(
    plan: Plan, arrays: list[AnyArray], flags: FlagsLike | None, found: Any, size: int
) -> None:
    """Pass on the flags, and raise what the data calls for."""
    (nans, nan_first), (strays, stray_first), counts, firsts = found
    if isinstance(flags, Flags):
        flags.accumulate(counts, firsts, size)
    if strays:
        names = ", ".join(dict.fromkeys(str(one) for one in plan.operands))
        at = [hex(int(a.flat[stray_first if a.size > 1 else 0])) for a in arrays]
        msg = (
            f"{strays} codes have bits outside {names}; the first operands with one are"
            f" {', '.join(at)} at index {stray_first}"
        )
        raise CodeError(msg)
    if nans:
        msg = (
            f"{nans} invalid results, the first at index {nan_first}, and {plan.result} has no"
            " NaN; nan='max' or 'zero' replaces them"
        )
        raise NanError(msg)
