"""Registers, masks and memory."""

from __future__ import annotations

import numpy as np
import pytest

from minifloat import DtypeError, OptionError
from minifloat.ascend import (
    MASK_PATTERNS,
    MaskReg,
    RegTensor,
    create_mask,
    load_align,
    store_align,
    update_mask,
)

LANES = {"uint8_t": 256, "half": 128, "float": 64, "int64_t": 32}


@pytest.mark.parametrize(("dtype", "lanes"), LANES.items())
def test_patterns_select_elements(dtype: str, lanes: int) -> None:
    def chosen(pattern: str) -> list[int]:
        return np.flatnonzero(create_mask(dtype, pattern).elements(dtype)).tolist()

    assert chosen("ALL") == list(range(lanes))
    assert chosen("ALLF") == []
    assert chosen("H") == list(range(lanes // 2))
    assert chosen("Q") == list(range(lanes // 4))
    assert chosen("M3") == list(range(0, lanes, 3))
    assert chosen("M4") == list(range(0, lanes, 4))
    for pattern in MASK_PATTERNS:
        if pattern.startswith("VL"):
            assert chosen(pattern) == list(range(min(int(pattern[2:]), lanes)))


@pytest.mark.parametrize(("dtype", "lanes"), LANES.items())
def test_only_the_lowest_bit_of_an_element_is_set(dtype: str, lanes: int) -> None:
    mask = create_mask(dtype)
    assert np.flatnonzero(mask.bits).tolist() == list(range(0, 256, 256 // lanes))


def test_update_mask_counts_down() -> None:
    left, sizes = 200, []
    while left:
        mask, left = update_mask(left, "float")
        sizes.append(int(mask.bits.sum()))
    assert sizes == [64, 64, 64, 8]
    mask, left = update_mask(0, "half")
    assert (int(mask.bits.sum()), left) == (0, 0)


def test_update_mask_takes_arrays() -> None:
    masks, left = update_mask(np.array([0, 5, 64, 100]), "float")
    assert masks.shape == (4,)
    assert masks.bits.sum(axis=-1).tolist() == [0, 5, 64, 64]
    assert left.tolist() == [0, 0, 0, 36]


def test_masks_have_a_memory_layout_of_32_bytes() -> None:
    mask = create_mask("half", "VL8")
    data = mask.to_bytes()
    assert data.tolist() == [0x55, 0x55] + [0] * 30
    assert np.array_equal(MaskReg.of_bytes(data).bits, mask.bits)


def test_bad_masks_are_refused() -> None:
    with pytest.raises(DtypeError, match="bool of shape"):
        MaskReg(np.ones(128, np.bool_))
    with pytest.raises(DtypeError, match="got uint8"):
        MaskReg(np.ones(256, np.uint8))
    with pytest.raises(DtypeError, match=r"uint8 of shape \(..., 32\)"):
        MaskReg.of_bytes(np.ones(31, np.uint8))
    with pytest.raises(OptionError, match="'VL7'; allowed are ALL, VL1"):
        create_mask("half", "VL7")
    with pytest.raises(OptionError, match="count=-1"):
        update_mask(-1, "half")


def test_registers_show_lanes_and_values() -> None:
    register = RegTensor.of("float", np.arange(64, dtype=np.float32))
    assert register.lanes()[1] == 0x3F800000
    assert register.values("half")[3] == np.float32(1.875)  # the upper half of 1.0
    assert RegTensor.zeros("int64_t").values().dtype == np.int64
    fours = RegTensor.of("int4x2_t", (np.arange(512) % 16 - 8).astype(np.int8))
    assert fours.data[:3].tolist() == [0x98, 0xBA, 0xDC]
    assert fours.values()[:4].tolist() == [-8, -7, -6, -5]


def test_dump_shows_words_and_values_by_lane() -> None:
    register = RegTensor.zeros("fp4x2_e2m1_t")
    register.data[:2] = [0x21, 0xF7]
    lines = register.dump(rows=1).splitlines()
    assert lines[0] == "RegTensor<fp4x2_e2m1_t>"
    assert lines[1].startswith("   0: 21 F7 00 00")
    assert lines[1].split(" | ")[1].startswith("0.5 1 6 -6 0 0")
    assert lines[2] == "... 15 more lines"
    assert len(register.dump(rows=99).splitlines()) == 17
    with pytest.raises(DtypeError, match="dump one of them"):
        RegTensor.zeros("half", (2,)).dump()


def test_bad_registers_are_refused() -> None:
    for data in (np.zeros(255, np.uint8), np.zeros(256, np.int8), [0] * 256):
        with pytest.raises(DtypeError, match=r"uint8 arrays of shape \(..., 256\)"):
            RegTensor("half", data)  # type: ignore[arg-type]
    with pytest.raises(DtypeError, match="C-contiguous"):
        RegTensor("half", np.zeros((256, 256), np.uint8).T)
    with pytest.raises(DtypeError, match="a register of half holds 128 elements"):
        RegTensor.of("half", np.zeros(64, np.float16))


def test_load_and_store_move_whole_registers() -> None:
    memory = np.arange(1024, dtype=np.uint32).view(np.uint8)
    register = load_align(memory, "uint32_t", 512)
    assert register.lanes()[0] == 128
    store_align(memory, register, create_mask("uint32_t", "VL2"), 0)
    assert memory.view(np.uint32)[:4].tolist() == [128, 129, 2, 3]


def test_a_wide_mask_stores_every_second_narrow_lane() -> None:
    memory = np.full(256, 0xEE, np.uint8)
    register = RegTensor.of("int16_t", np.arange(128, dtype=np.int16))
    store_align(memory, register, create_mask("float", "VL2"))
    assert memory.view(np.uint16)[:5].tolist() == [0, 0xEEEE, 2, 0xEEEE, 0xEEEE]


@pytest.mark.parametrize(
    ("dist", "mask", "bytes_"),
    [
        ("PACK_B16", "half", [0x00, 0x02, 0x04]),
        ("PACK_B32", "float", [0x00, 0x01, 0x04, 0x05, 0x08, 0x09]),
        ("PACK_B64", "int64_t", [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19]),
        ("PACK4_B32", "float", [0x00, 0x04, 0x08]),
    ],
)
def test_pack_keeps_the_low_part_of_wide_elements(dist: str, mask: str, bytes_: list[int]) -> None:
    memory = np.full(64, 0xEE, np.uint8)
    register = RegTensor("uint8_t", np.arange(256, dtype=np.uint8))
    store_align(memory, register, create_mask(mask, "VL3"), dist=dist)  # type: ignore[arg-type]
    assert memory[: len(bytes_)].tolist() == bytes_
    assert set(memory[len(bytes_) :].tolist()) == {0xEE}


def test_bad_moves_are_refused() -> None:
    memory = np.zeros(512, np.uint8)
    register = RegTensor.zeros("half")
    with pytest.raises(OptionError, match="offset 16: a multiple of 32"):
        load_align(memory, "half", 16)
    with pytest.raises(OptionError, match=r"offset 288: .* with 256 bytes left in 512"):
        load_align(memory, "half", 288)
    with pytest.raises(DtypeError, match="one-dimensional array of uint8"):
        load_align(np.zeros(512, np.int8), "half")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="PACK_B32: the mask must select the first elements"):
        store_align(memory, register, create_mask("float", "M3"), dist="PACK_B32")
    with pytest.raises(OptionError, match="unknown dist 'PACK'"):
        store_align(memory, register, create_mask("float"), dist="PACK")  # type: ignore[arg-type]
    with pytest.raises(DtypeError, match="one register and one mask"):
        store_align(memory, RegTensor.zeros("half", (2,)), create_mask("half"))
