"""Stream v1 of random bits, as the public verbs draw it: keys, offsets, layouts, Generators."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from inputs import random_float32

import minifloat as mf
from minifloat.reference.philox import expand_seed, random_bits

Array = npt.NDArray[Any]
CLASSES = [1, 5, 16, 17, 31, 32, 33, 47, 64]


def drawn(bits: int, key: mf.Key, shape: tuple[int, ...]) -> Array:
    index = np.arange(int(np.prod(shape)), dtype=np.uint64).reshape(shape) + np.uint64(key.offset)
    return random_bits(key.words, index, bits)


@pytest.mark.parametrize("bits", CLASSES)
@pytest.mark.parametrize("offset", [0, 1, 31, 127, 128, 1000, 2**20 + 5, 2**33 + 77, 2**39 + 1])
def test_every_class_of_bits_at_any_offset(bits: int, offset: int) -> None:
    key = mf.Key(42).at(offset)
    mode = mf.Stochastic(bits)
    x = np.random.default_rng(bits).uniform(1, 1.125, 3333)  # one binade of one quantum
    for source in (x, x.astype(np.float32)):
        replayed = mf.encode(source, "e4m3fn", rounding=mode, random_bits=drawn(bits, key, x.shape))
        np.testing.assert_array_equal(mf.encode(source, "e4m3fn", rounding=mode, rng=key), replayed)
        assert set(replayed.tolist()) == {0x38, 0x39}


@pytest.mark.parametrize("target", ["e8m0fnu", "hifloat8", "int8", "float32", "dlfloat16"])
def test_every_kernel_draws_the_same(target: str) -> None:
    x = random_float32(3000, 1, mf.get_format("e4m3fn")).astype(np.float64)
    x = x[np.isfinite(x)]
    for bits in (8, 24, 40):
        mode, key = mf.Stochastic(bits), mf.Key(7).at(130)
        replayed = mf.encode(x, target, rounding=mode, random_bits=drawn(bits, key, x.shape))
        np.testing.assert_array_equal(mf.encode(x, target, rounding=mode, rng=key), replayed)


@pytest.mark.parametrize("bits", [1, 8, 16])
def test_densities_compare_whole_words(bits: int) -> None:
    mode = mf.Stochastic(bits, noise=mf.noise.Normal(0.0, 0.3))
    for offset in (0, 5, 64, 2**34 + 3):
        key = mf.Key(3).at(offset)
        x = np.random.default_rng(bits).uniform(1, 1.125, 2000)
        replayed = mf.encode(x, "e4m3fn", rounding=mode, random_bits=drawn(32, key, x.shape))
        np.testing.assert_array_equal(mf.encode(x, "e4m3fn", rounding=mode, rng=key), replayed)


def test_known_codes_of_seed_7() -> None:
    """Frozen: the stream is part of the interface."""
    x = np.full(12, 1.0625, np.float32)
    bits = random_bits(expand_seed(7), np.arange(12), 8)
    codes = mf.encode(x, "e4m3fn", rounding=mf.Stochastic(8), rng=7)
    assert codes.tolist() == [0x38 + int(r >= 128) for r in bits.tolist()]
    assert bits.tolist() == [225, 158, 43, 128, 234, 87, 96, 213, 116, 25, 153, 222]


@pytest.mark.parametrize("bits", [8, 24, 64])
@pytest.mark.parametrize("chunk", [1, 7, 100, 128, 1024, 2500])
def test_chunks_continue_the_stream(bits: int, chunk: int) -> None:
    x = np.random.default_rng(3).normal(size=5000)
    key = mf.Key(99).at(12345)
    mode = mf.Stochastic(bits)
    whole = mf.encode(x, "e4m3fn", rounding=mode, rng=key)
    size = min(x.size, 40 * chunk)
    parts = [
        mf.encode(x[i : i + chunk], "e4m3fn", rounding=mode, rng=key.at(i))
        for i in range(0, size, chunk)
    ]
    np.testing.assert_array_equal(np.concatenate(parts), whole[: sum(map(len, parts))])


def test_elements_count_in_c_order_whatever_the_memory_order() -> None:
    x = np.random.default_rng(4).normal(size=(30, 40, 5)).astype(np.float32)
    how: dict[str, Any] = {"rounding": mf.Stochastic(8), "rng": 5}
    expected = mf.encode(x, "e4m3fn", **how)
    for same in (
        np.asfortranarray(x),
        x[:, ::-1].copy()[:, ::-1],
        x.astype(">f4"),
        np.repeat(x, 2, 1)[:, ::2],
    ):
        np.testing.assert_array_equal(mf.encode(same, "e4m3fn", **how), expected)
    flat = mf.encode(x.ravel(), "e4m3fn", **how)
    np.testing.assert_array_equal(flat.reshape(x.shape), expected)
    assert (mf.encode(x.T, "e4m3fn", **how) != expected.T).any()
    stretched = np.broadcast_to(x[:1, :1], x.shape)
    np.testing.assert_array_equal(
        mf.encode(stretched, "e4m3fn", **how), mf.encode(stretched.copy(), "e4m3fn", **how)
    )
    out = np.empty(x.shape, np.uint8, order="F")
    np.testing.assert_array_equal(mf.encode(x, "e4m3fn", out=out, **how), expected)


def test_verbs_draw_alike() -> None:
    x = np.random.default_rng(4).normal(size=3000).astype(np.float32)
    how: dict[str, Any] = {"rounding": mf.Stochastic(12), "rng": mf.Key(5).at(3)}
    codes = mf.encode(x, "e5m2", **how)
    np.testing.assert_array_equal(mf.cast(x.view(np.uint32), "float32", "e5m2", **how), codes)
    np.testing.assert_array_equal(mf.quantize(x, "e5m2", **how), mf.decode(codes, "e5m2"))


def test_random_bits_broadcast_and_weigh_from_the_top() -> None:
    x = np.full((3, 4), 1.0625, np.float32)  # half a quantum: up iff the top bit is set
    rows = mf.encode(x, "e4m3fn", rounding=mf.Stochastic(4), random_bits=[[7], [8], [15]])
    assert (rows == np.array([[0x38], [0x39], [0x39]])).all()
    columns = mf.encode(x, "e4m3fn", rounding=mf.Stochastic(4), random_bits=[0, 7, 8, 15])
    assert columns.tolist() == [[0x38, 0x38, 0x39, 0x39]] * 3
    for dtype in ("u1", ">u2", "i4", "u8"):
        bits = np.array([0, 7, 8, 15], dtype)
        np.testing.assert_array_equal(
            mf.encode(x, "e4m3fn", rounding=mf.Stochastic(4), random_bits=bits), columns
        )
    top = np.uint64(2**64 - 1)
    assert mf.encode(1.0625, "e4m3fn", rounding=mf.Stochastic(64), random_bits=top) == 0x39


WRONG_BITS: list[tuple[Any, str]] = [
    ([16, 0], r"below 2\*\*4"),
    ([-1, 0], r"below 2\*\*4"),
    ([0.5, 1.0], "unsigned integers, got float64"),
    ([True, False], "unsigned integers, got bool"),
    ([2**64, 0], "unsigned integers, got object"),
    ("ab", "unsigned integers"),
    ([1, 2, 3], r"shape \(3,\) does not broadcast to \(2,\)"),
    ([[1, 2]], r"shape \(1, 2\) does not broadcast to \(2,\)"),
    ([[1], [1, 2]], "cannot read random_bits="),
]


@pytest.mark.parametrize(("bits", "message"), WRONG_BITS)
def test_random_bits_are_checked(bits: Any, message: str) -> None:
    with pytest.raises(mf.MinifloatError, match=message):
        mf.encode(np.ones(2), "e4m3fn", rounding=mf.Stochastic(4), random_bits=bits)


def test_no_hidden_randomness() -> None:
    for verb in (mf.encode, mf.quantize):
        with pytest.raises(mf.OptionError, match=r"needs rng= .* no hidden randomness"):
            verb(np.ones(2), "e4m3fn", rounding="sr")
    with pytest.raises(mf.OptionError, match="needs rng="):
        mf.cast([1], "e5m2", "e4m3fn", rounding=mf.Stochastic(3))


def test_generators_give_a_new_key_every_time() -> None:
    x = np.random.default_rng(1).normal(size=300)
    first, second, twin = (np.random.default_rng(5) for _ in range(3))
    a = mf.encode(x, "e4m3fn", rounding=mf.Stochastic(8), rng=first)
    b = mf.encode(x, "e4m3fn", rounding=mf.Stochastic(8), rng=first)
    assert (a != b).any()
    np.testing.assert_array_equal(a, mf.encode(x, "e4m3fn", rounding=mf.Stochastic(8), rng=second))
    words = tuple(int(word) for word in twin.integers(0, 2**32, 4, dtype=np.uint32))
    key = mf.Key.from_words(words)  # type: ignore[arg-type]
    np.testing.assert_array_equal(a, mf.encode(x, "e4m3fn", rounding=mf.Stochastic(8), rng=key))


@pytest.mark.parametrize(
    "kind", [np.random.PCG64, np.random.Philox, np.random.MT19937, np.random.SFC64]
)
def test_any_bit_generator_serves(kind: Any) -> None:
    codes = mf.encode(
        np.full(500, 1.0625), "e4m3fn", rounding="sr", rng=np.random.Generator(kind(1))
    )
    assert 150 < (codes == 0x39).sum() < 350


def test_deterministic_modes_leave_a_generator_alone() -> None:
    generator = np.random.default_rng(5)
    before = generator.bit_generator.state
    mf.encode(np.ones(3), "e4m3fn", rng=generator)
    mf.encode(np.ones(3), "e4m3fn", rounding=mf.Stochastic(3), random_bits=1, rng=generator)
    assert generator.bit_generator.state == before


def test_seeds_are_expanded_by_seed_sequence() -> None:
    for seed in (0, 7, 2**32, 2**200 + 1, np.uint8(3), np.int64(9)):
        assert mf.Key(seed).words == expand_seed(int(seed))
    assert mf.Key(7).offset == 0


@pytest.mark.parametrize("seed", [-1, 1.0, "7", True, None, [1]])
def test_seeds_are_non_negative_integers(seed: Any) -> None:
    with pytest.raises(mf.OptionError, match="a seed is a non-negative integer"):
        mf.Key(seed)
    if seed is not None:
        with pytest.raises(mf.OptionError):
            mf.encode([1.1], "e4m3fn", rounding="sr", rng=seed)


@pytest.mark.parametrize(
    "rng", [np.random.RandomState(1), np.random.PCG64(1), np.arange(4), object()]
)
def test_other_sources_of_randomness_are_refused(rng: Any) -> None:
    with pytest.raises(
        mf.OptionError, match=r"give a seed, a numpy\.random\.Generator or a minifloat\.Key"
    ):
        mf.encode([1.1], "e4m3fn", rounding="sr", rng=rng)


def test_keys_are_values() -> None:
    key = mf.Key(7)
    assert key.at(3).at(4) == key.at(np.int32(7)) == mf.Key.from_words(key.words, 7)
    assert key == mf.Key(7) != mf.Key(8)
    assert len({key, mf.Key(7), key.at(0), key.at(1)}) == 2
    with pytest.raises(AttributeError):
        key.offset = 3  # type: ignore[misc]


@pytest.mark.parametrize("offset", [-1, 1.5, "a", None, 2**64])
def test_offsets_are_checked(offset: Any) -> None:
    with pytest.raises(mf.OptionError):
        mf.Key(7).at(offset)
    with pytest.raises(mf.OptionError):
        mf.Key.from_words((1, 2, 3, 4), offset)


@pytest.mark.parametrize("words", [(1, 2, 3), (1, 2, 3, 4, 5), (1.0, 2, 3, 4), ()])
def test_keys_have_four_words(words: Any) -> None:
    with pytest.raises(mf.OptionError, match="four 32-bit words"):
        mf.Key.from_words(words)
    assert mf.Key(3).at(2**64 - 1).offset == 2**64 - 1
