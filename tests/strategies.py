"""Hypothesis strategies: formats, options, and numbers that lie where rounding goes wrong."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import strategies as st
from inputs import P3109

from minifloat._context import Context
from minifloat._errors import OptionError
from minifloat._formats import (
    FloatFormat,
    Format,
    IntFormat,
    NanCode,
    Subnormals,
    formats,
    get_format,
)
from minifloat._rounding import Overflow, Rounding, Stochastic
from minifloat.reference.exact import power_of_two
from minifloat.reference.how import How, overflow_policy
from minifloat.reference.spacing import quantum
from minifloat.reference.values import decode, largest, smallest_normal

DETERMINISTIC = tuple(mode for mode in Rounding if mode is not Rounding.HYBRID)


def named_formats(max_bits: int = 64, *, integers: bool = True) -> st.SearchStrategy[Format]:
    """Draw a named format (P3109 ones among them) of at most so many bits."""
    names = [*formats, *P3109]
    chosen = [get_format(name) for name in names if get_format(name).bits <= max_bits]
    if not integers:
        chosen = [fmt for fmt in chosen if not isinstance(fmt, IntFormat)]
    return st.sampled_from(chosen)


@st.composite
def custom_formats(draw: st.DrawFn, max_bits: int = 16) -> FloatFormat:
    """Draw a floating-point format of any consistent fields."""
    nan = draw(st.sampled_from(NanCode))
    ieee = nan is NanCode.IEEE
    signed = nan is NanCode.NEGATIVE_ZERO or draw(st.booleans())
    infinities = ieee or draw(st.booleans())
    # Room for a finite positive value beside the specials.
    exponent_bits = draw(st.integers(1 if ieee else 0, min(8, max_bits - 3 - signed)))
    least = max(1 if ieee else 0, 3 - exponent_bits)
    trailing_bits = draw(st.integers(least, max_bits - signed - exponent_bits))
    kinds = [Subnormals.GRADUAL]
    if exponent_bits > 1:
        kinds = [Subnormals.GRADUAL] * 3 + [Subnormals.ZERO, Subnormals.NORMAL]
    subnormals = draw(st.sampled_from(kinds))
    may_lack_zero = subnormals is Subnormals.NORMAL and nan is not NanCode.NEGATIVE_ZERO
    zero = not may_lack_zero or draw(st.booleans())
    has_sign_of_zero = signed and zero and nan is not NanCode.NEGATIVE_ZERO
    usual = 2 ** max(exponent_bits - 1, 0)
    return FloatFormat(
        exponent_bits,
        trailing_bits,
        draw(st.integers(usual - 3, usual + 3) | st.integers(-100, 400)),
        signed=signed,
        subnormals=subnormals,
        infinities=infinities,
        nan=nan,
        negative_zero=has_sign_of_zero and draw(st.sampled_from([True, True, False])),
        zero=zero,
    )


def float_formats(max_bits: int = 16) -> st.SearchStrategy[Format]:
    """Draw a floating-point format, named or custom."""
    return named_formats(max_bits, integers=False) | custom_formats(min(max_bits, 16))


@st.composite
def integer_formats(draw: st.DrawFn, max_bits: int = 64) -> IntFormat:
    """Draw an integer format of any width, sign and scale."""
    signed = draw(st.booleans())
    bits = draw(st.integers(1 + signed, max_bits))
    scale = draw(st.just(0) | st.integers(-20, 20))
    return IntFormat(bits, signed, scale)


def any_formats(max_bits: int = 16) -> st.SearchStrategy[Format]:
    """Draw any scalar format."""
    return float_formats(max_bits) | integer_formats(max_bits)


def roundings() -> st.SearchStrategy[Rounding]:
    """Draw a deterministic mode other than HYBRID."""
    return st.sampled_from(DETERMINISTIC)


@st.composite
def stochastic(draw: st.DrawFn, max_bits: int = 16) -> tuple[Stochastic, int]:
    """Draw a stochastic mode and a random number for it."""
    bits = draw(st.integers(1, max_bits))
    variant: Any = draw(st.sampled_from(["floor", "nearest", "centred"]))
    top = (1 << bits) - 1
    return Stochastic(bits, variant), draw(st.sampled_from([0, top]) | st.integers(0, top))


def overflows(fmt: Format) -> st.SearchStrategy[Overflow | None]:
    """Draw an overflow policy that a format can honour, or None for its default."""

    def possible(policy: Overflow) -> bool:
        try:
            overflow_policy(fmt, How(overflow=policy))
        except OptionError:
            return False
        return True

    return st.sampled_from([None, *filter(possible, Overflow)])


def contexts() -> st.SearchStrategy[Context]:
    """Draw a context."""
    return st.builds(
        Context,
        tininess=st.sampled_from(["after", "before"]),
        flush_inputs=st.booleans(),
        flush_outputs=st.booleans(),
        narrow_nans_quiet=st.booleans(),
    )


@st.composite
def hows(draw: st.DrawFn, fmt: Format, *, random: bool = False) -> How:
    """Draw the options of one rounding into a format, stochastic modes among them if `random`."""
    mode: Rounding | Stochastic = draw(roundings())
    bits = 0
    if random and draw(st.booleans()):
        mode, bits = draw(stochastic())
    nan: Any = draw(st.sampled_from(["max", "zero"] if fmt.has_zero else ["max"]))
    return How(mode, draw(overflows(fmt)), nan, draw(contexts()), bits)


def codes(fmt: Format) -> st.SearchStrategy[int]:
    """Draw a code in storage form, specials and edges oftener than by chance."""
    width = fmt.bits - fmt.signed
    top = (1 << width) - 1
    edges = {0, 1, 2, top, top - 1, top - 2, top // 2, top // 2 + 1}
    if isinstance(fmt, FloatFormat):
        unit = 1 << fmt.trailing_bits
        edges |= {unit, unit - 1, unit + 1, top - unit, top - unit + 1, top - unit + 2}
    low = st.sampled_from(sorted(edge for edge in edges if 0 <= edge <= top))
    magnitude = low | st.integers(0, top)
    signs = st.sampled_from([0, 1 << width]) if fmt.signed else st.just(0)
    return st.builds(lambda code, sign: (code | sign) << fmt.code_shift, magnitude, signs)


@st.composite
def fractions_near(draw: st.DrawFn, fmt: Format) -> Fraction:
    """Draw an exact number at or near a grid point, a midpoint, or an edge of the range."""
    value = decode(draw(codes(fmt)), fmt)
    corner = abs(largest(fmt).number)
    if draw(st.booleans()):
        corner = draw(st.sampled_from([smallest_normal(fmt), abs(fmt.smallest), corner]))
    magnitude = value.magnitude if value.is_finite and draw(st.integers(0, 3)) else corner
    assert isinstance(magnitude, Fraction)
    unit = quantum(magnitude, fmt) if magnitude else Fraction(fmt.smallest)
    step = draw(st.sampled_from([Fraction(0), *(Fraction(n, 4) for n in (1, 2, 3, 4, -1, -2))]))
    hair = draw(st.sampled_from([0, 0, 1, -1])) * power_of_two(-draw(st.integers(5, 70)))
    result = abs(magnitude + unit * (step + hair))
    return -result if draw(st.booleans()) else result


@st.composite
def floats_near(
    draw: st.DrawFn, fmt: Format, dtype: type[np.floating[Any]] = np.float64
) -> np.floating[Any]:
    """Draw a number of a numpy dtype at or next to such an exact number; specials now and then."""
    if draw(st.integers(0, 15)) == 0:
        return dtype(draw(st.sampled_from([0.0, -0.0, math.inf, -math.inf, math.nan])))
    exact = draw(fractions_near(fmt))
    with np.errstate(over="ignore", under="ignore"):
        try:
            number = dtype(float(exact))
        except OverflowError:
            return dtype(math.inf if exact > 0 else -math.inf)
        for _ in range(draw(st.integers(0, 2))):
            number = np.nextafter(number, dtype(draw(st.sampled_from([-math.inf, math.inf]))))
    return number
