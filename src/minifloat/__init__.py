"""Low-precision number formats, exact to the last bit in every rounding mode."""

from __future__ import annotations

from typing import TYPE_CHECKING

from minifloat._arithmetic import (
    add,
    convert,
    div,
    fma,
    mul,
    rem,
    round_to_integral,
    scalbn,
    sqrt,
    sub,
)
from minifloat._array import Array, array
from minifloat._casting import cast, decode, encode, quantize
from minifloat._comparison import (
    compare,
    equal,
    greater,
    greater_equal,
    less,
    less_equal,
    not_equal,
    total_order,
    unordered,
)
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
from minifloat._extrema import (
    max_num,
    max_num_magnitude,
    maximum,
    maximum_magnitude,
    maximum_magnitude_number,
    maximum_number,
    min_num,
    min_num_magnitude,
    minimum,
    minimum_magnitude,
    minimum_magnitude_number,
    minimum_number,
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
from minifloat._inspection import (
    FloatClass,
    abs,
    classify,
    copysign,
    is_canonical,
    is_finite,
    is_infinite,
    is_nan,
    is_normal,
    is_signaling,
    is_signed,
    is_subnormal,
    is_zero,
    negate,
    next_down,
    next_up,
    ulp,
)
from minifloat._integers import (
    from_int,
    to_int,
)
from minifloat._matmul import dot, matmul, sum
from minifloat._packing import pack, unpack
from minifloat._random import Key
from minifloat._rounding import Overflow, Rounding, Stochastic

if TYPE_CHECKING:
    from types import ModuleType

    from minifloat import noise

__all__ = [
    "Array",
    "CodeError",
    "Context",
    "DtypeError",
    "Flag",
    "Flags",
    "FloatClass",
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
    "abs",
    "add",
    "array",
    "cast",
    "classify",
    "compare",
    "contexts",
    "convert",
    "copysign",
    "decode",
    "div",
    "dot",
    "encode",
    "equal",
    "finfo",
    "fma",
    "formats",
    "from_int",
    "get_format",
    "greater",
    "greater_equal",
    "is_canonical",
    "is_finite",
    "is_infinite",
    "is_nan",
    "is_normal",
    "is_signaling",
    "is_signed",
    "is_subnormal",
    "is_zero",
    "less",
    "less_equal",
    "matmul",
    "max_num",
    "max_num_magnitude",
    "maximum",
    "maximum_magnitude",
    "maximum_magnitude_number",
    "maximum_number",
    "min_num",
    "min_num_magnitude",
    "minimum",
    "minimum_magnitude",
    "minimum_magnitude_number",
    "minimum_number",
    "mul",
    "negate",
    "next_down",
    "next_up",
    "noise",
    "not_equal",
    "pack",
    "quantize",
    "rem",
    "round_to_integral",
    "scalbn",
    "sqrt",
    "sub",
    "sum",
    "to_int",
    "total_order",
    "ulp",
    "unordered",
    "unpack",
]


def __getattr__(name: str) -> ModuleType:
    """Import the densities when they are first asked for: few programs do."""
    if name == "noise":
        import importlib

        return importlib.import_module("minifloat.noise")
    msg = f"module 'minifloat' has no attribute {name!r}"
    raise AttributeError(msg)
