"""The array face: operators, numpy's functions, mixing, and its pictures."""

from __future__ import annotations

import numpy as np
import pytest

import minifloat as mf


@pytest.fixture
def x() -> mf.Array:
    return mf.array(np.float32([[1.0, -2.5], [0.5, 448.0]]), "e4m3fn")


def test_operators_are_the_verbs(x: mf.Array) -> None:
    y = mf.array([[3.0, 3.0], [1.5, 2.0]], "e4m3fn")
    for found, verb in ((x + y, mf.add), (x - y, mf.sub), (x * y, mf.mul), (x / y, mf.div)):
        assert found.fmt == x.fmt
        np.testing.assert_array_equal(found.codes, verb(x.codes, y.codes, "e4m3fn"))
    np.testing.assert_array_equal((x @ y).codes, mf.matmul(x.codes, y.codes, "e4m3fn"))
    np.testing.assert_array_equal((-x).codes, x.codes ^ 0x80)
    np.testing.assert_array_equal(abs(x).values, np.abs(x.values))
    np.testing.assert_array_equal(x < y, x.values < y.values)
    np.testing.assert_array_equal(x == x, np.ones((2, 2), bool))


def test_scalars_are_rounded_into_the_format(x: mf.Array) -> None:
    third = mf.decode(mf.encode(1 / 3, "e4m3fn"), "e4m3fn")
    np.testing.assert_array_equal((x * (1 / 3)).codes, (x * float(third)).codes)
    np.testing.assert_array_equal((1 - x).codes, mf.sub(0x38, x.codes, "e4m3fn"))
    np.testing.assert_array_equal((np.float32(2) / x).codes, mf.div(0x40, x.codes, "e4m3fn"))


def test_other_formats_and_arrays_are_refused(x: mf.Array) -> None:
    with pytest.raises(mf.FormatError, match="float8_e4m3fn and float8_e5m2"):
        x + mf.array(1.0, "e5m2")
    with pytest.raises(mf.DtypeError, match=r"minifloat\.array"):
        x + np.ones((2, 2))
    with pytest.raises(mf.DtypeError, match=r"minifloat\.array"):
        np.ones((2, 2)) + x


def test_numpy_functions_stay_in_the_format(x: mf.Array) -> None:
    assert isinstance(np.sqrt(abs(x)), mf.Array)
    np.testing.assert_array_equal(np.sqrt(abs(x)).codes, mf.sqrt(x.codes & 0x7F, "e4m3fn"))
    np.testing.assert_array_equal(np.add(x, 1).codes, (x + 1).codes)
    np.testing.assert_array_equal(np.isnan(x / 0), np.ones((2, 2), bool))
    with pytest.raises(TypeError):
        np.sin(x)


def test_values_and_conversion(x: mf.Array) -> None:
    np.testing.assert_array_equal(np.asarray(x), x.values)
    assert np.asarray(x, np.float64).dtype == np.float64
    with pytest.raises(mf.DtypeError, match="copy"):
        np.array(x, copy=False)
    assert x.astype("e5m2").fmt.name == "float8_e5m2"
    assert mf.array(x, "e4m3fn").codes.tolist() == x.codes.tolist()
    assert float(x[0, 1]) == -2.5
    assert x.sum().values == mf.decode(mf.sum(x.codes, "e4m3fn"), "e4m3fn")


def test_indexing_and_shape(x: mf.Array) -> None:
    assert x.reshape(4).shape == (4,)
    assert x.T.codes.tolist() == x.codes.T.tolist()
    assert [row.shape for row in x] == [(2,), (2,)]
    assert len(x) == 2
    assert (x.ndim, x.size) == (2, 4)
    y = mf.Array(x.codes.copy(), x.fmt)
    y[0, 0] = 1.9
    assert float(y[0, 0]) == 1.875


def test_pictures(x: mf.Array) -> None:
    assert repr(x) == "Array([[ 1. , -2.5], [ 0.5, 448. ]], float8_e4m3fn)"
    assert "\n" not in repr(mf.array(np.ones(1000), "bf16"))
    page = x._repr_html_()
    assert page.count("<tr>") == 5
    assert "<span style='color:#c0392b'>1</span>" in page
    assert "996 more" not in page
    assert "36 more" in mf.array(np.ones(100), "hifloat8")._repr_html_()
