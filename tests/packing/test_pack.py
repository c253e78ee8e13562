"""Dense packing of codes of every width and shape."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import any_formats

import minifloat as mf
from minifloat._packing import packed_size


def format_of_width(bits: int) -> mf.Format:
    return mf.IntFormat(bits, signed=False) if bits < 5 else mf.FloatFormat(3, bits - 4, 3)


def by_integer(codes: list[int], bits: int) -> list[int]:
    """All codes as one large integer, the first in the low bits."""
    whole = sum(code << (index * bits) for index, code in enumerate(codes))
    return list(whole.to_bytes((len(codes) * bits + 7) // 8, "little"))


def random_codes(fmt: mf.Format, shape: tuple[int, ...]) -> npt.NDArray[np.uint64]:
    rng = np.random.default_rng(fmt.bits)
    return rng.integers(0, 2**fmt.bits, shape, np.uint64) << np.uint64(fmt.code_shift)


@pytest.mark.parametrize("shape", [(0,), (1,), (7,), (8,), (3, 5), (2, 0, 3), (), (4, 3, 11)])
@pytest.mark.parametrize("bits", range(2, 20))
def test_every_width_and_odd_shapes(bits: int, shape: tuple[int, ...]) -> None:
    fmt = format_of_width(bits)
    assert fmt.bits == bits
    codes = random_codes(fmt, shape)
    packed = mf.pack(codes, fmt)
    assert packed.dtype == np.uint8
    assert packed.tolist() == by_integer(codes.ravel().tolist(), bits)
    assert packed.size == packed_size(codes.size, fmt)
    back = mf.unpack(packed, fmt, shape)
    assert back.shape == shape
    assert back.dtype == mf.encode(1.0, fmt).dtype
    np.testing.assert_array_equal(back, codes)


@pytest.mark.parametrize(
    "name", ["float32", "float64", "int32", "int64", "int24", "e11m40", "tf32"]
)
def test_wide_formats(name: str) -> None:
    fmt = mf.get_format(name)
    codes = random_codes(fmt, (13,))
    packed = mf.pack(codes, fmt)
    contents = [code >> fmt.code_shift for code in codes.tolist()]
    assert packed.tolist() == by_integer(contents, fmt.bits)
    np.testing.assert_array_equal(mf.unpack(packed, fmt, 13), codes)


def test_tfloat32_packs_its_19_bits() -> None:
    packed = mf.pack(mf.encode(np.ones(8), "tf32"), "tf32")
    assert packed.size == 19


@pytest.mark.parametrize("name", ["e2m1fn", "e3m2fn", "e4m3fn", "e4m4", "bf16"])
def test_long_arrays_pack_in_pieces(name: str) -> None:
    fmt = mf.get_format(name)
    codes = random_codes(fmt, ((1 << 20) + 5,)).astype(np.uint16)
    packed = mf.pack(codes, fmt)
    np.testing.assert_array_equal(mf.unpack(packed, fmt, codes.size), codes)
    around = slice((1 << 20) - 8, (1 << 20) + 5)
    first = around.start * fmt.bits // 8
    assert packed[first:].tolist() == by_integer(codes[around].tolist(), fmt.bits)


@given(st.data())
def test_unpack_undoes_pack(data: st.DataObject) -> None:
    fmt = data.draw(any_formats(64))
    shape = tuple(data.draw(st.lists(st.integers(0, 5), max_size=4)))
    codes = random_codes(fmt, shape)
    np.testing.assert_array_equal(mf.unpack(mf.pack(codes, fmt), fmt, shape), codes)


def test_any_layout_is_packed_in_c_order() -> None:
    codes = np.arange(12, dtype=np.uint8).reshape(3, 4)
    for same in (codes.T, codes[::-1, ::2], codes.astype(">i4"), np.broadcast_to(codes[0], (3, 4))):
        expected = by_integer(np.array(same).ravel().tolist(), 4)
        assert mf.pack(same, "e2m1fn").tolist() == expected
    readonly = mf.pack(codes, "e2m1fn")
    readonly.flags.writeable = False
    np.testing.assert_array_equal(mf.unpack(readonly, "e2m1fn", (3, 4)), codes)
    spread = np.repeat(readonly, 2)[::2]
    np.testing.assert_array_equal(mf.unpack(spread, "e2m1fn", (3, 4)), codes)


def test_shapes_are_integers_or_tuples_of_them() -> None:
    packed = mf.pack(np.arange(6), "e2m1fn")
    shapes: list[Any] = [6, np.int64(6), (6,), [2, 3], (np.int8(3), 2), np.array([1, 6])]
    for shape in shapes:
        assert mf.unpack(packed, "e2m1fn", shape).ravel().tolist() == [*range(6)]


@pytest.mark.parametrize(
    "shape", [-1, (-2, -3), 6.0, (6.0,), "6", None, [[2], [3]], (2, -3), {2: 3, "a": 1}]
)
def test_other_shapes_are_refused(shape: Any) -> None:
    with pytest.raises(mf.OptionError, match="give a non-negative integer or a tuple of them"):
        mf.unpack(np.zeros(3, np.uint8), "e2m1fn", shape)


@pytest.mark.parametrize(
    "packed", [np.zeros(2, np.uint8), np.zeros(4, np.uint8), np.zeros(3, np.int8), [0] * 3, None]
)
def test_other_amounts_of_bytes_are_refused(packed: Any) -> None:
    with pytest.raises(mf.CodeError, match="6 codes of float4_e2m1fn are 3 bytes of uint8; got"):
        mf.unpack(packed, "e2m1fn", 6)


def test_what_is_no_array_is_refused() -> None:
    with pytest.raises(mf.DtypeError, match="cannot read packed bytes"):
        mf.unpack([[1], [1, 2]], "e2m1fn", 2)


def test_values_are_no_codes() -> None:
    with pytest.raises(mf.CodeError, match="did you mean encode"):
        mf.pack([0.5, 1.0], "e2m1fn")
    with pytest.raises(mf.CodeError, match=r"^1 codes have bits outside .* 0x10 at index 1$"):
        mf.pack([[1], [16]], "e2m1fn")
    with pytest.raises(mf.CodeError, match="0x1 at index 0"):
        mf.pack([1], "tf32")
