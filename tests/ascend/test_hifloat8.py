"""HiFloat8 through ``Cast``, against the public definition and another implementation of it."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import en_dtypes
import numpy as np
import numpy.typing as npt
import pytest

import minifloat as mf
from minifloat.ascend import Ctrl, cast, cast_bits

FILE = Path(__file__).parents[1] / "data" / "hifloat8_codes.csv"
EACH = Ctrl.per_instruction()


def unsaturated(x: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    out: npt.NDArray[np.uint8] = cast(
        x, dst="hifloat8_t", round_mode="CAST_ROUND", sat_mode="NO_SAT", ctrl=EACH
    )
    return out


def theirs(x: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    # Their cast signals what IEEE 754 says of the float32 on its way; the values are what counts.
    with np.errstate(all="ignore"):
        return x.astype(en_dtypes.hifloat8).view(np.uint8)


@pytest.mark.parametrize("dst", ["half", "float"])
def test_codes_have_the_documented_values(dst: str) -> None:
    with FILE.open(newline="") as file:
        documented = [float(row["value"]) for row in csv.DictReader(file)]
    out = cast(np.arange(256, dtype=np.uint8), src="hifloat8_t", dst=dst)
    assert len(documented) == 256
    assert np.array_equal(out, np.array(documented, out.dtype), equal_nan=True)
    assert np.array_equal(np.signbit(out), np.array([c > 0x80 for c in range(256)]))


def test_every_code_survives_the_way_through_wider_types() -> None:
    codes = np.arange(256, dtype=np.uint8)
    for dst in ("half", "float"):
        assert np.array_equal(unsaturated(cast(codes, src="hifloat8_t", dst=dst)), codes)


def test_every_half_agrees_with_en_dtypes() -> None:
    x = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
    assert np.array_equal(unsaturated(x), theirs(x))


def test_every_bfloat16_value_agrees_with_en_dtypes() -> None:
    x = (np.arange(1 << 16, dtype=np.uint32) << 16).view(np.float32)
    assert np.array_equal(unsaturated(x), theirs(x))


def test_random_float32_agrees_with_en_dtypes() -> None:
    rng = np.random.default_rng(20)
    words = rng.integers(0, 1 << 32, 1_000_000, dtype=np.uint32)
    near = words & np.uint32(0x807FFFFF)
    near |= rng.integers(127 - 26, 127 + 18, near.size, dtype=np.uint32) << np.uint32(23)
    for x in (words.view(np.float32), near.view(np.float32)):
        assert np.array_equal(unsaturated(x), theirs(x))


def test_midpoints_and_their_neighbours_agree_with_en_dtypes() -> None:
    values = cast(np.arange(256, dtype=np.uint8), src="hifloat8_t", dst="float")
    values = np.unique(values[np.isfinite(values)])
    points = np.concatenate((values, (values[1:] + values[:-1]) / 2, [40960, 49152, -40960]))
    around = points.astype(np.float32).view(np.uint32)[:, None] + np.arange(-2, 3, dtype=np.int64)
    x = around.astype(np.uint32).ravel().view(np.float32)
    assert np.array_equal(unsaturated(x), theirs(x))


@pytest.mark.parametrize(
    ("x", "code"),
    [
        (40959.996, 0x6E),
        (40960.0, 0x6F),
        (-40960.0, 0xEF),
        (2.0**-23, 0x01),
        (np.nextafter(np.float32(2.0**-23), np.float32(0)), 0x00),
        (-(2.0**-30), 0x00),
        (-0.0, 0x00),
        (1.75, 0x0E),
        (1.9375, 0x10),
    ],
)
def test_edges_of_nearest_rounding(x: float, code: int) -> None:
    assert unsaturated(np.float32([x])).tolist() == [code]


def test_arithmetic_of_all_pairs_rounds_the_exact_result_once() -> None:
    codes = np.arange(256, dtype=np.uint8)
    a, b = (grid.ravel() for grid in np.meshgrid(codes, codes))
    # Sums and products of HiFloat8 values are exact in float64.
    x, y = (mf.decode(grid, "hifloat8").astype(np.float64) for grid in (a, b))
    with np.errstate(invalid="ignore"):
        exact = {"add": x + y, "mul": x * y}
    for mode in ("ties_to_even", "ties_to_away", "toward_zero"):
        for name, results in exact.items():
            rounded = mf.encode(results, "hifloat8", rounding=mode)
            assert np.array_equal(getattr(mf, name)(a, b, "hifloat8", rounding=mode), rounded)


def test_quantizing_is_encoding_and_decoding() -> None:
    x = np.random.default_rng(4).standard_normal(5000).astype(np.float32) * 1000
    for mode in ("ties_to_away", "hybrid"):
        there = mf.decode(mf.encode(x, "hifloat8", rounding=mode), "hifloat8")
        assert np.array_equal(mf.quantize(x, "hifloat8", rounding=mode), there)


def test_negative_values_mirror_positive_ones() -> None:
    words = np.arange(1 << 15, dtype=np.uint16)
    for mode in ("CAST_ROUND", "CAST_HYBRID"):
        how = {"src": "half", "dst": "hifloat8_t", "round_mode": mode, "ctrl": EACH}
        positive = cast_bits(words, sat_mode="NO_SAT", **how)
        negative = cast_bits(words | np.uint16(0x8000), sat_mode="NO_SAT", **how)
        mirrored = np.where(np.isin(positive, (0x00, 0x80)), positive, positive | 0x80)
        assert np.array_equal(negative, mirrored)
