"""Every source is rounded once, whatever its width: where a detour through float32 would show."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from strategies import DETERMINISTIC

import minifloat as mf
from minifloat.reference.grid import grid_of
from minifloat.reference.how import How
from minifloat.reference.rounding import encode as reference_encode

INTEGER_TARGETS = [
    "bfloat16",
    "float32",
    "float16",
    "e5m2",
    "float64",
    "hifloat8",
    "tf32",
    "e8m0fnu",
]


def test_a_double_just_below_a_tie() -> None:
    x = -431.99999999999994
    assert mf.decode(mf.encode(x, "e4m3fn"), "e4m3fn") == -416
    assert mf.decode(mf.encode(-432.0, "e4m3fn"), "e4m3fn") == -448
    assert mf.quantize(x, "e4m3fn") == -416


def test_an_integer_just_above_a_tie() -> None:
    x = 2**62 + 2**54 + 1
    assert mf.encode(np.int64(x), "bfloat16") == 0x5E81
    assert mf.encode(x, "bfloat16") == 0x5E81
    assert mf.encode(np.uint64(x), "bfloat16") == 0x5E81
    assert mf.encode(np.int64(x - 1), "bfloat16") == 0x5E80


@pytest.mark.parametrize("name", ["bfloat16", "float8_e5m2", "hifloat8", "binary8p1se"])
def test_doubles_next_to_every_midpoint_go_to_the_nearer_neighbour(name: str) -> None:
    fmt = mf.get_format(name)
    grid = grid_of(fmt)
    middles, values = grid.middles.floor[:-1], grid.values[:-1]
    assert grid.middles.is_exact.all()
    for sign in (1.0, -1.0):
        below = mf.decode(mf.encode(sign * np.nextafter(middles, 0), fmt), fmt, dtype=np.float64)
        above = mf.decode(
            mf.encode(sign * np.nextafter(middles, np.inf), fmt), fmt, dtype=np.float64
        )
        np.testing.assert_array_equal(below, sign * values[:-1])
        np.testing.assert_array_equal(above, sign * values[1:])
        tie = mf.encode(sign * middles, fmt)
        np.testing.assert_array_equal(tie & 1, 0)


@pytest.mark.parametrize("name", ["float32", "tf32"])
def test_doubles_next_to_midpoints_of_wide_formats(name: str) -> None:
    fmt = mf.get_format(name)
    rng = np.random.default_rng(1)
    words = rng.integers(0, 0x7F7F_FFFF, 4000, dtype=np.uint32)
    step = 1 << fmt.code_shift
    words -= words % step
    low = words.view(np.float32).astype(np.float64)
    middle = (low + (words + np.uint32(step)).view(np.float32)) / 2
    np.testing.assert_array_equal(mf.encode(np.nextafter(middle, 0), fmt), words)
    np.testing.assert_array_equal(mf.encode(np.nextafter(middle, np.inf), fmt), words + step)
    even = words + np.where(words & step, step, 0).astype(np.uint32)
    np.testing.assert_array_equal(mf.encode(middle, fmt), even)


def awkward_integers(bits: int) -> list[int]:
    """Integers with few bits far apart, and next to powers of two."""
    rng = random.Random(bits)
    found = {0, 1, 2, 3}
    for exponent in range(bits):
        found |= {(1 << exponent) + change for change in (-1, 0, 1)}
        for _ in range(3):
            low = [1 << rng.randrange(exponent + 1) for _ in range(2)]
            found |= {(1 << exponent) | low[0], (1 << exponent) | low[0] | low[1]}
    found |= {rng.getrandbits(bits) for _ in range(50)}
    return sorted(number for number in found if 0 <= number < 1 << bits)


def expected_codes(numbers: list[int], name: str, mode: mf.Rounding) -> list[tuple[int, int]]:
    fmt = mf.get_format(name)
    found = [reference_encode(Fraction(number), fmt, How(mode)) for number in numbers]
    return [(code, int(flags)) for code, flags in found]


@pytest.mark.parametrize("mode", [mf.Rounding.TIES_TO_EVEN, mf.Rounding.TO_ODD])
@pytest.mark.parametrize("name", INTEGER_TARGETS)
def test_integers_are_exact_to_64_bits(name: str, mode: mf.Rounding) -> None:
    positive = awkward_integers(63)
    signed = [*positive, *(-number for number in positive), -(2**63)]
    unsigned = awkward_integers(64)
    for numbers, dtype in ((signed, np.int64), (unsigned, np.uint64)):
        array = np.array(numbers, dtype)
        flags = np.empty(array.shape, np.uint8)
        codes = mf.encode(array, name, rounding=mode, flags=flags)
        found = list(zip(codes.tolist(), flags.tolist(), strict=True))
        assert found == expected_codes(numbers, name, mode)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32])
@pytest.mark.parametrize("name", ["e4m3fn", "float16", "float6_e3m2fn", "uint4", "float64"])
def test_shorter_integers_are_their_values(name: str, dtype: Any) -> None:
    info = np.iinfo(dtype)
    x = np.unique(np.linspace(info.min, info.max, 5000).astype(dtype))
    np.testing.assert_array_equal(mf.encode(x, name), mf.encode(x.astype(np.float64), name))
    np.testing.assert_array_equal(mf.encode(x, name), mf.encode(x.astype(np.int64), name))


@pytest.mark.parametrize("mode", DETERMINISTIC)
def test_python_integers_beyond_64_bits(mode: mf.Rounding) -> None:
    numbers = [sign * number for number in awkward_integers(140)[::7] for sign in (1, -1)]
    numbers += [10**400, -(10**400), 3 << 1022, (1 << 1024) - (1 << 970), (1 << 1024) - 1]
    flags = np.empty(len(numbers), np.uint8)
    for name in ("bfloat16", "float64", "float16", "int64", "uint8"):
        codes = mf.encode(numbers, name, rounding=mode, flags=flags)
        found = list(zip(codes.tolist(), flags.tolist(), strict=True))
        assert found == expected_codes(numbers, name, mode)


@pytest.mark.parametrize("mode", DETERMINISTIC)
@pytest.mark.parametrize("spec", ["int64", "uint64", "int8", "uint64:scale=20", "int64:scale=3"])
@pytest.mark.parametrize("policy", ["wrap", "saturate"])
def test_python_integers_beyond_64_bits_into_integers(
    spec: str, policy: str, mode: mf.Rounding
) -> None:
    fmt = mf.get_format(spec)
    unit = 2 ** max(fmt.scale_exponent, 0)
    top = (2**64 - 1) * unit
    numbers = [2**64 + 5, 2**70 + 2**30 + 7, 3**60, top - unit // 2, top + unit // 2 + 1]
    numbers += [2**63 * unit + unit // 2 + 1, 2**63 * unit + unit // 2, 2**200 + 12345 * unit + 1]
    numbers += [-number for number in numbers]
    flags = np.empty(len(numbers), np.uint8)
    codes = mf.encode([*numbers], fmt, rounding=mode, overflow=policy, flags=flags)
    expected = [reference_encode(Fraction(n), fmt, How(mode, policy)) for n in numbers]
    found = list(zip(codes.tolist(), flags.tolist(), strict=True))
    assert found == [(code, int(raised)) for code, raised in expected]


def test_wrapping_large_integers_keeps_their_low_bits() -> None:
    x = 0x1234_5678_9ABC_DEF0_1122_3344_5566_7788
    assert mf.encode(x, "uint64", overflow="wrap") == 0x1122_3344_5566_7788
    assert mf.encode(x, "uint16", overflow="wrap") == 0x7788
    assert mf.encode(-x, "int16", overflow="wrap") == (-0x7788) & 0xFFFF


def test_large_integers_in_lists_of_any_depth() -> None:
    x = [[2**64, 1], [-(2**65), 0]]
    codes = mf.encode(x, "float32")
    assert codes.shape == (2, 2)
    assert mf.decode(codes, "float32").tolist() == [[2.0**64, 1.0], [-(2.0**65), 0.0]]
    assert mf.encode(2**64, "float32") == codes[0, 0]
    assert isinstance(mf.encode(2**64, "float32"), np.uint32)
    # numpy alone would make a float64 of these.
    near = [2**63 + 2**55 + 1, -1]
    assert mf.encode(near, "bfloat16").tolist() == [0x5F01, 0xBF80]
    mixed = [np.uint64(2**63 + 2**55 + 1), np.int64(-1)]
    assert mf.encode(mixed, "bfloat16").tolist() == [0x5F01, 0xBF80]


def test_large_integers_accumulate_flags() -> None:
    flags = mf.Flags()
    mf.encode([1, 2**64 + 1, 2**130], "float32", flags=flags)
    assert flags.counts[mf.Flag.INEXACT] == 2
    assert flags.first[mf.Flag.OVERFLOW] == 2
    assert flags.seen == 3


@pytest.mark.parametrize(
    "x",
    [
        [2**60 + 1, 0.5],
        [[2**60 + 1], [0.5]],
        [np.int64(2**60 + 1), 0.5],
        [np.array([2**60 + 1]), np.array([0.5])],
        [10**400, 0.5],
    ],
)
def test_lists_that_numpy_would_round_are_refused(x: Any) -> None:
    with pytest.raises(mf.DtypeError, match="mixes floats with integers that float64 cannot hold"):
        mf.encode(x, "float32")


def test_lists_of_floats_and_exact_integers_are_taken() -> None:
    assert mf.decode(mf.encode([1, 0.5, 2**60, -3], "float32"), "float32").tolist() == [
        1.0,
        0.5,
        2.0**60,
        -3.0,
    ]
    assert mf.encode([2**100, 0.5], "float32").tolist() == [0x71800000, 0x3F000000]
    assert mf.encode([np.array([2.0**60]), np.array([1])], "float32").shape == (2, 1)
