"""What NaN, infinities and overflow become, family by family: the table of the rules."""

# ruff: noqa: E501  (a table reads by lines)

from __future__ import annotations

import numpy as np
import pytest

from minifloat.ascend import Ctrl, cast_bits

EACH = Ctrl.per_instruction()
GLOBAL = Ctrl()
KEEP = Ctrl().set(48)
TRUNCATE = Ctrl().set(59)
KEEP_NAN = EACH.set(50)

# Sources: NaN, -NaN, +Inf, -Inf, and two overflowing values of both signs where there are any.
F32 = (0x7FC00000, 0xFFC00001, 0x7F800000, 0xFF800000, 0x7F000000, 0xFF000000)  # +-2**127
F16 = (0x7E00, 0xFE01, 0x7C00, 0xFC00, 0x7BFF, 0xFBFF)  # +-65504
BF16 = (0x7FC0, 0xFFC1, 0x7F80, 0xFF80, 0x7F00, 0xFF00)  # +-2**127

I64, I32, I16, I8 = ((1 << (bits - 1)) for bits in (64, 32, 16, 8))

# (source, destination, mode, SatMode, CTRL, what the six become)
TABLE = [
    # to integers: NaN is 0; infinities are the extremes even without saturation
    ("float", "int16_t", "RINT", "SAT", EACH, F32, (0, 0, I16 - 1, I16, I16 - 1, I16)),
    ("float", "int16_t", "RINT", "NO_SAT", EACH, F32, (0, 0, I16 - 1, I16, 0, 0)),
    ("float", "int16_t", "RINT", "NO_SAT", GLOBAL, F32, (0, 0, I16 - 1, I16, I16 - 1, I16)),
    ("float", "int16_t", "RINT", "SAT", TRUNCATE, F32, (0, 0, I16 - 1, I16, 0, 0)),
    ("float", "int32_t", "FLOOR", "SAT", EACH, F32, (0, 0, I32 - 1, I32, I32 - 1, I32)),
    ("float", "int32_t", "FLOOR", "NO_SAT", EACH, F32, (0, 0, I32 - 1, I32, 0, 0)),
    ("float", "int64_t", "CEIL", "SAT", EACH, F32, (0, 0, I64 - 1, I64, I64 - 1, I64)),
    ("float", "int64_t", "CEIL", "NO_SAT", EACH, F32, (0, 0, I64 - 1, I64, 0, 0)),
    ("half", "int4x2_t", "RINT", "SAT", EACH, F16, (0, 0, 7, 8, 7, 8)),
    ("half", "int4x2_t", "RINT", "NO_SAT", EACH, F16, (0, 0, 7, 8, 0, 0)),
    ("half", "int8_t", "TRUNC", "SAT", EACH, F16, (0, 0, I8 - 1, I8, I8 - 1, I8)),
    ("half", "int8_t", "TRUNC", "NO_SAT", EACH, F16, (0, 0, I8 - 1, I8, 0xE0, 0x20)),
    ("half", "uint8_t", "RINT", "SAT", EACH, F16, (0, 0, 0xFF, 0, 0xFF, 0)),
    ("half", "uint8_t", "RINT", "NO_SAT", EACH, F16, (0, 0, 0xFF, 0, 0xE0, 0x20)),
    ("half", "int16_t", "RINT", "SAT", EACH, F16, (0, 0, I16 - 1, I16, I16 - 1, I16)),
    ("half", "int16_t", "RINT", "NO_SAT", EACH, F16, (0, 0, I16 - 1, I16, 0xFFE0, 0x0020)),
    ("half", "int32_t", "RINT", "UNKNOWN", TRUNCATE, F16, (0, 0, I32 - 1, I32, 65504, 2**32 - 65504)),
    ("bfloat16_t", "int32_t", "RINT", "SAT", EACH, BF16, (0, 0, I32 - 1, I32, I32 - 1, I32)),
    ("bfloat16_t", "int32_t", "RINT", "NO_SAT", EACH, BF16, (0, 0, I32 - 1, I32, 0, 0)),
    # to half and bfloat16_t
    ("float", "half", "RINT", "SAT", EACH, F32, (0, 0, 0x7BFF, 0xFBFF, 0x7BFF, 0xFBFF)),
    ("float", "half", "TRUNC", "NO_SAT", EACH, F32, (0x7E00, 0x7E00, 0x7C00, 0xFC00, 0x7C00, 0xFC00)),
    ("float", "half", "RINT", "NO_SAT", GLOBAL, F32, (0, 0, 0x7BFF, 0xFBFF, 0x7BFF, 0xFBFF)),
    ("float", "half", "ODD", "SAT", KEEP, F32, (0x7E00, 0x7E00, 0x7C00, 0xFC00, 0x7C00, 0xFC00)),
    ("float", "bfloat16_t", "RINT", "SAT", EACH, F32, (0, 0, 0x7F7F, 0xFF7F, 0x7F00, 0xFF00)),
    ("float", "bfloat16_t", "RINT", "NO_SAT", EACH, F32, (0x7FC0, 0x7FC0, 0x7F80, 0xFF80, 0x7F00, 0xFF00)),
    ("bfloat16_t", "half", "RINT", "SAT", EACH, BF16, (0, 0, 0x7BFF, 0xFBFF, 0x7BFF, 0xFBFF)),
    ("bfloat16_t", "half", "RINT", "NO_SAT", EACH, BF16, (0x7E00, 0x7E00, 0x7C00, 0xFC00, 0x7C00, 0xFC00)),
    # half to bfloat16_t looks at CTRL[48] alone
    ("half", "bfloat16_t", "RINT", "UNKNOWN", EACH, F16, (0, 0, 0x7F7F, 0xFF7F, 0x4780, 0xC780)),
    ("half", "bfloat16_t", "RINT", "UNKNOWN", KEEP, F16, (0x7FC0, 0x7FC0, 0x7F80, 0xFF80, 0x4780, 0xC780)),
    ("half", "bfloat16_t", "RINT", "UNKNOWN", EACH.set(48), F16, (0x7FC0, 0x7FC0, 0x7F80, 0xFF80, 0x4780, 0xC780)),
    # to fp8: CTRL[50] keeps NaN
    ("float", "fp8_e5m2_t", "RINT", "SAT", EACH, F32, (0, 0, 0x7B, 0xFB, 0x7B, 0xFB)),
    ("float", "fp8_e5m2_t", "RINT", "SAT", KEEP_NAN, F32, (0x7F, 0x7F, 0x7B, 0xFB, 0x7B, 0xFB)),
    ("float", "fp8_e5m2_t", "RINT", "NO_SAT", EACH, F32, (0x7F, 0x7F, 0x7C, 0xFC, 0x7C, 0xFC)),
    ("float", "fp8_e4m3fn_t", "RINT", "SAT", EACH, F32, (0, 0, 0x7E, 0xFE, 0x7E, 0xFE)),
    ("float", "fp8_e4m3fn_t", "RINT", "SAT", KEEP_NAN, F32, (0x7F, 0x7F, 0x7E, 0xFE, 0x7E, 0xFE)),
    ("float", "fp8_e4m3fn_t", "RINT", "NO_SAT", EACH, F32, (0x7F,) * 6),
    # to hifloat8_t: CTRL[50] does not matter
    ("float", "hifloat8_t", "ROUND", "SAT", KEEP_NAN, F32, (0, 0, 0x6E, 0xEE, 0x6E, 0xEE)),
    ("float", "hifloat8_t", "ROUND", "NO_SAT", EACH, F32, (0x80, 0x80, 0x6F, 0xEF, 0x6F, 0xEF)),
    ("float", "hifloat8_t", "HYBRID", "SAT", EACH, F32, (0, 0, 0x6E, 0xEE, 0x6E, 0xEE)),
    ("half", "hifloat8_t", "HYBRID", "NO_SAT", EACH, F16, (0x80, 0x80, 0x6F, 0xEF, 0x6F, 0xEF)),
    ("half", "hifloat8_t", "ROUND", "SAT", EACH, F16, (0, 0, 0x6E, 0xEE, 0x6E, 0xEE)),
    # to fp4 and e8m0: always saturating
    ("bfloat16_t", "fp4x2_e2m1_t", "RINT", "UNKNOWN", KEEP, BF16, (0, 0, 0x7, 0xF, 0x7, 0xF)),
    ("bfloat16_t", "fp4x2_e1m2_t", "CEIL", "UNKNOWN", KEEP, BF16, (0, 0, 0x7, 0xF, 0x7, 0xF)),
    ("bfloat16_t", "fp8_e8m0_t", "UNKNOWN", "UNKNOWN", KEEP, BF16, (0xFF, 0xFF, 0xFE, 0xFE, 0xFE, 0xFE)),
    # widening never saturates
    ("half", "float", "UNKNOWN", "UNKNOWN", GLOBAL, F16, (0x7FC00000, 0x7FC00000, 0x7F800000, 0xFF800000, 0x477FE000, 0xC77FE000)),
    ("bfloat16_t", "float", "UNKNOWN", "UNKNOWN", GLOBAL, BF16, (0x7FC00000, 0x7FC00000, 0x7F800000, 0xFF800000, 0x7F000000, 0xFF000000)),
]  # fmt: skip


@pytest.mark.parametrize(
    ("src", "dst", "mode", "sat", "ctrl", "words", "become"),
    TABLE,
    ids=lambda item: item if isinstance(item, str) else "",
)
def test_special_values(
    src: str,
    dst: str,
    mode: str,
    sat: str,
    ctrl: Ctrl,
    words: tuple[int, ...],
    become: tuple[int, ...],
) -> None:
    out = cast_bits(words, src=src, dst=dst, round_mode=mode, sat_mode=sat, ctrl=ctrl)
    assert [hex(word) for word in out] == [hex(word) for word in become]


@pytest.mark.parametrize(
    ("src", "dst", "words", "become"),
    [
        ("hifloat8_t", "half", (0x80, 0x6F, 0xEF, 0x01), (0x7E00, 0x7C00, 0xFC00, 0x0004)),
        ("hifloat8_t", "float", (0x80, 0xEF), (0x7FC00000, 0xFF800000)),
        ("fp8_e4m3fn_t", "float", (0x7F, 0xFF, 0x80), (0x7FC00000, 0x7FC00000, 0x80000000)),
        ("fp8_e5m2_t", "float", (0x7D, 0xFF, 0x7C), (0x7FC00000, 0x7FC00000, 0x7F800000)),
        ("fp8_e8m0_t", "bfloat16_t", (0xFF, 0xFE, 0x00), (0x7FC0, 0x7F00, 0x0040)),
        ("bfloat16_t", "fp8_e8m0_t", (0x0000, 0x807F, 0x3FFF, 0xBFFF), (0, 0, 127, 127)),
        ("int16_t", "uint32_t", (0xFFFF, 0x8000, 0x7FFF), (0, 0, 0x7FFF)),
        ("int8_t", "int32_t", (0x80, 0x7F), (0xFFFFFF80, 0x7F)),
        ("uint8_t", "uint32_t", (0x80, 0xFF), (0x80, 0xFF)),
    ],
)
def test_pairs_without_modes(
    src: str, dst: str, words: tuple[int, ...], become: tuple[int, ...]
) -> None:
    assert cast_bits(words, src=src, dst=dst).tolist() == list(become)


@pytest.mark.parametrize(
    ("src", "dst", "word", "saturated", "truncated"),
    [
        ("int32_t", "uint8_t", 256, 0xFF, 0x00),
        ("int32_t", "uint8_t", 0xFFFFFFFF, 0x00, 0xFF),
        ("uint32_t", "int16_t", 0x18000, 0x7FFF, 0x8000),
        ("int64_t", "int32_t", 1 << 63, 0x80000000, 0),
        ("int16_t", "int4x2_t", 0x0018, 0x7, 0x8),
        ("int16_t", "uint8_t", 0x8001, 0x00, 0x01),
    ],
)
def test_integers_into_narrower_ones(
    src: str, dst: str, word: int, saturated: int, truncated: int
) -> None:
    outs = [
        int(cast_bits(word, src=src, dst=dst, sat_mode=sat, ctrl=ctrl))
        for sat, ctrl in (("SAT", EACH), ("NO_SAT", EACH), ("NO_SAT", GLOBAL), ("SAT", TRUNCATE))
    ]
    assert outs == [saturated, truncated, saturated, truncated]


def test_overflow_thresholds_of_fp8() -> None:
    limits = {"fp8_e4m3fn_t": (464.0, 0x7E, 0x7F), "fp8_e5m2_t": (61440.0, 0x7C, 0x7C)}
    for dst, (limit, at, above) in limits.items():
        x = np.nextafter(np.float32(limit), np.float32([0, limit, np.inf])).view(np.uint32)
        out = cast_bits(x, src="float", dst=dst, round_mode="RINT", sat_mode="NO_SAT", ctrl=EACH)
        below = 0x7E if dst == "fp8_e4m3fn_t" else 0x7B
        assert out.tolist() == [below, at, above]
