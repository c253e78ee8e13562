"""The status that every operation takes: rounding, NaN rules, flushing, and the flags raised."""

from __future__ import annotations

import functools
from dataclasses import dataclass, field, fields, replace
from enum import IntEnum, IntFlag
from typing import Any, cast

from minifloat._context import Context, IntegerFailure
from minifloat._errors import OptionError, nearest
from minifloat.softfloat._profiles import PROFILES
from minifloat.softfloat._words import (
    ExceptionFlag,
    FtzDetection,
    InfZeroNanRule,
    RoundMode,
    ThreeNanRule,
    TwoNanRule,
)

__all__ = ["FloatStatus"]

_ENUMS: dict[str, type[IntEnum | IntFlag]] = {
    "rounding_mode": RoundMode,
    "exception_flags": ExceptionFlag,
    "ftz_detection": FtzDetection,
    "two_nan_rule": TwoNanRule,
    "three_nan_rule": ThreeNanRule,
    "inf_zero_nan_rule": InfZeroNanRule,
}
_WORDS = {
    "tfloat32_input": ("reject", "chop", "round", "round_away", "keep"),
    "tfloat32_scheme": ("exact", "article"),
}
_NO_FLAGS = ExceptionFlag(0)
_INF_ZERO = {1: "propagate", 2: "default", 3: "default_if_quiet"}


@dataclass(slots=True)
class FloatStatus:
    """The state of a floating-point unit, in QEMU's words. Operations raise flags in it.

    Every field may be set at any time; enumerations also take their names as text (``"to_zero"``).

    Parameters
    ----------
    rounding_mode : RoundMode
    exception_flags : ExceptionFlag
        Raised so far; operations only ever add to it.
    tininess_before_rounding : bool
        Whether tininess is detected before rounding.
    flush_to_zero : bool
        Tiny results become zeros of their sign and raise OUTPUT_DENORMAL_FLUSHED in place of
        UNDERFLOW; INEXACT only where detection is after rounding and the result was inexact.
    ftz_detection : FtzDetection
        When `flush_to_zero` looks.
    flush_inputs_to_zero : bool
        Subnormal operands count as zeros of their sign and raise INPUT_DENORMAL_FLUSHED.
    default_nan_mode : bool
        Every NaN result is the default NaN.
    default_nan_pattern : int
        The default NaN: its sign, then the top seven fraction bits, the last of which fills the
        rest. A format with one NaN code uses that code, with this sign.
    two_nan_rule, three_nan_rule : TwoNanRule, ThreeNanRule
        Which operand's NaN a result carries.
    inf_zero_nan_rule : InfZeroNanRule
        What infinity * 0 + NaN gives.
    snan_bit_is_one : bool
        A NaN with its top fraction bit set signals.
    no_signaling_nans : bool
        Every NaN is quiet.
    rebias_overflow, rebias_underflow : bool
        Results beyond the range, or tiny before rounding, are delivered with an exponent that is
        smaller, or larger, by three quarters of its range (trapped results of Power); OVERFLOW
        or UNDERFLOW is raised, INEXACT where the significand was rounded.
    narrow_nans_quiet : bool
        Every NaN of the 8-bit formats is quiet, 0x7D in e5m2 included (RISC-V). Not in QEMU.
    integer_failure : tuple of {"max", "min", "zero", "indefinite"}, length 3
        What conversions to integers deliver above the range, below it, and for NaN; QEMU leaves
        that to each target and has the default.
    tfloat32_input : {"reject", "chop", "round", "round_away", "keep"}
        What tfloat32 operands with any of the low 13 bits set are: an error, or those bits dropped,
        or rounded to nearest with ties to even or away. A NaN stays NaN. Nothing is raised for it.
        ``"keep"`` belongs to the article's scheme: all 23 bits take part.
    tfloat32_scheme : {"exact", "article"}
        ``"exact"`` rounds tfloat32 results once, to 10 fraction bits. ``"article"`` reproduces a
        published addition to QEMU that rounds to float32 and then clears the low 13 bits. Its
        defects come with it: results are rounded twice (1 + 3 * 2**-11, a tie, gives 0x3F802000 and
        not 0x3F804000), the directed and ties-away modes are wrong with it, overflow between the
        largest tfloat32 and the largest float32 number never happens, and INEXACT and UNDERFLOW
        are those of float32, so that a result with 13 bits chopped may raise nothing. The mask
        printed there, 0xFFFC0000, keeps 5 fraction bits and is not reproduced; 0xFFFFE000 is used.

    Raises
    ------
    OptionError
        For words and numbers that are not among those allowed.

    Examples
    --------
    >>> status = FloatStatus(rounding_mode="to_zero")
    >>> status.rounding_mode
    <RoundMode.TO_ZERO: 3>
    >>> FloatStatus.profile("arm").three_nan_rule
    <ThreeNanRule.S_CAB: 82>
    """

    rounding_mode: RoundMode = RoundMode.NEAREST_EVEN
    exception_flags: ExceptionFlag = _NO_FLAGS
    tininess_before_rounding: bool = False
    flush_to_zero: bool = False
    ftz_detection: FtzDetection = FtzDetection.AFTER_ROUNDING
    flush_inputs_to_zero: bool = False
    default_nan_mode: bool = False
    default_nan_pattern: int = 0x40
    two_nan_rule: TwoNanRule = TwoNanRule.S_AB
    three_nan_rule: ThreeNanRule = ThreeNanRule.S_ABC
    inf_zero_nan_rule: InfZeroNanRule = InfZeroNanRule.DNAN_ALWAYS
    snan_bit_is_one: bool = False
    no_signaling_nans: bool = False
    rebias_overflow: bool = False
    rebias_underflow: bool = False
    narrow_nans_quiet: bool = False
    integer_failure: tuple[str, str, str] = ("max", "min", "max")
    tfloat32_input: str = "reject"
    tfloat32_scheme: str = "exact"
    memo: dict[Any, Any] = field(default_factory=dict, init=False, repr=False, compare=False)
    """What follows from the other fields; emptied when one of them is set."""

    def __setattr__(self, name: str, value: Any) -> None:
        if name in _ENUMS:
            value = _as_word(name, value)
        elif name in _WORDS and value not in _WORDS[name]:
            msg = f"{name}={value!r}: allowed are {', '.join(_WORDS[name])}"
            raise OptionError(msg + nearest(str(value), _WORDS[name]))
        object.__setattr__(self, name, value)
        if name not in ("exception_flags", "memo") and hasattr(self, "memo"):
            self.memo.clear()

    @classmethod
    def profile(cls, name: str, **changes: Any) -> FloatStatus:
        """Return the status of a named machine.

        Parameters
        ----------
        name : str
            One of `PROFILES`.
        **changes
            Fields to set otherwise.

        Returns
        -------
        FloatStatus

        Raises
        ------
        OptionError
            For unknown names.

        Examples
        --------
        >>> hex(FloatStatus.profile("x86_sse", flush_to_zero=True).default_nan_pattern)
        '0xc0'
        """
        if name not in PROFILES:
            msg = f"profile {name!r}: allowed are {', '.join(PROFILES)}{nearest(name, PROFILES)}"
            raise OptionError(msg)
        return cls(**{**PROFILES[name], **changes})

    def copy(self, **changes: Any) -> FloatStatus:
        """Return another status with the same fields.

        Parameters
        ----------
        **changes
            Fields to set otherwise.

        Returns
        -------
        FloatStatus
        """
        return replace(self, **changes)

    def raise_flags(self, flags: int) -> None:
        """Add flags to those raised.

        Parameters
        ----------
        flags : int or ExceptionFlag
        """
        if flags & ~int(self.exception_flags):
            self.exception_flags = ExceptionFlag(self.exception_flags | flags)

    @property
    def context(self) -> Context:
        """What the core needs to know of this status.

        Raises
        ------
        OptionError
            For an unset NaN rule without `default_nan_mode`, or a default NaN pattern of 0.
        """
        found = self.memo.get("context")
        if found is None:
            found = self.memo["context"] = self._make_context()
        return cast("Context", found)

    def _make_context(self) -> Context:
        return _context(
            self.tininess_before_rounding,
            self.flush_inputs_to_zero,
            self.narrow_nans_quiet,
            self.default_nan_mode,
            self.default_nan_pattern,
            self.two_nan_rule,
            self.three_nan_rule,
            self.inf_zero_nan_rule,
            self.snan_bit_is_one,
            self.no_signaling_nans,
            self.integer_failure,
        )

    def __repr__(self) -> str:
        changed = [
            f"{f.name}={_spell(getattr(self, f.name))}"
            for f in fields(self)
            if f.repr and getattr(self, f.name) != f.default
        ]
        return f"FloatStatus({', '.join(changed)})"


def _spell(value: object) -> str:
    return repr(value.name.lower()) if isinstance(value, IntEnum) else repr(value)


def _as_word(name: str, value: object) -> IntEnum | IntFlag:
    kind = _ENUMS[name]
    if isinstance(value, kind):
        return value
    if isinstance(value, str):
        found = kind.__members__.get(value.upper())
        if found is not None:
            return found
    elif isinstance(value, int) and not isinstance(value, bool):
        try:
            return kind(value)
        except ValueError:
            pass
    words = [member.lower() for member in kind.__members__]
    msg = f"{name}={value!r}: allowed are {', '.join(words)}{nearest(str(value).lower(), words)}"
    raise OptionError(msg)


@functools.lru_cache(maxsize=256)
def _context(
    before: bool,
    flush_inputs: bool,
    narrow_nans_quiet: bool,
    default_mode: bool,
    pattern: int,
    two: TwoNanRule,
    three: ThreeNanRule,
    inf_zero: InfZeroNanRule,
    snan_bit_is_one: bool,
    no_signaling_nans: bool,
    integer_failure: tuple[IntegerFailure, IntegerFailure, IntegerFailure],
) -> Context:
    product = int(inf_zero) & ~int(InfZeroNanRule.SUPPRESS_INVALID)
    unset = two is TwoNanRule.NONE or three is ThreeNanRule.NONE or product not in _INF_ZERO
    if unset and not default_mode:
        msg = "set all of two_nan_rule, three_nan_rule, inf_zero_nan_rule; or default_nan_mode"
        raise OptionError(msg)
    words: dict[str, Any] = {
        "nan_rule": "canonical" if default_mode else two.name.lower(),
        "nan_rule_of_three": "canonical" if default_mode else three.name.lower(),
        "infinity_times_zero": "default" if default_mode else _INF_ZERO[product],
    }
    return Context(
        tininess="before" if before else "after",
        flush_inputs=flush_inputs,
        narrow_nans_quiet=narrow_nans_quiet,
        infinity_times_zero_quiet=bool(inf_zero & InfZeroNanRule.SUPPRESS_INVALID),
        default_nan=pattern,
        snan_bit_is_one=snan_bit_is_one,
        no_signaling_nans=no_signaling_nans,
        integer_failure=cast("Any", tuple(integer_failure)),
        **words,
    )
