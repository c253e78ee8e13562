"""What the verbs take as codes: any integers inside the format, and nothing else."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import minifloat as mf

INTEGERS = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"]


@pytest.mark.parametrize("dtype", INTEGERS)
def test_any_integer_dtype_holds_codes(dtype: str) -> None:
    codes = np.arange(0x78).astype(dtype)
    expected = mf.decode(codes.astype(np.uint8), "e5m2")
    for _ in range(2):  # the second call may take a shorter way
        np.testing.assert_array_equal(mf.decode(codes, "e5m2"), expected)
        np.testing.assert_array_equal(mf.cast(codes, "e5m2", "float32").view(np.float32), expected)


@pytest.mark.parametrize("dtype", ["i1", "i2", "i4", "i8"])
def test_negative_integers_are_no_codes(dtype: str) -> None:
    good = np.array([5, 3, 1, 0]).astype(dtype)
    bad = np.array([5, -3, 1, -128]).astype(dtype)
    for verb in (
        lambda codes: mf.decode(codes, "e4m3fn"),
        lambda codes: mf.cast(codes, "int8", "e4m3fn"),
        lambda codes: mf.pack(codes, "e4m3fn"),
    ):
        verb(good)
        with pytest.raises(mf.CodeError, match=r"^2 codes lie outside uint8.*-3 at index 1$"):
            verb(bad)


def test_codes_beyond_the_storage_are_refused_with_count_and_first_index() -> None:
    with pytest.raises(mf.CodeError, match=r"^3 codes lie outside uint8.*256 at index 2$"):
        mf.decode([[1, 2], [256, 999], [0, 2**40]], "e4m3fn")
    with pytest.raises(mf.CodeError, match=r"2\*\*|integers|outside"):
        mf.decode([2**70], "float64")


@pytest.mark.parametrize("size", [4, 3000, 600_000])
@pytest.mark.parametrize("verb", ["decode", "cast", "pack"])
def test_stray_bits_are_refused_with_count_and_first_index(verb: str, size: int) -> None:
    codes = np.full(size, 0xF, np.uint8)
    codes[[size // 2, size - 1]] = 0x1F, 0x40
    calls: dict[str, Any] = {
        "decode": lambda: mf.decode(codes, "e2m1fn"),
        "cast": lambda: mf.cast(codes, "e2m1fn", "float32", workers=2),
        "pack": lambda: mf.pack(codes, "e2m1fn"),
    }
    found = f"^2 codes have bits outside float4_e2m1fn's 4; the first is 0x1f at index {size // 2}$"
    with pytest.raises(mf.CodeError, match=found):
        calls[verb]()


def test_codes_of_tfloat32_have_zeros_below() -> None:
    assert mf.decode(np.uint32(0x3F800000), "tf32") == 1.0
    assert mf.encode(1.0, "tf32") == 0x3F800000
    with pytest.raises(mf.CodeError, match="0x3f801000 at index 1"):
        mf.decode([0x3F800000, 0x3F801000], "tf32")
    with pytest.raises(mf.CodeError, match="0x1 at index 0"):
        mf.cast(1, "tf32", "float32")


@pytest.mark.parametrize(
    "x", [0.5, [1.0, 2.0], np.float32([1]), np.zeros(2, ml_dtypes.float8_e5m2)]
)
def test_floats_are_no_codes(x: Any) -> None:
    for verb in (
        lambda: mf.decode(x, "e4m3fn"),
        lambda: mf.cast(x, "e4m3fn", "float32"),
        lambda: mf.pack(x, "e4m3fn"),
    ):
        with pytest.raises(mf.CodeError, match="did you mean encode\\?"):
            verb()


@pytest.mark.parametrize("x", [True, "12", None, 1j, [object()]])
def test_other_things_are_no_codes(x: Any) -> None:
    with pytest.raises(mf.CodeError):
        mf.decode(x, "e4m3fn")


def test_ragged_codes_are_refused() -> None:
    with pytest.raises(mf.DtypeError, match="cannot read codes as an array"):
        mf.decode([[1], [1, 2]], "e4m3fn")


def test_integer_codes_are_twos_complement_in_the_low_bits() -> None:
    assert mf.decode(np.arange(16), "int4").tolist() == [*range(8), *range(-8, 0)]
    assert mf.encode([-1, -8, 7], "int4").tolist() == [0xF, 0x8, 0x7]
    assert mf.encode([-1, -2], "int2").tolist() == [3, 2]
    assert mf.encode(-1, "int64") == 2**64 - 1
    with pytest.raises(mf.CodeError):
        mf.decode(0x10, "int4")


def test_output_codes_have_zeros_above_the_format() -> None:
    x = np.random.default_rng(2).normal(size=5000).astype(np.float32)
    for name in ("e2m1fn", "e3m2fn", "int4", "uint2", "binary5p2se", "e4m6"):
        fmt = mf.get_format(name)
        codes = mf.encode(x, fmt)
        assert codes.dtype.itemsize == (1 if fmt.bits <= 8 else 2)
        assert int(codes.max()) < 1 << fmt.bits
