"""Floating point as emulators call it: QEMU's names and status, for formats of 4 to 64 bits.

Every operation takes codes as Python integers or arrays, and a `FloatStatus` that says how and
receives the flags. ``dir(minifloat.softfloat)`` lists all names.

Examples
--------
>>> from minifloat import softfloat as sf
>>> status = sf.FloatStatus.profile("riscv")
>>> hex(sf.float8e4m3_add(0x7E, 0x7E, status))  # 448 + 448
'0x7f'
>>> status.exception_flags
<ExceptionFlag.OVERFLOW|INEXACT: 20>
"""

from __future__ import annotations

from typing import Any

from minifloat.softfloat._profiles import PROFILES
from minifloat.softfloat._status import FloatStatus
from minifloat.softfloat._table import ENTRIES, build
from minifloat.softfloat._words import (
    ExceptionFlag,
    FtzDetection,
    InfZeroNanRule,
    MuladdFlag,
    Relation,
    RoundMode,
    ThreeNanRule,
    TwoNanRule,
)

__all__ = [
    "PROFILES",
    "ExceptionFlag",
    "FloatStatus",
    "FtzDetection",
    "InfZeroNanRule",
    "MuladdFlag",
    "Relation",
    "RoundMode",
    "ThreeNanRule",
    "TwoNanRule",
]
_STATIC = tuple(__all__)
__all__ += sorted(ENTRIES)


def __getattr__(name: str) -> Any:
    if name not in ENTRIES:
        from minifloat._errors import nearest

        msg = f"module {__name__!r} has no attribute {name!r}{nearest(name, tuple(ENTRIES))}"
        raise AttributeError(msg)
    found = build(name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*_STATIC, *ENTRIES})
