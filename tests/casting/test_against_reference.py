"""The core against the reference: every input of 16 bits, every mode and policy, flags included."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from inputs import CUSTOM, INTEGERS, NARROW, P3109, all_bfloat16, all_float16, edges
from strategies import (
    DETERMINISTIC,
    any_formats,
    contexts,
    floats_near,
    fractions_near,
    hows,
    named_formats,
)

import minifloat as mf
from minifloat._plans import plan_for
from minifloat.reference.bulk import encode_array
from minifloat.reference.grid import decode_table
from minifloat.reference.how import How, overflow_policy
from minifloat.reference.rounding import cast as reference_cast
from minifloat.reference.rounding import encode as reference_encode

TARGETS = [*NARROW, *P3109, *CUSTOM, *INTEGERS]
CONTEXTS = [
    mf.contexts.IEEE,
    mf.contexts.ARM,
    mf.Context(flush_outputs=True),
    mf.Context(tininess="before", flush_outputs=True),
]


def policies(fmt: mf.Format) -> list[mf.Overflow]:
    found = []
    for policy in mf.Overflow:
        try:
            overflow_policy(fmt, How(overflow=policy))
        except mf.OptionError:
            continue
        found.append(policy)
    return found


def check(x: np.ndarray[Any, Any], fmt: mf.Format, how: How) -> None:
    expected, expected_flags = encode_array(x, fmt, how)
    flags = np.empty(x.shape, np.uint8)
    codes = mf.encode(
        x,
        fmt,
        rounding=how.rounding,
        overflow=how.overflow,
        nan=how.nan,
        context=how.context,
        flags=flags,
    )
    plain = mf.encode(
        x, fmt, rounding=how.rounding, overflow=how.overflow, nan=how.nan, context=how.context
    )
    np.testing.assert_array_equal(plain, codes)  # kernels without flags are others
    wrong = (codes != expected) | (flags != expected_flags)
    if wrong.any():
        at = int(np.argmax(wrong))
        pytest.fail(
            f"{fmt} {how}: {int(wrong.sum())} of {x.size} differ; first {x[at]!r}"
            f" ({float(x[at]).hex()}): got {codes[at]:#x} flags {flags[at]},"
            f" expected {expected[at]:#x} flags {expected_flags[at]}"
        )


@pytest.mark.parametrize("name", TARGETS)
def test_every_16_bit_input_in_every_mode_and_policy(name: str) -> None:
    fmt = mf.get_format(name)
    for mode in DETERMINISTIC:
        for policy in policies(fmt):
            check(all_float16(), fmt, How(mode, policy))
        check(all_bfloat16(), fmt, How(mode))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", TARGETS)
def test_grid_points_midpoints_and_their_neighbours(name: str, dtype: Any) -> None:
    fmt = mf.get_format(name)
    x = edges(fmt, dtype)
    for mode in DETERMINISTIC:
        for context in CONTEXTS if fmt.bits <= 12 else CONTEXTS[1:3]:
            check(x, fmt, How(mode, context=context))


@pytest.mark.parametrize("name", TARGETS)
def test_every_code_decodes_as_the_reference(name: str) -> None:
    fmt = mf.get_format(name)
    codes = np.arange(1 << fmt.bits, dtype=np.uint64) << np.uint64(fmt.code_shift)
    expected = decode_table(fmt)
    values = mf.decode(codes, fmt, dtype=np.float64)
    np.testing.assert_array_equal(values, expected)
    np.testing.assert_array_equal(np.signbit(values), np.signbit(expected))
    np.testing.assert_array_equal(mf.decode(codes, fmt), expected)


@pytest.mark.parametrize("source", [*NARROW, *P3109, *CUSTOM, *INTEGERS])
def test_narrow_casts_equal_casts_of_values(source: str) -> None:
    src = mf.get_format(source)
    codes = np.arange(1 << src.bits, dtype=np.uint64) << np.uint64(src.code_shift)
    values = decode_table(src)
    for name in ("float8_e4m3fn", "float8_e8m0fnu", "hifloat8", "float6_e3m2fn", "int8", "float16"):
        dst = mf.get_format(name)
        got = mf.cast(codes, src, dst, nan="zero", rounding="rtp")
        expected, _ = encode_array(values, dst, How("rtp", nan="zero"))
        np.testing.assert_array_equal(got, expected)


@given(st.data())
@settings(max_examples=600, deadline=None)
def test_one_value_near_an_edge_of_any_format(data: st.DataObject) -> None:
    fmt = data.draw(any_formats() | named_formats())
    how = data.draw(hows(fmt))
    dtype: Any = data.draw(st.sampled_from([np.float32, np.float64]))
    x = data.draw(floats_near(fmt, dtype))
    source = mf.get_format(dtype)
    word = int(x.view(f"u{x.dtype.itemsize}"))
    expected = reference_cast(word, source, fmt, how)
    flags = np.empty((), np.uint8)
    code = mf.cast(
        np.array(word, f"u{x.dtype.itemsize}"),
        source,
        fmt,
        rounding=how.rounding,
        overflow=how.overflow,
        nan=how.nan,
        context=how.context,
        flags=flags,
    )
    assert (int(code), int(flags)) == (expected[0], int(expected[1]))


@given(st.data())
@settings(max_examples=400, deadline=None)
def test_exact_values_of_any_precision_round_once(data: st.DataObject) -> None:
    fmt = data.draw(any_formats() | named_formats())
    how = data.draw(hows(fmt))
    x = data.draw(fractions_near(fmt))
    expected, flags = reference_encode(x, fmt, how)
    plan = plan_for(mf.get_format("float64"), fmt, how.rounding, how.overflow, how.nan, how.context)
    significand, exponent, sticky = abs(x).numerator, 0, False
    denominator = x.denominator
    assert denominator & (denominator - 1) == 0
    exponent = -(denominator.bit_length() - 1)
    excess = max(significand.bit_length() - 64, 0)
    kept = significand >> excess
    sticky = kept << excess != significand
    got = plan.core.round_exact(x < 0, exponent + excess, kept, sticky)
    assert got == (expected, int(flags))


@given(contexts(), st.integers(0, 65535))
@settings(max_examples=200, deadline=None)
def test_signalling_nans_raise_invalid(context: mf.Context, word: int) -> None:
    flags = np.empty((), np.uint8)
    code = mf.cast(word, "float16", "float8_e5m2", context=context, flags=flags)
    expected = reference_cast(
        word, mf.get_format("float16"), mf.get_format("float8_e5m2"), How(context=context)
    )
    assert (int(code), int(flags)) == (expected[0], int(expected[1]))
