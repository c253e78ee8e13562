"""The defaults against ml_dtypes and numpy, code for code, and where they differ on purpose."""

from __future__ import annotations

import functools
from typing import Any

import ml_dtypes
import numpy as np
import numpy.typing as npt
import pytest
from inputs import edges, random_float32

import minifloat as mf
from minifloat.reference.grid import grid_of

Array = npt.NDArray[Any]

E8M0 = "float8_e8m0fnu"
ML_FLOATS = tuple(
    name for name in mf.formats if hasattr(ml_dtypes, name) and "int" not in name and name != E8M0
)
NARROW_SOURCES = (*(name for name in ML_FLOATS if mf.formats[name].bits <= 8), E8M0)
# ml_dtypes has no direct cast for these pairs.
UNKNOWN = {(E8M0, name) for name in ML_FLOATS if name not in ("bfloat16", "float16")} | {
    ("int4", "float6_e2m3fn"),
    ("uint4", "float6_e2m3fn"),
}


def dtype_of(name: str) -> np.dtype[Any]:
    return np.dtype(getattr(ml_dtypes, name, name))


@functools.cache
def stratified_float32() -> npt.NDArray[np.float32]:
    """All 2**16 upper halves, each with six lower halves that lie on both sides of a tie."""
    upper = np.arange(1 << 16, dtype=np.uint32) << np.uint32(16)
    lower = np.array([0, 1, 0x7FFF, 0x8000, 0x8001, 0xFFFF], np.uint32)
    return np.bitwise_or.outer(upper, lower).ravel().view(np.float32)


def all_codes(name: str) -> Array:
    return np.arange(1 << min(mf.get_format(name).bits, 16), dtype=np.uint16)


def all_values(name: str) -> Array:
    bits = mf.get_format(name).bits
    return all_codes(name).astype(f"u{(bits + 7) // 8}").view(dtype_of(name))


def as_float32(x: Array) -> npt.NDArray[np.float32]:
    with np.errstate(invalid="ignore"):
        return x.astype(np.float32)


def as_float64(x: Array) -> npt.NDArray[np.float64]:
    with np.errstate(invalid="ignore"):
        return x.astype(np.float64)


def their_codes(x: Array, name: str) -> Array:
    with np.errstate(all="ignore"):
        return x.astype(dtype_of(name)).view(f"u{dtype_of(name).itemsize}")


def assert_equal_codes(x: Array, name: str) -> None:
    theirs = their_codes(x, name)
    ours = mf.encode(x, name)
    wrong = np.flatnonzero(ours != theirs)
    sample = [(float(x[i]), hex(ours[i]), hex(theirs[i])) for i in wrong[:5]]
    assert not wrong.size, f"{name}: {wrong.size} differ; input, ours, theirs: {sample}"


def encodable(x: Array, name: str) -> Array:
    """Leave out NaN where the format has none: an exception of its own, below."""
    return x if mf.get_format(name).has_nan else x[~np.isnan(as_float32(x))]


@pytest.mark.parametrize("name", ML_FLOATS)
def test_float32_sources(name: str) -> None:
    fmt = mf.get_format(name)
    x = np.concatenate([stratified_float32(), edges(fmt, np.float32), random_float32(20_000, 2)])
    assert_equal_codes(encodable(x, name), name)


@pytest.mark.parametrize("name", ML_FLOATS)
@pytest.mark.parametrize("source", ["float16", "bfloat16"])
def test_16_bit_sources(name: str, source: str) -> None:
    x = all_values(source)
    if source == name:
        x = x[~np.isnan(as_float32(x))]
    assert_equal_codes(encodable(x, name), name)


@pytest.mark.parametrize("name", ML_FLOATS)
@pytest.mark.parametrize("source", NARROW_SOURCES)
def test_narrow_sources(name: str, source: str) -> None:
    x = all_values(source)
    if (source, name) in UNKNOWN:
        x = as_float32(x)
    elif source == name or source.endswith("fnuz"):  # two exceptions of their own, below
        x = x[~np.isnan(as_float32(x))]
    assert_equal_codes(encodable(x, name), name)


@pytest.mark.parametrize("name", ML_FLOATS)
@pytest.mark.parametrize("source", ["int4", "uint4", "int2", "uint2"])
def test_narrow_integer_sources(name: str, source: str) -> None:
    x = all_values(source)
    assert_equal_codes(as_float32(x) if (source, name) in UNKNOWN else x, name)
    np.testing.assert_array_equal(mf.encode(x, name), mf.encode(as_float32(x), name))


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, ml_dtypes.bfloat16])
@pytest.mark.parametrize("name", [*NARROW_SOURCES, "bfloat16", "int4", "uint4", "int2", "uint2"])
def test_decoding(name: str, dtype: Any) -> None:
    values = all_values(name)
    with np.errstate(all="ignore"):
        theirs = values.astype(dtype)
    ours = mf.decode(all_codes(name), name, dtype=dtype)
    nan = np.isnan(as_float32(theirs))
    np.testing.assert_array_equal(np.isnan(as_float32(ours)), nan)
    word = f"u{np.dtype(dtype).itemsize}"
    np.testing.assert_array_equal(ours.view(word)[~nan], theirs.view(word)[~nan])
    if mf.get_format(name).signed:
        np.testing.assert_array_equal(
            mf.decode(values, name, dtype=dtype).view(word), ours.view(word)
        )


def test_numpy_float16_from_float32_and_float64() -> None:
    fmt = mf.get_format("float16")
    single = np.concatenate([stratified_float32(), random_float32(50_000, 4, fmt)])
    assert_equal_codes(single[~np.isnan(single)], "float16")
    assert_equal_codes(edges(fmt, np.float64), "float16")
    double = np.concatenate(
        [np.nextafter(as_float64(single), np.inf), np.ldexp(1.0, np.arange(-30, 20))]
    )
    assert_equal_codes(double[~np.isnan(double)], "float16")


def test_numpy_float32_from_float64() -> None:
    x = as_float64(stratified_float32()[::5])
    x = x[np.isfinite(x)]
    halfway = (x + np.nextafter(x.astype(np.float32), np.float32(np.inf))) / 2
    numbers = np.concatenate(
        [np.nextafter(halfway, -np.inf), halfway, np.nextafter(halfway, np.inf)]
    )
    assert_equal_codes(numbers[np.isfinite(numbers)], "float32")


@pytest.mark.parametrize("name", ["float6_e2m3fn", "float6_e3m2fn", "float4_e2m1fn"])
def test_exception_nan_into_formats_without_nan(name: str) -> None:
    nans = np.array([np.nan, -np.nan], np.float32)
    sign = 1 << (mf.get_format(name).bits - 1)
    assert set(their_codes(nans, name).tolist()) <= {0, sign}  # a zero, silently
    with pytest.raises(mf.NanError, match=r"2 NaNs, the first at index 0"):
        mf.encode(nans, name)
    assert mf.encode(nans, name, nan="zero").tolist() == [0, 0]
    assert mf.encode(nans, name, nan="max").tolist() == [sign - 1] * 2


def test_exception_e8m0_ties_and_rounding_below_its_second_value() -> None:
    x = np.concatenate([stratified_float32(), edges(mf.get_format(E8M0), np.float32)])
    ours, theirs = mf.encode(x, E8M0), their_codes(x, E8M0)
    size = as_float64(np.abs(x))
    ties = np.isin(size, grid_of(mf.get_format(E8M0)).middles.floor) & (x > 0)
    low = (x > 2.0**-127) & (x < 1.5 * 2.0**-127)
    assert ties.sum() > 250
    assert low.sum() > 30
    np.testing.assert_array_equal(ours[~ties & ~low], theirs[~ties & ~low])
    # They send ties up, we send them to the even code; they round up in the last half binade.
    np.testing.assert_array_equal(ours[ties] % 2, 0)
    np.testing.assert_array_equal(theirs[ties] - ours[ties], ours[ties] != theirs[ties])
    assert set(theirs[low]) == {1}
    assert set(ours[low]) == {0}


def test_exception_nan_payloads_of_float16() -> None:
    nans = np.array([0x7FC02000, 0xFFE00000, 0x7FBFE000], np.uint32).view(np.float32)
    assert mf.encode(nans, "float16").tolist() == [0x7E00, 0xFE00, 0x7E00]
    assert their_codes(nans[:2], "float16").tolist() == [0x7E01, 0xFF00]  # they keep the payload


@pytest.mark.parametrize("source", ["float8_e4m3fnuz", "float8_e4m3b11fnuz", "float8_e5m2fnuz"])
def test_exception_the_one_nan_of_fnuz_formats_is_positive(source: str) -> None:
    x = np.array([0x80], np.uint8).view(dtype_of(source))
    for name in ("bfloat16", "float8_e5m2", "float8_e4m3fn"):
        sign = 1 << (mf.get_format(name).bits - 1)
        ours, theirs = int(mf.encode(x, name)[0]), int(their_codes(x, name)[0])
        assert theirs == ours | sign != ours  # they take the sign bit of the code for a sign


@pytest.mark.parametrize("name", ["bfloat16", "float8_e5m2", "float8_e4m3", "float8_e3m4"])
def test_exception_casts_to_the_same_format_make_nans_canonical(name: str) -> None:
    x = all_values(name)
    x = x[np.isnan(as_float32(x))]
    codes = x.view(f"u{x.dtype.itemsize}")
    np.testing.assert_array_equal(their_codes(x, name), codes)  # they copy
    signs = codes >> (mf.get_format(name).bits - 1)
    canonical = mf.encode(np.array([np.nan, -np.nan], np.float32), name)
    np.testing.assert_array_equal(mf.encode(x, name), canonical[signs])


@pytest.mark.parametrize("name", ML_FLOATS)
def test_exception_sources_wider_than_float32(name: str) -> None:
    middles = grid_of(mf.get_format(name)).middles.floor
    middles = middles[middles < float(mf.get_format(name).max)]
    near = np.concatenate([np.nextafter(middles, 0), np.nextafter(middles, np.inf)])
    ours = mf.decode(mf.encode(near, name), name, dtype=np.float64)
    theirs = mf.decode(their_codes(near, name), name, dtype=np.float64)
    # One side of every tie is pulled onto it and then away from the nearest value.
    wrong = np.abs(theirs - near) > np.abs(ours - near)
    np.testing.assert_array_equal(wrong, ours != theirs)
    assert wrong.sum() == middles.size


def test_exception_narrow_integers_saturate_and_round() -> None:
    x = np.array([7.9, 8.0, 9.0, -8.9, -9.0, 2.5, 3.5, -0.5], np.float32)
    theirs = x.astype(ml_dtypes.int4).astype(np.int32)
    assert theirs.tolist() == [7, -8, -7, -8, 7, 2, 3, 0]  # truncated, low bits kept
    codes = mf.encode(x, "int4")
    assert mf.decode(codes, "int4").tolist() == [7, 7, 7, -8, -8, 2, 4, 0]
    truncated = mf.encode(x, "int4", rounding="rtz", overflow="wrap")
    np.testing.assert_array_equal(mf.decode(truncated, "int4"), theirs)
    assert mf.decode(mf.encode(np.array([5, -3]), "int2"), "int2").tolist() == [1, -2]
    assert mf.decode(mf.encode(np.array([5, -3]), "int2", overflow="wrap"), "int2").tolist() == [
        1,
        1,
    ]
