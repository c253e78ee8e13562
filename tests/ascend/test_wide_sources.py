"""Sources of 32 and 64 bits: strata around everything that matters, and what Hypothesis finds."""

from __future__ import annotations

import numpy as np
import pytest
from ascend_oracle import EACH, assert_agrees
from hypothesis import given, settings
from hypothesis import strategies as st

from minifloat.ascend import PAIRS, Ctrl, Pair
from minifloat.ascend._stimuli import stimuli

WIDE = [pair for pair in PAIRS.values() if pair.src.bits > 16]
FROM_FLOAT = [pair for pair in WIDE if pair.src.name == "float"]


@pytest.mark.parametrize("pair", WIDE, ids=str)
def test_strata_agree_with_the_exact_model(pair: Pair) -> None:
    words = stimuli(pair, extra=4096, seed=7)
    for mode in pair.rounds:
        for sat in pair.sats:
            assert_agrees(pair, words, mode, sat)


@pytest.mark.parametrize("pair", FROM_FLOAT, ids=str)
@pytest.mark.parametrize("bits", [(), (48,), (59,), (48, 50, 59), (50,)], ids=str)
def test_ctrl_bits_decide_as_in_the_exact_model(pair: Pair, bits: tuple[int, ...]) -> None:
    words = stimuli(pair, extra=0)[::5]
    for ctrl in (Ctrl().set(*bits), EACH.set(*bits)):
        for sat in pair.sats:
            assert_agrees(pair, words, pair.rounds[-1], sat, ctrl)


@st.composite
def tempting_patterns(draw: st.DrawFn, bits: int) -> int:
    """Draw a pattern with runs of equal bits: near ties, powers of two and ends."""
    word = draw(st.integers(0, (1 << bits) - 1))
    start = draw(st.integers(0, bits - 1))
    run = ((1 << draw(st.integers(1, bits))) - 1) << start & ((1 << bits) - 1)
    word = draw(st.sampled_from([word, word | run, word & ~run]))
    return (word + draw(st.integers(-1, 1))) % (1 << bits)


@pytest.mark.parametrize("pair", WIDE, ids=str)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_drawn_patterns_agree_with_the_exact_model(pair: Pair, data: st.DataObject) -> None:
    patterns = st.lists(tempting_patterns(pair.src.bits), min_size=1, max_size=24)
    words = np.array(data.draw(patterns), pair.src.word)
    mode = data.draw(st.sampled_from(pair.rounds))
    assert_agrees(pair, words, mode, data.draw(st.sampled_from(pair.sats)))
