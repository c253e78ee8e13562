"""HiFloat8's HYBRID mode: its threshold comes from the source's own low bits."""

from __future__ import annotations

import pytest

from minifloat._errors import OptionError
from minifloat._flags import Flag
from minifloat._formats import Format, get_format
from minifloat._rounding import Rounding
from minifloat.reference.how import How
from minifloat.reference.rounding import encode
from minifloat.reference.values import decode

INEXACT, OVERFLOW = Flag.INEXACT, Flag.OVERFLOW | Flag.INEXACT
TINY = Flag.UNDERFLOW | Flag.INEXACT


def hybrid(x: float, source: str, fmt: Format = get_format("hifloat8")) -> tuple[int, Flag]:  # noqa: B008
    return encode(x, fmt, How("hybrid", source=get_format(source)))


def test_hybrid_rounds_ties_away_near_one() -> None:
    away = How(Rounding.TIES_TO_AWAY)
    for x in (1.0625, -1.0625, 9.5, 0.19, 15.99, 0.125):
        assert hybrid(x, "float32") == encode(x, get_format("hifloat8"), away)


def test_hybrid_compares_the_fraction_with_the_low_bits_of_the_source() -> None:
    # 16 + 4 * f for a fraction f of 14 bits; the threshold is the low 14 of float32's 23 bits.
    unit = 2.0 ** (4 - 23)
    fraction = 0b10_0000_0000_0000  # one half: bits 20..7 of the trailing field
    for low, up in ((0, True), (1, True), (0x7F, True)):
        assert (hybrid(16 + (fraction * 2**7 + low) * unit, "float32")[0] == 0x41) == up
    # A fraction of 65 / 2**14 makes a threshold of 65 * 2**7 + low bits: larger than itself.
    assert hybrid(16 + 65 * 2**7 * unit, "float32")[0] == 0x40
    # float16's threshold is 1 or 3 of 4 by its lowest bit.
    assert hybrid(16 + 0.875, "float16")[0] == 0x40
    assert hybrid(16 + 1.0, "float16")[0] == 0x41
    assert hybrid(16 + 1.0 + 2.0**-6, "float16")[0] == 0x40
    assert hybrid(16 + 3.0 + 2.0**-6, "float16")[0] == 0x41


def test_hybrid_moves_exact_float32_values_but_no_float16_ones() -> None:
    fmt = get_format("hifloat8")
    exact = [value for value in map(decode, range(1, 0x80), [fmt] * 0x7F) if value.is_finite]
    moved = [v for v in exact if hybrid(float(v), "float32")[0] != encode(v.number, fmt)[0]]
    assert len(moved) == 70
    assert hybrid(16.0, "float32") == (0x41, INEXACT)
    assert hybrid(32768.0, "float32") == (0x6F, OVERFLOW)
    assert all(hybrid(float(v), "float16") == encode(v.number, fmt) for v in exact)


def test_hybrid_differs_from_ties_to_away_on_12028_halves() -> None:
    fmt, half = get_format("hifloat8"), get_format("float16")
    numbers = [decode(code, half).number for code in range(0x7C00)]
    how, away = How("hybrid", source=half), How("rna")
    differing = sum(encode(x, fmt, how)[0] != encode(x, fmt, away)[0] for x in numbers)
    assert 2 * differing == 12_028


def test_hybrid_below_the_smallest_value() -> None:
    assert hybrid(2.0**-23, "float32") == (0x01, TINY)
    assert hybrid(2.0**-24, "float32") == (0x00, TINY)
    # A subnormal half: the fraction 10 in binary against a threshold of 3, then of 1.
    assert hybrid(2.0**-23, "float16") == (0x01, TINY)
    assert hybrid(2.0**-24, "float16") == (0x00, TINY)


@pytest.mark.parametrize(
    ("source", "target"), [("bfloat16", "hif8"), ("float64", "hif8"), ("float32", "e4m3fn")]
)
def test_hybrid_is_refused_elsewhere(source: str, target: str) -> None:
    with pytest.raises(OptionError, match="hybrid"):
        hybrid(1.0, source, get_format(target))
    with pytest.raises(OptionError, match="hybrid"):
        encode(1.0, get_format("hif8"), How("hybrid"))


def test_tininess_is_judged_before_rounding() -> None:
    assert hybrid(2.0**-15 * (1 - 2.0**-3), "float16") == (0x7E, TINY)
