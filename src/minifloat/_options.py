"""The options of roundings, checked and put in the core's terms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from minifloat._context import Context
from minifloat._errors import OptionError, nearest
from minifloat._formats import Format, formats
from minifloat._plans import (
    NAN_CODE,
    OVERFLOW_CODE,
    ROUNDING_CODE,
    STOCHASTIC_CODE,
    VARIANT_CODE,
    holds,
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

__all__ = ["Options", "settle"]


@dataclass(frozen=True, slots=True)
class Options:
    """The options of roundings, checked and in the core's terms."""

    how: tuple[int, ...]
    table: Any
    random_bits: int
    policy: Overflow


def settle(
    operands: Sequence[Format],
    result: Format,
    rounding: RoundingLike,
    overflow: OverflowLike | None,
    nan: str,
    context: Context | None,
) -> Options:
    """Check the options of an operation.

    Parameters
    ----------
    operands : sequence of Format
        They set how many bits ``Stochastic(bits=None)`` takes.
    result : Format
    rounding, overflow, nan, context
        As the verbs take them.

    Returns
    -------
    Options

    Raises
    ------
    OptionError
        What was asked, what is allowed.
    """
    mode = as_rounding(rounding)
    policy = result.default_overflow if overflow is None else as_overflow(overflow)
    if nan not in ("raise", "max", "zero"):
        msg = f"nan={nan!r}: allowed are raise, max, zero{nearest(str(nan), NAN_CODE)}"
        raise OptionError(msg)
    if context is not None and not isinstance(context, Context):
        msg = f"context={context!r}: give a minifloat.Context, such as minifloat.contexts.ARM"
        raise OptionError(msg)
    if isinstance(mode, Stochastic):
        how, table, drawn = _noise(mode, operands)
    elif mode is Rounding.HYBRID:
        msg = "rounding='hybrid' is for casts from float16 or float32 to hifloat8"
        raise OptionError(msg)
    else:
        how, table, drawn = (ROUNDING_CODE[mode], VARIANT_CODE["floor"], 32, 0), None, 0
    return Options((how[0], OVERFLOW_CODE[policy], NAN_CODE[nan], *how[1:]), table, drawn, policy)


def _noise(
    mode: Stochastic, operands: Sequence[Format]
) -> tuple[tuple[int, int, int, int], Any, int]:
    """Return a stochastic mode's numbers, its table, and how many bits an element draws."""
    wide = not all(holds(formats["float32"], one) for one in operands)
    bits = mode.bits or (64 if wide else 32)
    if mode.variant == "centred" and bits > 63:
        msg = "Stochastic(variant='centred') takes at most 63 bits here"
        raise OptionError(msg)
    table = None if mode.noise is None else mode.noise.table(bits)
    jam = mode.noise is not None and mode.noise.jams
    drawn = bits if table is None else 32
    return (STOCHASTIC_CODE, VARIANT_CODE[mode.variant], bits, int(jam)), table, drawn
