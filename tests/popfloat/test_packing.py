"""Packed words: all codes of 16 bits or fewer, by the one layout rule."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from minifloat import CodeError, DtypeError, FormatError, NanError, OptionError, formats
from minifloat._plans import holds
from minifloat.popfloat import FormatConfig, GfloatCast, RoundConfig

RN = RoundConfig("RN")
# Mantissa, exponent, bias, denormals, infinities and NaN; spec of the calculation.
FORMATS = [
    (2, 5, 15, True, True, "AUTO"),
    (2, 5, 29, True, False, "AUTO"),
    (1, 5, 15, True, True, "AUTO"),
    (2, 5, 15, False, True, "FP32"),
    (3, 4, 7, True, True, "AUTO"),
    (3, 4, 7, False, False, "AUTO"),
    (4, 3, 3, True, False, "FP32"),
    (6, 1, 0, True, False, "AUTO"),
    (7, 0, 4, True, True, "AUTO"),
    (3, 0, 0, True, True, "AUTO"),
    (2, 1, 5, True, True, "AUTO"),
    (1, 6, 31, True, True, "AUTO"),
    (0, 7, 63, True, True, "AUTO"),
    (0, 3, 2, True, False, "AUTO"),
    (7, 8, 127, True, True, "AUTO"),
    (6, 8, 130, False, True, "AUTO"),
    (9, 6, 62, True, False, "AUTO"),
    (9, 6, 62, False, False, "AUTO"),
    (11, 4, 13, False, True, "AUTO"),
    (14, 1, 0, True, False, "AUTO"),
    (15, 0, -1, True, True, "AUTO"),
    (10, 5, 30, True, False, "AUTO"),
    (5, 4, -6, True, True, "FP32"),
]


def cast_of(arguments: tuple[int, int, int, bool, bool, str], **options: object) -> GfloatCast:
    config = FormatConfig(*arguments)
    return GfloatCast(config, RN, True, native_type="FP32", **options)  # type: ignore[arg-type]


def words_and_values(
    gf: GfloatCast,
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64], npt.NDArray[np.int64]]:
    """All words of a format with their values by the layout rule, and their fields."""
    config = gf.format_config
    m, e, bias = config.mantissa_bits, config.exponent_bits, config.exponent_bias
    width = config.packed_float_bits
    codes = np.arange(1 << (1 + e + m))
    sign, field, mantissa = codes >> (e + m), codes >> m & (2**e - 1), codes & (2**m - 1)
    words = sign << (width - 1) | field << (width - 1 - e) | mantissa << (width - 1 - e - m)
    with np.errstate(invalid="ignore"):
        low = mantissa * 2.0 ** (1 - bias - m) * (config.enable_denorms or e == 0)
        values = np.where(field == 0, low, (1 + mantissa / 2**m) * 2.0 ** (field - bias))
    if config.enable_infs_and_nans:
        top = field == 2**e - 1
        values = np.where(top, np.where(mantissa == 0, np.inf, np.nan), values)
    return words, np.where(sign == 1, -values, values), field


@pytest.mark.parametrize("arguments", FORMATS)
def test_every_word_has_its_value(arguments: tuple[int, int, int, bool, bool, str]) -> None:
    gf = cast_of(arguments)
    words, values, _ = words_and_values(gf)
    signed = words.astype(np.uint16).view(np.int16)
    if gf.gf_storage_type == np.int8:
        signed = words.astype(np.uint8).view(np.int8)
    assert signed.dtype == gf.gf_storage_type
    found = gf.cast_gfloat_to_native(signed)
    assert found.dtype == np.float32
    np.testing.assert_array_equal(found.astype(np.float64), values)
    np.testing.assert_array_equal(np.signbit(found), np.signbit(values))
    unsigned = signed.view(f"u{signed.dtype.itemsize}")
    np.testing.assert_array_equal(gf.cast_gfloat_to_native(unsigned), found)


@pytest.mark.parametrize("arguments", FORMATS)
def test_every_value_has_its_word(arguments: tuple[int, int, int, bool, bool, str]) -> None:
    gf = cast_of(arguments)
    words, values, field = words_and_values(gf)
    chosen = ~np.isnan(values)
    if not gf.format_config.enable_denorms:  # words of denormals are never produced
        chosen &= (field > 0) | (words & (2 ** (gf.format_config.packed_float_bits - 1) - 1) == 0)
    x = values[chosen].astype(np.float32)
    found = gf.cast_native_to_gfloat(x)
    assert found.dtype == gf.gf_storage_type
    unsigned = found.view(f"u{found.dtype.itemsize}")
    np.testing.assert_array_equal(unsigned, words[chosen])


@pytest.mark.parametrize("arguments", FORMATS)
def test_packing_and_quantising_agree(arguments: tuple[int, int, int, bool, bool, str]) -> None:
    gf = cast_of(arguments)
    rng = np.random.default_rng(5)
    top = min(float(gf.format_config.to_format().max), 1e38)
    x = (rng.uniform(-1.1, 1.1, 4000) * top).astype(np.float32)
    x[::2] *= 2.0 ** rng.integers(-12, 0, 2000).astype(np.float32)
    values = gf.cast_gfloat_to_native(gf.cast_native_to_gfloat(x))
    direct = GfloatCast(gf.format_config, RN, True, "FP32").cast_native_to_gfloat(x)
    infinite = gf.format_config.enable_infs_and_nans and gf.format_config.mantissa_bits == 0
    if infinite:  # NaN on overflow has the code of infinity where NaN has none
        direct = np.where(np.isnan(direct), np.copysign(np.inf, x), direct)
    np.testing.assert_array_equal(values, direct)
    if holds(formats[gf.calculation_type.name], gf.format_config.to_format()):
        quantised = gf.cast_native_to_gfloat(x, pack=False)
        assert quantised.dtype == gf.calculation_type
        np.testing.assert_array_equal(quantised[np.isfinite(direct)], direct[np.isfinite(direct)])


def test_words_of_sixteen_bits_hold_narrow_formats_too() -> None:
    config = FormatConfig(3, 4, 7, True, True)
    gf = GfloatCast(config, RN, True, "INT16")
    words = gf.cast_native_to_gfloat(np.float32([1.0, -1.125]))
    assert words.dtype == np.int16
    assert words.view(np.uint16).tolist() == [0x3800, 0xB900]
    assert gf.cast_gfloat_to_native(words).tolist() == [1.0, -1.125]


def test_canonical_nan_words() -> None:
    gf = cast_of((2, 5, 15, True, True, "AUTO"))
    x = np.array([0x7FC00000, 0xFFC00000], np.uint32).view(np.float32)
    assert gf.cast_native_to_gfloat(x).view(np.uint8).tolist() == [0x7E, 0xFE]


@pytest.mark.parametrize(
    "arguments", [(2, 5, 15, True, False, "AUTO"), (0, 7, 63, True, True, "AUTO")]
)
def test_nan_without_a_code(arguments: tuple[int, int, int, bool, bool, str]) -> None:
    x = np.float32([1.0, np.nan, -2.0])
    with pytest.raises(NanError, match="index 1"):
        cast_of(arguments).cast_native_to_gfloat(x)
    top = np.float32(FormatConfig(*arguments).to_format().max)
    for word, value in (("max", top), ("zero", 0.0)):
        gf = cast_of(arguments, nan=word)
        assert gf.cast_gfloat_to_native(gf.cast_native_to_gfloat(x)).tolist() == [1.0, value, -2.0]
    with pytest.raises(OptionError, match="propagate"):
        cast_of(arguments, nan="propagate").cast_native_to_gfloat(x)


def test_infinity_without_a_code() -> None:
    arguments = (3, 4, 7, True, False, "AUTO")
    x = np.float32([1.0, -np.inf])
    gf = cast_of(arguments)
    assert gf.cast_gfloat_to_native(gf.cast_native_to_gfloat(x)).tolist() == [1.0, -480.0]
    with pytest.raises(FormatError, match="1 infinities, the first at index 1"):
        cast_of(arguments, infinity="raise").cast_native_to_gfloat(x)
    with pytest.raises(OptionError, match="packed words have no code"):
        cast_of(arguments, infinity="propagate").cast_native_to_gfloat(x)
    with pytest.raises(OptionError, match="did you mean 'saturate'"):
        cast_of(arguments, infinity="saturat")


@pytest.mark.parametrize(
    "arguments", [(8, 5, 15, True, True), (10, 5, 15, True, True), (12, 8, 127, True, True)]
)
def test_native_formats_are_never_packed(arguments: tuple[int, int, int, bool, bool]) -> None:
    config = FormatConfig(*arguments)
    with pytest.raises(FormatError, match="never packed"):
        GfloatCast(config, RN, True, "INT16").cast_native_to_gfloat(np.float32([1.0]))
    with pytest.raises(CodeError, match="has none"):
        GfloatCast(config, RN, True).cast_gfloat_to_native(np.int16([1]))


def test_a_word_too_small_is_refused() -> None:
    gf = GfloatCast(FormatConfig(9, 6, 31, True, True), RN, True, "INT8")
    with pytest.raises(FormatError, match="needs 16 bits"):
        gf.cast_native_to_gfloat(np.float32([1.0]))


def test_stray_low_bits_are_refused() -> None:
    gf = cast_of((2, 4, 7, True, True, "AUTO"))
    with pytest.raises(CodeError, match="bits outside"):
        gf.cast_gfloat_to_native(np.int8([1]))


def test_values_beyond_half_name_the_type_to_use() -> None:
    x = np.float32([2.0**30])
    half = GfloatCast(FormatConfig(3, 4, -20, True, True), RN, True, native_type="FP16")
    words = half.cast_native_to_gfloat(x)
    with pytest.raises(FormatError, match="native_type='FP32'"):
        half.cast_gfloat_to_native(words)
    wide = FormatConfig(8, 4, -20, True, True)
    with pytest.raises(FormatError, match="gf_type='FP32'"):
        GfloatCast(wide, RN, True, "FP16").cast_native_to_gfloat(x)


def test_auto_takes_single_where_half_is_too_small() -> None:
    x = np.float32([2.0**30])
    gf = GfloatCast(FormatConfig(3, 4, -20, True, True), RN, True)
    assert gf.native_storage_type == np.float32
    assert gf.cast_gfloat_to_native(gf.cast_native_to_gfloat(x)) == x
    assert gf.cast_native_to_gfloat(x, pack=False).dtype == np.float32
    quantised = GfloatCast(FormatConfig(8, 4, -20, True, True), RN, True)
    assert quantised.format_config.storage_type == np.float16
    assert quantised.cast_native_to_gfloat(x).dtype == quantised.gf_storage_type == np.float32


@pytest.mark.parametrize("x", [np.int8([1]), [True], ["1"], 1j])
def test_only_floats_are_cast(x: object) -> None:
    with pytest.raises(DtypeError, match="floating-point"):
        cast_of(FORMATS[0]).cast_native_to_gfloat(x)
