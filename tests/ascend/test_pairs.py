"""Which pairs there are, and what each takes."""

from __future__ import annotations

import csv
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

from minifloat import CodeError, DtypeError, FormatError, OptionError
from minifloat.ascend import PAIRS, TYPES, Ctrl, cast, cast_bits, find_pair

FILE = Path(__file__).parents[1] / "data" / "ascend_pairs.csv"
EACH = Ctrl.per_instruction()


def test_the_table_is_the_documented_one() -> None:
    with FILE.open(newline="") as file:
        rows = list(csv.DictReader(file))
    documented = {
        (row["src"], row["dst"]): tuple(
            tuple(row[column].split(";")) for column in ("round_modes", "sat_modes", "layouts")
        )
        for row in rows
    }
    ours = {
        names: tuple(
            tuple(mode.name for mode in modes) for modes in (pair.rounds, pair.sats, pair.layouts)
        )
        for names, pair in PAIRS.items()
    }
    assert len(ours) == 56
    assert ours == documented


def test_layouts_are_as_many_as_narrow_lanes_in_a_wide_one() -> None:
    for pair in PAIRS.values():
        wide, narrow = max(pair.src.bits, pair.dst.bits), min(pair.src.bits, pair.dst.bits)
        assert len(pair.layouts) == wide // narrow, pair


@pytest.mark.parametrize(
    ("src", "dst"),
    [
        ("half", "fp8_e4m3fn_t"),
        ("half", "fp8_e5m2_t"),
        ("bfloat16_t", "hifloat8_t"),
        ("int32_t", "half"),
        ("int32_t", "int8_t"),
        ("uint32_t", "float"),
        ("uint16_t", "float"),
        ("int8_t", "bfloat16_t"),
        ("uint8_t", "bfloat16_t"),
    ],
)
def test_missing_pairs_are_refused_with_the_destinations_there_are(src: str, dst: str) -> None:
    with pytest.raises(FormatError, match=f"no cast {src} -> {dst}; {src} goes to "):
        cast_bits([0], src=src, dst=dst)


def test_illegal_modes_are_refused_with_the_legal_ones() -> None:
    half = {"src": "float", "dst": "half"}
    hifloat8 = {"src": "half", "dst": "hifloat8_t"}
    with pytest.raises(OptionError, match="RoundMode CAST_RINT; legal: CAST_ROUND, CAST_HYBRID"):
        cast_bits([0], round_mode="CAST_RINT", **hifloat8)
    with pytest.raises(OptionError, match="needs a RoundMode: CAST_ODD, CAST_RINT"):
        cast_bits([0], **half)
    with pytest.raises(OptionError, match="SatMode UNKNOWN; legal: NO_SAT, SAT"):
        cast_bits([0], round_mode="CAST_ODD", sat_mode="UNKNOWN", **half)
    with pytest.raises(OptionError, match=r"needs a SatMode while CTRL\[60\] is 0: NO_SAT, SAT"):
        cast_bits([0], round_mode="CAST_ODD", ctrl=EACH, **half)
    with pytest.raises(OptionError, match="does not take SatMode SAT; legal: UNKNOWN"):
        cast_bits([0], src="half", dst="float", sat_mode="SAT")
    with pytest.raises(OptionError, match=r"unknown RoundMode 'RINTT'.*did you mean"):
        cast_bits([0], round_mode="RINTT", **half)
    with pytest.raises(
        FormatError, match=r"unknown data type 'hifloat8'.*did you mean 'hifloat8_t'"
    ):
        cast_bits([0], src="half", dst="hifloat8")


def test_cast_none_is_rint_where_the_device_headers_accept_it() -> None:
    words = np.arange(1 << 16)
    same = {"src": "half", "dst": "int8_t", "sat_mode": "SAT"}
    none, rint = (cast_bits(words, round_mode=mode, **same) for mode in ("CAST_NONE", "CAST_RINT"))
    assert np.array_equal(none, rint)
    with pytest.raises(OptionError, match="does not take RoundMode CAST_NONE"):
        cast_bits([0], src="float", dst="bfloat16_t", round_mode="CAST_NONE")


def test_saturation_is_accepted_and_ignored_from_half_to_int32() -> None:
    how = {"src": "half", "dst": "int32_t", "round_mode": "CAST_RINT", "ctrl": EACH}
    outs = [
        cast_bits([0x7C00, 0xFC00], sat_mode=mode, **how) for mode in ("UNKNOWN", "NO_SAT", "SAT")
    ]
    assert [out.tolist() for out in outs] == [[0x7FFFFFFF, 0x80000000]] * 3


def test_elements_come_in_the_dtype_of_their_type() -> None:
    for pair in PAIRS.values():
        x = np.zeros((2, 3), pair.src.numpy)
        out = cast(x, src=pair.src, dst=pair.dst, round_mode=pair.rounds[0])
        assert out.dtype == pair.dst.numpy
        assert out.shape == (2, 3)


def test_source_types_follow_from_dtypes() -> None:
    assert cast(np.float16([1.5]), dst="float").tolist() == [1.5]
    assert cast(np.array([3], ">i4"), dst="int64_t").tolist() == [3]
    ones = np.array([1.0, -2.0], ml_dtypes.bfloat16)
    assert cast(ones, dst="float").tolist() == [1.0, -2.0]
    fours = np.array([-8, 7, 1], ml_dtypes.int4)
    assert cast(fours, dst="int16_t").tolist() == [-8, 7, 1]
    assert isinstance(cast(np.float16(2), dst="float"), np.float32)
    with pytest.raises(DtypeError, match="dtype float64 is none of Cast's types"):
        cast(np.zeros(2), dst="half")


def test_elements_of_another_type_are_refused() -> None:
    with pytest.raises(DtypeError, match="hifloat8_t elements are uint8 arrays, got float32"):
        cast(np.float32([1]), src="hifloat8_t", dst="float")
    with pytest.raises(DtypeError, match="lie from -8 to 7, got 0 to 8"):
        cast(np.int8([0, 8]), src="int4x2_t", dst="half")
    with pytest.raises(CodeError):
        cast(np.uint8([16]), src="fp4x2_e2m1_t", dst="bfloat16_t")
    with pytest.raises(CodeError, match="integers"):
        cast_bits(np.float64([1]), src="float", dst="int64_t", round_mode="CAST_RINT")


def test_int4_elements_are_signed_bytes() -> None:
    out = cast(np.int16([-9, -8, -1, 7, 8]), dst="int4x2_t", sat_mode="SAT")
    assert out.tolist() == [-8, -8, -1, 7, 7]
    bits = cast_bits(np.int16([-9, 8]).view(np.uint16), src="int16_t", dst="int4x2_t")
    assert bits.tolist() == [0x8, 0x7]


def test_sources_are_left_alone() -> None:
    words = np.array([0x8000, 0x0000, 0xFFC0], np.uint16)
    cast_bits(words, src="bfloat16_t", dst="fp8_e8m0_t")
    assert words.tolist() == [0x8000, 0x0000, 0xFFC0]
    read_only = np.arange(4, dtype=np.uint16)
    read_only.flags.writeable = False
    assert cast_bits(read_only, src="bfloat16_t", dst="fp8_e8m0_t").tolist() == [0, 0, 0, 0]


@pytest.mark.parametrize("shape", [(), (0,), (2, 0, 3), (5,), (2, 3, 4)])
def test_any_shape_is_kept(shape: tuple[int, ...]) -> None:
    x = np.ones(shape, np.float32)
    out = cast(x, dst="hifloat8_t", round_mode="CAST_ROUND")
    assert np.shape(out) == shape
    strided = np.ones((4, 6), np.float32)[::2, ::-3]
    assert cast(strided, dst="half", round_mode="CAST_RINT").shape == (2, 2)


def test_types_and_pairs_have_no_strays() -> None:
    used = {name for names in PAIRS for name in names}
    assert used == set(TYPES)
    assert find_pair(TYPES["half"], "float") is find_pair("half", "float")
