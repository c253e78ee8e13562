"""Shapes, dtypes, formats and options: what is taken and what is refused, with the reason."""

from __future__ import annotations

import numpy as np
import pytest

import minifloat as mf


def test_operands_broadcast() -> None:
    a = np.arange(6, dtype=np.uint8).reshape(2, 3)
    found = mf.add(a, np.uint8([[0x38], [0x40]]), "e4m3fn")
    assert found.shape == (2, 3)
    np.testing.assert_array_equal(found[1], mf.add(a[1], 0x40, "e4m3fn"))
    strided = np.arange(12, dtype=np.uint8)[::2].reshape(2, 3)
    np.testing.assert_array_equal(mf.add(strided, 0, "e4m3fn"), strided)
    assert isinstance(mf.add(0x38, 0x38, "e4m3fn"), np.uint8)
    assert mf.add(np.uint8([]), 0x38, "e4m3fn").shape == (0,)
    with pytest.raises(mf.DtypeError, match="do not broadcast"):
        mf.add(np.zeros(2, np.uint8), np.zeros(3, np.uint8), "e4m3fn")


def test_results_go_to_out_even_over_an_operand() -> None:
    a = np.arange(5000, dtype=np.uint16)
    b = np.full(5000, 0x3C00, np.uint16)
    expected = mf.add(a, b, "float16")
    out = a.copy()
    assert mf.add(out, b, "float16", out=out) is out
    np.testing.assert_array_equal(out, expected)
    room = np.zeros(5001, np.uint16)
    room[:5000] = a
    mf.add(room[:5000], b, "float16", out=room[1:])
    np.testing.assert_array_equal(room[1:], expected)


def test_operand_formats_may_differ() -> None:
    with pytest.raises(mf.FormatError, match="out_format"):
        mf.mul(0x38, 0x3C, ("e4m3fn", "e5m2"))
    assert mf.mul(0x38, 0x3C, ("e4m3fn", "e5m2"), out_format="bf16") == 0x3F80
    assert (
        mf.fma(0x3F800000, 0x3F800000, 0x3F80, ("tf32", "tf32", "bf16"), out_format="float32")
        == 0x40000000
    )


def test_integers_have_no_arithmetic() -> None:
    for verb in (mf.add, mf.minimum, mf.less):
        with pytest.raises(mf.FormatError, match="no arithmetic"):
            verb(1, 1, "int8")
    with pytest.raises(mf.FormatError, match="no arithmetic"):
        mf.matmul([[1]], [[1]], "int8")


def test_stray_bits_and_values_are_refused() -> None:
    with pytest.raises(mf.CodeError, match="bits outside"):
        mf.add([0x10], [0x01], "e2m1fn")
    with pytest.raises(mf.CodeError, match="did you mean encode"):
        mf.add(1.0, 0x38, "e4m3fn")
    with pytest.raises(mf.CodeError, match="bits outside"):
        mf.mul([0x3F800001], [0x3F800000], "tf32")
    with pytest.raises(mf.CodeError, match="bits outside"):
        mf.matmul([[0x10]], [[0x01]], "e2m1fn")


def test_a_wrong_keyword_names_the_nearest() -> None:
    with pytest.raises(mf.OptionError, match="did you mean 'rounding'"):
        mf.add(0x38, 0x38, "e4m3fn", roundign="rtz")  # type: ignore[call-arg]


def test_nan_where_there_is_none() -> None:
    flags = mf.Flags()
    assert mf.div(0, 0, "e2m1fn", flags=flags) == 7
    assert flags.raised == mf.Flag.INVALID
    assert mf.div(0, 0, "e2m1fn", nan="zero") == 0
    with pytest.raises(mf.NanError, match="1 invalid"):
        mf.div(0, 0, "e2m1fn", nan="raise")


def test_division_by_zero_passes_the_range_step() -> None:
    cases = (("e5m2", None, 0x7C), ("e4m3fn", None, 0x7F), ("e4m3fn", "saturate", 0x7E))
    for name, overflow, code in cases:
        flags = mf.Flags()
        assert mf.div(0x38, 0x00, name, overflow=overflow, flags=flags) == code
        assert flags.raised == mf.Flag.DIVIDE_BY_ZERO
    flags = mf.Flags()
    assert mf.div(0x38, 0x00, "binary8p4se", flags=flags) == 0x80
    assert flags.raised == mf.Flag.INVALID


def test_flags_accumulate_with_counts_and_first_index() -> None:
    flags = mf.Flags()
    mf.add(
        np.uint16([0x3C00, 0x7BFF, 0x7BFF]),
        np.uint16([0x3C00, 0x7BFF, 0x7BFF]),
        "float16",
        flags=flags,
    )
    assert flags.counts[mf.Flag.OVERFLOW] == 2
    assert flags.first[mf.Flag.OVERFLOW] == 1
    assert flags.seen == 3


def test_contexts_choose_nans() -> None:
    quiet, signaling = 0x7FC00123, 0x7F800456
    cases = {
        "IEEE": (0x7FC00000, 0x7FC00000),
        "X86_SSE": (0x7FC00123, 0x7FC00456),
        "ARM": (0x7FC00456, 0x7FC00456),
        "ARM_DEFAULT_NAN": (0x7FC00000, 0x7FC00000),
        "ARM_AH": (0x7FC00123, 0x7FC00456),
        "RISCV": (0x7FC00000, 0x7FC00000),
    }
    for name, expected in cases.items():
        context = getattr(mf.contexts, name)
        found = mf.add([quiet, signaling], [signaling, quiet], "float32", context=context)
        assert tuple(found.tolist()) == expected, name
    made = {"IEEE": 0x7FC00000, "X86_SSE": 0xFFC00000, "ARM": 0x7FC00000, "ARM_AH": 0xFFC00000}
    for name, code in made.items():
        context = getattr(mf.contexts, name)
        assert mf.div(0, 0, "float32", context=context) == code
        assert mf.sqrt(0xBF800000, "float32", context=context) == code


def test_contexts_settle_infinity_times_zero_plus_nan() -> None:
    infinity, nan = 0x7F800000, 0x7FC00123
    cases = {
        "IEEE": (0x7FC00000, True),
        "X86_SSE": (nan, False),
        "ARM": (0x7FC00000, True),
        "ARM_AH": (nan, False),
        "RISCV": (0x7FC00000, True),
    }
    for name, (code, invalid) in cases.items():
        flags = mf.Flags()
        found = mf.fma(0, infinity, nan, "float32", context=getattr(mf.contexts, name), flags=flags)
        assert (found, bool(flags)) == (code, invalid), name


def test_contexts_choose_what_integers_become() -> None:
    high, low, nan = (np.float32([x]).view(np.uint32) for x in (3e9, -3e9, np.nan))
    top, bottom = 2**31 - 1, -(2**31)
    for name, expected in {
        "IEEE": (top, bottom, top),
        "ARM": (top, bottom, 0),
        "X86_SSE": (bottom, bottom, bottom),
        "RISCV": (top, bottom, top),
    }.items():
        context = getattr(mf.contexts, name)
        found = [mf.to_int(x, "float32", "int32", context=context)[0] for x in (high, low, nan)]
        assert tuple(found) == expected, name
    assert mf.to_int(high, "float32", "int32", modulo=True)[0] == 3000000000 - 2**32


def test_tininess_before_and_after_rounding() -> None:
    for context, raised in ((mf.contexts.IEEE, 1), (mf.contexts.ARM, 3)):
        flags = mf.Flags()
        assert mf.mul(0x007FFFFF, 0x3F800001, "float32", context=context, flags=flags) == 0x00800000
        assert int(flags) == raised


@pytest.mark.parametrize("name", ["float16", "float32", "float8_e5m2"])
def test_nan_in_gives_nan_out(name: str) -> None:
    fmt = mf.get_format(name)
    nan = mf.encode(np.nan, fmt)
    for context in (mf.contexts.IEEE, mf.contexts.ARM, mf.contexts.X86_SSE, mf.contexts.RISCV):
        for verb in (mf.add, mf.mul, mf.div, mf.rem, mf.minimum):
            assert mf.is_nan(verb(nan, mf.encode(1.0, fmt), fmt, context=context), fmt)


@pytest.mark.parametrize("exponent", [-3, 0, 5])
def test_scalings(exponent: int) -> None:
    one = mf.encode(1.0, "float16")
    assert mf.scalbn(one, exponent, "float16") == mf.encode(2.0**exponent, "float16")
    found = mf.fma(one, one, one, "float16", exponent=exponent)
    assert found == mf.encode(2.0 ** (exponent + 1), "float16")
    assert mf.from_int(3, "float16", exponent=exponent) == mf.encode(3 * 2.0**exponent, "float16")


def test_negations_inside_and_outside_of_fma() -> None:
    a, b, c = (mf.encode(x, "float16") for x in (2.0, 3.0, 1.0))
    value = {
        (False, False, False): 7.0,
        (True, False, False): -5.0,
        (False, True, False): 5.0,
        (True, True, False): -7.0,
        (False, False, True): -7.0,
    }
    for (product, addend, result), expected in value.items():
        found = mf.fma(
            a, b, c, "float16",
            negate_product=product, negate_addend=addend, negate_result=result,
        )  # fmt: skip
        assert mf.decode(found, "float16") == expected


def test_signs_are_bits() -> None:
    assert mf.negate(0x7F, "e4m3fn") == 0xFF
    assert mf.negate(0x80, "e4m3fnuz") == 0x80
    assert mf.copysign(0xFD01, 0x0000, "float16") == 0x7D01
    with pytest.raises(mf.FormatError, match="no sign"):
        mf.negate(0x38, "float8_ue4m3")


def test_inspection() -> None:
    codes = np.uint8([0x00, 0x80, 0x01, 0x04, 0x7B, 0x7C, 0xFC, 0x7D, 0x7E])
    kinds = [mf.FloatClass(c).name for c in mf.classify(codes, "e5m2")]
    assert kinds == [
        "POSITIVE_ZERO", "NEGATIVE_ZERO", "POSITIVE_SUBNORMAL", "POSITIVE_NORMAL",
        "POSITIVE_NORMAL", "POSITIVE_INFINITY", "NEGATIVE_INFINITY", "SIGNALING_NAN", "QUIET_NAN",
    ]  # fmt: skip
    values = mf.decode(codes, "e5m2")
    np.testing.assert_array_equal(mf.is_nan(codes, "e5m2"), np.isnan(values))
    np.testing.assert_array_equal(mf.is_infinite(codes, "e5m2"), np.isinf(values))
    np.testing.assert_array_equal(mf.is_finite(codes, "e5m2"), np.isfinite(values))
    np.testing.assert_array_equal(mf.is_zero(codes, "e5m2"), values == 0)
    np.testing.assert_array_equal(mf.is_signed(codes, "e5m2"), codes > 0x7F)
    np.testing.assert_array_equal(mf.is_subnormal(codes, "e5m2"), codes == 0x01)
    np.testing.assert_array_equal(mf.is_signaling(codes, "e5m2"), codes == 0x7D)
    half = np.arange(2**16, dtype=np.uint16)
    spacing = mf.ulp(half, "float16")
    finite = np.isfinite(half.view(np.float16))
    with np.errstate(over="ignore"):
        expected = np.spacing(np.abs(half.view(np.float16)[finite])).astype(np.float32)
    at_max = half[finite] & 0x7FFF == 0x7BFF
    np.testing.assert_array_equal(spacing[finite][~at_max], expected[~at_max])
    assert np.isnan(spacing[~finite]).all()
