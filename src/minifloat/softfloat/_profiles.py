"""Machines as data: what each one fixes of a status."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from minifloat.softfloat._words import FtzDetection, InfZeroNanRule, ThreeNanRule, TwoNanRule

__all__ = ["PROFILES"]

_BEFORE, _AFTER = FtzDetection.BEFORE_ROUNDING, FtzDetection.AFTER_ROUNDING
_NEVER, _ALWAYS, _IF_QNAN, _SUPPRESS = (
    InfZeroNanRule.DNAN_NEVER,
    InfZeroNanRule.DNAN_ALWAYS,
    InfZeroNanRule.DNAN_IF_QNAN,
    InfZeroNanRule.SUPPRESS_INVALID,
)
_CLAMP = ("max", "min", "max")
_NAN_IS_ZERO = ("max", "min", "zero")
_INDEFINITE = ("indefinite", "indefinite", "indefinite")
# Where a machine always gives the default NaN, its rules are never asked.
_ANY2, _ANY3 = TwoNanRule.S_AB, ThreeNanRule.S_ABC


def _machine(
    pattern: int,
    two: TwoNanRule | None,
    three: ThreeNanRule | None,
    infinity_times_zero: InfZeroNanRule,
    *,
    before: bool = False,
    ftz: FtzDetection = _AFTER,
    integers: tuple[str, str, str] = _CLAMP,
    **more: bool,
) -> dict[str, Any]:
    """One line of the table; no 2-NaN rule means that every NaN is the default one."""
    return {
        "default_nan_pattern": pattern,
        "default_nan_mode": two is None,
        "two_nan_rule": _ANY2 if two is None else two,
        "three_nan_rule": _ANY3 if three is None else three,
        "inf_zero_nan_rule": infinity_times_zero,
        "tininess_before_rounding": before,
        "ftz_detection": ftz,
        "integer_failure": integers,
        **more,
    }


_2, _3 = TwoNanRule, ThreeNanRule
_ARM: dict[str, Any] = {"before": True, "ftz": _BEFORE, "integers": _NAN_IS_ZERO}
_PROFILES: dict[str, dict[str, Any]] = {
    "arm": _machine(0x40, _2.S_AB, _3.S_CAB, _IF_QNAN, **_ARM),
    "arm_default_nan": _machine(0x40, None, None, _ALWAYS, **_ARM),
    "arm_ah": _machine(0xC0, _2.AB, _3.ABC, _NEVER | _SUPPRESS, integers=_NAN_IS_ZERO),
    "x86_sse": _machine(0xC0, _2.AB, _3.ABC, _NEVER | _SUPPRESS, integers=_INDEFINITE),
    "riscv": _machine(0x40, None, None, _ALWAYS, narrow_nans_quiet=True),
    "x87": _machine(0xC0, _2.X87, None, _ALWAYS, integers=_INDEFINITE),
    "softfloat_8086_sse": _machine(0xC0, _2.AB, _3.ABC, _ALWAYS, integers=_INDEFINITE),
    "power": _machine(0x40, _2.AB, _3.ACB, _NEVER, before=True, ftz=_BEFORE),
    "s390x": _machine(0x40, _2.S_AB, _3.S_ABC, _ALWAYS, before=True),
    "mips_2008": _machine(0x40, _2.S_AB, _3.S_CAB, _NEVER, ftz=_BEFORE),
    "mips_legacy": _machine(0x3F, None, None, _ALWAYS, ftz=_BEFORE, snan_bit_is_one=True),
    "loongarch": _machine(0x40, _2.S_AB, _3.S_CAB, _NEVER),
    "sparc": _machine(0x7F, _2.S_BA, _3.S_CBA, _NEVER),
    "m68k": _machine(0x7F, _2.AB, None, _ALWAYS),
    "hppa": _machine(0x20, _2.S_AB, _3.ABC, _NEVER, ftz=_BEFORE, snan_bit_is_one=True),
    "hexagon": _machine(0xFF, None, None, _ALWAYS, before=True),
    "alpha": _machine(0x40, _2.X87, None, _ALWAYS, ftz=_BEFORE),
}

PROFILES: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {name: MappingProxyType(fields) for name, fields in _PROFILES.items()}
)
"""The named machines and the fields of `FloatStatus` that each sets.

``softfloat_8086_sse`` is Berkeley SoftFloat's model of SSE, which differs from the processor where
infinity times zero meets a NaN. Machines without a fused multiply-add have no 3-NaN rule of their
own; theirs is that of the default status.
"""
