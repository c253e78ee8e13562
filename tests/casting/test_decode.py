"""Decode: which dtype values come in, and what an explicit one does."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import minifloat as mf

DEFAULTS = {
    "float32": [
        "e4m3fn",
        "e5m2",
        "bf16",
        "fp16",
        "tf32",
        "float32",
        "hif8",
        "e8m0",
        "int16",
        "uint2",
    ],
    "float64": ["float64", "int32", "uint32", "e11m2:finite,bias=1071", "e9m2", "int30:scale=-200"],
    "int64": ["int64", "int60", "int55"],
    "uint64": ["uint64", "uint54"],
}


@pytest.mark.parametrize(("dtype", "fmt"), [(d, f) for d, fs in DEFAULTS.items() for f in fs])
def test_values_come_in_the_smallest_dtype_that_holds_all(dtype: str, fmt: str) -> None:
    values = mf.decode(np.zeros(2, np.uint8), fmt)
    assert values.dtype == dtype


def test_int32_and_uint32_need_float64() -> None:
    assert mf.decode([2**31 - 1, 2**31], "int32").tolist() == [2.0**31 - 1, -(2.0**31)]
    assert mf.decode(2**32 - 1, "uint32") == 2.0**32 - 1


def test_wide_integers_come_as_integers() -> None:
    words = np.array([0, 1, 2**63 - 1, 2**63, 2**64 - 1], np.uint64)
    assert mf.decode(words, "int64").tolist() == [0, 1, 2**63 - 1, -(2**63), -1]
    assert mf.decode(words, "uint64").tolist() == words.tolist()
    assert type(mf.decode(5, "int64")) is np.int64
    assert mf.decode(2**60 - 1, "int60") == -1


def test_values_that_no_dtype_holds_need_an_explicit_one() -> None:
    with pytest.raises(mf.FormatError, match="give dtype="):
        mf.decode([1], "int64:scale=3")
    assert mf.decode([1], "int64:scale=3", dtype=np.float64) == 8
    assert mf.decode([2**63 - 1], "int64:scale=3", dtype=np.float64) == 2.0**66


@pytest.mark.parametrize("fmt", ["float32", "float64", "bf16", "e5m2", "int64"])
@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn])
def test_narrower_dtypes_round_once_ties_to_even(fmt: str, dtype: Any) -> None:
    bits = mf.get_format(fmt).bits
    codes = np.random.default_rng(1).integers(0, 2**bits, 5000, np.uint64, endpoint=False)
    if bits <= 16:
        codes = np.arange(1 << bits, dtype=np.uint64)
    values = mf.decode(codes, fmt, dtype=dtype)
    assert values.dtype == dtype
    expected = mf.cast(codes, fmt, dtype)
    np.testing.assert_array_equal(values.view(expected.dtype), expected)


def test_a_narrower_dtype_rounds_float64_once() -> None:
    word = np.float64(1.0 + 2.0**-11 + 2.0**-40).view(np.uint64)
    assert mf.decode(word, "float64", dtype=np.float16) == np.float16(1 + 2**-10)
    assert mf.decode(word, "float64", dtype="float16") != np.float16(
        np.float32(1 + 2**-11 + 2**-40)
    )


def test_integer_dtypes_round_and_saturate() -> None:
    codes = mf.encode([0.5, 1.5, 2.5, 300.0, -0.75], "e4m3fn")
    values = mf.decode(codes, "e4m3fn", dtype=np.int8)
    assert values.dtype == np.int8
    assert values.tolist() == [0, 2, 2, 127, -1]
    assert mf.decode(codes[:3], "e4m3fn", dtype="uint64").tolist() == [0, 2, 2]


@pytest.mark.parametrize("dtype", [">f4", ">f8", ">f2", ">i4"])
def test_big_endian_dtypes(dtype: str) -> None:
    codes = np.arange(0x70, dtype=np.uint8)
    native = mf.decode(codes, "e4m3fn", dtype=np.dtype(dtype).newbyteorder("="))
    for _ in range(2):
        values = mf.decode(codes, "e4m3fn", dtype=dtype)
        assert values.dtype == dtype
        np.testing.assert_array_equal(values, native)
    out = np.empty(codes.shape, dtype)
    assert mf.decode(codes, "e4m3fn", out=out) is out
    np.testing.assert_array_equal(out, native)
    assert mf.decode(0x38, "e4m3fn", dtype=dtype) == 1


def test_out_fixes_the_dtype() -> None:
    out = np.empty(3, np.float16)
    mf.decode([0x38, 0x40, 0x7F], "e4m3fn", out=out)
    np.testing.assert_array_equal(out, np.float16([1, 2, np.nan]))
    words = np.empty(2, ml_dtypes.bfloat16)
    assert mf.decode([0x38, 0x40], "e4m3fn", out=words).tolist() == [1, 2]
    with pytest.raises(mf.DtypeError, match="out= has shape"):
        mf.decode([0x38], "e4m3fn", out=np.empty(1, np.float32), dtype=np.float64)


@pytest.mark.parametrize(
    "dtype", ["floaty", 3, object(), "f4,f4,f", bool, complex, object, "g", "U3"]
)
def test_what_is_no_dtype_of_numbers_is_refused(dtype: Any) -> None:
    with pytest.raises(mf.DtypeError):
        mf.decode([0x38], "e4m3fn", dtype=dtype)


def test_negative_zero_and_infinities_keep_their_sign() -> None:
    values = mf.decode([0x80, 0xFC, 0x7C], "e5m2")
    assert np.signbit(values).tolist() == [True, True, False]
    assert values.tolist() == [0.0, -np.inf, np.inf]
