"""Where results go: out= in every position to its source, flags= arrays, and refusals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import minifloat as mf

Array = npt.NDArray[Any]
X = np.random.default_rng(3).normal(size=5000).astype(np.float32) * 50
CODES = mf.encode(X, "e4m3fn")


def test_out_is_returned() -> None:
    out = np.empty(X.shape, np.uint8)
    assert mf.encode(X, "e4m3fn", out=out) is out
    np.testing.assert_array_equal(out, CODES)
    values = np.empty(X.shape, np.float32)
    assert mf.decode(CODES, "e4m3fn", out=values) is values
    np.testing.assert_array_equal(values, mf.quantize(X, "e4m3fn"))
    words = np.empty(X.shape, np.uint16)
    assert mf.cast(CODES, "e4m3fn", "bf16", out=words) is words
    np.testing.assert_array_equal(words, mf.encode(values, "bf16"))
    rounded = X.copy()
    assert mf.quantize(rounded, "e4m3fn", out=rounded) is rounded
    np.testing.assert_array_equal(rounded, values)


def test_out_of_a_scalar_is_0d() -> None:
    out = np.empty((), np.uint8)
    assert mf.encode(1.0, "e4m3fn", out=out) is out
    assert out == 0x38


def test_cast_in_place() -> None:
    codes = CODES.copy()
    expected = mf.cast(CODES, "e4m3fn", "e5m2")
    assert mf.cast(codes, "e4m3fn", "e5m2", out=codes) is codes
    np.testing.assert_array_equal(codes, expected)


def test_quantize_in_place_of_strided_and_big_endian_arrays() -> None:
    expected = mf.quantize(X, "e4m3fn")
    wide = np.repeat(X, 2)
    mf.quantize(wide[::2], "e4m3fn", out=wide[::2])
    np.testing.assert_array_equal(wide[::2], expected)
    np.testing.assert_array_equal(wide[1::2], X)
    swapped = X.astype(">f4")
    assert mf.quantize(swapped, "e4m3fn", out=swapped) is swapped
    np.testing.assert_array_equal(swapped, expected)
    turned = X.reshape(50, 100).copy().T
    mf.quantize(turned, "e4m3fn", out=turned)
    np.testing.assert_array_equal(turned, expected.reshape(50, 100).T)
    flipped = X.copy()
    mf.quantize(flipped[::-1], "e4m3fn", out=flipped[::-1])
    np.testing.assert_array_equal(flipped, expected)


@pytest.mark.parametrize("shift", [-7, -1, 1, 3, 900])
def test_overlapping_out_is_computed_through_a_temporary(shift: int) -> None:
    buffer = np.zeros(X.size + 1000, np.float32)
    source, target = buffer[1000 : 1000 + X.size], buffer[1000 - shift :][: X.size]
    if shift < 0:
        source, target = source[: X.size + shift], target[: X.size + shift]
    source[...] = X[: source.size]
    mf.quantize(source, "e4m3fn", out=target)
    np.testing.assert_array_equal(target, mf.quantize(X[: target.size], "e4m3fn"))


@pytest.mark.parametrize("offset", [0, 1, 2, 3, 100])
def test_codes_over_their_own_source(offset: int) -> None:
    x = X.copy()
    out = x.view(np.uint8)[offset : offset + X.size]
    assert mf.encode(x, "e4m3fn", out=out) is out
    np.testing.assert_array_equal(out, CODES)


def test_values_over_their_own_codes() -> None:
    words = np.zeros(X.size * 4, np.uint8)
    codes = words[-X.size :]
    codes[...] = CODES
    values = mf.decode(codes, "e4m3fn", out=words.view(np.float32))
    np.testing.assert_array_equal(values, mf.quantize(X, "e4m3fn"))


def test_a_reversed_out_of_the_same_memory() -> None:
    x = X.copy()
    mf.quantize(x, "e4m3fn", out=x[::-1])
    np.testing.assert_array_equal(x[::-1], mf.quantize(X, "e4m3fn"))


@pytest.mark.parametrize("bad", [np.int8, np.uint16, np.float32, bool])
def test_out_of_another_dtype_is_refused(bad: Any) -> None:
    with pytest.raises(mf.DtypeError, match=r"out= has shape .* needed are \(5000,\) and uint8"):
        mf.encode(X, "e4m3fn", out=np.empty(X.shape, bad))


@pytest.mark.parametrize("shape", [(4999,), (1, 5000), (), (5000, 1)])
def test_out_of_another_shape_is_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(mf.DtypeError, match="out= has shape"):
        mf.encode(X, "e4m3fn", out=np.empty(shape, np.uint8))


VERBS: list[Callable[..., Any]] = [
    lambda **how: mf.encode(X, "e4m3fn", **how),
    lambda **how: mf.cast(CODES, "e4m3fn", "e5m2", **how),
]


@pytest.mark.parametrize("out", [[0] * 5000, "out", 3, True])
def test_out_must_be_an_array(out: Any) -> None:
    verbs = [*VERBS, lambda **how: mf.decode(CODES, "e4m3fn", **how)]
    for verb in [*verbs, lambda **how: mf.quantize(X, "e4m3fn", **how)]:
        with pytest.raises(mf.DtypeError, match="out= must be a numpy array"):
            verb(out=out)


def test_read_only_out_is_refused() -> None:
    out = np.empty(X.shape, np.uint8)
    out.flags.writeable = False
    for verb in VERBS:
        with pytest.raises(mf.DtypeError, match="out= is read-only"):
            verb(out=out)
        with pytest.raises(mf.DtypeError, match="flags= is read-only"):
            verb(flags=out)


def test_out_that_is_not_contiguous() -> None:
    for out in (
        np.zeros(2 * X.size, np.uint8)[::2],
        np.zeros(X.size, np.uint8)[::-1],
        np.zeros((X.size, 3), np.uint8)[:, 1],
    ):
        assert mf.encode(X, "e4m3fn", out=out) is out
        np.testing.assert_array_equal(out, CODES)
    swapped = np.zeros(X.shape, ">u2")
    mf.encode(X, "bf16", out=swapped)
    np.testing.assert_array_equal(swapped, mf.encode(X, "bf16"))


def test_flags_arrays_of_any_layout() -> None:
    expected = np.empty(X.shape, np.uint8)
    mf.encode(X, "e4m3fn", flags=expected)
    assert set(expected) == {1, 3}
    for flags in (
        np.full(2 * X.size, 77, np.uint8)[::2],
        np.full(X.size, 77, np.uint8)[::-1],
        np.full((X.size, 3), 77, np.uint8)[:, 1],
    ):
        for verb in (
            lambda flags: mf.encode(X, "e4m3fn", flags=flags),
            lambda flags: mf.quantize(X, "e4m3fn", flags=flags),
            lambda flags: mf.cast(X.view(np.uint32), "float32", "e4m3fn", flags=flags),
        ):
            flags[...] = 77
            verb(flags)
            np.testing.assert_array_equal(flags, expected)
    grid = np.zeros((50, 100), np.uint8)
    mf.encode(X.reshape(50, 100), "e4m3fn", flags=grid)
    np.testing.assert_array_equal(grid.ravel(), expected)
    transposed = np.zeros((100, 50), np.uint8).T
    mf.encode(X.reshape(50, 100), "e4m3fn", flags=transposed)
    np.testing.assert_array_equal(transposed, grid)


@pytest.mark.parametrize(
    "flags",
    [
        np.zeros(5000, np.int8),
        np.zeros(5000, bool),
        np.zeros(4999, np.uint8),
        [0] * 5000,
        1,
        mf.Flags,
    ],
)
def test_flags_must_be_flags_or_bytes_of_the_shape(flags: Any) -> None:
    for verb in [*VERBS, lambda **how: mf.quantize(X, "e4m3fn", **how)]:
        with pytest.raises(mf.DtypeError, match="flags="):
            verb(flags=flags)
    with pytest.raises(mf.DtypeError, match="flags="):
        mf.encode([2**70] * 4, "float32", flags=np.zeros(3, np.uint8))


def test_flags_and_out_may_not_be_the_same_memory() -> None:
    out = np.empty(X.shape, np.uint8)
    with pytest.raises(mf.DtypeError, match="share memory"):
        mf.encode(X, "e4m3fn", out=out, flags=out)


def test_flags_over_the_source() -> None:
    x = X.copy()
    flags = x.view(np.uint8)[: X.size]
    expected = np.empty(X.shape, np.uint8)
    mf.encode(X, "e4m3fn", flags=expected)
    np.testing.assert_array_equal(mf.encode(x, "e4m3fn", flags=flags), CODES)
    np.testing.assert_array_equal(flags, expected)


def test_flags_of_scalars_are_0d() -> None:
    flags = np.zeros((), np.uint8)
    mf.encode(0.3, "e4m3fn", flags=flags)
    assert flags == mf.Flag.INEXACT


def test_nan_errors_come_after_the_pass_with_count_and_first_index() -> None:
    x = X.reshape(50, 100).copy()
    x[[7, 7, 49], [3, 50, 99]] = np.nan
    flags = mf.Flags()
    with pytest.raises(
        mf.NanError, match=r"^3 NaNs, the first at index 703, and float4_e2m1fn has no"
    ):
        mf.encode(x, "e2m1fn", flags=flags)
    assert flags.counts[mf.Flag.INVALID] == 3
    assert flags.first[mf.Flag.INVALID] == 703
    with pytest.raises(mf.NanError, match="nan='max' or 'zero' replaces them"):
        mf.quantize(x, "e2m1fn")
    for _ in range(2):
        with pytest.raises(mf.NanError, match="index 703"):
            mf.encode(x, "int8")
    with pytest.raises(mf.NanError, match="index 0"):
        mf.cast([0x7F], "e4m3fn", "e2m1fn")
    with pytest.raises(mf.NanError):
        mf.encode(float("nan"), "e2m1fn")
    with pytest.raises(mf.NanError):
        mf.decode([0x7F], "e4m3fn", dtype=np.int32)
