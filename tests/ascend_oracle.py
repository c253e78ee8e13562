"""The exact model of ``Cast`` over arrays of patterns, for comparison with the package."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from minifloat.ascend import Ctrl, Pair, Policy, RoundMode, SatMode, cast_bits
from minifloat.reference import ascend as reference

Words = npt.NDArray[Any]
EACH = Ctrl.per_instruction()


def set_bits(ctrl: Ctrl) -> set[int]:
    return {bit for bit in (48, 50, 53, 59, 60) if getattr(ctrl, f"bit{bit}")}


def expected(
    pair: Pair,
    words: Words,
    mode: RoundMode,
    sat: SatMode,
    ctrl: Ctrl = EACH,
    other: tuple[str, ...] = (),
) -> Words:
    """Cast every pattern by itself, exactly."""
    src, dst = pair.src.name, pair.dst.name
    bits = set_bits(ctrl)
    saturating = reference.effective_saturation(src, dst, sat.name, bits, other)
    how = {
        "saturating": saturating,
        "keep_nan": reference.keeps_nan(dst, saturating, bits, other),
        "other": other,
    }
    found = [reference.cast_code(word, src, dst, mode.name, **how) for word in words.tolist()]
    return np.array(found, pair.dst.word)


def given(
    pair: Pair,
    words: Words,
    mode: RoundMode,
    sat: SatMode,
    ctrl: Ctrl = EACH,
    other: tuple[str, ...] = (),
) -> Words:
    """Cast the patterns with the package."""
    return cast_bits(
        words,
        src=pair.src,
        dst=pair.dst,
        round_mode=mode,
        sat_mode=sat,
        ctrl=ctrl,
        policy=Policy.alternative(*other),
    )


def assert_agrees(
    pair: Pair,
    words: Words,
    mode: RoundMode,
    sat: SatMode,
    ctrl: Ctrl = EACH,
    other: tuple[str, ...] = (),
) -> None:
    """Compare the two, and show the first patterns on which they differ."""
    right = expected(pair, words, mode, sat, ctrl, other)
    found = given(pair, words, mode, sat, ctrl, other)
    assert found.dtype == right.dtype
    wrong = np.flatnonzero(found != right)
    shown = [(hex(words[i]), hex(found[i]), hex(right[i])) for i in wrong[:5]]
    assert not wrong.size, f"{pair} {mode.name} {sat.name}: {wrong.size} differ, {shown}"
