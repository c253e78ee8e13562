"""Berkeley SoftFloat, its RISC-V specialisation, through softfloatpy: one case at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import softfloatpy as sp

from minifloat import Rounding

MODES = {
    Rounding.TIES_TO_EVEN: sp.RoundingMode.NEAR_EVEN,
    Rounding.TOWARD_ZERO: sp.RoundingMode.MIN_MAG,
    Rounding.TOWARD_NEGATIVE: sp.RoundingMode.MIN,
    Rounding.TOWARD_POSITIVE: sp.RoundingMode.MAX,
    Rounding.TIES_TO_AWAY: sp.RoundingMode.NEAR_MAX_MAG,
}
_TYPES: dict[str, tuple[Any, int]] = {
    "f16": (sp.Float16, 2),
    "bf16": (sp.BFloat16, 2),
    "f32": (sp.Float32, 4),
    "f64": (sp.Float64, 8),
    "i32": (sp.Int32, 4),
    "i64": (sp.Int64, 8),
    "ui32": (sp.UInt32, 4),
    "ui64": (sp.UInt64, 8),
}
_NAMES = {"mulAdd": "mul_add", "roundToInt": "round_to_int"}

FUNCTIONS = (
    *(
        f"{fmt}_{operation}"
        for fmt in ("f16", "f32", "f64")
        for operation in (
            *("add", "sub", "mul", "div", "rem", "sqrt", "mulAdd", "roundToInt"),
            *("eq", "eq_signaling", "le", "le_quiet", "lt", "lt_quiet"),
        )
    ),
    *(f"{a}_to_{b}" for a in ("f16", "f32", "f64") for b in ("f16", "f32", "f64") if a != b),
    *(f"{a}_to_{b}" for a in ("f16", "f32", "f64") for b in ("i32", "i64", "ui32", "ui64")),
    *(f"{b}_to_{a}" for a in ("f16", "f32", "f64") for b in ("i32", "i64", "ui32", "ui64")),
)


def evaluate(
    function: str, operands: tuple[int, ...], rounding: Rounding, tininess: str, exact: bool
) -> tuple[int, int]:
    """Return the code of the result and the flags, in SoftFloat's order."""
    prefix, operation = function.split("_", 1)
    kind, size = _TYPES[prefix]
    sp.set_rounding_mode(MODES[rounding])
    before = tininess == "before"
    sp.set_tininess_mode(
        sp.TininessMode.BEFORE_ROUNDING if before else sp.TininessMode.AFTER_ROUNDING
    )
    sp.set_exception_flags(0)
    call: Callable[..., Any] = getattr(sp, f"{prefix}_{_NAMES.get(operation, operation)}")
    values = [kind.from_bytes(code.to_bytes(size, "big")) for code in operands]
    takes_exact = operation == "roundToInt" or (
        operation.startswith("to_") and operation[3:] in ("i32", "i64", "ui32", "ui64")
    )
    result = call(*values, exact=exact) if takes_exact else call(*values)
    code = int(result) if isinstance(result, bool) else int.from_bytes(result.to_bytes(), "big")
    return code, int(sp.get_exception_flags())
