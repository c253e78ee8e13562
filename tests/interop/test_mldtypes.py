from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from minifloat import get_format
from minifloat.interop import from_ml_dtypes, ml_dtype, to_ml_dtypes

from ._files import random_codes

THEIRS = [
    *("bfloat16", "float8_e3m4", "float8_e4m3", "float8_e4m3b11fnuz", "float8_e4m3fn"),
    *("float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz", "float8_e8m0fnu"),
    *("float6_e2m3fn", "float6_e3m2fn", "float4_e2m1fn", "int2", "int4", "uint2", "uint4"),
]


@pytest.mark.parametrize("name", [*THEIRS, "float16", "float32", "float64", "int8", "uint64"])
def test_views_go_both_ways(name: str) -> None:
    codes = random_codes(name, (3, 4))
    array = to_ml_dtypes(codes, name)
    assert array.dtype.name == name
    back, fmt = from_ml_dtypes(array)
    assert fmt == get_format(name)
    np.testing.assert_array_equal(back, codes)


@pytest.mark.parametrize("name", THEIRS)
def test_every_dtype_of_theirs_has_its_format(name: str) -> None:
    assert ml_dtype(get_format(name)) == np.dtype(getattr(ml_dtypes, name))


def test_big_endian_arrays_are_swapped() -> None:
    codes, fmt = from_ml_dtypes(np.array([1.0, 2.0], ">f2"))
    assert fmt.name == "float16"
    np.testing.assert_array_equal(codes, np.uint16([0x3C00, 0x4000]))


def test_formats_without_a_dtype_and_wrong_code_dtypes_are_refused() -> None:
    with pytest.raises(ValueError, match="neither numpy nor ml_dtypes"):
        ml_dtype("hifloat8")
    with pytest.raises(TypeError, match="are uint8, not uint16"):
        to_ml_dtypes(np.uint16([1]), "e4m3fn")
