"""What a machine fixes once and for all: tininess, flushing, and its NaN rules."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal, TypeAlias

from minifloat._errors import OptionError, nearest

__all__ = ["Context", "contexts"]

Tininess: TypeAlias = Literal["after", "before"]
NanRule: TypeAlias = Literal["canonical", "ab", "ba", "s_ab", "s_ba", "x87"]
NanRuleOfThree: TypeAlias = Literal[
    "canonical",
    "abc", "acb", "bac", "bca", "cab", "cba",
    "s_abc", "s_acb", "s_bac", "s_bca", "s_cab", "s_cba",
]  # fmt: skip
InfinityTimesZero: TypeAlias = Literal["default", "default_if_quiet", "propagate"]
IntegerFailure: TypeAlias = Literal["max", "min", "zero", "indefinite"]

_ORDERS = ("abc", "acb", "bac", "bca", "cab", "cba")
ALLOWED: dict[str, tuple[str | None, ...]] = {
    "tininess": ("after", "before"),
    "flush_detection": (None, "after", "before"),
    "nan_rule": ("canonical", "ab", "ba", "s_ab", "s_ba", "x87"),
    "nan_rule_of_three": ("canonical", *_ORDERS, *(f"s_{order}" for order in _ORDERS)),
    "infinity_times_zero": ("default", "default_if_quiet", "propagate"),
}
FAILURES = ("max", "min", "zero", "indefinite")


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
    flush_detection : {None, "after", "before"}
        When `flush_outputs` looks; None is the same as `tininess`.
    nan_rule : {"canonical", "ab", "ba", "s_ab", "s_ba", "x87"}
        What arithmetic makes of NaN operands: ``"canonical"`` is the default NaN always; the others
        keep the sign and payload of one operand, made quiet: the first NaN in that order, a
        signalling one before a quiet one with ``s_``; ``"x87"`` takes quiet before signalling, then
        the larger significand, then the positive one. Casts always give the canonical NaN.
    nan_rule_of_three : str
        The same for ``a * b + c``: ``"canonical"``, or an order such as ``"cab"`` or ``"s_cab"``.
    infinity_times_zero : {"default", "default_if_quiet", "propagate"}
        What ``infinity * 0 + NaN`` gives: the default NaN, that only if the NaN is quiet, or the
        NaN itself.
    infinity_times_zero_quiet : bool
        It raises nothing where the NaN is quiet.
    default_nan : int
        The NaN that invalid operations make, as 8 bits: its sign, then the top seven trailing bits,
        the last of which fills the rest. Formats with one NaN code use that one.
    snan_bit_is_one : bool
        A NaN with its top trailing bit set signals (old MIPS, HP PA-RISC).
    no_signaling_nans : bool
        Every NaN is quiet.
    integer_failure : tuple of {"max", "min", "zero", "indefinite"}, length 3
        What conversions to integers deliver above the range, below it, and for NaN.
        ``"indefinite"`` is the smallest signed or the largest unsigned integer.

    Raises
    ------
    OptionError
        For words that are not among these.

    Examples
    --------
    >>> contexts.ARM.tininess
    'before'
    """

    tininess: Tininess = "after"
    flush_inputs: bool = False
    flush_outputs: bool = False
    narrow_nans_quiet: bool = False
    flush_detection: Tininess | None = None
    nan_rule: NanRule = "canonical"
    nan_rule_of_three: NanRuleOfThree = "canonical"
    infinity_times_zero: InfinityTimesZero = "default"
    infinity_times_zero_quiet: bool = False
    default_nan: int = 0x40
    snan_bit_is_one: bool = False
    no_signaling_nans: bool = False
    integer_failure: tuple[IntegerFailure, IntegerFailure, IntegerFailure] = ("max", "min", "max")

    def __post_init__(self) -> None:
        for name, allowed in ALLOWED.items():
            _check(name, getattr(self, name), allowed)
        words = self.integer_failure
        if not isinstance(words, tuple) or len(words) != 3:
            msg = f"integer_failure={self.integer_failure!r}: three words are needed"
            raise OptionError(msg)
        for word in self.integer_failure:
            _check("integer_failure", word, FAILURES)
        is_integer = isinstance(self.default_nan, int)
        if not is_integer or not self.default_nan & 0x7F >= 1 or not 0 <= self.default_nan <= 0xFF:
            msg = f"default_nan={self.default_nan!r}: 8 bits, not all of the low seven 0"
            raise OptionError(msg)

    def __repr__(self) -> str:
        changed = [
            f"{f.name}={getattr(self, f.name)!r}"
            for f in fields(self)
            if getattr(self, f.name) != f.default
        ]
        return f"Context({', '.join(changed)})"


def _check(name: str, word: object, allowed: tuple[str | None, ...]) -> None:
    if word in allowed:
        return
    words = [str(item) for item in allowed]
    msg = f"{name}={word!r}: allowed are {', '.join(words)}{nearest(str(word), words)}"
    raise OptionError(msg)


class contexts:  # noqa: N801  (a namespace of constants, spelt like a module)
    """The named contexts."""

    IEEE = Context()
    """IEEE 754 with one canonical quiet NaN."""
    ARM = Context(
        tininess="before",
        nan_rule="s_ab",
        nan_rule_of_three="s_cab",
        infinity_times_zero="default_if_quiet",
        integer_failure=("max", "min", "zero"),
    )
    """Arm with FPCR.DN = 0."""
    ARM_DEFAULT_NAN = Context(tininess="before", integer_failure=("max", "min", "zero"))
    """Arm with FPCR.DN = 1."""
    ARM_AH = Context(
        nan_rule="ab",
        nan_rule_of_three="abc",
        infinity_times_zero="propagate",
        infinity_times_zero_quiet=True,
        default_nan=0xC0,
        integer_failure=("max", "min", "zero"),
    )
    """Arm with FPCR.AH = 1 (FEAT_AFP)."""
    X86_SSE = Context(
        nan_rule="ab",
        nan_rule_of_three="abc",
        infinity_times_zero="propagate",
        infinity_times_zero_quiet=True,
        default_nan=0xC0,
        integer_failure=("indefinite", "indefinite", "indefinite"),
    )
    """x86 with SSE, AVX and FMA3."""
    RISCV = Context(narrow_nans_quiet=True)
    """RISC-V: canonical NaNs, and quiet ones alone in formats of 8 bits or fewer."""
