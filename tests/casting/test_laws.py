"""Laws of rounding that hold for every format, mode and number."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from inputs import CUSTOM, INTEGERS, NARROW, P3109, edges
from strategies import DETERMINISTIC, any_formats, float_formats, floats_near, stochastic

import minifloat as mf
from minifloat.reference.grid import grid_of

SYMMETRIC = [
    mode for mode in DETERMINISTIC if "positive" not in mode.value and "negative" not in mode.value
]
MIRROR = {
    mf.Rounding.TOWARD_POSITIVE: mf.Rounding.TOWARD_NEGATIVE,
    mf.Rounding.TOWARD_NEGATIVE: mf.Rounding.TOWARD_POSITIVE,
} | {mode: mode for mode in SYMMETRIC}

laws = settings(max_examples=300, deadline=None)


def rounded(x: Any, fmt: mf.Format, mode: Any, **how: Any) -> Any:
    codes = mf.encode(x, fmt, rounding=mode, overflow="saturate", **how)
    return mf.decode(codes, fmt, dtype=np.float64)


@given(st.data())
@laws
def test_rounding_is_monotone(data: st.DataObject) -> None:
    fmt = data.draw(any_formats())
    mode = data.draw(st.sampled_from(DETERMINISTIC))
    numbers = data.draw(st.lists(floats_near(fmt), min_size=2, max_size=8))
    x = np.sort([number for number in numbers if not np.isnan(number)])
    if not fmt.has_zero or not fmt.signed:
        x = x[x > 0]
    values = rounded(x, fmt, mode)
    assert (values[:-1] <= values[1:]).all()


@given(st.data())
@laws
def test_rounding_is_idempotent(data: st.DataObject) -> None:
    fmt = data.draw(any_formats())
    mode, again = (data.draw(st.sampled_from(DETERMINISTIC)) for _ in range(2))
    x = data.draw(floats_near(fmt))
    code = mf.encode(x, fmt, rounding=mode, nan="max")
    flags = np.empty((), np.uint8)
    value = mf.decode(code, fmt, dtype=np.float64)
    np.testing.assert_array_equal(mf.encode(value, fmt, rounding=again, flags=flags), code)
    assert flags == 0


@given(st.data())
@laws
def test_rounding_is_symmetric_in_the_sign(data: st.DataObject) -> None:
    fmt = data.draw(float_formats().filter(lambda fmt: fmt.signed))
    mode = data.draw(st.sampled_from(DETERMINISTIC))
    x = data.draw(floats_near(fmt))
    if np.isnan(x):
        return
    plus = mf.encode(x, fmt, rounding=mode)
    minus = mf.encode(-x, fmt, rounding=MIRROR[mode])
    if mf.is_nan(plus, fmt):
        assert mf.is_nan(minus, fmt)
    else:
        assert mf.decode(plus, fmt, dtype=np.float64) == -mf.decode(minus, fmt, dtype=np.float64)


@given(st.data())
@laws
def test_directed_modes_bracket(data: st.DataObject) -> None:
    fmt = data.draw(any_formats())
    x = data.draw(floats_near(fmt))
    if not abs(x) <= float(fmt.max) or (x < 0 and not fmt.signed) or not fmt.has_zero:
        return
    down, up = rounded(x, fmt, "rtn"), rounded(x, fmt, "rtp")
    inward, outward = rounded(x, fmt, "rtz"), rounded(x, fmt, "raz")
    assert down <= x <= up
    assert abs(inward) <= abs(x) <= abs(outward)
    assert {inward, outward} == {down, up}
    nearest = rounded(x, fmt, "rne")
    assert nearest in (down, up)
    for mode in DETERMINISTIC:
        assert rounded(x, fmt, mode) in (down, up)
    assert abs(x - nearest) <= min(x - down, up - x)
    if down != x:
        odd = mf.encode(x, fmt, rounding="rto", overflow="saturate") >> fmt.code_shift
        # Without subnormals the smallest value's code may be even, and stands in for an odd one.
        assert odd & 1 or mf.decode(odd << fmt.code_shift, fmt, dtype=np.float64) in (
            float(fmt.smallest),
            -float(fmt.smallest),
        )


@given(st.data())
@laws
def test_noise_chooses_one_of_the_two_neighbours(data: st.DataObject) -> None:
    fmt = data.draw(float_formats())
    mode, r = data.draw(stochastic(16))
    x = data.draw(floats_near(fmt))
    if not abs(x) <= float(fmt.max) or (x < 0 and not fmt.signed) or not fmt.has_zero:
        return
    value = rounded(x, fmt, mode, random_bits=r)
    assert value in (rounded(x, fmt, "rtn"), rounded(x, fmt, "rtp"))


ROUND_TRIP = [
    *NARROW,
    *P3109,
    *CUSTOM,
    *INTEGERS,
    "float32",
    "float64",
    "int32",
    "int64",
    "tf32",
    "uint64",
]


@pytest.mark.parametrize("name", ROUND_TRIP)
def test_encode_undoes_decode(name: str) -> None:
    fmt = mf.get_format(name)
    if fmt.bits <= 16:
        codes = np.arange(1 << fmt.bits, dtype=np.uint64)
    else:
        codes = np.random.default_rng(1).integers(0, 2**fmt.bits, 20_000, np.uint64)
    codes <<= np.uint64(fmt.code_shift)
    nan = (
        mf.is_nan(codes, fmt) if not isinstance(fmt, mf.IntFormat) else np.zeros(codes.shape, bool)
    )
    codes = codes[~nan]
    values = mf.decode(codes, fmt)
    for mode in ("rne", "rtz", "rtp", "rto"):
        back = mf.encode(values, fmt, rounding=mode)
        if isinstance(fmt, mf.FloatFormat):
            canonical = mf.is_canonical(codes, fmt)
            np.testing.assert_array_equal(back[canonical], codes[canonical])
            np.testing.assert_array_equal(mf.decode(back, fmt), values)
        else:
            np.testing.assert_array_equal(back, codes)


SHORT = [name for name in [*NARROW, *P3109, *CUSTOM] if mf.get_format(name).bits <= 14]


@pytest.mark.parametrize("name", [name for name in SHORT if "int" not in name])
def test_next_doubles_go_to_the_same_or_adjacent_values(name: str) -> None:
    fmt = mf.get_format(name)
    grid = grid_of(fmt).values
    x = np.sort(edges(fmt))
    x = x[(x <= float(fmt.max)) & (x > 0)]
    beside = x[1:] == np.nextafter(x[:-1], np.inf)
    assert beside.sum() > 8
    for mode in DETERMINISTIC:
        steps = np.diff(np.searchsorted(grid, rounded(x, fmt, mode)))
        assert (steps >= 0).all()
        assert (steps[beside] <= 1).all()


@pytest.mark.parametrize("name", ["e4m3fn", "e5m2", "bf16", "e2m1fn", "hifloat8"])
def test_distant_roundings_agree_through_round_to_odd(name: str) -> None:
    """Rounding to odd with two bits to spare makes a second rounding harmless."""
    fmt = mf.get_format(name)
    x = edges(fmt, np.float64)
    x = x[np.abs(x) < 1e30]
    narrowed = mf.quantize(x, "float32", rounding="to_odd")
    for mode in DETERMINISTIC:
        np.testing.assert_array_equal(
            mf.encode(narrowed, fmt, rounding=mode), mf.encode(x, fmt, rounding=mode)
        )
