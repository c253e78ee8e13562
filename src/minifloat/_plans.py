"""Cast plans: formats and options checked and handed to the core once, then cached."""

from __future__ import annotations

import functools
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np

from minifloat import _core
from minifloat._context import ALLOWED, FAILURES, Context, contexts
from minifloat._errors import OptionError, nearest
from minifloat._formats import (
    FloatFormat,
    Format,
    FormatLike,
    HiFloat8Format,
    IntFormat,
    NanCode,
    Subnormals,
    formats,
    get_format,
)
from minifloat._rounding import (
    Overflow,
    OverflowLike,
    Rounding,
    RoundingLike,
    Stochastic,
    as_overflow,
    as_rounding,
)

__all__ = ["Plan", "holds", "native", "native_context", "plan_for", "storage_dtype"]

ROUNDING_CODE = {mode: code for code, mode in enumerate(Rounding)}
STOCHASTIC_CODE = len(ROUNDING_CODE)
OVERFLOW_CODE = {policy: code for code, policy in enumerate(Overflow)}
NAN_CODE = {"raise": 0, "max": 1, "zero": 2, "propagate": 3}
VARIANT_CODE = {"floor": 0, "nearest": 1, "centred": 2}
_NAN_KIND = {NanCode.NONE: 0, NanCode.IEEE: 1, NanCode.ALL_ONES: 2, NanCode.NEGATIVE_ZERO: 3}
_SUBNORMAL_KIND = {kind: code for code, kind in enumerate(Subnormals)}


@functools.lru_cache(maxsize=1024)
def native(fmt: Format) -> _core.Format:
    """Return the core's view of a format.

    Parameters
    ----------
    fmt : Format

    Returns
    -------
    minifloat._core.Format
    """
    fields: dict[str, Any] = {
        "grid": 0,
        "nan": 0,
        "subnormals": 0,
        "is_signed": fmt.signed,
        "infinities": fmt.has_infinity,
        "negative_zero": fmt.has_negative_zero,
        "zero": fmt.has_zero,
        "exponent_bits": 0,
        "trailing_bits": 0,
        "bias": 0,
        "code_shift": fmt.code_shift,
        "integer_bits": 0,
        "scale_exponent": 0,
    }
    if isinstance(fmt, FloatFormat):
        fields |= {
            "nan": _NAN_KIND[fmt.nan],
            "subnormals": _SUBNORMAL_KIND[fmt.subnormals],
            "exponent_bits": fmt.exponent_bits,
            "trailing_bits": fmt.trailing_bits,
            "bias": fmt.bias,
        }
    elif isinstance(fmt, IntFormat):
        fields |= {"grid": 1, "integer_bits": fmt.bits, "scale_exponent": fmt.scale_exponent}
    elif isinstance(fmt, HiFloat8Format):
        fields |= {"grid": 2, "nan": 3}
    return _core.Format(**fields)


@functools.lru_cache(maxsize=256)
def native_context(context: Context) -> _core.Context:
    """Return the core's view of a context.

    Parameters
    ----------
    context : Context

    Returns
    -------
    minifloat._core.Context
    """
    flush = context.flush_detection or context.tininess
    kinds = {"canonical": 0, "ab": 1, "ba": 1, "s_ab": 2, "s_ba": 2, "x87": 3}
    three = context.nan_rule_of_three
    order = three.removeprefix("s_") if three != "canonical" else "abc"
    rules: tuple[Any, ...] = (
        kinds[context.nan_rule],
        context.nan_rule.endswith("ba"),
        0 if three == "canonical" else 2 if three.startswith("s_") else 1,
        sum("abc".index(letter) << 2 * place for place, letter in enumerate(order)),
        ALLOWED["infinity_times_zero"].index(context.infinity_times_zero),
        context.infinity_times_zero_quiet,
    )
    return _core.Context(
        tininess_before=context.tininess == "before",
        flush_before=flush == "before",
        flush_inputs=context.flush_inputs,
        flush_outputs=context.flush_outputs,
        narrow_nans_quiet=context.narrow_nans_quiet,
        no_signaling_nans=context.no_signaling_nans,
        snan_bit_is_one=context.snan_bit_is_one,
        nan_rules=tuple(int(rule) for rule in rules),
        default_nan=context.default_nan,
        integer_failure=tuple(FAILURES.index(word) for word in context.integer_failure),
    )


@functools.lru_cache(maxsize=1024)
def storage_dtype(fmt: Format) -> np.dtype[Any]:
    """Return the smallest unsigned dtype that stores the format's codes.

    Parameters
    ----------
    fmt : Format

    Returns
    -------
    numpy.dtype

    Examples
    --------
    >>> storage_dtype(get_format("tf32")).name
    'uint32'
    """
    return np.dtype(f"u{next(size for size in (1, 2, 4, 8) if fmt.code_bits <= 8 * size)}")


@functools.lru_cache(maxsize=4096)
def holds(outer: Format, inner: Format) -> bool:
    """Whether every finite value of `inner` is one of `outer`.

    Parameters
    ----------
    outer, inner : Format

    Returns
    -------
    bool

    Examples
    --------
    >>> holds(get_format("float16"), get_format("e5m2"))
    True
    """
    return (
        outer.precision >= inner.precision
        and outer.smallest <= inner.smallest
        and _lowest_quantum(outer) <= _lowest_quantum(inner)
        and outer.max >= inner.max
        and outer.min <= inner.min
    )


def _lowest_quantum(fmt: Format) -> int:
    if isinstance(fmt, FloatFormat):
        return fmt.quantum_exponent
    return fmt.scale_exponent if isinstance(fmt, IntFormat) else -22


@dataclass(frozen=True, slots=True)
class Plan:
    """A cast plan with what Python needs to know about it."""

    core: _core.CastPlan
    source: Format
    target: Format
    source_dtype: np.dtype[Any]
    target_dtype: np.dtype[Any]
    rounding: Rounding | Stochastic
    random_bits: int
    """How many random bits an element takes; 0 for deterministic modes."""
    wraps: bool = False
    """Whether integers beyond the range keep their low bits."""


def plan_for(
    source: Format,
    fmt: FormatLike,
    rounding: RoundingLike = "ties_to_even",
    overflow: OverflowLike | None = None,
    nan: str = "raise",
    context: Context | None = None,
) -> Plan:
    """Check the options of a cast and return its plan.

    Parameters
    ----------
    source : Format
    fmt : Format, str or dtype
        The target.
    rounding, overflow, nan, context
        As the public verbs take them.

    Returns
    -------
    Plan

    Raises
    ------
    FormatError, OptionError
        What was asked, what is allowed.
    """
    try:
        return _known_plan(source, fmt, rounding, overflow, nan, context)
    except TypeError:
        _refuse_unhashable(fmt, rounding=rounding, overflow=overflow, nan=nan, context=context)
        raise


def _refuse_unhashable(fmt: FormatLike, **options: Any) -> None:
    """Say which argument is a list, an array or the like, where none can be meant."""
    for name, option in options.items():
        if not isinstance(option, Hashable):
            msg = f"{name}={option!r}: one option is needed, not a {type(option).__name__}"
            raise OptionError(msg) from None
    get_format(fmt)


@functools.lru_cache(maxsize=4096)
def _known_plan(
    source: Format,
    fmt: FormatLike,
    rounding: RoundingLike,
    overflow: OverflowLike | None,
    nan: str,
    context: Context | None,
) -> Plan:
    target = get_format(fmt)
    mode = as_rounding(rounding)
    policy = target.default_overflow if overflow is None else as_overflow(overflow)
    if nan not in NAN_CODE:
        msg = f"nan={nan!r}: allowed are {', '.join(NAN_CODE)}{nearest(str(nan), NAN_CODE)}"
        raise OptionError(msg)
    if nan == "zero" and not (target.has_nan or target.has_zero):
        msg = f"nan='zero': {target} has neither NaN nor zero"
        raise OptionError(msg)
    if context is not None and not isinstance(context, Context):
        msg = f"context={context!r}: give a minifloat.Context, such as minifloat.contexts.ARM"
        raise OptionError(msg)
    context = context or contexts.IEEE
    bits, variant, table, jam = 32, "floor", None, False
    if isinstance(mode, Stochastic):
        wide = not holds(formats["float32"], source)
        bits, variant = mode.bits or (64 if wide else 32), mode.variant
        if mode.noise is not None:
            table, jam = mode.noise.table(bits), mode.noise.jams
    elif mode is Rounding.HYBRID:
        _check_hybrid(source, target)
    try:
        core = _core.CastPlan(
            native(source),
            native(target),
            rounding=STOCHASTIC_CODE if isinstance(mode, Stochastic) else ROUNDING_CODE[mode],
            overflow=OVERFLOW_CODE[policy],
            nan=NAN_CODE[nan],
            context=native_context(context),
            variant=VARIANT_CODE[variant],
            random_bits=bits,
            table=table,
            jam=jam,
        )
    except ValueError as error:
        msg = f"overflow={policy.value!r} cannot be honoured by {target}: {error}"
        raise OptionError(msg) from None
    drawn = 0 if not isinstance(mode, Stochastic) else 32 if table is not None else bits
    words = storage_dtype(source), storage_dtype(target)
    return Plan(core, source, target, *words, mode, drawn, policy is Overflow.WRAP)


def _check_hybrid(source: Format, target: Format) -> None:
    legal = (formats["float16"], formats["float32"])
    if isinstance(target, HiFloat8Format) and source in legal:
        return
    msg = f"rounding='hybrid' from {source} to {target}: only float16 or float32 to hifloat8"
    raise OptionError(msg)
