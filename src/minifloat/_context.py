"""What a machine fixes once and for all: tininess, flushing, and its NaN rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["Context", "contexts"]


@dataclass(frozen=True, slots=True)
class Context:
    """The behaviour of a machine. Rounding and overflow are never part of it.

    Parameters
    ----------
    tininess : {"after", "before"}
        Whether a result is tiny when below the smallest normal after rounding (with unbounded
        exponent) or before it (IEEE 754-2019 §7.5).
    flush_inputs : bool
        Subnormal sources count as zeros of their sign.
    flush_outputs : bool
        Tiny results become zeros of their sign and raise UNDERFLOW and INEXACT.
    narrow_nans_quiet : bool
        All NaN codes of formats of 8 bits or fewer are quiet (RISC-V's OFP8).

    Examples
    --------
    >>> contexts.ARM.tininess
    'before'
    """

    tininess: Literal["after", "before"] = "after"
    flush_inputs: bool = False
    flush_outputs: bool = False
    narrow_nans_quiet: bool = False


class contexts:  # noqa: N801  (a namespace of constants, spelt like a module)
    """The named contexts."""

    IEEE = Context()
    ARM = Context(tininess="before")
    ARM_DEFAULT_NAN = Context(tininess="before")
    X86_SSE = Context()
    RISCV = Context(narrow_nans_quiet=True)
