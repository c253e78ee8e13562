"""QEMU's enumerations, with its values, and the constants that spell them in C."""

from __future__ import annotations

from enum import IntEnum, IntFlag

__all__ = [
    "CONSTANTS",
    "ExceptionFlag",
    "FtzDetection",
    "InfZeroNanRule",
    "MuladdFlag",
    "Relation",
    "RoundMode",
    "ThreeNanRule",
    "TwoNanRule",
]


class RoundMode(IntEnum):
    """The rounding modes of a status."""

    NEAREST_EVEN = 0
    DOWN = 1
    UP = 2
    TO_ZERO = 3
    TIES_AWAY = 4
    TO_ODD = 5
    """Inexact results become odd; overflow gives the largest finite value."""
    TO_ODD_INF = 6
    """As `TO_ODD`, but overflow gives infinity."""
    NEAREST_EVEN_MAX = 7
    """As `NEAREST_EVEN`, but overflow gives the largest finite value."""


class ExceptionFlag(IntFlag):
    """The exception flags of a status. The order differs from that of `minifloat.Flag`."""

    INVALID = 0x1
    DIVBYZERO = 0x2
    OVERFLOW = 0x4
    UNDERFLOW = 0x8
    INEXACT = 0x10
    INPUT_DENORMAL_FLUSHED = 0x20
    OUTPUT_DENORMAL_FLUSHED = 0x40
    INVALID_ISI = 0x80
    """Infinity minus infinity."""
    INVALID_IMZ = 0x100
    """Infinity times zero."""
    INVALID_IDI = 0x200
    """Infinity divided by infinity."""
    INVALID_ZDZ = 0x400
    """Zero divided by zero."""
    INVALID_SQRT = 0x800
    """Square root of a negative number."""
    INVALID_CVTI = 0x1000
    """A number or infinity that does not fit an integer."""
    INVALID_SNAN = 0x2000
    """An operand was a signalling NaN."""
    INPUT_DENORMAL_USED = 0x4000
    """An operand was subnormal, and the result was computed from it."""


class Relation(IntEnum):
    """What a comparison finds."""

    LESS = -1
    EQUAL = 0
    GREATER = 1
    UNORDERED = 2


class FtzDetection(IntEnum):
    """When `flush_to_zero` looks at a result."""

    AFTER_ROUNDING = 0
    """Results that are tiny by the status's tininess."""
    BEFORE_ROUNDING = 1
    """Results whose exact value is below the smallest normal one."""


class TwoNanRule(IntEnum):
    """Which NaN of two operands a result comes from."""

    NONE = 0
    """Unset: an error unless the default NaN is always given."""
    S_AB = 1
    """A signalling one first, then a before b."""
    S_BA = 2
    AB = 3
    BA = 4
    X87 = 5
    """Quiet before signalling, then the larger significand, then the positive one."""


def _order(first: int, second: int, third: int) -> int:
    return first | second << 2 | third << 4


_SIGNALING = 1 << 6


class ThreeNanRule(IntEnum):
    """Which NaN of a * b + c a result comes from; ``S_``: a signalling one first."""

    NONE = 0
    ABC = _order(0, 1, 2)
    ACB = _order(0, 2, 1)
    BAC = _order(1, 0, 2)
    BCA = _order(1, 2, 0)
    CAB = _order(2, 0, 1)
    CBA = _order(2, 1, 0)
    S_ABC = ABC | _SIGNALING
    S_ACB = ACB | _SIGNALING
    S_BAC = BAC | _SIGNALING
    S_BCA = BCA | _SIGNALING
    S_CAB = CAB | _SIGNALING
    S_CBA = CBA | _SIGNALING


class InfZeroNanRule(IntFlag):
    """What infinity * 0 + NaN gives; `SUPPRESS_INVALID` is combined with one of the others."""

    NONE = 0
    DNAN_NEVER = 1
    """The NaN."""
    DNAN_ALWAYS = 2
    """The default NaN."""
    DNAN_IF_QNAN = 3
    """The default NaN if the NaN is quiet."""
    SUPPRESS_INVALID = 0x80
    """It raises nothing by itself; a signalling NaN raises INVALID all the same."""


class MuladdFlag(IntFlag):
    """What a fused multiply-add does besides; signs of NaN are never changed."""

    NEGATE_C = 1
    NEGATE_PRODUCT = 2
    NEGATE_RESULT = 4
    """The sign of the rounded result."""
    SUPPRESS_ADD_PRODUCT_ZERO = 8
    """A product of zero leaves a zero c as it is, sign included."""


CONSTANTS: dict[str, int] = {
    **{f"float_round_{m.name.lower()}": m for m in RoundMode},
    **{f"float_flag_{m.name.lower()}": m for m in ExceptionFlag if m.name},
    **{f"float_relation_{m.name.lower()}": m for m in Relation},
    **{f"float_ftz_{m.name.lower()}": m for m in FtzDetection},
    **{f"float_2nan_prop_{m.name.lower()}": m for m in TwoNanRule},
    **{f"float_3nan_prop_{m.name.lower()}": m for m in ThreeNanRule},
    **{f"float_infzeronan_{name.lower()}": m for name, m in InfZeroNanRule.__members__.items()},
    **{f"float_muladd_{m.name.lower()}": m for m in MuladdFlag if m.name},
    "float_tininess_after_rounding": False,
    "float_tininess_before_rounding": True,
}
"""Names as in C: ``float_round_nearest_even``, ``float_flag_invalid``, and so on."""
