"""The common case of the verbs at small cost: a call on few elements is mostly overhead.

After a call has gone the careful way once, its plan is remembered under the dtype and the options
as they were written; the next such call on a native contiguous array goes straight to the core.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from minifloat._arrays import AnyArray, default_workers
from minifloat._outcome import report
from minifloat._plans import Plan

__all__ = ["quick", "remember"]

_known: dict[Any, tuple[Plan, Any, np.dtype[Any]]] = {}
_MOST = 4096
_empty = np.empty
_ndarray = np.ndarray


def quick(
    key: tuple[Any, ...],
    x: Any,
    rng: Any,
    random_bits: Any,
    flags: Any,
    out: Any,
    workers: int | None,
) -> AnyArray | None:
    """Run a remembered plan, or return None where the careful way is needed.

    Parameters
    ----------
    key : tuple
        The verb and its options as written.
    x : object
        What the caller passed as its array.
    rng, random_bits, flags, out, workers
        As the public verbs take them; only their defaults are quick.

    Returns
    -------
    ndarray or None
    """
    if type(x) is not _ndarray or not (rng is random_bits is flags is out is workers is None):
        return None
    try:
        plan, back, dtype = _known[x.dtype, key]
    except (KeyError, TypeError):
        return None
    work = _empty(x.shape, dtype)
    try:
        found = plan.core.run_quick(back, x, work, default_workers())
    except (BufferError, ValueError):  # not contiguous
        return None
    if found is not None:
        report(plan, x.view(plan.source_dtype), None, found)
    return work


def remember(
    key: tuple[Any, ...], x: Any, plan: Plan, back: Plan | None, dtype: np.dtype[Any]
) -> None:
    """Keep the plan of a call that went the careful way, if the quick one may repeat it.

    Parameters
    ----------
    key : tuple
        As for `quick`.
    x : object
        What the caller passed as its array.
    plan, back : Plan
    dtype : numpy.dtype
        Of the result.
    """
    if type(x) is not _ndarray or plan.random_bits or not x.dtype.isnative:
        return
    if x.dtype.kind not in "fiu" or x.dtype.itemsize != plan.source_dtype.itemsize:
        return
    if dtype.kind not in "fiu" or (key[0] == "decode" and x.dtype.kind == "i"):
        return  # the careful way also refuses negative codes
    if len(_known) >= _MOST:
        _known.clear()
    try:
        _known[x.dtype, key] = plan, None if back is None else back.core, dtype
    except TypeError:  # an option that cannot be hashed
        return
