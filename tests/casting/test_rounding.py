"""The rounding rules, each by numbers worked out by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import minifloat as mf

# Quarters between 1 and 1.5 in float6_e3m2fn (quantum 0.25: codes 0x0C, 0x0D, 0x0E).
INPUTS = [1.0625, 1.125, 1.1875, 1.3125, 1.375, 1.4375]
MODES = {
    "ties_to_even": [1.0, 1.0, 1.25, 1.25, 1.5, 1.5],
    "ties_to_away": [1.0, 1.25, 1.25, 1.25, 1.5, 1.5],
    "ties_to_zero": [1.0, 1.0, 1.25, 1.25, 1.25, 1.5],
    "toward_zero": [1.0, 1.0, 1.0, 1.25, 1.25, 1.25],
    "away_from_zero": [1.25, 1.25, 1.25, 1.5, 1.5, 1.5],
    "to_odd": [1.25, 1.25, 1.25, 1.25, 1.25, 1.25],
}


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("mode", MODES)
def test_modes_that_are_symmetric(mode: str, dtype: Any) -> None:
    x = np.array(INPUTS, dtype)
    assert mf.quantize(x, "e3m2fn", rounding=mode).tolist() == MODES[mode]
    assert mf.quantize(-x, "e3m2fn", rounding=mode).tolist() == [-y for y in MODES[mode]]


def test_directed_modes_depend_on_the_sign() -> None:
    x = np.array([*INPUTS, *(-number for number in INPUTS)])
    down, up = MODES["toward_zero"], MODES["away_from_zero"]
    positive = mf.quantize(x, "e3m2fn", rounding="toward_positive")
    negative = mf.quantize(x, "e3m2fn", rounding="toward_negative")
    assert positive.tolist() == up + [-y for y in down]
    assert negative.tolist() == down + [-y for y in up]


TIES = [
    # format, tie, even neighbour, odd neighbour: by the code's lowest bit
    ("e4m3fn", 1.0625, 1.0, 1.125),
    ("e4m3fn", 1.1875, 1.25, 1.125),
    ("e4m3fn", 2.0**-10, 0.0, 2.0**-9),
    ("e8m0fnu", 3.0, 2.0, 4.0),  # 2 is code 128, 4 is 129
    ("e8m0fnu", 1.5, 2.0, 1.0),  # 1 is code 127
    ("binary8p1se", 1.5, 1.0, 2.0),  # 1 is code 64
    ("binary8p1se", 3.0, 4.0, 2.0),
    ("e4m0:finite", 1.5, 2.0, 1.0),
    ("hifloat8", 2.0**8 * 1.25, 2.0**8, 2.0**8 * 1.5),  # bands of one trailing bit
    ("hifloat8", 2.0**8 * 1.75, 2.0**9, 2.0**8 * 1.5),
    ("hifloat8", 2.0**-18 * 1.5, 2.0**-17, 2.0**-18),  # no trailing bits: 2**-18 is code 5
    ("hifloat8", 2.0**-17 * 1.5, 2.0**-17, 2.0**-16),
    ("int8", 2.5, 2.0, 3.0),
    ("int8", 3.5, 4.0, 3.0),
    ("int8:scale=3", 12.0, 16.0, 8.0),
    ("int8:scale=-1", 0.25, 0.0, 0.5),
]


@pytest.mark.parametrize(("name", "tie", "even", "odd"), TIES)
def test_parity_is_that_of_the_code(name: str, tie: float, even: float, odd: float) -> None:
    x = np.float64(tie)
    assert mf.quantize(x, name) == even
    assert mf.quantize(x, name, rounding="to_odd") == odd
    assert mf.encode(even, name) % 2 == 0
    assert mf.encode(odd, name) % 2 == 1
    low, high = sorted((even, odd))
    assert mf.quantize(x, name, rounding="ties_to_zero") == low
    assert mf.quantize(x, name, rounding="ties_to_away") == high
    assert mf.quantize(np.nextafter(x, 0), name) == low
    assert mf.quantize(np.nextafter(x, np.inf), name) == high


def test_the_quantum_is_that_of_the_binade_before_rounding() -> None:
    # Just below 2 in e4m3fn: quantum 1/8, although the neighbour above has 1/4.
    assert mf.quantize(1.9375, "e4m3fn") == 2.0
    assert mf.quantize(1.93, "e4m3fn") == 1.875
    assert mf.quantize(2.0625, "e4m3fn") == 2.0
    assert mf.quantize(2.126, "e4m3fn") == 2.25


@pytest.mark.parametrize(
    "mode", ["ties_to_even", "ties_to_zero", "ties_to_away", "to_odd", "rtz", "raz"]
)
def test_without_subnormals_the_smallest_normal_is_the_only_quantum_below(mode: str) -> None:
    fmt = mf.get_format("e3m2:nosubnormals")
    least = float(fmt.smallest_normal)
    x = np.array([0.01, 0.49, 0.5, 0.51, 0.99]) * least
    up = {
        "ties_to_even": [0, 0, 0, 1, 1],
        "ties_to_zero": [0, 0, 0, 1, 1],
        "ties_to_away": [0, 0, 1, 1, 1],
        "to_odd": [1, 1, 1, 1, 1],
        "rtz": [0, 0, 0, 0, 0],
        "raz": [1, 1, 1, 1, 1],
    }[mode]
    assert (mf.quantize(x, fmt, rounding=mode) / least).tolist() == up


def test_codes_of_field_0_decode_as_zero_without_subnormals() -> None:
    values = mf.decode(np.arange(64), "e3m2:nosubnormals")
    assert values[:5].tolist() == [0, 0, 0, 0, 0.25]
    assert np.signbit(values[32:36]).all()


def test_quanta_of_hifloat8() -> None:
    # 3 trailing bits near 1, then 2, then 1, then none; below 2**-22 the quantum is 2**-22.
    for exponent, trailing in [(0, 3), (3, 3), (4, 2), (7, 2), (8, 1), (14, 1), (-16, 0), (-22, 0)]:
        x = np.float64(2.0**exponent)
        step = 2.0 ** (exponent - trailing)
        assert mf.quantize(x + step * 0.75, "hifloat8") == x + step
        assert mf.quantize(x + step * 0.25, "hifloat8") == x
    assert mf.quantize(2.0**-23 * 1.01, "hifloat8") == 2.0**-22
    assert mf.quantize(2.0**-23, "hifloat8") == 0.0
    assert mf.quantize(2.0**-23, "hifloat8", rounding="rna") == 2.0**-22


def test_hybrid_takes_its_threshold_from_the_low_bits() -> None:
    # Beyond 2**4 the fraction meets the low 14 bits of a float32.
    base = np.float32(16.0).view(np.uint32)  # two trailing bits: fractions are 21 bits wide
    half = np.uint32(1 << 20)
    # Up iff 1/2 + low / 2**21 >= low / 2**14.
    for low, up in ((0, True), (8192, True), (8256, True), (8257, False), (16383, False)):
        x = (base | half | np.uint32(low)).view(np.float32)
        assert (mf.encode(x, "hifloat8", rounding="hybrid") != mf.encode(16.0, "hifloat8")) == up
    # Near 1 it rounds ties away.
    x = np.float32([1.0625, 1.0624])
    assert mf.quantize(x, "hifloat8", rounding="hybrid").tolist() == [1.125, 1.0]


def test_integers_round_by_their_own_parity() -> None:
    x = np.array([0.5, 1.5, 2.5, -0.5, -1.5, -2.5])
    expected = {
        "ties_to_even": [0, 2, 2, 0, -2, -2],
        "ties_to_away": [1, 2, 3, -1, -2, -3],
        "ties_to_zero": [0, 1, 2, 0, -1, -2],
        "toward_positive": [1, 2, 3, 0, -1, -2],
        "toward_negative": [0, 1, 2, -1, -2, -3],
        "to_odd": [1, 1, 3, -1, -1, -3],
    }
    for mode, values in expected.items():
        assert mf.decode(mf.encode(x, "int8", rounding=mode), "int8").tolist() == values
