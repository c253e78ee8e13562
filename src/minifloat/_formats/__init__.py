"""What formats are: types, the named ones as data, and how to look one up."""

from __future__ import annotations

from minifloat._formats.finfo import finfo
from minifloat._formats.floats import FloatFormat
from minifloat._formats.hifloat8 import HiFloat8Format
from minifloat._formats.integers import IntFormat
from minifloat._formats.lookup import FormatLike, get_format
from minifloat._formats.named import FormatTable, formats, p3109_format
from minifloat._formats.types import Format, NanCode, Subnormals

__all__ = [
    "FloatFormat",
    "Format",
    "FormatLike",
    "FormatTable",
    "HiFloat8Format",
    "IntFormat",
    "NanCode",
    "Subnormals",
    "finfo",
    "formats",
    "get_format",
    "p3109_format",
]
