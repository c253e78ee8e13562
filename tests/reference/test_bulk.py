"""The bulk encoder on sorted grids equals the scalar reference, and is fast enough to be used."""

from __future__ import annotations

import dataclasses
import time

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from inputs import CUSTOM, INTEGERS, NARROW, P3109, all_float16, edges
from strategies import DETERMINISTIC, any_formats, floats_near, hows

from minifloat._context import Context
from minifloat._errors import FormatError, NanError, OptionError
from minifloat._flags import Flag
from minifloat._formats import Format, get_format
from minifloat._rounding import Overflow, Stochastic
from minifloat.reference.bulk import encode_array
from minifloat.reference.grid import Bounds, grid_of
from minifloat.reference.how import How, overflow_policy
from minifloat.reference.rounding import round_value
from minifloat.reference.values import Value, decode

CONTEXTS = [
    Context(tininess="after"),
    Context(tininess="before"),
    Context(tininess="after", flush_outputs=True),
    Context(tininess="before", flush_outputs=True),
]


def policies(fmt: Format) -> list[Overflow]:
    def possible(policy: Overflow) -> bool:
        try:
            overflow_policy(fmt, How(overflow=policy))
        except OptionError:
            return False
        return True

    return list(filter(possible, Overflow))


def assert_bulk_equals_scalar(
    x: npt.NDArray[np.float64], fmt: Format, how: How, bits: npt.NDArray[np.int64]
) -> None:
    codes, flags = encode_array(x, fmt, how, random_bits=bits)
    for number, code, flag, r in zip(x, codes.tolist(), flags.tolist(), bits.tolist(), strict=True):
        expected = round_value(Value.of(number), fmt, dataclasses.replace(how, random_bits=r))
        assert (code, Flag(flag)) == expected, (number.hex(), how)


@pytest.mark.parametrize("name", [*NARROW, *P3109, *CUSTOM, *INTEGERS])
def test_bulk_equals_scalar_at_the_edges(name: str) -> None:
    fmt = get_format(name)
    rng = np.random.default_rng(9)
    inputs = edges(fmt)
    modes = [*DETERMINISTIC, Stochastic(3), Stochastic(4, "nearest"), Stochastic(2, "centred")]
    for mode in modes:
        for policy in policies(fmt):
            context = CONTEXTS[rng.integers(len(CONTEXTS))]
            how = How(mode, policy, "max", context)
            x = rng.choice(inputs, 20)
            assert_bulk_equals_scalar(x, fmt, how, rng.integers(0, 4, x.size))


@given(st.data())
def test_bulk_equals_scalar(data: st.DataObject) -> None:
    fmt = data.draw(any_formats(10))
    how = data.draw(hows(fmt, random=True))
    x = np.array([data.draw(floats_near(fmt)) for _ in range(4)])
    assert_bulk_equals_scalar(x, fmt, how, np.full(x.size, how.random_bits))


def test_noise_tables_are_thresholds_by_fraction() -> None:
    fmt = get_format("e2m1fn")
    table = [0, 1 << 30, 1 << 31, 2**32 - 1]
    x = np.array([1.0, 1.125, 1.25, 1.375, 1.25, 1.125, -1.125])
    draws = np.array([0, 2**30 - 1, 2**31, 2**32 - 1, 2**31 - 1, 2**30, 0], np.uint64)
    how = How(Stochastic(2), noise_table=table)
    codes, _ = encode_array(x, fmt, how, random_bits=draws)
    values = [float(decode(int(code), fmt)) for code in codes]
    assert values == [1.0, 1.5, 1.0, 1.5, 1.5, 1.0, -1.5]
    scalar = [
        round_value(Value.of(number), fmt, dataclasses.replace(how, random_bits=int(draw)))[0]
        for number, draw in zip(x, draws, strict=True)
    ]
    assert scalar == codes.tolist()


def test_signaling_nans_are_told_apart_by_the_mask() -> None:
    fmt = get_format("e5m2")
    _, flags = encode_array([np.nan, np.nan, 1.0], fmt, signaling=[True, False, True])
    assert flags.tolist() == [int(Flag.INVALID), 0, 0]


def test_shapes_are_kept() -> None:
    fmt = get_format("e4m3fn")
    codes, flags = encode_array(np.ones((2, 0, 3)), fmt)
    assert codes.shape == flags.shape == (2, 0, 3)
    code, _ = encode_array(1.0, fmt)
    assert code.shape == ()
    assert code == 0x38


def test_errors_are_those_of_the_scalar_reference() -> None:
    with pytest.raises(NanError):
        encode_array([np.nan], get_format("e2m1fn"))
    with pytest.raises(OptionError):
        encode_array([1.0], get_format("e2m1fn"), How(overflow="ieee"))
    with pytest.raises(OptionError, match="random_bits"):
        encode_array([1.0], get_format("e2m1fn"), How(Stochastic(4)))
    with pytest.raises(FormatError, match="20 bits"):
        encode_array([1.0], get_format("float32"))


def test_grids_hold_the_exact_midpoints() -> None:
    for name in ("float16", "hifloat8", "binary8p1ue", "e11m2:finite,bias=1071"):
        grid = grid_of(get_format(name))
        assert len(grid.midpoints) == len(grid.points) - 1 == len(grid.middles.floor)
        for exact, floor, is_exact in zip(
            grid.midpoints, grid.middles.floor, grid.middles.is_exact, strict=True
        ):
            assert not is_exact or floor == exact
            assert floor <= exact
            assert np.nextafter(floor, np.inf) > exact


def test_bounds_compare_numbers_that_are_no_float64() -> None:
    third = Bounds.of([get_format("float64").smallest / 2])
    x = np.array([0.0, 5e-324])
    assert third.compare(x).tolist() == [-1, 1]


def test_every_half_in_every_mode_takes_seconds() -> None:
    # All 63,490 numbers of float16 into all narrow formats, eight modes: 16 million roundings.
    x = all_float16().astype(np.float64)
    for name in NARROW:
        grid_of(get_format(name))
    start = time.process_time()
    for name in NARROW:
        for mode in DETERMINISTIC:
            encode_array(x, get_format(name), How(mode))
    assert time.process_time() - start < 30
