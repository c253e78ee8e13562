"""Every code of every narrow named format decodes as the outside implementations say."""

from __future__ import annotations

import csv
from pathlib import Path

import en_dtypes
import gfloat
import gfloat.formats
import ml_dtypes
import numpy as np
import numpy.typing as npt
import pytest

from minifloat._formats import formats, get_format
from minifloat.reference.grid import decode_table
from minifloat.reference.values import decode

DATA = Path(__file__).parents[1] / "data"

ML_DTYPES = [name for name in formats if hasattr(ml_dtypes, name)]
# gfloat's name, ours.
GFLOAT = {
    "ocp_e4m3": "float8_e4m3fn",
    "ocp_e5m2": "float8_e5m2",
    "ocp_e2m3": "float6_e2m3fn",
    "ocp_e3m2": "float6_e3m2fn",
    "ocp_e2m1": "float4_e2m1fn",
    "ocp_e8m0": "float8_e8m0fnu",
    "binary16": "float16",
    "bfloat16": "bfloat16",
}
EN_DTYPES = {
    "hifloat8": "hifloat8",
    "float4_e1m2": "float4_e1m2fn",
    "float4_e2m1": "float4_e2m1fn",
    "float6_e2m3": "float6_e2m3fn",
    "float6_e3m2": "float6_e3m2fn",
    "float8_e8m0": "float8_e8m0fnu",
}


def widen(values: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Convert to float64; numpy warns of signalling NaNs on the way."""
    with np.errstate(invalid="ignore"):
        return np.asarray(values).astype(np.float64)


def assert_same_values(ours: npt.ArrayLike, theirs: npt.ArrayLike) -> None:
    """Numbers, zeros' signs and the places of NaN are equal."""
    ours, theirs = np.asarray(ours, np.float64), widen(theirs)
    np.testing.assert_array_equal(ours, theirs)
    is_number = ~np.isnan(theirs)
    np.testing.assert_array_equal(np.signbit(ours)[is_number], np.signbit(theirs)[is_number])


def all_codes(bits: int) -> npt.NDArray[np.uint16] | npt.NDArray[np.uint8]:
    return np.arange(1 << bits, dtype=np.uint16 if bits > 8 else np.uint8)


def test_ml_dtypes_has_the_formats_that_it_is_an_oracle_for() -> None:
    assert len(ML_DTYPES) == 16


@pytest.mark.parametrize("name", ML_DTYPES)
def test_decode_agrees_with_ml_dtypes(name: str) -> None:
    fmt = get_format(name)
    dtype = np.dtype(getattr(ml_dtypes, name))
    assert_same_values(decode_table(fmt), all_codes(fmt.bits).view(dtype))


@pytest.mark.parametrize(
    "name", ["bfloat16", "float8_e3m4", "float8_e4m3", "float8_e4m3fn", "float8_e5m2"]
)
def test_nan_signs_agree_with_ml_dtypes(name: str) -> None:
    fmt = get_format(name)
    codes = all_codes(fmt.bits)
    ours = [decode(int(code), fmt) for code in codes]
    theirs = np.signbit(widen(codes.view(np.dtype(getattr(ml_dtypes, name)))))
    nans = [value.is_nan for value in ours]
    assert sum(nans) >= 2
    assert [value.negative for value in ours if value.is_nan] == theirs[nans].tolist()


@pytest.mark.parametrize("name", ["float16", "int8", "uint8", "int16", "uint16"])
def test_decode_agrees_with_numpy(name: str) -> None:
    fmt = get_format(name)
    assert_same_values(decode_table(fmt), all_codes(fmt.bits).view(np.dtype(name)))


@pytest.mark.parametrize(("theirs", "ours"), GFLOAT.items())
def test_decode_agrees_with_gfloat(theirs: str, ours: str) -> None:
    info = next(f for f in gfloat.formats.sample_formats if f.name == theirs)
    fmt = get_format(ours)
    values = gfloat.decode_ndarray(info, np.arange(1 << fmt.bits))
    assert_same_values(decode_table(fmt), values)


@pytest.mark.parametrize(("theirs", "ours"), EN_DTYPES.items())
def test_decode_agrees_with_en_dtypes(theirs: str, ours: str) -> None:
    fmt = get_format(ours)
    dtype = np.dtype(getattr(en_dtypes, theirs))
    values = all_codes(fmt.bits).view(dtype).astype(np.float32)
    assert_same_values(decode_table(fmt), values)


def test_decode_agrees_with_the_table_of_hifloat8() -> None:
    with (DATA / "hifloat8_codes.csv").open() as lines:
        rows = list(csv.DictReader(lines))
    assert [int(row["code"]) for row in rows] == list(range(256))
    assert_same_values(decode_table(get_format("hifloat8")), [float(row["value"]) for row in rows])


@pytest.mark.parametrize("name", ["float32", "float64"])
def test_wide_formats_decode_as_numpy(name: str) -> None:
    fmt = get_format(name)
    word = np.dtype(f"u{fmt.bits // 8}")
    rng = np.random.default_rng(20)
    codes = rng.integers(0, 1 << fmt.bits, 3000, dtype=np.uint64).astype(word)
    codes = np.concatenate([codes, np.arange(300, dtype=word), ~np.arange(300, dtype=word)])
    values = [float(decode(int(code), fmt)) for code in codes]
    assert_same_values(values, codes.view(name))


def test_tfloat32_is_float32_with_13_zero_bits() -> None:
    fmt = get_format("tfloat32")
    codes = np.arange(1 << 19, dtype=np.uint32)[::97] << np.uint32(13)
    values = [float(decode(int(code), fmt)) for code in codes]
    assert_same_values(values, codes.view(np.float32))


@pytest.mark.parametrize("name", ["dlfloat16", "float8_ue4m3", "float8_ue5m3"])
def test_formats_without_an_oracle_have_the_published_corners(name: str) -> None:
    # Codes of: zero, smallest value, one, largest value; all from the formats' descriptions.
    corners = {
        "dlfloat16": [(0, 0.0), (1, (1 + 2**-9) * 2.0**-31), (0x3E00, 1.0), (0x7FFE, 8573157376.0)],
        "float8_ue4m3": [(0, 0.0), (1, 2.0**-9), (0x38, 1.0), (0x7E, 448.0)],
        "float8_ue5m3": [(0, 0.0), (1, 2.0**-17), (0x78, 1.0), (0xFE, 114688.0)],
    }
    fmt = get_format(name)
    assert [(code, float(decode(code, fmt))) for code, _ in corners[name]] == corners[name]
    nan_codes = [code for code in range(1 << fmt.bits) if decode(code, fmt).is_nan]
    assert nan_codes == ([0x7FFF, 0xFFFF] if name == "dlfloat16" else [(1 << fmt.bits) - 1])
