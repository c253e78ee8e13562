"""How to round: the one bundle of options that everything in the reference takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from minifloat._context import Context, contexts
from minifloat._errors import OptionError
from minifloat._formats import FloatFormat, Format, HiFloat8Format, IntFormat
from minifloat._rounding import (
    NanPolicy,
    Overflow,
    OverflowLike,
    Rounding,
    RoundingLike,
    Stochastic,
    as_overflow,
    as_rounding,
)

__all__ = ["NEAREST", "How", "hybrid_source", "noise_bits", "overflow_policy"]


@dataclass(frozen=True, slots=True)
class How:
    """The options of one rounding.

    Parameters
    ----------
    rounding : Rounding, Stochastic or str
    overflow : Overflow or str, optional
        The destination's default when omitted.
    nan : {"raise", "max", "zero"}
        What NaN becomes in a format without one.
    context : Context
    random_bits : int
        Stochastic modes: the random number r, below 2**N; with `noise_table` the 32-bit number
        that is compared with the table.
    noise_table : sequence of int, length 2**N, optional
        Thresholds by the N-bit fraction: the magnitude goes up iff ``random_bits`` is below; an
        entry of 2**32 - 1 means always.
    noise_jams : bool
        The lowest bit of an inexact value's N-bit fraction is set (`minifloat.noise.Noise.jams`).
    source : Format, optional
        The format that the value came from: HYBRID needs it, and it fixes the number of bits of
        ``Stochastic(bits=None)`` (64 for sources wider than 32 bits, else 32).

    Examples
    --------
    >>> How("rtz", "saturate").mode
    <Rounding.TOWARD_ZERO: 'toward_zero'>
    """

    rounding: RoundingLike = Rounding.TIES_TO_EVEN
    overflow: OverflowLike | None = None
    nan: NanPolicy = "raise"
    context: Context = contexts.IEEE
    random_bits: int = 0
    noise_table: Sequence[int] | None = field(default=None, repr=False)
    noise_jams: bool = False
    source: Format | None = None

    @property
    def mode(self) -> Rounding | Stochastic:
        """The rounding mode."""
        return as_rounding(self.rounding)

    @property
    def is_stochastic(self) -> bool:
        """Whether random bits decide."""
        return isinstance(self.mode, Stochastic)


NEAREST = How()
"""Ties to even, with the destination's own overflow policy, and an error for NaN without a code."""


def overflow_policy(fmt: Format, how: How) -> Overflow:
    """Return the policy in force, refusing one whose result the format cannot encode.

    Parameters
    ----------
    fmt : Format
    how : How

    Returns
    -------
    Overflow

    Raises
    ------
    OptionError
        If the format lacks the infinity or NaN that the policy produces.
    """
    policy = fmt.default_overflow if how.overflow is None else as_overflow(how.overflow)
    integer = isinstance(fmt, IntFormat)
    possible = {
        Overflow.IEEE: fmt.has_infinity or fmt.has_nan,
        Overflow.SATURATE: True,
        Overflow.SATURATE_KEEP_INFINITY: True,
        Overflow.NAN: fmt.has_nan,
        Overflow.NAN_KEEP_INFINITY: fmt.has_nan,
        Overflow.INFINITY: fmt.has_infinity,
        Overflow.WRAP: integer,
        Overflow.P3109: not integer and (fmt.signed or fmt.has_nan),
    }
    if possible[policy]:
        return policy
    allowed = ", ".join(word.value for word, fine in possible.items() if fine)
    msg = f"overflow={policy.value!r} has no result in {fmt}; allowed are {allowed}"
    raise OptionError(msg)


def noise_bits(how: How) -> int:
    """Return the number N of random bits of a stochastic mode.

    Parameters
    ----------
    how : How

    Returns
    -------
    int

    Raises
    ------
    OptionError
        If `random_bits` does not fit in them.
    """
    mode = how.mode
    assert isinstance(mode, Stochastic)
    wide = how.source is not None and how.source.code_bits > 32
    bits = mode.bits or (64 if wide else 32)
    limit = 32 if how.noise_table is not None else bits
    if not 0 <= how.random_bits < 1 << limit:
        msg = f"random_bits={how.random_bits} is not a number of {limit} bits"
        raise OptionError(msg)
    return bits


def hybrid_source(fmt: Format, how: How) -> FloatFormat:
    """Return the source format of HYBRID, refusing all but float16 and float32 into HiFloat8.

    Parameters
    ----------
    fmt : Format
        The destination.
    how : How

    Returns
    -------
    FloatFormat

    Raises
    ------
    OptionError
        If the mode is not defined for the pair of formats.
    """
    halves = (FloatFormat(5, 10), FloatFormat(8, 23))
    if isinstance(fmt, HiFloat8Format) and isinstance(how.source, FloatFormat):
        for known in halves:
            if how.source == known:
                return known
    pair = f"not from {how.source} to {fmt}"
    msg = f"hybrid rounding goes from float16 or float32 to hifloat8, {pair}"
    raise OptionError(msg)
