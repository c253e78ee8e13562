"""Why a cast gives what it gives, in words; and which other reading would give something else."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from minifloat._arrays import AnyArray
from minifloat._casting import cast, decode
from minifloat._flags import Flag
from minifloat._formats import IntFormat
from minifloat._rounding import Overflow, Rounding
from minifloat.ascend._cast import recipe
from minifloat.ascend._control import Ctrl
from minifloat.ascend._modes import RoundMode, SatMode
from minifloat.ascend._pairs import Pair
from minifloat.ascend._policy import Policy
from minifloat.ascend._rules import Recipe

__all__ = ["explain", "other_readings", "show"]

_POINTS = ("H1", "H2", "H3", "C1", "C2", "E1", "E2", "S1", "S2", "S3", "S4", "S5")


def show(word: int, pair: Pair, *, source: bool) -> str:
    """Show one element: bits and value.

    Parameters
    ----------
    word : int
    pair : Pair
    source : bool
        Whether it is an element of the source rather than of the destination.

    Returns
    -------
    str

    Examples
    --------
    >>> from minifloat.ascend._pairs import find_pair
    >>> show(0x3C00, find_pair("half", "float"), source=True)
    '0x3C00 (1)'
    """
    dtype = pair.src if source else pair.dst
    value: Any = decode(word, dtype.format)
    number = f"{float(value):.9g}" if isinstance(value, np.floating) else str(int(value))
    return f"0x{word:0{dtype.word.itemsize * 2}X} ({number})"


def explain(found: Recipe, mode: RoundMode, word: int) -> str:
    """Say which rule decides the cast of one source pattern.

    Parameters
    ----------
    found : Recipe
    mode : RoundMode
    word : int
        The source bits.

    Returns
    -------
    str

    Examples
    --------
    >>> from minifloat.ascend._cast import recipe
    >>> found = recipe("half", "uint8_t", "CAST_RINT", "SAT")
    >>> explain(found, RoundMode.CAST_RINT, 0x5C04)
    'beyond the range; saturating: the extreme value'
    """
    pair = found.pair
    value = float(decode(word, pair.src.format))
    sat = "saturating" if found.saturates else "not saturating"
    integer = isinstance(pair.dst.format, IntFormat)
    if np.isnan(value):
        return "NaN; 0 in integers and fp4" if integer else f"NaN; {sat}"
    if np.isinf(value):
        return "infinity; the extreme value" if integer else f"infinity; {sat}"
    if pair.dst.name == "fp8_e8m0_t":
        return "the exponent field of the magnitude"
    if _overflows(found, word):
        becomes = "the extreme value" if found.saturates else "the low bits"
        return f"beyond the range; {sat}" + (f": {becomes}" if integer else "")
    low, high = (_neighbour(found, word, way) for way in ("TOWARD_NEGATIVE", "TOWARD_POSITIVE"))
    ends = [show(end, pair, source=False) for end in (low, high)]
    if low == high:
        exact = f"exactly {ends[0]}"
        moves = mode is RoundMode.CAST_HYBRID
        return exact + ("; CAST_HYBRID may still move it (H1)" if moves else "")
    return f"between {ends[0]} and {ends[1]}; {mode.name}"


def _overflows(found: Recipe, word: int) -> bool:
    raised = np.zeros((), np.uint8)
    _core_cast(found, word, found.rounding, found.overflow, raised)
    integer = isinstance(found.pair.dst.format, IntFormat)
    return bool(raised & (Flag.INVALID if integer else Flag.OVERFLOW))


def _neighbour(found: Recipe, word: int, way: str) -> int:
    target = found.pair.dst.format
    if isinstance(target, IntFormat) or not target.has_infinity:
        overflow = Overflow.SATURATE
    else:
        overflow = Overflow.INFINITY
    return _core_cast(found, word, Rounding[way], overflow, None)


def _core_cast(
    found: Recipe, word: int, rounding: Rounding, overflow: Overflow, flags: AnyArray | None
) -> int:
    pair = found.pair
    code = cast(
        word,
        pair.src.format,
        pair.dst.format,
        rounding=rounding,
        overflow=overflow,
        nan="zero",
        flags=flags,
    )
    return int(code)


def other_readings(
    pair: Pair, mode: RoundMode, sat: SatMode, ctrl: Ctrl, policy: Policy
) -> Iterator[tuple[str, Recipe]]:
    """Yield the casts that differ in one mode, one CTRL bit or one open point.

    Parameters
    ----------
    pair : Pair
    mode : RoundMode
    sat : SatMode
    ctrl : Ctrl
    policy : Policy

    Yields
    ------
    tuple of str and Recipe
        What differs, and the cast.
    """

    def decide(
        mode: RoundMode = mode, sat: SatMode = sat, ctrl: Ctrl = ctrl, policy: Policy = policy
    ) -> Recipe:
        return recipe(pair.src, pair.dst, mode, sat, ctrl=ctrl, policy=policy)

    for other in pair.rounds:
        if other is not mode:
            yield f"RoundMode {other.name}", decide(mode=other)
    for bit in (48, 50, 59, 60):
        clear = getattr(ctrl, f"bit{bit}")
        changed = ctrl.clear(bit) if clear else ctrl.set(bit)
        yield f"CTRL[{bit}] = {int(not clear)}", decide(ctrl=changed)
    for saturation in pair.sats:
        if saturation is not sat:
            yield f"SatMode {saturation.name}", decide(sat=saturation)
    if not policy.alternatives:
        for point in _POINTS:
            yield f"open point {point} read the other way", decide(policy=Policy.alternative(point))
