"""What the verbs take as numbers: dtypes, shapes, memory layouts, Python numbers, and refusals."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import ml_dtypes
import numpy as np
import numpy.typing as npt
import pytest

import minifloat as mf

Array = npt.NDArray[Any]

rng = np.random.default_rng(11)
X = rng.normal(size=(4, 6, 10)).astype(np.float32) * 100

LAYOUTS = {
    "reversed": lambda x: x[::-1, :, ::-1],
    "stepped": lambda x: x[::2, 1::3, ::5],
    "transposed": lambda x: x.T,
    "moved axes": lambda x: np.moveaxis(x, 0, 1),
    "Fortran": np.asfortranarray,
    "broadcast": lambda x: np.broadcast_to(x[:1], x.shape),
    "broadcast scalar": lambda x: np.broadcast_to(x[1, 2, 3], (5, 3)),
    "new axis": lambda x: x[:, None, ..., None],
    "one element of many": lambda x: x[1:2, 2:3, 3:4],
    "empty in the middle": lambda x: x[:, :0],
    "diagonal": lambda x: np.einsum("iij->ij", x[:, :4]),
    "unaligned": lambda x: unaligned(x),
}


def unaligned(x: Array) -> Array:
    raw = np.zeros(x.nbytes + 1, np.uint8)
    view = raw[1:].view(x.dtype).reshape(x.shape)
    view[...] = x
    return view


def one_by_one(x: Array, fmt: str) -> Array:
    return np.array([mf.encode(item, fmt) for item in x.ravel()], np.uint8).reshape(x.shape)


@pytest.mark.parametrize("dtype", ["<f4", ">f4", "<f8", ">f8", "<f2", ">f2", "<i4", ">i8", "u1"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts_and_byte_orders(layout: str, dtype: str) -> None:
    x = LAYOUTS[layout](np.abs(X).astype(dtype))
    before = x.copy()
    native = np.array(x.tolist(), np.dtype(dtype).newbyteorder("=")).reshape(x.shape)
    codes = mf.encode(x, "e4m3fn")
    assert codes.dtype == np.uint8
    assert codes.shape == x.shape
    assert codes.flags.c_contiguous
    np.testing.assert_array_equal(codes, one_by_one(native, "e4m3fn"))
    np.testing.assert_array_equal(x, before)
    if x.dtype.kind == "f":
        values = mf.quantize(x, "e4m3fn")
        assert values.dtype == x.dtype.newbyteorder("=")
        np.testing.assert_array_equal(mf.encode(values, "e4m3fn"), codes)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", ["<u2", ">u2", "<i2", ">i8", "<u8", ">u4"])
def test_layouts_and_byte_orders_of_codes(layout: str, dtype: str) -> None:
    codes = LAYOUTS[layout](rng.integers(0, 0x7C00, X.shape).astype(dtype))
    native = np.ascontiguousarray(codes, dtype=np.uint16).reshape(codes.shape)
    values = mf.decode(codes, "float16")
    np.testing.assert_array_equal(values, native.view(np.float16).astype(np.float32))
    cast = mf.cast(codes, "float16", "bfloat16")
    assert cast.shape == codes.shape
    np.testing.assert_array_equal(cast, mf.encode(native.view(np.float16), "bfloat16"))


def test_read_only_arrays_are_taken() -> None:
    x = X.copy()
    x.flags.writeable = False
    np.testing.assert_array_equal(mf.encode(x, "e5m2"), mf.encode(X, "e5m2"))
    codes = mf.encode(x, "e5m2")
    codes.flags.writeable = False
    np.testing.assert_array_equal(mf.decode(codes, "e5m2"), mf.quantize(X, "e5m2"))


@pytest.mark.parametrize("shape", [(), (0,), (3, 0, 2), (1,), (1, 1, 1, 1), (2,) * 10])
def test_shapes_are_kept(shape: tuple[int, ...]) -> None:
    x = np.ones(shape, np.float32)
    codes = mf.encode(x, "e4m3fn")
    for result in (
        codes,
        mf.quantize(x, "e4m3fn"),
        mf.decode(codes, "e4m3fn"),
        mf.cast(codes, "e4m3fn", "bf16"),
        mf.encode(x, "e4m3fn", rounding="sr", rng=1),
    ):
        assert isinstance(result, np.ndarray)
        assert result.shape == shape


@pytest.mark.parametrize("x", [0.3, 3, np.float32(0.3), np.float16(3), np.int8(3), np.uint64(3)])
def test_scalars_give_numpy_scalars(x: Any) -> None:
    code = mf.encode(x, "e4m3fn")
    assert type(code) is np.uint8
    assert type(mf.decode(code, "e4m3fn")) is np.float32
    assert type(mf.cast(int(code), "e4m3fn", "bf16")) is np.uint16
    assert type(mf.cast(code, "e4m3fn", "tf32")) is np.uint32
    assert type(mf.encode(x, "float64")) is np.uint64
    assert code == mf.encode(np.array(x), "e4m3fn")


def test_scalars_of_quantize_keep_their_type() -> None:
    assert type(mf.quantize(0.3, "e4m3fn")) is np.float64
    assert type(mf.quantize(np.float16(0.3), "e4m3fn")) is np.float16
    assert type(mf.quantize(ml_dtypes.bfloat16(0.3), "e4m3fn")) is ml_dtypes.bfloat16


def test_a_python_float_is_a_float64() -> None:
    assert mf.encode(-431.99999999999994, "e4m3fn") == mf.encode(-416.0, "e4m3fn")


def test_lists_and_tuples_are_arrays() -> None:
    assert mf.encode([[1.0, 2.0], [3.0, 4.0]], "e4m3fn").shape == (2, 2)
    assert mf.encode((1, 2, 3), "e4m3fn").tolist() == [0x38, 0x40, 0x44]
    assert mf.encode([], "e4m3fn").shape == (0,)
    assert mf.encode([[], []], "e4m3fn").shape == (2, 0)
    assert mf.decode([], "e4m3fn").shape == (0,)
    values = mf.quantize([np.float32(1.3), np.float32(2.3)], "e2m1fn")
    assert values.dtype == np.float32
    assert values.tolist() == [1.5, 2.0]
    assert mf.quantize([1.3, 2.3], "e2m1fn").dtype == np.float64
    bfloats = mf.quantize([ml_dtypes.bfloat16(1.3)], "e2m1fn")
    assert bfloats.dtype == ml_dtypes.bfloat16


def test_array_subclasses_and_array_interfaces_are_taken() -> None:
    class Wrapped:
        def __array__(self, dtype: Any = None, copy: Any = None) -> Array:
            return X

    class Derived(np.ndarray):
        pass

    np.testing.assert_array_equal(mf.encode(Wrapped(), "e4m3fn"), mf.encode(X, "e4m3fn"))
    derived = X.view(Derived)
    assert type(mf.encode(derived, "e4m3fn")) is np.ndarray
    np.testing.assert_array_equal(mf.encode(derived, "e4m3fn"), mf.encode(X, "e4m3fn"))
    np.testing.assert_array_equal(mf.quantize(derived, "e4m3fn"), mf.quantize(X, "e4m3fn"))


ML_DTYPES = [name for name in mf.formats if hasattr(ml_dtypes, name)]


@pytest.mark.parametrize("name", ML_DTYPES)
def test_ml_dtypes_arrays_are_numbers_and_codes(name: str) -> None:
    fmt = mf.get_format(name)
    codes = np.arange(1 << min(fmt.bits, 12)).astype(f"u{(fmt.bits + 7) // 8}")
    x = codes.view(getattr(ml_dtypes, name))
    values = mf.decode(codes, name)
    np.testing.assert_array_equal(mf.decode(x, name), values)
    np.testing.assert_array_equal(mf.encode(x, "float64").view(np.float64), values)
    np.testing.assert_array_equal(mf.cast(x, name, "float32").view(np.float32), values)
    stepped = x.reshape(-1, 2)[::-1, 1]
    np.testing.assert_array_equal(mf.decode(stepped, name), values.reshape(-1, 2)[::-1, 1])
    assert mf.get_format(x.dtype) == fmt


@pytest.mark.parametrize(
    "name", ["int4", "uint4", "int2", "uint2", "float4_e2m1fn", "float6_e2m3fn"]
)
def test_ml_dtypes_arrays_with_stray_high_bits_are_their_low_bits(name: str) -> None:
    fmt = mf.get_format(name)
    words = np.arange(256, dtype=np.uint8)
    low = words & np.uint8(2**fmt.bits - 1)
    x = words.view(getattr(ml_dtypes, name))
    expected = mf.decode(low, name)
    np.testing.assert_array_equal(mf.decode(x, name), expected)
    np.testing.assert_array_equal(mf.encode(x, "float32").view(np.float32), expected)
    np.testing.assert_array_equal(mf.cast(x, name, "float32").view(np.float32), expected)
    np.testing.assert_array_equal(mf.pack(x, name), mf.pack(low, name))


REFUSED = {
    "bool": True,
    "numpy bool": np.True_,
    "bools": np.array([True]),
    "list of bools": [True, False],
    "bools among integers": [True, 2],
    "bools among floats": [1.5, False],
    "complex": 1j,
    "complex64": np.complex64(1),
    "complexes": np.ones(2, np.complex128),
    "complex among floats": [1.5, 1j],
    "longdouble": np.longdouble(1),
    "longdoubles": np.ones(2, np.longdouble),
    "objects": np.array([1, 2], object),
    "object scalar": np.array(2**70, object),
    "text": "0.5",
    "texts": ["0.5"],
    "bytes": b"ab",
    "time": np.datetime64("2020-01-01"),
    "structure": np.zeros(2, [("a", "f4")]),
    "None": None,
    "Nones": [None, 1.5],
    "Decimal": Decimal(3),
    "Fraction": [Fraction(1, 2)],
    "dict": {1: 2},
    "ragged": [[1], [1, 2]],
    "int1": np.zeros(2, ml_dtypes.int1),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_what_is_no_number_of_a_format_is_refused(kind: str) -> None:
    for verb in (mf.encode, mf.quantize):
        with pytest.raises(mf.DtypeError) as caught:
            verb(REFUSED[kind], "e4m3fn")
        assert isinstance(caught.value, TypeError)
        assert isinstance(caught.value, mf.MinifloatError)


def test_the_refusal_names_what_is_allowed() -> None:
    with pytest.raises(mf.DtypeError, match=r"complex64: allowed are float16/32/64, integers"):
        mf.encode(np.ones(2, np.complex64), "e4m3fn")
    with pytest.raises(mf.DtypeError, match=r"cannot take Decimal as numbers"):
        mf.encode(Decimal(3), "e4m3fn")
