"""Every open point, read both ways."""

from __future__ import annotations

import numpy as np
import pytest
from ascend_oracle import EACH, assert_agrees, given

from minifloat import OptionError
from minifloat.ascend import (
    PAIRS,
    Ctrl,
    Pair,
    Policy,
    RoundMode,
    SatMode,
    cast_bits,
    find_pair,
)
from minifloat.ascend._stimuli import stimuli

POINTS = ("H1", "H2", "H3", "C1", "C2", "E1", "E2", "S1", "S2", "S3", "S4", "S5")
FLOATING = [
    pair
    for pair in PAIRS.values()
    if "int" not in pair.src.name and pair.src.bits >= 8 and pair.dst.name != "fp8_e8m0_t"
]
E8M0 = [find_pair("bfloat16_t", "fp8_e8m0_t"), find_pair("fp8_e8m0_t", "bfloat16_t")]


@pytest.mark.parametrize("pair", [*FLOATING, *E8M0], ids=str)
def test_other_readings_agree_with_the_exact_model(pair: Pair) -> None:
    words = stimuli(pair, extra=0)
    words = words[:: max(words.size // 4000, 1)]
    edges = np.array([0x7BFF, 0x7C00, 0x7F80, 0xFF80, 0xFC00, 0x8000, 0x0001], np.uint32)
    if pair.src.bits >= 16:
        words = np.concatenate((words, edges.astype(words.dtype)))
    for other in [(point,) for point in POINTS] + [("H1", "H2"), ("H2", "H3"), POINTS]:
        for sat in pair.sats:
            assert_agrees(pair, words, pair.rounds[-1], sat, EACH.set(50), other)


def outcomes(
    point: str, word: int, src: str, dst: str, mode: str, sat: str, ctrl: Ctrl = EACH
) -> tuple[int, int]:
    pair = find_pair(src, dst)
    how = (RoundMode[mode], SatMode[sat], ctrl)
    words = np.array([word], pair.src.word)
    return int(given(pair, words, *how)[0]), int(given(pair, words, *how, (point,))[0])


@pytest.mark.parametrize(
    ("point", "word", "src", "dst", "mode", "sat", "default", "other"),
    [
        ("H1", 0x41800000, "float", "hifloat8_t", "CAST_HYBRID", "NO_SAT", 0x41, 0x40),  # 16
        ("H1", 0x47000000, "float", "hifloat8_t", "CAST_HYBRID", "NO_SAT", 0x6F, 0x6E),  # 32768
        ("H2", 0x47203FFF, "float", "hifloat8_t", "CAST_HYBRID", "NO_SAT", 0x6E, 0x6F),  # 41024-
        ("H3", 0x47000000, "float", "hifloat8_t", "CAST_HYBRID", "SAT", 0x6E, 0x6F),
        ("C1", 0x7C00, "half", "bfloat16_t", "CAST_RINT", "UNKNOWN", 0x7F7F, 0x7F80),
        ("E1", 0x7F80, "bfloat16_t", "fp8_e8m0_t", "UNKNOWN", "UNKNOWN", 0xFE, 0xFF),
        ("E2", 0x00, "fp8_e8m0_t", "bfloat16_t", "UNKNOWN", "UNKNOWN", 0x0040, 0x0000),
        ("S1", 0x4788B800, "float", "half", "CAST_TRUNC", "NO_SAT", 0x7C00, 0x7BFF),  # 70000
        ("S2", 0xFFC00000, "float", "half", "CAST_RINT", "NO_SAT", 0x7E00, 0xFE00),
        ("S2", 0xFFC00000, "float", "fp8_e5m2_t", "CAST_RINT", "NO_SAT", 0x7F, 0xFF),
        ("S2", 0xC7000000, "float", "fp8_e4m3fn_t", "CAST_RINT", "NO_SAT", 0x7F, 0xFF),
        ("S3", 0x80000001, "float", "half", "CAST_RINT", "NO_SAT", 0x8000, 0x0000),
        ("S4", 0x5F800001, "float", "int64_t", "CAST_RINT", "NO_SAT", 1 << 41, (1 << 63) - 1),
        ("S5", 0x0001, "half", "float", "UNKNOWN", "UNKNOWN", 0x33800000, 0),
    ],
)
def test_the_readings_of_a_point_differ(
    point: str, word: int, src: str, dst: str, mode: str, sat: str, default: int, other: int
) -> None:
    assert outcomes(point, word, src, dst, mode, sat) == (default, other)


def test_ctrl50_per_instruction_is_open_point_c2() -> None:
    nan = ("C2", 0x7FC00000, "float", "fp8_e4m3fn_t", "CAST_RINT", "SAT")
    assert outcomes(*nan, EACH.set(50)) == (0x7F, 0x00)
    assert outcomes(*nan, Ctrl().set(50)) == (0x7F, 0x7F)


def test_hybrid_of_bfloat16_origin_always_goes_up() -> None:
    inputs = np.array([0x41800000, 0x41810000, 0x418F0000, 0x41910000], np.uint32)
    out = cast_bits(inputs, src="float", dst="hifloat8_t", round_mode="CAST_HYBRID")
    assert out.tolist() == [0x41] * 4


def test_hybrid_differs_from_nearest_on_12028_half_inputs() -> None:
    words = np.arange(1 << 16)
    how = {"src": "half", "dst": "hifloat8_t", "sat_mode": "NO_SAT", "ctrl": EACH}
    hybrid = cast_bits(words, round_mode="CAST_HYBRID", **how)
    nearest = cast_bits(words, round_mode="CAST_ROUND", **how)
    assert np.count_nonzero(hybrid != nearest) == 12028


def test_saturating_bfloat16_may_be_chosen_outright() -> None:
    word = np.array([0x7E00, 0x7C00], np.uint16)
    how = {"src": "half", "dst": "bfloat16_t", "round_mode": "CAST_RINT"}
    always = Policy(half_to_bfloat16="saturate")
    out = cast_bits(word, ctrl=Ctrl().set(48), policy=always, **how)
    assert out.tolist() == [0x0000, 0x7F7F]


def test_unknown_readings_are_refused() -> None:
    with pytest.raises(OptionError, match=r"nan_sign='kept'\): allowed are drop, keep"):
        Policy(nan_sign="kept")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="'H4'; there are H1, H2"):
        Policy.alternative("H4")


def test_alternatives_name_what_is_changed() -> None:
    assert Policy().alternatives == ()
    assert set(Policy.alternative(*POINTS, "M1").alternatives) == {*POINTS, "M1"}
