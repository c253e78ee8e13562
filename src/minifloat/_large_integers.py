"""Python integers beyond 64 bits, rounded one by one."""

from __future__ import annotations

import numpy as np

from minifloat._arrays import AnyArray, FlagsLike, as_output
from minifloat._errors import OptionError
from minifloat._flags import FLAG_COUNT, Flags
from minifloat._formats import IntFormat
from minifloat._plans import Plan

__all__ = ["encode_large"]

_FAR = 2**20  # an exponent beyond every range


def encode_large(
    plan: Plan, values: AnyArray, out: AnyArray, flags: FlagsLike | None = None
) -> None:
    """Encode Python integers of any size.

    Parameters
    ----------
    plan : Plan
        Of a deterministic rounding.
    values : ndarray of object
        Python integers.
    out : ndarray, same shape
        Receives the codes.
    flags : Flags or ndarray of uint8, optional
        As the public verbs take them.

    Raises
    ------
    OptionError
        If the rounding is stochastic.
    DtypeError
        If `flags` is of another shape or dtype.
    """
    if plan.random_bits:
        msg = "stochastic rounding of integers beyond 64 bits is not offered"
        raise OptionError(msg)
    raised = np.zeros(values.shape, np.uint8)
    per_element = None
    if flags is not None and not isinstance(flags, Flags):
        per_element = as_output(flags, values.shape, raised.dtype, values, "flags")
    for index, value in np.ndenumerate(values):
        code, raised[index] = _round(plan, value)
        if plan.wraps:
            code, _ = _round(plan, _low_part(plan, value))
        out[index] = code
    if isinstance(flags, Flags):
        bits = [(raised.ravel() >> bit) & 1 for bit in range(FLAG_COUNT)]
        flags.accumulate(
            [int(bit.sum()) for bit in bits], [int(np.argmax(bit)) for bit in bits], values.size
        )
    elif per_element is not None:
        flags[...] = raised  # type: ignore[index]


def _round(plan: Plan, value: int) -> tuple[int, int]:
    size = abs(value)
    excess = max(size.bit_length() - 64, 0)
    kept = size >> excess
    below = size - (kept << excess)
    low = below << 64 >> excess
    if low << excess != below << 64:
        low |= 1  # there is still more
    return plan.core.round_exact(value < 0, min(excess, _FAR), kept, below != 0, low=low)


def _low_part(plan: Plan, value: int) -> int:
    """Return a smaller integer of the same sign whose rounding has the same low bits."""
    target = plan.target
    assert isinstance(target, IntFormat)
    part = abs(value) % (1 << max(target.bits + target.scale_exponent, 0))
    return -part if value < 0 else part
