"""The short way for single operands: one call of the core, where nothing is settled afterwards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from minifloat._flags import Flag
from minifloat._operations import _plan
from minifloat._plans import storage_dtype
from minifloat.softfloat._calls import Call, core_words
from minifloat.softfloat._causes import status_flags
from minifloat.softfloat._layouts import LAYOUTS
from minifloat.softfloat._status import FloatStatus

__all__ = ["quick_result"]

_INVALID = int(Flag.INVALID)


@dataclass(frozen=True, slots=True)
class _Quick:
    """A plan of the core for single operands, where nothing is settled afterwards."""

    run: Callable[..., object]
    operands: tuple[tuple[np.dtype[Any], int, int], ...]
    result: np.dtype[Any]
    magnitude: int
    first_nan: int | None


def quick_result(call: Call, operands: Sequence[Any], status: FloatStatus) -> int | None:
    """Return the result for integers where no sub-flag, flush or NaN asks for the long way.

    Parameters
    ----------
    call : Call
    operands : sequence
    status : FloatStatus

    Returns
    -------
    int or None
    """
    for one in operands:
        if type(one) is not int:
            return None
    quick = status.memo.get(call)
    if quick is None:
        quick = status.memo[call] = _quick(call, status)
    if not quick:
        return None
    arrays = []
    for code, (dtype, magnitude, normal) in zip(operands, quick.operands, strict=True):
        if 0 < code & magnitude < normal or code < 0:
            return None
        try:
            arrays.append(np.array(code, dtype))
        except OverflowError:
            return None
    out, flags = np.empty((), quick.result), np.empty((), np.uint8)
    if quick.run(arrays, out, None, 0, None, flags, False, 1) is not None:
        return None
    code, raised = int(out), int(flags)
    one_nan = quick.first_nan is not None and code & quick.magnitude >= quick.first_nan
    if one_nan or raised & _INVALID:
        return None
    if raised:
        status.raise_flags(status_flags(raised))
    return code


def _quick(call: Call, status: FloatStatus) -> _Quick | Literal[False]:
    settles = status.flush_to_zero or status.rebias_overflow or status.rebias_underflow
    target = call.target
    plain = (status.tfloat32_scheme, status.tfloat32_input == "keep") == ("exact", False)
    if settles or not plain or LAYOUTS.get(target.prefix) is not target:
        return False
    sources = tuple(one.fmt for one in call.layouts)
    how = core_words(call, target, status)
    words = [how[word] for word in ("rounding", "overflow", "nan", "context")]
    plan = _plan(call.op, sources, target.fmt, *words, call.switches)
    one_nan = target.fmt.has_nan and not target.fmt.has_infinity
    return _Quick(
        plan.core.run,
        tuple((storage_dtype(k.fmt), k.magnitude, k.normal) for k in call.layouts),
        plan.dtype,
        target.magnitude,
        target.infinity if one_nan else None,
    )
