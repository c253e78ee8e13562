"""Low-precision number formats, exact to the last bit in every rounding mode."""

from __future__ import annotations

from minifloat import noise
from minifloat._casting import cast, decode, encode, quantize
from minifloat._context import Context, contexts
from minifloat._errors import (
    CodeError,
    DtypeError,
    FormatError,
    MinifloatError,
    MissingExtraError,
    NanError,
    OptionError,
)
from minifloat._flags import Flag, Flags
from minifloat._formats import (
    FloatFormat,
    Format,
    HiFloat8Format,
    IntFormat,
    NanCode,
    Subnormals,
    finfo,
    formats,
    get_format,
)
from minifloat._packing import pack, unpack
from minifloat._random import Key
from minifloat._rounding import Overflow, Rounding, Stochastic

__all__ = [
    "CodeError",
    "Context",
    "DtypeError",
    "Flag",
    "Flags",
    "FloatFormat",
    "Format",
    "FormatError",
    "HiFloat8Format",
    "IntFormat",
    "Key",
    "MinifloatError",
    "MissingExtraError",
    "NanCode",
    "NanError",
    "OptionError",
    "Overflow",
    "Rounding",
    "Stochastic",
    "Subnormals",
    "cast",
    "contexts",
    "decode",
    "encode",
    "finfo",
    "formats",
    "get_format",
    "noise",
    "pack",
    "quantize",
    "unpack",
]
