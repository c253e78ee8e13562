"""The stream of random bits: known answers, its layout, and that the package draws from it."""

from __future__ import annotations

import numpy as np
import pytest

import minifloat as mf
from minifloat.reference.bulk import encode_array
from minifloat.reference.how import How
from minifloat.reference.philox import expand_seed, philox4x32, random_bits

KEY = (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344)


def words(counter: int) -> list[int]:
    low, high = counter & 0xFFFFFFFF, counter >> 32
    return [int(word) for word in philox4x32([low, high, *KEY[2:]], KEY[:2])]


def test_known_answers() -> None:
    zeros, ones = [0] * 4, [0xFFFFFFFF] * 4
    assert philox4x32(zeros, zeros[:2]).tolist() == [
        0x6627E8D5,
        0xE169C58D,
        0xBC57AC4C,
        0x9B00DBD8,
    ]
    assert philox4x32(ones, ones[:2]).tolist() == [0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD]
    both = philox4x32([zeros, ones], ones[:2])
    assert both.shape == (2, 4)
    assert both[1].tolist() == philox4x32(ones, ones[:2]).tolist()


@pytest.mark.parametrize("group", [0, 1, 2**32 // 16, 2**40])
def test_layout_of_16_bits(group: int) -> None:
    for i in (0, 1, 15, 16, 17, 63, 64, 65, 100, 127):
        word = words(group * 16 + i % 16)[(i // 16) % 4]
        half = word & 0xFFFF if i < 64 else word >> 16
        index = group * 128 + i
        assert random_bits(KEY, index, 16) == half
        assert random_bits(KEY, index, 5) == half >> 11


@pytest.mark.parametrize("group", [0, 3, 2**33])
def test_layout_of_wider_numbers(group: int) -> None:
    for i in (0, 1, 15, 16, 33, 63):
        word = words(group * 16 + i % 16)[i // 16]
        assert random_bits(KEY, group * 64 + i, 32) == word
        assert random_bits(KEY, group * 64 + i, 17) == word >> 15
    for i in (0, 1, 15, 16, 31):
        block = words(group * 16 + i % 16)
        number = block[i // 16] | block[i // 16 + 2] << 32
        assert random_bits(KEY, group * 32 + i, 64) == number
        assert random_bits(KEY, group * 32 + i, 33) == number >> 31


@pytest.mark.parametrize("bits", [16, 32, 64])
def test_no_bit_is_used_twice(bits: int) -> None:
    count = 4096
    drawn = random_bits(KEY, np.arange(count), bits)
    per_counter = 128 // bits
    blocks = [words(counter) for counter in range(count // per_counter)]
    whole = np.array(blocks, np.uint32).view(f"u{bits // 8}").ravel()
    if bits == 64:
        # The two words of an element are not neighbours: i // 16 and i // 16 + 2.
        grid = np.array(blocks, np.uint64)
        whole = np.concatenate(
            [grid[:, 0] | grid[:, 2] << np.uint64(32), grid[:, 1] | grid[:, 3] << np.uint64(32)]
        )
    assert sorted(drawn.tolist()) == sorted(whole.tolist())


def test_seeds_expand_by_seed_sequence() -> None:
    state = np.random.SeedSequence(12345).generate_state(4, np.uint32)
    assert expand_seed(12345) == tuple(int(word) for word in state)


@pytest.mark.parametrize("bits", [1, 4, 13, 16, 17, 24, 32])
@pytest.mark.parametrize("variant", ["floor", "nearest", "centred"])
def test_the_package_draws_these_bits(bits: int, variant: str) -> None:
    fmt = mf.get_format("e4m3fn")
    x = np.random.default_rng(4).normal(size=(7, 99)).astype(np.float32)
    mode = mf.Stochastic(bits, variant)  # type: ignore[arg-type]
    r = random_bits(expand_seed(99), np.arange(x.size).reshape(x.shape), bits)
    expected, _ = encode_array(x, fmt, How(mode), random_bits=r)
    np.testing.assert_array_equal(mf.encode(x, fmt, rounding=mode, rng=99), expected)


def test_offsets_continue_the_stream() -> None:
    x = np.random.default_rng(5).normal(size=1000).astype(np.float32)
    mode = mf.Stochastic(8)
    whole = mf.encode(x, "e5m2", rounding=mode, rng=mf.Key(3))
    part = mf.encode(x[301:], "e5m2", rounding=mode, rng=mf.Key(3).at(301))
    np.testing.assert_array_equal(part, whole[301:])


def test_float64_sources_draw_64_bits() -> None:
    fmt = mf.get_format("e2m1fn")
    x = np.random.default_rng(6).normal(size=300)
    mode = mf.Stochastic()
    how = How(mode, source=mf.get_format("float64"))
    r = random_bits(expand_seed(2), np.arange(x.size), 64)
    expected, _ = encode_array(x, fmt, how, random_bits=r)
    np.testing.assert_array_equal(mf.encode(x, fmt, rounding=mode, rng=2), expected)
