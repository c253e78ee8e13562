"""Every pattern of every source of 4, 8 and 16 bits, in every legal combination of modes."""

from __future__ import annotations

import numpy as np
import pytest
from ascend_oracle import EACH, assert_agrees

from minifloat.ascend import PAIRS, Ctrl, Pair

NARROW = [pair for pair in PAIRS.values() if pair.src.bits <= 16]


@pytest.mark.parametrize("pair", NARROW, ids=str)
def test_every_source_pattern_agrees_with_the_exact_model(pair: Pair) -> None:
    words = np.arange(1 << pair.src.bits, dtype=pair.src.word)
    for mode in pair.rounds:
        for sat in pair.sats:
            assert_agrees(pair, words, mode, sat, EACH)


@pytest.mark.parametrize(
    "pair", [pair for pair in NARROW if pair.dst.name in ("bfloat16_t", "half")], ids=str
)
def test_global_saturation_bits_apply_to_floating_point_results(pair: Pair) -> None:
    words = np.arange(1 << pair.src.bits, dtype=pair.src.word)[::7]
    for ctrl in (Ctrl(), Ctrl().set(48)):
        for sat in pair.sats:
            assert_agrees(pair, words, pair.rounds[0], sat, ctrl)
