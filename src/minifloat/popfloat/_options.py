"""Option strings, as popfloat's option flags spell them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from minifloat._errors import OptionError, nearest
from minifloat.popfloat._types import RoundType, SRDensityType, as_member

__all__ = [
    "GfloatCastOptions",
    "GfloatFormatOptions",
    "parse_gfloat_cast_options",
    "parse_gfloat_format_options",
]


@dataclass(frozen=True, slots=True)
class GfloatFormatOptions:
    """The options of a format; the defaults are IEEE half's.

    Parameters
    ----------
    num_mantissa_bits, num_exponent_bits, num_exponent_bias : int
        The bias may be negative.
    enable_denorms, enable_infs_and_nans : bool
    """

    num_mantissa_bits: int = 10
    num_exponent_bits: int = 5
    num_exponent_bias: int = 15
    enable_denorms: bool = True
    enable_infs_and_nans: bool = True


@dataclass(frozen=True, slots=True)
class GfloatCastOptions:
    """The options of a cast.

    Parameters
    ----------
    round_mode : RoundType
    num_sr_bits : int
    sr_noise_density : SRDensityType
    sr_noise_offset, sr_noise_scale, sr_noise_max, sr_noise_min, bernoulli_prob : float
    enable_nanoo_mode : bool
    """

    round_mode: RoundType = RoundType.INV
    num_sr_bits: int = 24
    sr_noise_density: SRDensityType = SRDensityType.INVALID
    sr_noise_offset: float = 0.0
    sr_noise_scale: float = 0.0
    sr_noise_max: float = 0.0
    sr_noise_min: float = 0.0
    bernoulli_prob: float = 0.0
    enable_nanoo_mode: bool = True


def _boolean(text: str) -> bool:
    return {"true": True, "false": False}[text]


_READERS: dict[type, tuple[Any, str]] = {
    int: (int, "an integer"),
    float: (float, "a number"),
    bool: (_boolean, "true or false"),
    RoundType: (lambda text: as_member(RoundType, text), "a rounding mode"),
    SRDensityType: (lambda text: as_member(SRDensityType, text), "a density"),
}

_FORMAT_NAMES = {
    "numMantissaBits": ("num_mantissa_bits", int),
    "numExponentBits": ("num_exponent_bits", int),
    "numExponentBias": ("num_exponent_bias", int),
    "enableDenorms": ("enable_denorms", bool),
    "enableInfsAndNans": ("enable_infs_and_nans", bool),
}
_CAST_NAMES = {
    "roundMode": ("round_mode", RoundType),
    "numSRBits": ("num_sr_bits", int),
    "srNoiseDensity": ("sr_noise_density", SRDensityType),
    "srNoiseOffset": ("sr_noise_offset", float),
    "srNoiseScale": ("sr_noise_scale", float),
    "srNoiseMax": ("sr_noise_max", float),
    "srNoiseMin": ("sr_noise_min", float),
    "bernoulliProb": ("bernoulli_prob", float),
    "enableNanooMode": ("enable_nanoo_mode", bool),
}


def parse_gfloat_format_options(options: Mapping[str, str]) -> GfloatFormatOptions:
    """Read the option flags of a format.

    Parameters
    ----------
    options : mapping of str to str
        Names among ``numMantissaBits``, ``numExponentBits``, ``numExponentBias``,
        ``enableDenorms``, ``enableInfsAndNans``; what is missing keeps its default.

    Returns
    -------
    GfloatFormatOptions

    Raises
    ------
    OptionError
        If a name or a value is unknown.

    Examples
    --------
    >>> parse_gfloat_format_options({"numMantissaBits": "3"}).num_mantissa_bits
    3
    """
    return replace(GfloatFormatOptions(), **_read(options, _FORMAT_NAMES))


def parse_gfloat_cast_options(options: Mapping[str, str]) -> GfloatCastOptions:
    """Read the option flags of a cast.

    Parameters
    ----------
    options : mapping of str to str
        Names among ``roundMode``, ``numSRBits``, ``srNoiseDensity``, ``srNoiseOffset``,
        ``srNoiseScale``, ``srNoiseMax``, ``srNoiseMin``, ``bernoulliProb``, ``enableNanooMode``;
        what is missing keeps its default.

    Returns
    -------
    GfloatCastOptions

    Raises
    ------
    OptionError
        If a name or a value is unknown.

    Examples
    --------
    >>> parse_gfloat_cast_options({"roundMode": "SX", "numSRBits": "8"}).round_mode
    <RoundType.SX: 'SX'>
    """
    return replace(GfloatCastOptions(), **_read(options, _CAST_NAMES))


def _read(options: Mapping[str, str], names: Mapping[str, tuple[str, type]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, text in options.items():
        if name not in names:
            msg = f"unknown option {name!r}; allowed are {', '.join(names)}{nearest(name, names)}"
            raise OptionError(msg)
        attribute, kind = names[name]
        read, meaning = _READERS[kind]
        try:
            found[attribute] = read(str(text).strip())
        except OptionError:
            raise
        except (ValueError, KeyError):
            msg = f"option {name}={text!r}: give {meaning}"
            raise OptionError(msg) from None
    return found
