"""Deterministic rounding against the reference: grid points, midpoints, neighbours, edges."""

from __future__ import annotations

import numpy as np
import pytest
from popfloat_host import some_edges as edges

from minifloat import DtypeError, Flag, Flags, FloatFormat, Rounding
from minifloat.popfloat import Compat, FormatConfig, GfloatCast, RoundConfig
from minifloat.reference.bulk import encode_array
from minifloat.reference.grid import decode_table
from minifloat.reference.how import How

MODES = {
    "RZ": Rounding.TOWARD_ZERO,
    "RA": Rounding.TIES_TO_AWAY,
    "RN": Rounding.TIES_TO_EVEN,
    "RU": Rounding.TOWARD_POSITIVE,
    "RD": Rounding.TOWARD_NEGATIVE,
}
FORMATS = [
    (10, 5, 15, True, True),
    (11, 4, 13, False, True),
    (4, 3, 3, True, False),
    (2, 5, 29, True, False),
    (2, 5, 15, True, True),
    (2, 5, 15, False, True),
    (6, 1, 0, True, False),
    (6, 1, 0, True, True),
    (6, 1, 3, False, False),
    (15, 0, -1, True, True),
    (1, 6, 31, True, True),
    (0, 7, 63, True, True),
    (0, 4, 3, False, False),
    (7, 8, 127, True, True),
    (7, 8, 127, False, True),
]
Arguments = tuple[int, int, int, bool, bool]


def overflow_of(fmt: FloatFormat, nanoo: bool) -> str:
    """What the documentation says: NaN or the largest value; infinities propagate."""
    if nanoo and fmt.has_infinity:
        return "nan_keep_infinity" if fmt.has_nan else "infinity"
    return "saturate_keep_infinity" if fmt.has_infinity else "saturate"


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("nanoo", [False, True])
@pytest.mark.parametrize("arguments", FORMATS)
def test_values_are_the_reference_s(arguments: Arguments, nanoo: bool, dtype: type) -> None:
    config = FormatConfig(*arguments)
    fmt = config.to_format()
    x = edges(fmt, dtype)
    table = decode_table(fmt)
    for name, mode in MODES.items():
        codes, flags = encode_array(x, fmt, How(mode, overflow_of(fmt, nanoo)))
        expected = table[codes]
        if nanoo and fmt.has_infinity and not fmt.has_nan:
            # There is no NaN code, but values can be NaN.
            expected = np.where(np.isinf(expected) & ~np.isinf(x), np.nan, expected)
        found_flags = np.zeros(x.shape, np.uint8)
        gf = GfloatCast(config, RoundConfig(name), nanoo, "FP32")
        found = gf.cast_native_to_gfloat(x, flags=found_flags)
        assert found.dtype == np.float32
        np.testing.assert_array_equal(found, expected.astype(np.float32), err_msg=name)
        signs = np.where(np.isnan(expected), np.signbit(x), np.signbit(expected))
        np.testing.assert_array_equal(np.signbit(found), signs)
        np.testing.assert_array_equal(found_flags, flags, err_msg=name)


@pytest.mark.parametrize("nanoo", [False, True])
@pytest.mark.parametrize(
    "arguments", [a for a in FORMATS if FormatConfig(*a).is_packed_float_format]
)
def test_words_are_the_reference_s(arguments: Arguments, nanoo: bool) -> None:
    config = FormatConfig(*arguments)
    fmt = config.to_format()
    x = edges(fmt, np.float32)
    for name, mode in MODES.items():
        codes, _ = encode_array(x, fmt, How(mode, overflow_of(fmt, nanoo)))
        words = GfloatCast(config, RoundConfig(name), nanoo).cast_native_to_gfloat(x)
        unsigned = words.view(f"u{words.dtype.itemsize}")
        shift = config.packed_float_bits - config.bits
        np.testing.assert_array_equal(unsigned, codes << shift, err_msg=name)


@pytest.mark.parametrize("arguments", [(2, 5, 15, True, True), (3, 4, 7, True, True)])
def test_all_halves(arguments: Arguments) -> None:
    config = FormatConfig(*arguments)
    fmt = config.to_format()
    x = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
    x = x[~np.isnan(x)]
    for name, mode in MODES.items():
        codes, _ = encode_array(x.astype(np.float64), fmt, How(mode, "nan_keep_infinity"))
        words = GfloatCast(config, RoundConfig(name), True).cast_native_to_gfloat(x)
        np.testing.assert_array_equal(words.view(np.uint8), codes, err_msg=name)


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("nanoo", [False, True])
def test_the_edge_of_overflow(nanoo: bool, sign: int) -> None:
    config = FormatConfig(3, 4, 7, True, True)  # largest 240, spacing 16
    below = np.nextafter(np.float32(248), np.float32(0))
    x = sign * np.float32([240, below, 248, 249, 255.99, 256, 1e30])
    over = np.nan if nanoo else sign * 240
    top = sign * 240
    nearest = [top, top, over, over, over, over, over]
    truncated = [top, top, top, top, top, over, over]
    raised = [top, over, over, over, over, over, over]
    away, inward = ("RU", "RD") if sign > 0 else ("RD", "RU")
    expected = {"RN": nearest, "RA": nearest, "RZ": truncated, away: raised, inward: truncated}
    for name, values in expected.items():
        gf = GfloatCast(config, RoundConfig(name), nanoo, "FP32")
        np.testing.assert_array_equal(gf.cast_native_to_gfloat(x), np.float32(values), err_msg=name)


SPECIALS = np.float32([np.nan, np.inf, -np.inf, 1e30, -1e30, 0.0, -0.0])


@pytest.mark.parametrize(
    ("specials", "nanoo", "expected"),
    [
        (True, True, [np.nan, np.inf, -np.inf, np.nan, np.nan, 0.0, -0.0]),
        (True, False, [np.nan, np.inf, -np.inf, 240, -240, 0.0, -0.0]),
        (False, True, [np.nan, 480, -480, 480, -480, 0.0, -0.0]),
        (False, False, [np.nan, 480, -480, 480, -480, 0.0, -0.0]),
    ],
)
@pytest.mark.parametrize("mode", MODES)
def test_specials(mode: str, specials: bool, nanoo: bool, expected: list[float]) -> None:
    gf = GfloatCast(FormatConfig(3, 4, 7, True, specials), RoundConfig(mode), nanoo, "FP32")
    assert gf.is_nanoo_mode_enabled == (nanoo and specials)
    found = gf.cast_native_to_gfloat(SPECIALS)
    np.testing.assert_array_equal(found, np.float32(expected))
    signed = ~np.isnan(found)
    np.testing.assert_array_equal(np.signbit(found)[signed], np.signbit(expected)[signed])


def test_infinities_can_propagate_through_values() -> None:
    config = FormatConfig(3, 4, 7, True, False)
    gf = GfloatCast(config, RoundConfig("RN"), False, "FP32", infinity="propagate")
    found = gf.cast_native_to_gfloat(SPECIALS)
    np.testing.assert_array_equal(found[1:5], np.float32([np.inf, -np.inf, 480, -480]))


def test_tiny_values_round_as_ieee_says() -> None:
    config = FormatConfig(3, 4, 7, True, True)
    tiny = np.float32([1e-30, -1e-30])
    step = 2.0**-9
    expected = {"RU": [step, 0], "RD": [0, -step], "RN": [0, 0], "RZ": [0, 0]}
    for name, values in expected.items():
        gf = GfloatCast(config, RoundConfig(name), True, "FP32")
        assert gf.cast_native_to_gfloat(tiny).tolist() == values


def test_without_denormals_the_smallest_normal_is_the_quantum() -> None:
    config = FormatConfig(3, 4, 7, False, True)
    x = np.float32([0.25, 0.5, 0.6, 0.97]) * np.float32(2.0**-6)
    normal = 2.0**-6
    expected = {
        "RN": [0, 0, normal, normal],
        "RA": [0, normal, normal, normal],
        "RZ": [0, 0, 0, 0],
        "RU": [normal] * 4,
        "RD": [0, 0, 0, 0],
    }
    for name, values in expected.items():
        gf = GfloatCast(config, RoundConfig(name), True, "FP32")
        assert gf.cast_native_to_gfloat(x).tolist() == values


def test_flags_add_up() -> None:
    flags = Flags()
    gf = GfloatCast(FormatConfig(3, 4, 7, True, True), RoundConfig("RN"), True)
    gf.cast_native_to_gfloat(np.float32([1.0, 1.01, 1e9, 1e-9]), flags=flags)
    counts = [flags.counts[flag] for flag in (Flag.INEXACT, Flag.OVERFLOW, Flag.UNDERFLOW)]
    assert counts == [3, 1, 1]


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_single_itself_is_a_gfloat(dtype: type) -> None:
    config = FormatConfig(23, 8, 127, True, True)
    x = np.array([0.1, -0.0, np.inf, 6e-8, -65504.0], dtype)
    gf = GfloatCast(config, RoundConfig("RN"), True)
    assert gf.gf_storage_type == np.float32
    np.testing.assert_array_equal(gf.cast_native_to_gfloat(x), x.astype(np.float32))
    clamped = GfloatCast(config, RoundConfig("RN"), False, compat=Compat(infinities_overflow=True))
    expected = np.where(np.isinf(x), np.finfo(np.float32).max, x.astype(np.float32))
    np.testing.assert_array_equal(clamped.cast_native_to_gfloat(x), expected)


@pytest.mark.parametrize("shape", [(), (0,), (3, 0, 2), (2, 3, 4)])
def test_shapes_and_strides(shape: tuple[int, ...]) -> None:
    gf = GfloatCast(FormatConfig(2, 5, 15, True, True), RoundConfig("RN"), True)
    x = np.asarray(np.random.default_rng(1).normal(size=shape)).astype(np.float32)
    found = gf.cast_native_to_gfloat(x)
    assert found.shape == shape
    strided = np.repeat(x, 2).reshape(*shape, 2)[..., 0].T
    np.testing.assert_array_equal(gf.cast_native_to_gfloat(strided), found.T)
    np.testing.assert_array_equal(gf.cast_native_to_gfloat(x.astype(">f4")), found)
    assert gf.cast_native_to_gfloat(1.1) == 60
    assert gf.cast_gfloat_to_native(np.int8(60)) == 1.0
    assert isinstance(gf.cast_native_to_gfloat(1.1), np.int8)


def test_casts_in_place() -> None:
    x = np.random.default_rng(1).normal(size=(4, 5)).astype(np.float32)
    gf = GfloatCast(FormatConfig(2, 5, 15, True, True), RoundConfig("RN"), True, "FP32")
    assert gf.in_place_op(np.float32)
    assert not gf.in_place_op("HALF")
    expected = gf.cast_native_to_gfloat(x)
    for compat in (None, "popfloat"):
        other = GfloatCast(gf.format_config, RoundConfig("RN"), True, "FP32", compat=compat)
        work = x.copy()
        assert other.cast_native_to_gfloat_in_place(work) is work
        np.testing.assert_array_equal(work, expected)
    column = x.copy()
    gf.cast_native_to_gfloat_in_place(column[:, 1])
    np.testing.assert_array_equal(column[:, 1], expected[:, 1])
    np.testing.assert_array_equal(column[:, 2:], x[:, 2:])
    with pytest.raises(DtypeError, match="storage type is float32"):
        gf.cast_native_to_gfloat_in_place(x.astype(np.float16))
    packed = GfloatCast(gf.format_config, RoundConfig("RN"), True)
    with pytest.raises(DtypeError, match="packed words"):
        packed.cast_native_to_gfloat_in_place(x)
    with pytest.raises(DtypeError, match="out= must be"):
        packed.cast_native_to_gfloat(x, out=np.empty_like(x))


def test_ml_dtypes_arrays_are_values() -> None:
    ml_dtypes = pytest.importorskip("ml_dtypes")
    x = np.random.default_rng(2).normal(size=100).astype(ml_dtypes.bfloat16)
    for gf_type in ("AUTO", "FP16", "FP32"):
        gf = GfloatCast(FormatConfig(2, 5, 15, True, True), RoundConfig("RN"), True, gf_type)
        np.testing.assert_array_equal(
            gf.cast_native_to_gfloat(x), gf.cast_native_to_gfloat(x.astype(np.float32))
        )
