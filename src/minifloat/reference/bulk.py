"""Rounding of whole float64 arrays on a format's sorted grid: the oracle for bulk checks."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from minifloat._errors import OptionError
from minifloat._flags import Flag
from minifloat._formats import Format, IntFormat
from minifloat._rounding import Overflow, Rounding, Stochastic
from minifloat.reference.grid import Bounds, Grid, grid_of
from minifloat.reference.how import NEAREST, How, noise_bits, overflow_policy
from minifloat.reference.ranges import negative_outcome, outcome_code, overflow_outcome
from minifloat.reference.rounding import round_value
from minifloat.reference.values import Kind, Value, smallest_normal

__all__ = ["encode_array"]

_Codes = npt.NDArray[np.int64]
_Flags = npt.NDArray[np.uint8]
_Mask = npt.NDArray[np.bool_]
_INEXACT = int(Flag.INEXACT)
_TINY = int(Flag.UNDERFLOW | Flag.INEXACT)
_OVERFLOW = int(Flag.OVERFLOW | Flag.INEXACT)
_INVALID = int(Flag.INVALID)


def encode_array(
    x: npt.ArrayLike,
    fmt: Format,
    how: How = NEAREST,
    *,
    random_bits: npt.ArrayLike | None = None,
    signaling: npt.ArrayLike = False,
) -> tuple[npt.NDArray[np.uint32], _Flags]:
    """Round float64 numbers into a format of at most 20 bits, any mode but HYBRID.

    Parameters
    ----------
    x : array_like of float64, shape (...)
        Sources that are exact in float64.
    fmt : Format
    how : How
        Its `random_bits` is not used.
    random_bits : array_like of unsigned integers, shape (...), optional
        For stochastic modes (without `noise_table`).
    signaling : array_like of bool, shape (...)
        Which NaNs signal.

    Returns
    -------
    codes : ndarray of uint32, shape (...)
        In storage form.
    flags : ndarray of uint8, shape (...)

    Raises
    ------
    NanError, OptionError
        As `minifloat.reference.rounding.round_value`.

    Examples
    --------
    >>> from minifloat._formats import get_format
    >>> codes, flags = encode_array([1.0, 1.05, -1e9], get_format("e4m3fn"), How("rtz"))
    >>> codes.tolist(), flags.tolist()
    ([56, 56, 254], [0, 1, 5])
    """
    x = np.asarray(x, np.float64)
    overflow_policy(fmt, how)
    finite = np.isfinite(x) & (x != 0)
    codes, flags = _special_cases(x, fmt, how, np.asarray(signaling))
    parts = _Inputs(np.abs(x[finite]), np.signbit(x[finite]), None)
    if random_bits is not None:
        drawn = np.broadcast_to(np.asarray(random_bits, np.uint64), x.shape)[finite]
        parts = dataclasses.replace(parts, random_bits=drawn)
    rounder = _round_integers if isinstance(fmt, IntFormat) else _round_floats
    codes[finite], flags[finite] = rounder(parts, fmt, how)
    return (codes << fmt.code_shift).astype(np.uint32), flags


@dataclass(frozen=True)
class _Inputs:
    """Finite non-zero inputs, all arrays of shape (n,)."""

    magnitude: npt.NDArray[np.float64]
    negative: _Mask
    random_bits: npt.NDArray[np.uint64] | None


def _special_cases(
    x: npt.NDArray[np.float64], fmt: Format, how: How, signaling: npt.NDArray[np.bool_]
) -> tuple[_Codes, _Flags]:
    """Fill in zeros, infinities and NaNs by the scalar reference; the rest stays 0."""
    codes, flags = np.zeros(x.shape, np.int64), np.zeros(x.shape, np.uint8)
    negative = np.signbit(x)
    signaling = signaling & np.isnan(x)
    quiet = np.isnan(x) & ~signaling
    for sign in (False, True):
        side = negative == sign
        for mask, value in (
            (side & (x == 0), Value(negative=sign)),
            (side & np.isinf(x), Value(Kind.INFINITE, sign)),
            (side & quiet, Value(Kind.NAN, sign)),
            (side & signaling, Value(Kind.NAN, sign, signaling=True)),
        ):
            if mask.any():
                code, raised = round_value(value, fmt, how)
                codes[mask], flags[mask] = code >> fmt.code_shift, int(raised)
    return codes, flags


def _round_floats(inputs: _Inputs, fmt: Format, how: How) -> tuple[_Codes, _Flags]:
    grid = grid_of(fmt)
    index, exact = _nearest_points(inputs, grid, how)
    tiny = _is_tiny(inputs, grid, how, how.context.tininess)
    negative = inputs.negative
    if how.context.flush_outputs or not fmt.has_zero:
        # To zero, or to the smallest value of a format that has no zero.
        detection = how.context.flush_detection or how.context.tininess
        flushed = _is_tiny(inputs, grid, how, detection)
        index, exact, tiny = np.where(flushed, 0, index), exact & ~flushed, tiny | flushed
    over = index >= len(grid.points) - 1
    sign = np.where(negative & fmt.signed, 1 << (fmt.bits - 1), 0)
    if not fmt.has_negative_zero and fmt.has_zero:
        sign = np.where(index == 0, 0, sign)
    codes = grid.codes[index] | sign
    flags = np.where(exact, 0, np.where(tiny, _TINY, _INEXACT)).astype(np.uint8)
    for side in (False, True) if fmt.signed else (False,):
        chosen = over & (negative == side)
        outcome = overflow_outcome(fmt, how, negative=side)
        codes[chosen] = outcome_code(outcome, fmt, negative=side) if chosen.any() else 0
        flags[chosen] = _OVERFLOW
    if not fmt.signed:
        refused = negative
        if overflow_policy(fmt, how) is Overflow.P3109 and fmt.has_zero:
            refused = negative & (index > 0)
        outcome = negative_outcome(fmt, how, infinite=False)
        codes[refused] = outcome_code(outcome, fmt, negative=True)
        flags[refused] = _INVALID
    return codes, flags


def _round_integers(inputs: _Inputs, fmt: Format, how: How) -> tuple[_Codes, _Flags]:
    grid = grid_of(fmt)
    # The grid of an integer format goes up to 2**bits units, whatever its sign.
    modulus = grid.values[1 << fmt.bits]
    beyond = inputs.magnitude >= modulus
    wraps = overflow_policy(fmt, how) is Overflow.WRAP
    if wraps:
        inputs = dataclasses.replace(inputs, magnitude=np.fmod(inputs.magnitude, modulus))
    index, exact = _nearest_points(inputs, grid, how)
    top = np.where(inputs.negative, 1 << (fmt.bits - 1), (1 << (fmt.bits - fmt.signed)) - 1)
    if not fmt.signed:
        top = np.where(inputs.negative, 0, top)
    over = beyond | (index > top)
    if not wraps:
        index = np.minimum(index, top)
    codes = np.where(inputs.negative, -index, index) & ((1 << fmt.bits) - 1)
    flags = np.where(over, _INVALID, np.where(exact, 0, _INEXACT)).astype(np.uint8)
    return codes, flags


def _nearest_points(inputs: _Inputs, grid: Grid, how: How) -> tuple[_Codes, _Mask]:
    """Return the index of the point that each magnitude goes to, and whether it is there already.

    Magnitudes below the first point (of a format without zero) give 0; see `_is_tiny`.
    """
    last = len(grid.points) - 1
    found = np.searchsorted(grid.values, inputs.magnitude, side="right") - 1
    index = np.clip(found, 0, last - 1)
    exact = grid.values[index] == inputs.magnitude
    middle = Bounds(grid.middles.floor[index], grid.middles.is_exact[index])
    half = middle.compare(inputs.magnitude)
    if isinstance(how.mode, Stochastic):
        up = _noise_goes_up(inputs, grid, index, how)
    else:
        up = _goes_up(how.mode, half, grid.odd[index], inputs.negative)
    index = np.where(found >= last, last, index + (up & ~exact))
    return index, exact & (found < last)


def _goes_up(mode: Rounding, half: npt.NDArray[np.int8], odd: _Mask, negative: _Mask) -> _Mask:
    """Decide for inexact magnitudes; `half` compares the fraction with 1/2."""
    always = np.ones(half.shape, np.bool_)
    choices: dict[Rounding, _Mask] = {
        Rounding.TIES_TO_EVEN: (half > 0) | ((half == 0) & odd),
        Rounding.TIES_TO_AWAY: half >= 0,
        Rounding.TIES_TO_ZERO: half > 0,
        Rounding.TOWARD_ZERO: ~always,
        Rounding.AWAY_FROM_ZERO: always,
        Rounding.TOWARD_POSITIVE: ~negative,
        Rounding.TOWARD_NEGATIVE: negative,
        Rounding.TO_ODD: ~odd,
    }
    return choices[mode]


def _is_tiny(inputs: _Inputs, grid: Grid, how: How, rule: str) -> _Mask:
    """Tell which magnitudes are tiny; see the scalar reference."""
    below_normal = _below(inputs.magnitude, smallest_normal(grid.fmt))
    if rule == "before" or how.is_stochastic or not grid.fmt.has_zero:
        return below_normal
    assert isinstance(how.mode, Rounding)
    odd = np.full(below_normal.shape, grid.tiny_odd)
    up = _goes_up(how.mode, grid.tiny_middle.compare(inputs.magnitude), odd, inputs.negative)
    in_last_step = grid.tiny_below.compare(inputs.magnitude) > 0
    return below_normal & ~(up & in_last_step)


def _below(magnitude: npt.NDArray[np.float64], bound: Fraction) -> _Mask:
    return Bounds.of([bound]).compare(magnitude) < 0


def _noise_goes_up(inputs: _Inputs, grid: Grid, index: _Codes, how: How) -> _Mask:
    """Decide by random bits, from the fraction cut to the mode's bits."""
    assert isinstance(how.mode, Stochastic)
    if inputs.random_bits is None:
        msg = "stochastic rounding of an array needs random_bits="
        raise OptionError(msg)
    bits = noise_bits(how)
    extra = 0 if how.mode.variant == "floor" else 1
    floor, exact = _fractions(inputs.magnitude, grid, index, bits + extra)
    if how.noise_table is not None:
        jam = (~exact | (floor > 0)) & how.noise_jams
        kept = np.minimum(floor, (1 << bits) - 1)  # above the grid there is no fraction
        thresholds = np.asarray(how.noise_table, np.uint64)[kept.astype(np.int64) | jam]
        hit: _Mask = (inputs.random_bits < thresholds) | (thresholds == 2**32 - 1)
        return hit
    noise = inputs.random_bits.astype(object)
    one = 1 << bits
    match how.mode.variant:
        case "floor":
            up = floor + noise >= one
        case "centred":
            up = floor + 2 * noise + 1 >= 2 * one
        case "nearest":
            whole, half = floor // 2, floor % 2
            carry = (half == 1) & (~exact | (whole % 2 == 1))
            up = whole + carry + noise >= one
    return np.asarray(up, np.bool_)


def _fractions(
    magnitude: npt.NDArray[np.float64], grid: Grid, index: _Codes, bits: int
) -> tuple[npt.NDArray[np.object_], _Mask]:
    """Return floor(fraction * 2**bits) as Python integers, and whether nothing was cut off."""
    floors, exact = [], []
    for number, below in zip(magnitude.tolist(), index.tolist(), strict=True):
        low, high = grid.points[below], grid.points[below + 1]
        scaled = (Fraction(number) - low) / (high - low) * (1 << bits)
        floors.append(scaled.numerator // scaled.denominator)
        exact.append(scaled.denominator == 1)
    return np.array(floors, object), np.array(exact, np.bool_)
