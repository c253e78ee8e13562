"""What formats say of themselves is what their codes decode to; `finfo` speaks numpy's language."""

from __future__ import annotations

from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest
from inputs import CUSTOM, INTEGERS, NARROW, P3109

from minifloat._errors import FormatError
from minifloat._formats import FloatFormat, Format, IntFormat, finfo, formats, get_format
from minifloat.reference.grid import decode_table, grid_of
from minifloat.reference.values import Value, decode

ALL = [get_format(name) for name in [*NARROW, *P3109, *CUSTOM, *INTEGERS]]


def values_of(fmt: Format) -> list[Value]:
    return [decode(code, fmt) for code in range(1 << fmt.bits)]


@pytest.mark.parametrize("fmt", ALL, ids=str)
def test_limits_are_those_of_the_decoded_codes(fmt: Format) -> None:
    values = values_of(fmt)
    numbers = [value.number for value in values if value.is_finite]
    positive = [number for number in numbers if number > 0]
    assert fmt.max == max(numbers)
    assert fmt.min == min(numbers)
    assert fmt.smallest == min(positive)
    assert fmt.has_nan == any(value.is_nan for value in values)
    assert fmt.has_signaling_nan == any(value.signaling for value in values)
    assert fmt.has_infinity == any(value.is_infinite for value in values)
    assert fmt.has_zero == (0 in numbers)
    assert fmt.signed == any(number < 0 for number in numbers)
    assert fmt.has_negative_zero == any(value.is_zero and value.negative for value in values)


@pytest.mark.parametrize("fmt", [f for f in ALL if not isinstance(f, IntFormat)], ids=str)
def test_special_codes_are_where_they_are_said_to_be(fmt: FloatFormat) -> None:
    assert decode(fmt.max_code, fmt) == Value.of(fmt.max)
    assert decode(fmt.smallest_code, fmt) == Value.of(fmt.smallest)
    assert (fmt.nan_code is None) == (not fmt.has_nan)
    assert (fmt.infinity_code is None) == (not fmt.has_infinity)
    if fmt.nan_code is not None:
        nan = decode(fmt.nan_code, fmt)
        assert nan.is_nan
        assert not nan.signaling
    if fmt.infinity_code is not None:
        assert decode(fmt.infinity_code, fmt) == Value.of(float("inf"))


@pytest.mark.parametrize("fmt", [f for f in ALL if isinstance(f, FloatFormat)], ids=str)
def test_magnitudes_are_those_of_the_decoded_codes(fmt: FloatFormat) -> None:
    codes = range(0, fmt.max_code + 1, max(1, fmt.max_code // 300))
    assert all(decode(code, fmt).magnitude == fmt.magnitude(code) for code in codes)


@pytest.mark.parametrize("fmt", ALL, ids=str)
def test_precision_is_that_of_the_finest_binade(fmt: Format) -> None:
    numbers = [point for point in grid_of(fmt).points[:-1] if point]
    if isinstance(fmt, IntFormat):
        top, unit = int(fmt.max / fmt.smallest), fmt.smallest
        assert top.bit_length() == fmt.precision
        assert unit == Fraction(2) ** fmt.scale_exponent
        return
    if fmt.smallest_normal > fmt.max:
        return  # all its values are subnormal
    widths = {_significand_bits(number) for number in numbers if number >= fmt.smallest_normal}
    assert max(widths) == fmt.precision


def _significand_bits(number: Fraction) -> int:
    odd = number.numerator
    while odd % 2 == 0:
        odd //= 2
    return odd.bit_length()


@pytest.mark.parametrize("fmt", ALL, ids=str)
def test_storage_and_content_bits(fmt: Format) -> None:
    assert fmt.code_bits == fmt.bits + fmt.code_shift == fmt.bits


def test_tfloat32_is_stored_left_justified() -> None:
    fmt = get_format("tf32")
    assert (fmt.bits, fmt.code_shift, fmt.code_bits) == (19, 13, 32)


NUMPY = ["float16", "float32", "float64"]
ML_DTYPES = [name for name in formats if hasattr(ml_dtypes, name) and "int" not in name]
FIELDS = [
    "bits",
    "nexp",
    "nmant",
    "eps",
    "epsneg",
    "max",
    "min",
    "smallest_normal",
    "tiny",
    "smallest_subnormal",
    "maxexp",
    "minexp",
]


@pytest.mark.parametrize("name", [*NUMPY, *ML_DTYPES])
def test_finfo_agrees_with_numpy_and_ml_dtypes(name: str) -> None:
    theirs = np.finfo(name) if name in NUMPY else ml_dtypes.finfo(getattr(ml_dtypes, name))
    ours = finfo(name)
    for field in FIELDS:
        assert float(getattr(ours, field)) == float(getattr(theirs, field)), field
    if name in NUMPY:  # ml_dtypes rounds the number of digits in its own way
        assert ours.precision == theirs.precision
        assert np.dtype(name).type(ours.resolution) == theirs.resolution


@pytest.mark.parametrize("name", [*NARROW, *P3109])
def test_eps_is_the_distance_from_one_to_its_neighbours(name: str) -> None:
    fmt = get_format(name)
    if isinstance(fmt, IntFormat):
        with pytest.raises(FormatError, match="integer"):
            finfo(fmt)
        return
    values = decode_table(fmt)
    info = finfo(fmt)
    above, below = values[values > 1], values[values < 1]
    assert info.epsneg == 1 - below.max()
    if above.size and np.isfinite(above.min()):
        assert info.eps == above.min() - 1


def test_finfo_of_hifloat8_and_tfloat32() -> None:
    assert (finfo("hif8").eps, finfo("hif8").max, finfo("hif8").minexp) == (0.125, 32768.0, -15)
    assert (finfo("tf32").eps, finfo("tf32").bits) == (2.0**-10, 19)


def test_representations_name_the_format_and_its_range() -> None:
    assert repr(get_format("e4m3fn")) == "<float8_e4m3fn 8-bit float, max 448>"
    assert repr(get_format("int4")) == "<int4 4-bit integer, -8 to 7>"
    assert "hifloat8" in repr(get_format("hif8"))
    assert "e6m9:finite,bias=40" in repr(get_format("e6m9:bias=40,finite"))
