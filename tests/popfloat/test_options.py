"""Option strings: names, defaults, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from minifloat import OptionError
from minifloat.popfloat import (
    FormatConfig,
    GfloatCast,
    GfloatCastOptions,
    GfloatFormatOptions,
    RoundConfig,
    RoundType,
    SRDensityType,
    parse_gfloat_cast_options,
    parse_gfloat_format_options,
)

FORMAT = {
    "numMantissaBits": "3",
    "numExponentBits": "4",
    "numExponentBias": "-9",
    "enableDenorms": "false",
    "enableInfsAndNans": "false",
}
CAST = {
    "roundMode": "SX",
    "numSRBits": "7",
    "srNoiseDensity": "TRUNCATED_LAPLACE",
    "srNoiseOffset": "-0.125",
    "srNoiseScale": "0.5",
    "srNoiseMax": "0.25",
    "srNoiseMin": "-0.5",
    "bernoulliProb": "0.75",
    "enableNanooMode": "false",
}


def test_defaults_are_set() -> None:
    assert parse_gfloat_format_options({}) == GfloatFormatOptions(10, 5, 15, True, True)
    parsed = parse_gfloat_cast_options({})
    zeros = (0.0, 0.0, 0.0, 0.0, 0.0)
    assert parsed == GfloatCastOptions(RoundType.INV, 24, SRDensityType.INVALID, *zeros, True)


def test_every_name_is_read() -> None:
    parsed = parse_gfloat_format_options(FORMAT)
    assert parsed == GfloatFormatOptions(3, 4, -9, False, False)
    cast = parse_gfloat_cast_options(CAST)
    numbers = (-0.125, 0.5, 0.25, -0.5, 0.75)
    density = SRDensityType.TRUNCATED_LAPLACE
    assert cast == GfloatCastOptions(RoundType.SX, 7, density, *numbers, False)


@pytest.mark.parametrize("density", [member.name for member in SRDensityType])
@pytest.mark.parametrize("mode", [member.name for member in RoundType])
def test_every_mode_and_density_is_known(mode: str, density: str) -> None:
    parsed = parse_gfloat_cast_options({"roundMode": mode, "srNoiseDensity": density})
    assert (parsed.round_mode.name, parsed.sr_noise_density.name) == (mode, density)


def test_options_reach_the_rounding() -> None:
    rounding = RoundConfig.from_options(parse_gfloat_cast_options(CAST))
    assert rounding == RoundConfig("SX", 7, "TRUNCATED_LAPLACE", -0.125, 0.5, 0.25, -0.5, 0.75)
    made = GfloatCast.from_options(
        parse_gfloat_format_options(FORMAT), parse_gfloat_cast_options(CAST), "HALF", "FP32"
    )
    assert made.format_config == FormatConfig(3, 4, -9, False, False)
    assert made.gf_storage_type == np.float32
    config = made.native_to_gf_config
    assert (config.sr_noise_offset, config.sr_noise_scale) == (-0.125, 0.5)
    assert (config.sr_noise_max, config.sr_noise_min) == (0.25, -0.5)
    assert (config.round_mode, config.num_sr_bits) == (RoundType.SX, 7)
    assert config.sr_noise_density is SRDensityType.TRUNCATED_LAPLACE
    assert config.bernoulli_probability == 0.75


def test_no_mode_is_no_rounding() -> None:
    with pytest.raises(OptionError, match="INV is no mode"):
        RoundConfig.from_options(parse_gfloat_cast_options({}))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"numMantisaBits": "3"}, "did you mean 'numMantissaBits'"),
        ({"numMantissaBits": "three"}, "give an integer"),
        ({"enableDenorms": "yes"}, "give true or false"),
        ({"roundMode": "RN"}, "unknown option"),
    ],
)
def test_bad_format_options_are_refused(options: dict[str, str], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        parse_gfloat_format_options(options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"roundMode": "RX"}, "unknown RoundType"),
        ({"srNoiseDensity": "NORMALL"}, "did you mean 'NORMAL'"),
        ({"srNoiseScale": "wide"}, "give a number"),
    ],
)
def test_bad_cast_options_are_refused(options: dict[str, str], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        parse_gfloat_cast_options(options)
