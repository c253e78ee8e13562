"""Where lanes go: by hand from the rules, layout by layout and mask by mask."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from minifloat import DtypeError, FormatError, OptionError
from minifloat.ascend import (
    PAIRS,
    CastTrait,
    Ctrl,
    MaskReg,
    Pair,
    Policy,
    RegTensor,
    cast_bits,
    cast_register,
    create_mask,
)

EACH = Ctrl.per_instruction()
EVERY_BIT = MaskReg(np.ones(256, np.bool_))
DEFAULT = Policy()
SOURCE_MASK = Policy.alternative("M1")


def zeroing(layout: str = "UNKNOWN", sat: str = "UNKNOWN", mode: str = "UNKNOWN") -> CastTrait:
    return CastTrait(layout, sat, "ZEROING", mode)


def merging(layout: str = "UNKNOWN", sat: str = "UNKNOWN", mode: str = "UNKNOWN") -> CastTrait:
    return CastTrait(layout, sat, "MERGING", mode)


def mask_of(*bits: int) -> MaskReg:
    chosen = np.zeros(256, np.bool_)
    chosen[list(bits)] = True
    return MaskReg(chosen)


def run(
    src: RegTensor, dst: str, trait: CastTrait, mask: MaskReg, policy: Policy = DEFAULT
) -> npt.NDArray[Any]:
    out = RegTensor(dst, np.full(src.data.shape, 0xEE, np.uint8))
    assert cast_register(out, src, mask, trait, ctrl=EACH, policy=policy) is out
    return out.lanes()


def numbered(dtype: str) -> RegTensor:
    """Return a register whose lane i holds the small number i (modulo 100, plus 1)."""
    lanes = {"half": 128, "float": 64, "uint8_t": 256, "int16_t": 128, "int32_t": 64}[dtype]
    dtypes = {"half": "f2", "float": "f4", "uint8_t": "u1", "int16_t": "i2", "int32_t": "i4"}
    return RegTensor.of(dtype, (np.arange(lanes) % 100 + 1).astype(dtypes[dtype]))


# Same width.


def test_same_width_keeps_lanes() -> None:
    out = run(numbered("float"), "int32_t", zeroing("UNKNOWN", "SAT", "CAST_RINT"), EVERY_BIT)
    assert out.tolist() == [i % 100 + 1 for i in range(64)]


# Widening by 2 and 4: dst[i] = src[r * i + L].


@pytest.mark.parametrize(("layout", "part"), [("ZERO", 0), ("ONE", 1)])
def test_widening_by_two_reads_every_second_lane(layout: str, part: int) -> None:
    out = run(numbered("half"), "int32_t", zeroing(layout, "UNKNOWN", "CAST_RINT"), EVERY_BIT)
    assert out.tolist() == [(2 * i + part) % 100 + 1 for i in range(64)]


@pytest.mark.parametrize(("layout", "part"), [("ZERO", 0), ("ONE", 1), ("TWO", 2), ("THREE", 3)])
def test_widening_by_four_reads_every_fourth_lane(layout: str, part: int) -> None:
    out = run(numbered("uint8_t"), "uint32_t", zeroing(layout), EVERY_BIT)
    assert out.tolist() == [(4 * i + part) % 100 + 1 for i in range(64)]


def test_widening_to_64_bits_has_32_results() -> None:
    out = run(numbered("int32_t"), "int64_t", zeroing("ONE"), EVERY_BIT)
    assert out.tolist() == [2 * i + 2 for i in range(32)]


# Narrowing by 2 and 4: dst[r * i + L] = src[i], zeros between.


@pytest.mark.parametrize(("layout", "part"), [("ZERO", 0), ("ONE", 1)])
def test_narrowing_by_two_writes_every_second_lane(layout: str, part: int) -> None:
    out = run(numbered("float"), "int16_t", zeroing(layout, "SAT", "CAST_RINT"), EVERY_BIT)
    assert out[part::2].tolist() == [i % 100 + 1 for i in range(64)]
    assert not out[1 - part :: 2].any()


@pytest.mark.parametrize(("layout", "part"), [("ZERO", 0), ("ONE", 1), ("TWO", 2), ("THREE", 3)])
def test_narrowing_by_four_writes_every_fourth_lane(layout: str, part: int) -> None:
    out = run(numbered("int32_t"), "uint8_t", zeroing(layout, "SAT"), EVERY_BIT)
    assert out[part::4].tolist() == [i % 100 + 1 for i in range(64)]
    assert np.count_nonzero(out) == 64


def test_narrowing_from_64_bits() -> None:
    source = RegTensor.of("int64_t", np.arange(1, 33, dtype=np.int64))
    out = run(source, "int32_t", zeroing("ONE", "SAT"), EVERY_BIT)
    assert out.tolist() == [number for i in range(1, 33) for number in (0, i)]


# Four-bit elements go in pairs, the even one in the low nibble.


@pytest.mark.parametrize(("layout", "part"), [("ZERO", 0), ("ONE", 1), ("TWO", 2), ("THREE", 3)])
def test_narrowing_to_four_bits_writes_pairs(layout: str, part: int) -> None:
    source = RegTensor.of("int16_t", (np.arange(128) % 8).astype(np.int16))
    out = run(source, "int4x2_t", zeroing(layout, "SAT"), EVERY_BIT)
    # Elements 0 1 | 2 3 | 4 5 | 6 7 | 0 1 ...
    assert out[part::4].tolist() == [0x10, 0x32, 0x54, 0x76] * 16
    out[part::4] = 0
    assert not out.any()


@pytest.mark.parametrize(("layout", "part"), [("ZERO", 0), ("ONE", 1), ("TWO", 2), ("THREE", 3)])
def test_widening_from_four_bits_reads_pairs(layout: str, part: int) -> None:
    packed = np.zeros(256, np.uint8)
    packed[part::4] = [0x21, 0x9F] * 32  # elements 1, 2, -1, -7
    out = run(RegTensor("int4x2_t", packed), "int16_t", zeroing(layout), EVERY_BIT)
    assert out.view(np.int16).tolist() == [1, 2, -1, -7] * 32


# Masks. An element of s bytes owns s bits; the lowest one counts.


def test_mask_of_the_same_width() -> None:
    source = numbered("float")
    trait = zeroing("UNKNOWN", "SAT", "CAST_RINT")
    out = run(source, "int32_t", trait, mask_of(0, 8, 9, 10, 11, 13))  # elements 0 and 2
    assert np.flatnonzero(out).tolist() == [0, 2]


def test_narrowing_looks_at_the_source_elements_bits() -> None:
    trait = zeroing("ONE", "SAT", "CAST_RINT")
    out = run(numbered("float"), "int16_t", trait, mask_of(4, 6, 12, 252))  # bit 6: no element
    assert np.flatnonzero(out).tolist() == [3, 7, 127]
    for policy in (Policy(), SOURCE_MASK):
        again = run(numbered("float"), "int16_t", trait, mask_of(4, 6, 12, 252), policy)
        assert np.array_equal(out, again)


def test_widening_looks_at_the_destination_elements_bits() -> None:
    trait = zeroing("ONE", "UNKNOWN", "CAST_RINT")
    out = run(numbered("half"), "int32_t", trait, mask_of(4, 6, 12, 252))
    assert np.flatnonzero(out).tolist() == [1, 3, 63]
    assert out[1] == 4  # source lane 3


def test_widening_under_the_other_reading_looks_at_the_source_elements_bits() -> None:
    trait = zeroing("ONE", "UNKNOWN", "CAST_RINT")
    # Source lane 2 * i + 1 owns bits 4 * i + 2 and 4 * i + 3.
    out = run(numbered("half"), "int32_t", trait, mask_of(4, 6, 10, 254), SOURCE_MASK)
    assert np.flatnonzero(out).tolist() == [1, 2, 63]
    wide = create_mask("int32_t")
    assert not run(numbered("half"), "int32_t", trait, wide, SOURCE_MASK).any()


def test_the_readings_agree_for_layout_zero_and_for_all_bits() -> None:
    random = MaskReg(np.random.default_rng(1).integers(0, 2, 256).astype(np.bool_))
    for layout, mask in (("ZERO", random), ("ONE", EVERY_BIT)):
        trait = zeroing(layout, "UNKNOWN", "CAST_RINT")
        outs = [
            run(numbered("half"), "int32_t", trait, mask, policy)
            for policy in (Policy(), SOURCE_MASK)
        ]
        assert np.array_equal(*outs)


def test_widening_by_four_under_the_other_reading_takes_one_bit_a_byte() -> None:
    out = run(numbered("uint8_t"), "uint32_t", zeroing("THREE"), mask_of(3, 8, 11), SOURCE_MASK)
    assert np.flatnonzero(out).tolist() == [0, 2]


def test_four_bit_pairs_look_at_the_even_elements_bit() -> None:
    # Two bits for each 16-bit element: the page's 01 01 00 00 01 00 00 01 means, written with the
    # lowest bit last, elements 0, 1, 4 and 7 and is the same as elements 0, 1, 4 and 5.
    groups = "01 01 00 00 01 00 00 01", "01 01 00 00 01 01 00 00"
    masks = []
    for text in groups:
        elements = [index for index, group in enumerate(text.split()) if group == "01"]
        masks.append(mask_of(*(2 * index for index in elements)))
    source = RegTensor.of("int16_t", np.full(128, 5, np.int16))
    first, second = (run(source, "int4x2_t", zeroing("ZERO", "SAT"), mask) for mask in masks)
    assert np.array_equal(first, second)
    assert first[:16].tolist() == [0x55, 0, 0, 0] + [0] * 4 + [0x55, 0, 0, 0] + [0] * 4


def test_four_bit_widening_under_both_readings() -> None:
    source = RegTensor("fp4x2_e2m1_t", np.full(256, 0x22, np.uint8))  # 1.0 everywhere
    out = run(source, "bfloat16_t", zeroing("TWO"), mask_of(0, 6, 12))
    assert np.flatnonzero(out).tolist() == [0, 1, 6, 7]
    out = run(source, "bfloat16_t", zeroing("TWO"), mask_of(0, 6, 12), SOURCE_MASK)
    assert np.flatnonzero(out).tolist() == [2, 3]  # bit 4 * 1 + 2


# Merging: a zeroing cast, moved under the same mask at the width of the destination.


def test_merging_keeps_masked_lanes_of_the_same_width() -> None:
    out = run(numbered("float"), "int32_t", merging("UNKNOWN", "SAT", "CAST_RINT"), mask_of(0, 8))
    assert out[:4].tolist() == [1, 0xEEEEEEEE, 3, 0xEEEEEEEE]


def test_merging_a_narrowing_cast_keeps_unused_lanes_under_a_wide_mask() -> None:
    trait = merging("ZERO", "SAT", "CAST_RINT")
    out = run(numbered("float"), "int16_t", trait, create_mask("float"))
    assert out[:4].tolist() == [1, 0xEEEE, 2, 0xEEEE]


def test_merging_a_narrowing_cast_zeroes_unused_lanes_whose_own_bit_is_set() -> None:
    trait = merging("ZERO", "SAT", "CAST_RINT")
    out = run(numbered("float"), "int16_t", trait, mask_of(0, 2, 6))
    assert out[:5].tolist() == [1, 0, 0xEEEE, 0, 0xEEEE]


def test_merging_a_widening_cast() -> None:
    trait = merging("ZERO", "UNKNOWN", "CAST_RINT")
    out = run(numbered("half"), "int32_t", trait, mask_of(4))
    assert out[:3].tolist() == [0xEEEEEEEE, 3, 0xEEEEEEEE]


def test_merging_is_refused_with_other_layouts_and_for_four_bits() -> None:
    with pytest.raises(OptionError, match="RegLayout ONE does not take MERGING; legal: ZEROING"):
        run(numbered("float"), "int16_t", merging("ONE", "SAT", "CAST_RINT"), EVERY_BIT)
    with pytest.raises(OptionError, match="never for 4-bit types"):
        run(numbered("int16_t"), "int4x2_t", merging("ZERO", "SAT"), EVERY_BIT)


# Laws.


def test_four_quarters_or_ed_fill_a_register() -> None:
    parts = [RegTensor.of("int32_t", np.arange(64, dtype=np.int32) * 4 + k) for k in range(4)]
    joined = np.zeros(256, np.uint8)
    for part, name in zip(parts, ("ZERO", "ONE", "TWO", "THREE"), strict=True):
        joined |= run(part, "uint8_t", zeroing(name, "SAT"), EVERY_BIT)
    assert joined.tolist() == list(range(256))


def test_two_halves_or_ed_fill_a_register() -> None:
    even = RegTensor.of("float", np.arange(0, 128, 2, dtype=np.float32))
    odd = RegTensor.of("float", np.arange(1, 128, 2, dtype=np.float32))
    out = [
        run(source, "half", zeroing(layout, "SAT", "CAST_ODD"), create_mask("float"))
        for source, layout in ((even, "ZERO"), (odd, "ONE"))
    ]
    assert (out[0] | out[1]).view(np.float16).tolist() == list(range(128))


# Each widening pair with the narrowing one that undoes it, exactly.
ROUND_TRIPS = [
    ("half", "float", "NO_SAT", "CAST_RINT"),
    ("bfloat16_t", "float", "NO_SAT", "CAST_TRUNC"),
    ("hifloat8_t", "half", "NO_SAT", "CAST_ROUND"),
    ("hifloat8_t", "float", "NO_SAT", "CAST_ROUND"),
    ("fp8_e5m2_t", "float", "NO_SAT", "CAST_RINT"),
    ("fp8_e4m3fn_t", "float", "NO_SAT", "CAST_RINT"),
    ("fp8_e8m0_t", "bfloat16_t", "UNKNOWN", "UNKNOWN"),
    ("fp4x2_e2m1_t", "bfloat16_t", "UNKNOWN", "CAST_FLOOR"),
    ("fp4x2_e1m2_t", "bfloat16_t", "UNKNOWN", "CAST_CEIL"),
    ("int4x2_t", "int16_t", "SAT", "UNKNOWN"),
    ("int4x2_t", "half", "SAT", "CAST_RINT"),
    ("int8_t", "half", "SAT", "CAST_RINT"),
    ("uint8_t", "half", "NO_SAT", "CAST_TRUNC"),
    ("int16_t", "float", "SAT", "CAST_RINT"),
    ("uint8_t", "uint16_t", "SAT", "UNKNOWN"),
    ("uint8_t", "uint32_t", "NO_SAT", "UNKNOWN"),
    ("uint16_t", "uint32_t", "SAT", "UNKNOWN"),
    ("int16_t", "int32_t", "SAT", "UNKNOWN"),
    ("int32_t", "int64_t", "NO_SAT", "UNKNOWN"),
]


@pytest.mark.parametrize(("narrow", "wide", "sat", "mode"), ROUND_TRIPS)
def test_widening_then_narrowing_gives_a_register_back(
    narrow: str, wide: str, sat: str, mode: str
) -> None:
    words = np.random.default_rng(3).integers(0, 256, (50, 256)).astype(np.uint8)
    source = RegTensor(narrow, words)
    joined = np.zeros_like(words)
    for layout in PAIRS[narrow, wide].layouts:
        through = RegTensor.zeros(wide, source.shape)
        cast_register(through, source, EVERY_BIT, zeroing(layout.name), ctrl=EACH)
        back = RegTensor.zeros(narrow, source.shape)
        cast_register(back, through, EVERY_BIT, zeroing(layout.name, sat, mode), ctrl=EACH)
        joined |= back.data
    assert np.array_equal(joined, with_canonical_nans(source))


def with_canonical_nans(source: RegTensor) -> npt.NDArray[np.uint8]:
    """Return the bytes with every NaN in the one pattern that casts deliver."""
    nans = {
        "half": (0x7C00, 0x7E00),
        "bfloat16_t": (0x7F80, 0x7FC0),
        "fp8_e5m2_t": (0x7C, 0x7F),
        "fp8_e4m3fn_t": (0x7E, 0x7F),
    }
    words = source.lanes().copy()
    if source.dtype.name in nans:
        above, put = nans[source.dtype.name]
        sign = 1 << (source.dtype.bits - 1)
        words[(words & (sign - 1)) > above] = put
    return words.view(np.uint8)


@pytest.mark.parametrize("pair", PAIRS.values(), ids=str)
def test_registers_hold_what_the_array_cast_gives(pair: Pair) -> None:
    data = np.random.default_rng(5).integers(0, 256, (7, 256)).astype(np.uint8)
    source = RegTensor(pair.src, data)
    elements = source.lanes()
    if pair.src.is_packed:
        elements = np.stack((elements & 0xF, elements >> 4), axis=-1).reshape(7, 512)
    mode, sat = pair.rounds[-1].name, pair.sats[0].name
    results = cast_bits(
        elements, src=pair.src, dst=pair.dst, round_mode=mode, sat_mode=sat, ctrl=EACH
    )
    for layout in pair.layouts:
        out = RegTensor.zeros(pair.dst, (7,))
        cast_register(out, source, EVERY_BIT, zeroing(layout.name, sat, mode), ctrl=EACH)
        got = out.lanes()
        if pair.dst.is_packed:
            got = np.stack((got & 0xF, got >> 4), axis=-1).reshape(7, 512)
        part = max(int(layout), 0)
        packed = pair.src.is_packed or pair.dst.is_packed
        # Packed elements move in pairs: look at two at a time.
        step = len(pair.layouts)
        if packed:
            got, want = (x.reshape(7, -1, 2) for x in (got, results))
        else:
            want = results
        if pair.src.bits <= pair.dst.bits:
            assert np.array_equal(got, want[:, part::step])
        else:
            assert np.array_equal(got[:, part::step], want)


def test_many_registers_are_one_call_with_their_own_masks() -> None:
    rng = np.random.default_rng(8)
    data = rng.integers(0, 256, (3, 4, 256)).astype(np.uint8)
    masks = MaskReg(rng.integers(0, 2, (3, 4, 256)).astype(np.bool_))
    source = RegTensor("half", data)
    trait = zeroing("ONE", "NO_SAT", "CAST_HYBRID")
    together = RegTensor.zeros("hifloat8_t", (3, 4))
    cast_register(together, source, masks, trait, ctrl=EACH)
    for index in np.ndindex(3, 4):
        alone = RegTensor.zeros("hifloat8_t")
        cast_register(alone, source[index], MaskReg(masks.bits[index]), trait, ctrl=EACH)
        assert np.array_equal(together.data[index], alone.data)


# Types and errors.


def test_types_may_differ_from_the_registers() -> None:
    raw = RegTensor("uint16_t", numbered("half").data)
    out = RegTensor.zeros("uint32_t")
    trait = zeroing("ZERO", "UNKNOWN", "CAST_RINT")
    cast_register(out, raw, EVERY_BIT, trait, T="int32_t", U="half")
    assert out.lanes()[:3].tolist() == [1, 3, 5]


def test_the_trait_must_be_legal_for_the_pair() -> None:
    source = numbered("float")
    with pytest.raises(OptionError, match=r"RegLayout UNKNOWN; legal: ZERO, ONE$"):
        run(source, "int16_t", zeroing("UNKNOWN", "SAT", "CAST_RINT"), EVERY_BIT)
    with pytest.raises(OptionError, match="does not take RegLayout TWO"):
        run(source, "int16_t", zeroing("TWO", "SAT", "CAST_RINT"), EVERY_BIT)
    with pytest.raises(OptionError, match="does not take SatMode UNKNOWN; legal: NO_SAT, SAT"):
        run(source, "int16_t", zeroing("ZERO", "UNKNOWN", "CAST_RINT"), EVERY_BIT)
    with pytest.raises(FormatError, match="no cast float -> int8_t"):
        run(source, "int8_t", zeroing("ZERO", "SAT", "CAST_RINT"), EVERY_BIT)


def test_shapes_must_match() -> None:
    trait = zeroing("UNKNOWN", "SAT", "CAST_RINT")
    source = RegTensor.zeros("float", (2,))
    with pytest.raises(DtypeError, match=r"destination and source are \(\) and \(2,\)"):
        cast_register(RegTensor.zeros("int32_t"), source, EVERY_BIT, trait)
    masks = MaskReg(np.ones((3, 256), np.bool_))
    with pytest.raises(DtypeError, match=r"masks of shape \(3,\)"):
        cast_register(RegTensor.zeros("int32_t", (2,)), source, masks, trait)


def test_reset_state_saturates_whatever_the_trait_says() -> None:
    source = RegTensor.of("float", np.full(64, 300.0, np.float32))
    outs = []
    for sat in ("NO_SAT", "SAT"):
        out = RegTensor.zeros("int16_t")
        wide = RegTensor.of("int32_t", np.full(64, 300, np.int32))
        cast_register(out, source, EVERY_BIT, zeroing("ZERO", sat, "CAST_RINT"))
        narrow = RegTensor.zeros("uint8_t")
        cast_register(narrow, wide, EVERY_BIT, zeroing("ZERO", sat))
        outs.append(int(narrow.lanes()[0]))
    assert outs == [255, 255]


def test_a_register_may_be_cast_into_itself() -> None:
    apart = run(numbered("float"), "int16_t", zeroing("ONE", "SAT", "CAST_RINT"), EVERY_BIT)
    data = numbered("float").data
    trait = zeroing("ONE", "SAT", "CAST_RINT")
    cast_register(RegTensor("int16_t", data), RegTensor("float", data), EVERY_BIT, trait)
    assert np.array_equal(data.view(np.uint16), apart)
