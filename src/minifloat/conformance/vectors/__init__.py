"""Test vectors of arithmetic: generated for any format, and checked, in TestFloat's line format.

Examples
--------
>>> import io
>>> settings = Settings(rounding=Rounding.TOWARD_ZERO)
>>> function = get_function("float8_e4m3fn_mul")
>>> text = b"".join(part for _, part in generate(function, settings, count=100, seed=1))
>>> report = check_batches(read_batches(io.BytesIO(text), function, settings), exact_nans=True)
>>> report.cases, report.mismatches
(100, 0)
"""

from __future__ import annotations

from minifloat._rounding import Rounding
from minifloat.conformance.vectors.checking import Mismatch, Report, check_batch, check_batches
from minifloat.conformance.vectors.functions import OPERATIONS, Function, Settings, get_function
from minifloat.conformance.vectors.generating import case_count, generate
from minifloat.conformance.vectors.reading import (
    Batch,
    function_of_path,
    open_vectors,
    read_batches,
)

__all__ = [
    "OPERATIONS",
    "Batch",
    "Function",
    "Mismatch",
    "Report",
    "Rounding",
    "Settings",
    "case_count",
    "check_batch",
    "check_batches",
    "function_of_path",
    "generate",
    "get_function",
    "open_vectors",
    "read_batches",
]
