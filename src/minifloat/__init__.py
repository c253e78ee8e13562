"""Low-precision number formats, exact to the last bit in every rounding mode."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

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
from minifloat._random import Key
from minifloat._rounding import Overflow, Rounding, Stochastic

if TYPE_CHECKING:
    from minifloat import noise
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
    from minifloat._inspection import (
        FloatClass,
        classify,
        is_canonical,
        is_finite,
        is_infinite,
        is_nan,
        is_normal,
        is_signaling,
        is_signed,
        is_subnormal,
        is_zero,
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
    from minifloat._signs import abs, copysign, negate

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

_LAZY: dict[str, str] = {
    "Array": "_array",
    "FloatClass": "_inspection",
    "abs": "_signs",
    "add": "_arithmetic",
    "array": "_array",
    "classify": "_inspection",
    "compare": "_comparison",
    "convert": "_arithmetic",
    "copysign": "_signs",
    "div": "_arithmetic",
    "dot": "_matmul",
    "equal": "_comparison",
    "fma": "_arithmetic",
    "from_int": "_integers",
    "greater": "_comparison",
    "greater_equal": "_comparison",
    "is_canonical": "_inspection",
    "is_finite": "_inspection",
    "is_infinite": "_inspection",
    "is_nan": "_inspection",
    "is_normal": "_inspection",
    "is_signaling": "_inspection",
    "is_signed": "_inspection",
    "is_subnormal": "_inspection",
    "is_zero": "_inspection",
    "less": "_comparison",
    "less_equal": "_comparison",
    "matmul": "_matmul",
    "max_num": "_extrema",
    "max_num_magnitude": "_extrema",
    "maximum": "_extrema",
    "maximum_magnitude": "_extrema",
    "maximum_magnitude_number": "_extrema",
    "maximum_number": "_extrema",
    "min_num": "_extrema",
    "min_num_magnitude": "_extrema",
    "minimum": "_extrema",
    "minimum_magnitude": "_extrema",
    "minimum_magnitude_number": "_extrema",
    "minimum_number": "_extrema",
    "mul": "_arithmetic",
    "negate": "_signs",
    "next_down": "_inspection",
    "next_up": "_inspection",
    "not_equal": "_comparison",
    "pack": "_packing",
    "rem": "_arithmetic",
    "round_to_integral": "_arithmetic",
    "scalbn": "_arithmetic",
    "sqrt": "_arithmetic",
    "sub": "_arithmetic",
    "sum": "_matmul",
    "to_int": "_integers",
    "total_order": "_comparison",
    "ulp": "_inspection",
    "unordered": "_comparison",
    "unpack": "_packing",
}
"""Where the names live that are loaded on first use: importing the package costs little more than
importing numpy."""


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        found = getattr(importlib.import_module(f"minifloat.{_LAZY[name]}"), name)
    elif name == "noise":
        found = importlib.import_module("minifloat.noise")
    else:
        msg = f"module 'minifloat' has no attribute {name!r}"
        raise AttributeError(msg)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return __all__
