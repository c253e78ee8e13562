"""popfloat: Gfloat formats of any mantissa, exponent and bias, with seven rounding modes.

The vocabulary is that of Graphcore's popfloat library; the rounding is the core's. A Gfloat format
works everywhere else too: `FormatConfig.to_format` gives it as a core format.
"""

from __future__ import annotations

from minifloat.popfloat._cast import GfloatCast
from minifloat.popfloat._cast_config import CastConfig
from minifloat.popfloat._compat import Compat
from minifloat.popfloat._format import FormatConfig
from minifloat.popfloat._options import (
    GfloatCastOptions,
    GfloatFormatOptions,
    parse_gfloat_cast_options,
    parse_gfloat_format_options,
)
from minifloat.popfloat._round import RoundConfig
from minifloat.popfloat._runtime import (
    cast_gfloat_to_native,
    cast_native_to_gfloat,
    cast_native_to_gfloat_in_place,
    create_cast_op_params,
)
from minifloat.popfloat._types import FormatType, RoundType, SpecType, SRDensityType

__all__ = [
    "CastConfig",
    "Compat",
    "FormatConfig",
    "FormatType",
    "GfloatCast",
    "GfloatCastOptions",
    "GfloatFormatOptions",
    "RoundConfig",
    "RoundType",
    "SRDensityType",
    "SpecType",
    "cast_gfloat_to_native",
    "cast_native_to_gfloat",
    "cast_native_to_gfloat_in_place",
    "create_cast_op_params",
    "parse_gfloat_cast_options",
    "parse_gfloat_format_options",
]
