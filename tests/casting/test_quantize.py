"""Quantize: which pairs of dtype and format it takes, and that it is encode and decode in one."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from inputs import CUSTOM, NARROW_FLOATS, all_float16, edges, random_float32

import minifloat as mf

SHORT = [name for name in NARROW_FLOATS if mf.get_format(name).bits <= 8]
INSIDE = [
    (np.float32, "e4m3fn"),
    (np.float32, "float16"),
    (np.float32, "bfloat16"),
    (np.float32, "tf32"),
    (np.float32, "int8"),
    (np.float32, "uint24"),
    (np.float64, "float32"),
    (np.float64, "int32"),
    (np.float16, "e4m3fn"),
    (np.float16, "e5m2"),
    (np.float16, "hifloat8"),
    (ml_dtypes.bfloat16, "e5m2"),
    (ml_dtypes.bfloat16, "e8m0fnu"),
    (ml_dtypes.float8_e5m2, "e2m1fn"),
]
AROUND = [
    (np.float16, "float32"),
    (np.float16, "float64"),
    (np.float32, "float64"),
    (ml_dtypes.bfloat16, "tf32"),
    (ml_dtypes.float8_e4m3fn, "float16"),
    (np.float32, "float32"),
]
APART = [
    (np.float16, "bfloat16", "float32"),
    (ml_dtypes.bfloat16, "float16", "float32"),
    (np.float32, "e9m4", "float64"),
    (np.float16, "int32", "float64"),
    (ml_dtypes.float8_e5m2, "e4m3fn", "float32"),
]


@pytest.mark.parametrize(("dtype", "name"), INSIDE)
def test_formats_inside_the_dtype_are_encoded_and_decoded(dtype: Any, name: str) -> None:
    x = random_float32(4000, 1)
    with np.errstate(over="ignore", invalid="ignore"):
        x = x.astype(dtype)
    how: dict[str, Any] = {"rounding": "rtp", "overflow": "saturate", "nan": "zero"}
    values = mf.quantize(x, name, **how)
    assert values.dtype == x.dtype
    expected = mf.decode(mf.encode(x, name, **how), name, dtype=dtype)
    np.testing.assert_array_equal(mf.encode(values, "float64"), mf.encode(expected, "float64"))


@pytest.mark.parametrize(("dtype", "name"), AROUND)
def test_formats_around_the_dtype_change_nothing(dtype: Any, name: str) -> None:
    words = np.arange(1 << min(np.dtype(dtype).itemsize * 8, 16)).astype(
        f"u{np.dtype(dtype).itemsize}"
    )
    x = words.view(dtype)
    values = mf.quantize(x, name)
    nan = (
        np.isnan(x.astype(np.float64)) if np.dtype(dtype).itemsize == 4 else mf.is_nan(words, dtype)
    )
    np.testing.assert_array_equal(values.view(words.dtype)[~nan], words[~nan])


@pytest.mark.parametrize(("dtype", "name", "fitting"), APART)
def test_other_pairs_are_refused_with_the_dtype_to_use(dtype: Any, name: str, fitting: str) -> None:
    with pytest.raises(mf.FormatError, match=f"do not fit .*; use dtype {fitting}$"):
        mf.quantize(np.ones(2, dtype), name)
    mf.quantize(np.ones(2, fitting), name)


def test_formats_that_no_dtype_holds_are_refused() -> None:
    with pytest.raises(mf.FormatError, match="no dtype holds both: use encode"):
        mf.quantize(np.ones(2), "int64")


@pytest.mark.parametrize(
    "x", [3, [1, 2], np.arange(3), np.ones(2, ml_dtypes.int4), 2**70, np.uint8(3)]
)
def test_integers_are_refused(x: Any) -> None:
    with pytest.raises(mf.DtypeError, match="use encode"):
        mf.quantize(x, "e4m3fn")


@pytest.mark.parametrize("name", [*SHORT, *CUSTOM, "dlfloat16", "int8", "uint5"])
@pytest.mark.parametrize("mode", ["ties_to_even", "to_odd", "toward_negative"])
def test_values_flags_and_codes_agree(name: str, mode: str) -> None:
    fmt = mf.get_format(name)
    x = edges(fmt, np.float64)
    flags, code_flags = np.empty(x.shape, np.uint8), np.empty(x.shape, np.uint8)
    values = mf.quantize(x, fmt, rounding=mode, flags=flags)
    codes = mf.encode(x, fmt, rounding=mode, flags=code_flags)
    expected = mf.decode(codes, fmt, dtype=np.float64)
    np.testing.assert_array_equal(values, expected)
    np.testing.assert_array_equal(np.signbit(values), np.signbit(expected))
    np.testing.assert_array_equal(flags, code_flags)


@pytest.mark.parametrize("name", ["e4m3fn", "e5m2", "e2m1fn", "hifloat8", "binary8p3se", "int8"])
def test_16_bit_arrays_agree_with_their_float32_values(name: str) -> None:
    x = all_float16()
    how: dict[str, Any] = {"overflow": "saturate"}
    values = mf.quantize(x, name, **how)
    np.testing.assert_array_equal(values, mf.quantize(x.astype(np.float32), name, **how))


def test_stochastic_values_and_codes_agree() -> None:
    x = random_float32(3000, 5, mf.get_format("e4m3fn"))
    how: dict[str, Any] = {"rounding": mf.Stochastic(12), "rng": 8, "overflow": "saturate"}
    codes = mf.encode(x, "e4m3fn", **how)
    np.testing.assert_array_equal(mf.quantize(x, "e4m3fn", **how), mf.decode(codes, "e4m3fn"))


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_nan_without_a_code_may_propagate(dtype: Any) -> None:
    x = np.array([1.3, np.nan, -np.nan, np.inf], dtype)
    with pytest.raises(mf.NanError):
        mf.quantize(x, "e2m1fn")
    np.testing.assert_array_equal(
        mf.quantize(x, "e2m1fn", nan="propagate"), np.array([1.5, np.nan, np.nan, 6], dtype)
    )
    np.testing.assert_array_equal(
        mf.quantize(x, "int8", nan="propagate"), np.array([1, np.nan, np.nan, 127], dtype)
    )
    assert mf.quantize(x, "e2m1fn", nan="zero").tolist() == [1.5, 0, 0, 6]
    assert mf.quantize(x, "e2m1fn", nan="max").tolist() == [1.5, 6, 6, 6]
    np.testing.assert_array_equal(mf.quantize(x[:3], "e4m3fn", nan="propagate")[1:], x[1:3])


def test_formats_without_negative_zero_give_positive_zero() -> None:
    x = np.array([-0.0, -1e-9], np.float32)
    assert np.signbit(mf.quantize(x, "e4m3fn")).all()
    assert not np.signbit(mf.quantize(x, "e4m3fnuz")).any()
    assert not np.signbit(mf.quantize(x, "int8")).any()
