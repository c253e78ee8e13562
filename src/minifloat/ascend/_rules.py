"""From a pair and its modes to core settings, and to selections for what no setting says."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass

from minifloat._casting import cast, encode
from minifloat._context import Context
from minifloat._formats import Format, HiFloat8Format, IntFormat
from minifloat._rounding import Overflow, Rounding
from minifloat.ascend._control import Ctrl
from minifloat.ascend._modes import RoundMode, SatMode
from minifloat.ascend._pairs import Pair
from minifloat.ascend._policy import Policy
from minifloat.ascend._selections import ByMagnitude, Clear, KeepExact, Replace, Selection, Words

__all__ = ["Recipe", "recipe_for", "saturates"]

ROUNDING = {
    RoundMode.CAST_RINT: Rounding.TIES_TO_EVEN,
    RoundMode.CAST_ROUND: Rounding.TIES_TO_AWAY,
    RoundMode.CAST_FLOOR: Rounding.TOWARD_NEGATIVE,
    RoundMode.CAST_CEIL: Rounding.TOWARD_POSITIVE,
    RoundMode.CAST_TRUNC: Rounding.TOWARD_ZERO,
    RoundMode.CAST_ODD: Rounding.TO_ODD,
    RoundMode.CAST_HYBRID: Rounding.HYBRID,
    # Exact pairs; and bfloat16_t -> fp8_e8m0_t, which keeps the exponent.
    RoundMode.UNKNOWN: Rounding.TOWARD_ZERO,
}

_KEEPS_NAN_BY_CTRL50 = ("fp8_e5m2_t", "fp8_e4m3fn_t")
_NAN_PATTERN = {"fp8_e5m2_t": 0x7F}  # the others are the core's
_FLUSHED_BY_POLICY = ("half", "bfloat16_t", "float")


@dataclass(frozen=True, slots=True)
class Recipe:
    """One cast, fully decided.

    Parameters
    ----------
    pair : Pair
    rounding : Rounding
    overflow : Overflow
    saturates : bool
        The effective saturation mode.
    context : Context
        Whether subnormal sources are flushed.
    before : tuple of Selection
        Applied to the source codes.
    after : tuple of Selection
        Applied to the result codes.
    """

    pair: Pair
    rounding: Rounding
    overflow: Overflow
    saturates: bool
    context: Context
    before: tuple[Selection, ...]
    after: tuple[Selection, ...]

    def run(self, words: Words) -> Words:
        """Cast codes.

        Parameters
        ----------
        words : ndarray of unsigned, shape (...)
            Codes of the source, one element a word. Not written.

        Returns
        -------
        ndarray of unsigned, shape (...)
            Codes of the destination.

        Raises
        ------
        CodeError
            If a word has bits outside the source format's.
        """
        source = words
        if self.before:
            source = words.copy()
            for selection in self.before:
                selection.apply(source, words)
        wraps = self.overflow is Overflow.WRAP
        result = self._wrap(source) if wraps else self._cast(source, self.overflow)
        for selection in self.after:
            selection.apply(result, source)
        return result

    def _cast(self, source: Words, overflow: Overflow) -> Words:
        result: Words = cast(
            source,
            self.pair.src.format,
            self.pair.dst.format,
            rounding=self.rounding,
            overflow=overflow,
            nan="zero",
            context=self.context,
        )
        return result

    def _wrap(self, source: Words) -> Words:
        """Keep the low bits of integers; of floating-point sources, after rounding."""
        target = self.pair.dst.format
        low_bits = (1 << target.bits) - 1
        if isinstance(self.pair.src.format, IntFormat):
            kept: Words = source.astype(self.pair.dst.word)
            return kept & kept.dtype.type(low_bits)
        # The core saturates faster than it wraps, and only results at the ends may differ.
        result = self._cast(source, Overflow.SATURATE)
        high = low_bits >> target.signed
        word = result.dtype.type
        ends = (result == word(high)) | (result == word(low_bits - high))
        if ends.any():
            result[ends] = self._cast(source[ends], Overflow.WRAP)
        return result


def saturates(pair: Pair, sat: SatMode, ctrl: Ctrl, policy: Policy) -> bool:
    """Work out the effective saturation mode.

    Parameters
    ----------
    pair : Pair
    sat : SatMode
        What the instruction says.
    ctrl : Ctrl
    policy : Policy

    Returns
    -------
    bool
        Meaningless for pairs that cannot overflow.

    Examples
    --------
    >>> from minifloat.ascend._pairs import find_pair
    >>> pair = find_pair("float", "half")
    >>> saturates(pair, SatMode.NO_SAT, Ctrl(), Policy())
    True
    >>> saturates(pair, SatMode.NO_SAT, Ctrl.per_instruction(), Policy())
    False
    """
    into_integer = isinstance(pair.dst.format, IntFormat)
    if pair.sats == (SatMode.UNKNOWN,):
        if (pair.src.name, pair.dst.name) == ("half", "bfloat16_t"):
            by_policy = {"ctrl48": not ctrl.bit48, "saturate": True, "keep": False}
            return by_policy[policy.half_to_bfloat16]
        # Fixed: fp4, e8m0, half -> int32_t, int16_t -> uint32_t. The others never overflow.
        return into_integer or pair.dst.bits < pair.src.bits
    if ctrl.bit60:
        return not (ctrl.bit59 if into_integer else ctrl.bit48)
    return sat is SatMode.SAT


@functools.lru_cache(maxsize=4096)
def recipe_for(pair: Pair, mode: RoundMode, sat: SatMode, ctrl: Ctrl, policy: Policy) -> Recipe:
    """Decide a cast.

    Parameters
    ----------
    pair : Pair
    mode : RoundMode
    sat : SatMode
        Both legal for the pair.
    ctrl : Ctrl
    policy : Policy

    Returns
    -------
    Recipe
    """
    saturating = saturates(pair, sat, ctrl, policy)
    flushes = policy.subnormal_inputs == "flush" and pair.src.name in _FLUSHED_BY_POLICY
    before: tuple[Selection, ...] = ()
    if pair.dst.name == "fp8_e8m0_t":
        # The exponent field alone: the sign goes, and zero counts as the subnormals do.
        before = (Clear(0x8000), Replace(0x0000, 0x0001))
        flushes = False
    context = Context(flush_inputs=flushes)
    return Recipe(
        pair,
        ROUNDING[mode],
        _overflow(pair, mode, saturating, policy),
        saturating,
        context,
        before,
        tuple(_after(pair, mode, saturating, ctrl, policy, context)),
    )


def _overflow(pair: Pair, mode: RoundMode, saturating: bool, policy: Policy) -> Overflow:
    """Choose what becomes of finite overflow and of infinities."""
    target = pair.dst.format
    if isinstance(target, IntFormat):
        return Overflow.SATURATE if saturating else Overflow.WRAP
    if pair.dst.name == "fp8_e8m0_t" and policy.e8m0_infinity == "nan":
        return Overflow.NAN
    if saturating:
        late = mode is RoundMode.CAST_HYBRID and policy.hybrid_saturation == "not_after_round_up"
        return Overflow.INFINITY if late else Overflow.SATURATE
    if policy.directed_overflow == "ieee":
        return Overflow.IEEE
    return Overflow.INFINITY if target.has_infinity else Overflow.NAN


def _after(
    pair: Pair,
    mode: RoundMode,
    saturating: bool,
    ctrl: Ctrl,
    policy: Policy,
    context: Context,
) -> Iterator[Selection]:
    """Choose the selections on the result, in their order."""
    if mode is RoundMode.CAST_HYBRID:
        yield from _after_hybrid(pair, saturating, policy, context)
    source, target = pair.src.format, pair.dst.format
    if isinstance(source, IntFormat):
        return
    if isinstance(target, IntFormat):
        if not saturating:
            yield _after_wrapping(pair, target, policy)
        return
    if pair.dst.name == "fp8_e8m0_t":
        return
    yield from _after_nan(pair, saturating, ctrl, policy)
    narrowing = target.bits <= source.bits
    if policy.zero_sign == "drop" and narrowing and target.has_negative_zero:
        yield Replace(1 << (target.bits - 1), 0)
    if pair.src.name == "fp8_e8m0_t" and policy.e8m0_zero_code == "zero":
        yield Replace(0x0040, 0x0000)


def _after_hybrid(
    pair: Pair, saturating: bool, policy: Policy, context: Context
) -> Iterator[Selection]:
    source, target = pair.src.format, pair.dst.format
    if policy.hybrid_exact == "keep":
        yield KeepExact(source, target, context)
    first, last = _bounds(source, 40960)
    top, infinity = 0x6E, 0x6F
    if policy.hybrid_overflow == "at_40960" and not saturating:
        yield ByMagnitude(source, first, last, infinity, infinity | 0x80)
    if policy.hybrid_saturation == "not_after_round_up" and saturating:
        # The core delivers infinity, and only what ties-to-away sends there is saturated.
        yield ByMagnitude(source, first, last, top, top | 0x80)


def _after_wrapping(pair: Pair, target: IntFormat, policy: Policy) -> Selection:
    """Infinities become the extreme values even where finite numbers keep their low bits."""
    source = pair.src.format
    far = pair.dst.name == "int64_t" and policy.int64_overflow == "extreme"
    first, last = _bounds(source, 2**64)
    sign = 1 << (target.bits - 1)
    high, low = (sign - 1, sign) if target.signed else (2 * sign - 1, 0)
    return ByMagnitude(source, first if far else last, last, high, low)


def _after_nan(pair: Pair, saturating: bool, ctrl: Ctrl, policy: Policy) -> Iterator[Selection]:
    """NaN becomes 0, or loses its sign."""
    target = pair.dst.format
    if isinstance(target, IntFormat) or not target.has_nan:
        return
    code = int(encode(float("nan"), target))
    put = _NAN_PATTERN.get(pair.dst.name, code)
    by_ctrl50 = ctrl.bit50 and (ctrl.bit60 or policy.ctrl50_per_instruction == "honoured")
    keeps = not saturating or (by_ctrl50 and pair.dst.name in _KEEPS_NAN_BY_CTRL50)
    sign = 0 if isinstance(target, HiFloat8Format) else 1 << (target.bits - 1)
    if not keeps:
        yield Replace(code, 0, mask=None if not sign else sign - 1)
        return
    if put != code:
        yield Replace(code, put)
    if sign and (put != code or policy.nan_sign == "drop"):
        yield Replace(code | sign, put if policy.nan_sign == "drop" else put | sign)


def _bounds(source: Format, magnitude: int) -> tuple[int, int]:
    """Return the code of a magnitude and that of infinity."""
    return int(encode(float(magnitude), source)), int(encode(float("inf"), source))
