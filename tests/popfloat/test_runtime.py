"""Formats given as parameter words at run time, and what a cast says about itself."""

from __future__ import annotations

import numpy as np
import pytest

from minifloat import DtypeError, FormatError, OptionError
from minifloat.popfloat import (
    CastConfig,
    FormatConfig,
    FormatType,
    GfloatCast,
    RoundConfig,
    RoundType,
    SRDensityType,
    cast_gfloat_to_native,
    cast_native_to_gfloat,
    cast_native_to_gfloat_in_place,
    create_cast_op_params,
)

FORMATS = [(3, 4, 7, True, True), (2, 5, 15, True, False), (9, 6, 31, False, True)]
X = np.random.default_rng(4).normal(size=500).astype(np.float32)


@pytest.mark.parametrize("arguments", FORMATS)
def test_words_give_the_casts_of_their_formats(arguments: tuple[int, int, int, bool, bool]) -> None:
    fmt = FormatConfig(*arguments)
    gf = GfloatCast(fmt, RoundConfig("RA"), True)
    word = create_cast_op_params(fmt.packed_float_parameters)
    words = cast_native_to_gfloat(X, word, gf.native_to_gf_config)
    np.testing.assert_array_equal(words, gf.cast_native_to_gfloat(X))
    values = cast_gfloat_to_native(words, word, gf.gf_to_native_config)
    np.testing.assert_array_equal(values, gf.cast_gfloat_to_native(words))
    native = GfloatCast(fmt, RoundConfig("RA"), True, "FP32")
    work = X.copy()
    found = cast_native_to_gfloat_in_place(work, word, native.native_to_gf_config)
    assert found is work
    np.testing.assert_array_equal(work, native.cast_native_to_gfloat(X))


def test_one_configuration_serves_many_formats() -> None:
    config = CastConfig.create_cast_native_to_gf(
        "MIN_NORM_ALIGN_GF8", "HALF", "SIGNED_CHAR", RoundConfig("RN"), False
    )
    for arguments in ((3, 4, 7, True, True), (4, 3, 3, True, False), (2, 4, 9, True, True)):
        fmt = FormatConfig(*arguments)
        found = cast_native_to_gfloat(X, fmt.packed_float_parameters, config)
        expected = GfloatCast(fmt, RoundConfig("RN"), False).cast_native_to_gfloat(X)
        np.testing.assert_array_equal(found, expected)


def test_a_cast_takes_another_word() -> None:
    first, second = FormatConfig(3, 4, 7, True, True), FormatConfig(3, 4, 9, True, True)
    gf = GfloatCast(first, RoundConfig("RN"), True)
    assert (gf.is_cast_op_param_set, gf.cast_op_params) == (False, None)
    assert gf.create_cast_op_params() == first.packed_float_parameters
    assert gf.is_cast_op_param_set
    gf.set_gfloat_cast_parameters(second.packed_float_parameters)
    assert gf.cast_op_params == second.packed_float_parameters
    expected = GfloatCast(second, RoundConfig("RN"), True)
    words = gf.cast_native_to_gfloat(X)
    np.testing.assert_array_equal(words, expected.cast_native_to_gfloat(X))
    np.testing.assert_array_equal(
        gf.cast_gfloat_to_native(words), expected.cast_gfloat_to_native(words)
    )
    with pytest.raises(FormatError, match="cannot be calculated in half"):
        gf.set_gfloat_cast_parameters(FormatConfig(11, 4, 7, True, True).packed_float_parameters)


def test_negative_words_are_unsigned_ones() -> None:
    with pytest.raises(FormatError, match="2 flags"):
        create_cast_op_params(-1)
    signed = int(np.uint32(0x03FF0403).view(np.int32))
    assert create_cast_op_params(signed) == 0x03FF0403


def test_getters() -> None:
    rounds = RoundConfig("SX", 7, "LAPLACE", 0.1, 0.2, 0.3, -0.4)
    gf = GfloatCast(FormatConfig(3, 4, 7, True, True), rounds, True, "FP16", "FP32")
    config, back = gf.native_to_gf_config, gf.gf_to_native_config
    assert (gf.gf_storage_type, gf.native_storage_type) == (np.float16, np.float32)
    assert (gf.calculation_type, config.calculation_type) == (np.float16, np.float16)
    assert gf.store_as_native
    assert gf.is_nanoo_mode_enabled
    assert config.is_nanoo_mode_enabled
    assert gf.round_mode is RoundType.SX
    assert config.sr_noise_density is SRDensityType.LAPLACE
    assert config.format_type is back.format_type is FormatType.MIN_NORM_ALIGN_GF8
    assert (config.num_sr_bits, config.sr_noise_offset, config.sr_noise_scale) == (7, 0.1, 0.2)
    assert (config.sr_noise_max, config.sr_noise_min) == (0.3, -0.4)
    assert config.bernoulli_probability == 0
    assert (back.round_mode, back.sr_noise_density) == (RoundType.INV, SRDensityType.INVALID)
    assert (back.num_sr_bits, back.sr_noise_scale, back.sr_noise_max, back.sr_noise_min) == (0,) * 4
    assert (back.sr_noise_offset, back.bernoulli_probability) == (0, 0)


@pytest.mark.parametrize(
    ("gf_type", "dtype"),
    [
        ("AUTO", "int8"),
        ("FP32", "float32"),
        ("BF16", "float32"),
        ("FP16", "float16"),
        ("INT16", "int16"),
    ],
)
def test_storage_types(gf_type: str, dtype: str) -> None:
    gf = GfloatCast(FormatConfig(3, 4, 7, True, True), RoundConfig("RN"), True, gf_type)
    found = gf.cast_native_to_gfloat(X)
    assert found.dtype.name == dtype
    back = gf.cast_gfloat_to_native(found)
    expected = GfloatCast(gf.format_config, RoundConfig("RN"), True, "FP32").cast_native_to_gfloat(
        X
    )
    np.testing.assert_array_equal(back, expected)


def test_configurations_that_make_no_sense_are_refused() -> None:
    rounds = RoundConfig("RN")
    with pytest.raises(OptionError, match="no Gfloat format is stored so"):
        GfloatCast(FormatConfig(3, 4, 7, True, True), rounds, True, "INT32")
    with pytest.raises(OptionError, match="allowed are HALF and FLOAT"):
        CastConfig.create_cast_gf_to_native("BFLOAT16", "FLOAT", "SHORT")
    with pytest.raises(OptionError, match="allowed are HALF, FLOAT, SIGNED_CHAR, SHORT"):
        CastConfig.create_cast_native_to_gf("BFLOAT16", "DOUBLE", "SHORT", rounds, True)
    back = CastConfig.create_cast_gf_to_native("BFLOAT16", "FLOAT", "FLOAT")
    with pytest.raises(OptionError, match="create_cast_native_to_gf"):
        cast_native_to_gfloat(X, 0x037F0807, back)
    packed = CastConfig.create_cast_native_to_gf("BFLOAT16", "FLOAT", "SHORT", rounds, True)
    with pytest.raises(DtypeError, match="packed words"):
        cast_native_to_gfloat_in_place(X.copy(), 0x037F0807, packed)
