"""Order, extrema and neighbours of the reference, against numpy and by their laws."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from inputs import CUSTOM, NARROW_FLOATS, P3109

from minifloat._context import contexts
from minifloat._errors import OptionError
from minifloat._flags import Flag
from minifloat._formats import get_format
from minifloat.reference.arithmetic import ARITHMETIC
from minifloat.reference.comparison import (
    EXTREMA,
    Relation,
    compare,
    extremum,
    next_down,
    next_up,
)
from minifloat.reference.grid import decode_table
from minifloat.reference.how import How
from minifloat.reference.rounding import encode
from minifloat.reference.values import decode

NONE = Flag(0)
E5M2 = get_format("e5m2")
QUIET, SIGNALING = 0x7E, 0x7D
FORMATS = [name for name in [*NARROW_FLOATS, *P3109, *CUSTOM] if get_format(name).bits <= 8]


@pytest.mark.parametrize("name", ["float4_e2m1fn", "float6_e3m2fn", "binary4p2sf", "e2m2"])
def test_compare_agrees_with_numpy_on_all_pairs(name: str) -> None:
    fmt = get_format(name)
    values = decode_table(fmt)
    for a, b in itertools.product(range(1 << fmt.bits), repeat=2):
        x, y = values[a], values[b]
        relation, flags = compare(a, b, fmt)
        assert (relation is Relation.LESS) == (x < y)
        assert (relation is Relation.EQUAL) == (x == y)
        assert (relation is Relation.GREATER) == (x > y)
        assert (relation is Relation.UNORDERED) == (math.isnan(x) or math.isnan(y))
        signals = decode(a, fmt).signaling or decode(b, fmt).signaling
        assert flags == (Flag.INVALID if signals else NONE)


def test_signaling_comparisons_refuse_quiet_nans() -> None:
    assert compare(QUIET, 0, E5M2) == (Relation.UNORDERED, NONE)
    assert compare(0, QUIET, E5M2, signaling=True) == (Relation.UNORDERED, Flag.INVALID)
    assert compare(SIGNALING, 0, E5M2) == (Relation.UNORDERED, Flag.INVALID)
    riscv = How(context=contexts.RISCV)
    assert compare(SIGNALING, 0, E5M2, riscv) == (Relation.UNORDERED, NONE)


def test_operands_of_two_formats_compare_by_value() -> None:
    one = 0x38, 0x3C
    assert compare(*one, (get_format("e4m3fn"), E5M2)) == (Relation.EQUAL, NONE)


@pytest.mark.parametrize("name", ["e5m2", "e4m3fn", "e2m3fn"])
def test_extrema_of_numbers_agree_with_numpy(name: str) -> None:
    fmt = get_format(name)
    values = decode_table(fmt)
    pairs = np.random.default_rng(2).integers(0, 1 << fmt.bits, (1500, 2))
    for a, b in pairs.tolist():
        x, y = values[a], values[b]
        if math.isnan(x) or math.isnan(y) or x == y:
            continue
        for kind in EXTREMA:
            lower = kind.startswith("min")
            if "magnitude" in kind and abs(x) != abs(y):
                expected = a if (abs(x) < abs(y)) == lower else b
            else:
                expected = a if (x < y) == lower else b
            assert extremum(kind, a, b, fmt) == (expected, NONE), (kind, x, y)


@pytest.mark.parametrize("kind", EXTREMA)
def test_negative_zero_is_below_zero(kind: str) -> None:
    expected = 0x80 if kind.startswith("min") else 0x00
    assert extremum(kind, 0x00, 0x80, E5M2) == (expected, NONE)
    assert extremum(kind, 0x80, 0x00, E5M2) == (expected, NONE)


@pytest.mark.parametrize("kind", EXTREMA)
def test_extrema_of_nans(kind: str) -> None:
    one = 0x3C
    number_wins_quiet = one if "_num" in kind else QUIET
    number_wins_signaling = one if "number" in kind else QUIET
    for a, b in itertools.permutations((one, QUIET)):
        assert extremum(kind, a, b, E5M2) == (number_wins_quiet, NONE)
    for a, b in itertools.permutations((one, SIGNALING)):
        assert extremum(kind, a, b, E5M2) == (number_wins_signaling, Flag.INVALID)
    assert extremum(kind, QUIET, QUIET, E5M2) == (QUIET, NONE)
    assert extremum(kind, QUIET, SIGNALING, E5M2) == (QUIET, Flag.INVALID)


def test_an_unknown_extremum_is_refused() -> None:
    with pytest.raises(OptionError, match="minimum_number"):
        extremum("minimum_nmber", 0, 0, E5M2)


def test_neighbours_agree_with_numpy() -> None:
    fmt = get_format("float16")
    codes = np.arange(0, 1 << 16, 5, dtype=np.uint16)
    codes = np.concatenate([codes, np.array([0x7BFF, 0x7C00, 0xFBFF, 0xFC00, 1], np.uint16)])
    values = codes.view(np.float16)
    with np.errstate(all="ignore"):
        up, down = (
            np.nextafter(values, np.float16(np.inf)),
            np.nextafter(values, -np.float16(np.inf)),
        )
    for code, above, below in zip(codes.tolist(), up, down, strict=True):
        if not math.isnan(above):
            assert float(decode(next_up(code, fmt)[0], fmt)) == above
            assert float(decode(next_down(code, fmt)[0], fmt)) == below


@pytest.mark.parametrize("name", FORMATS)
def test_neighbours_are_adjacent_in_the_sorted_values(name: str) -> None:
    fmt = get_format(name)
    values = decode_table(fmt)
    ordered = np.unique(values[np.isfinite(values)])
    for code in np.flatnonzero(np.isfinite(values)).tolist():
        at = int(np.searchsorted(ordered, values[code]))
        above, below = (decode(step(code, fmt)[0], fmt) for step in (next_up, next_down))
        if at + 1 < len(ordered):
            assert float(above) == ordered[at + 1]
        if at > 0:
            assert float(below) == ordered[at - 1]


@pytest.mark.parametrize("name", FORMATS)
def test_beyond_the_end_comes_infinity_or_nan_or_nothing(name: str) -> None:
    fmt = get_format(name)
    top, _ = encode(fmt.max, fmt)
    above = decode(next_up(top, fmt)[0], fmt)
    if fmt.has_infinity:
        assert above.is_infinite
    elif fmt.has_nan:
        assert above.is_nan
    else:
        assert above == decode(top, fmt)
    if not fmt.signed:
        bottom, _ = encode(fmt.min, fmt)
        assert decode(next_down(bottom, fmt)[0], fmt).is_nan == fmt.has_nan


def test_infinities_have_one_neighbour_but_in_p3109_formats() -> None:
    assert next_up(0x7C, E5M2) == (0x7C, NONE)
    assert next_down(0x7C, E5M2) == (0x7B, NONE)
    assert next_down(0xFC, E5M2) == (0xFC, NONE)
    p3109 = get_format("binary8p3se")
    assert next_up(0x7F, p3109) == (0x80, NONE)
    assert next_down(0xFF, p3109) == (0x80, NONE)
    assert next_down(0x7F, p3109) == (0x7E, NONE)


def test_neighbours_of_nan_are_nan() -> None:
    assert next_up(QUIET, E5M2) == (QUIET, NONE)
    assert next_up(SIGNALING, E5M2) == (QUIET, Flag.INVALID)
    assert next_down(SIGNALING, E5M2, How(context=contexts.RISCV)) == (QUIET, NONE)
    assert next_down(0x80, get_format("hifloat8"), ARITHMETIC) == (0x80, NONE)
