"""NaN rules of machines: which operand's NaN comes out, what it looks like, what it raises."""

from __future__ import annotations

import itertools

import pytest

from minifloat._context import Context, contexts
from minifloat._flags import Flag
from minifloat._formats import get_format
from minifloat.reference import arithmetic
from minifloat.reference.comparison import extremum, next_up
from minifloat.reference.how import How
from minifloat.reference.rounding import cast
from minifloat.reference.values import decode

F32, F16, E5M2 = get_format("float32"), get_format("float16"), get_format("e5m2")
NONE, INVALID = Flag(0), Flag.INVALID
QUIET, QUIET2 = 0x7FC00123, 0xFFC00789
SIGNALING, SIGNALING2 = 0x7F800456, 0xFFA00001
INF, ONE, ZERO = 0x7F800000, 0x3F800000, 0
QUIET_BIT = 0x00400000


def under(context: Context) -> How:
    return How(nan="max", context=context)


@pytest.mark.parametrize(
    ("context", "default"),
    [
        (contexts.IEEE, 0x7FC00000),
        (contexts.ARM, 0x7FC00000),
        (contexts.ARM_DEFAULT_NAN, 0x7FC00000),
        (contexts.ARM_AH, 0xFFC00000),
        (contexts.X86_SSE, 0xFFC00000),
        (contexts.RISCV, 0x7FC00000),
        (Context(default_nan=0x7F), 0x7FFFFFFF),
        (Context(default_nan=0x3F, snan_bit_is_one=True), 0x7FBFFFFF),
        (Context(default_nan=0x20, snan_bit_is_one=True), 0x7FA00000),
    ],
)
def test_invalid_operations_make_the_default_nan(context: Context, default: int) -> None:
    how = under(context)
    assert arithmetic.div(ZERO, ZERO, F32, how) == (default, INVALID)
    assert arithmetic.sub(INF, INF, F32, how) == (default, INVALID)
    assert arithmetic.sqrt(0xBF800000, F32, how) == (default, INVALID)
    assert arithmetic.fma(ZERO, INF, ONE, F32, how) == (default, INVALID)


PAIRS = list(itertools.permutations((QUIET, QUIET2, SIGNALING, SIGNALING2, ONE), 2))


def expected_of_two(rule: str, a: int, b: int) -> int:
    """Apply a rule as its name says: an order, perhaps signalling NaNs first."""
    nans = [code for code in ((b, a) if rule.endswith("ba") else (a, b)) if code != ONE]
    signaling = [code for code in nans if not code & QUIET_BIT]
    chosen = signaling if rule.startswith("s_") and signaling else nans
    return chosen[0] | QUIET_BIT


@pytest.mark.parametrize("rule", ["ab", "ba", "s_ab", "s_ba"])
def test_orders_of_two_operands(rule: str) -> None:
    how = under(Context(nan_rule=rule))  # type: ignore[arg-type]
    for a, b in PAIRS:
        signals = any(code != ONE and not code & QUIET_BIT for code in (a, b))
        expected = (expected_of_two(rule, a, b), INVALID if signals else NONE)
        for operation in (arithmetic.add, arithmetic.mul, arithmetic.rem):
            assert operation(a, b, F32, how) == expected
        assert extremum("minimum", a, b, F32, how) == expected


@pytest.mark.parametrize(
    ("a", "b", "chosen"),
    [
        (SIGNALING, QUIET, QUIET),  # quiet over signalling
        (QUIET, SIGNALING, QUIET),
        (0x7FC00001, 0xFFC00002, 0xFFC00002),  # then the larger significand
        (0xFFC00002, 0x7FC00001, 0xFFC00002),
        (0x7F800001, 0xFF800002, 0xFFC00002),
        (0xFFC00005, 0x7FC00005, 0x7FC00005),  # then the positive one
        (0x7FC00005, 0xFFC00005, 0x7FC00005),
    ],
)
def test_the_x87_rule(a: int, b: int, chosen: int) -> None:
    code, _ = arithmetic.add(a, b, F32, under(Context(nan_rule="x87")))
    assert code == chosen


@pytest.mark.parametrize(
    ("context", "operands", "expected"),
    [
        # Measured on x86, and the published rules of Arm and RISC-V.
        (contexts.X86_SSE, (QUIET, SIGNALING), (QUIET, INVALID)),
        (contexts.X86_SSE, (SIGNALING, QUIET), (SIGNALING | QUIET_BIT, INVALID)),
        (contexts.ARM, (QUIET, SIGNALING), (SIGNALING | QUIET_BIT, INVALID)),
        (contexts.ARM, (QUIET, QUIET2), (QUIET, NONE)),
        (contexts.ARM_AH, (QUIET, SIGNALING), (QUIET, INVALID)),
        (contexts.ARM_DEFAULT_NAN, (QUIET, QUIET2), (0x7FC00000, NONE)),
        (contexts.RISCV, (SIGNALING, QUIET2), (0x7FC00000, INVALID)),
        (contexts.IEEE, (QUIET2, ONE), (0x7FC00000, NONE)),
    ],
)
def test_profiles_of_two_operands(
    context: Context, operands: tuple[int, int], expected: tuple[int, Flag]
) -> None:
    assert arithmetic.add(*operands, F32, under(context)) == expected


@pytest.mark.parametrize(
    ("context", "operands", "expected"),
    [
        (contexts.X86_SSE, (QUIET, QUIET2, SIGNALING), (QUIET, INVALID)),
        (contexts.X86_SSE, (ONE, ONE, SIGNALING), (SIGNALING | QUIET_BIT, INVALID)),
        (contexts.X86_SSE, (ZERO, INF, QUIET), (QUIET, NONE)),
        (contexts.X86_SSE, (ZERO, INF, SIGNALING), (SIGNALING | QUIET_BIT, INVALID)),
        (contexts.ARM, (QUIET, QUIET2, 0x7FC00111), (0x7FC00111, NONE)),
        (contexts.ARM, (QUIET, SIGNALING2, 0x7FC00111), (SIGNALING2 | QUIET_BIT, INVALID)),
        (contexts.ARM, (SIGNALING, SIGNALING2, QUIET), (SIGNALING | QUIET_BIT, INVALID)),
        (contexts.ARM, (INF, ZERO, QUIET), (0x7FC00000, INVALID)),
        (contexts.ARM, (INF, ZERO, SIGNALING), (SIGNALING | QUIET_BIT, INVALID)),
        (contexts.ARM_AH, (QUIET, QUIET2, SIGNALING), (QUIET, INVALID)),
        (contexts.ARM_AH, (INF, ZERO, QUIET), (QUIET, NONE)),
        (contexts.ARM_DEFAULT_NAN, (INF, ZERO, QUIET), (0x7FC00000, INVALID)),
        (contexts.RISCV, (INF, ZERO, QUIET), (0x7FC00000, INVALID)),
        (Context(nan_rule_of_three="cab"), (QUIET, QUIET2, ONE), (QUIET, NONE)),
        (Context(nan_rule_of_three="bca"), (QUIET, ONE, QUIET2), (QUIET2, NONE)),
        (Context(nan_rule_of_three="s_acb"), (QUIET, SIGNALING, SIGNALING2), (0xFFE00001, INVALID)),
    ],
)
def test_profiles_of_three_operands(
    context: Context, operands: tuple[int, int, int], expected: tuple[int, Flag]
) -> None:
    assert arithmetic.fma(*operands, F32, under(context)) == expected


def test_no_nan_needs_to_signal() -> None:
    how = under(Context(nan_rule="ab", no_signaling_nans=True))
    assert arithmetic.add(SIGNALING, ONE, F32, how) == (SIGNALING | QUIET_BIT, NONE)
    assert cast(SIGNALING, F32, F16, how) == (0x7E00, NONE)


def test_the_signalling_bit_may_be_one() -> None:
    how = under(Context(nan_rule="ab", snan_bit_is_one=True, default_nan=0x3F))
    assert arithmetic.add(QUIET, ONE, F32, how) == (0x7FBFFFFF, INVALID)
    assert arithmetic.add(SIGNALING, ONE, F32, how) == (SIGNALING, NONE)
    assert decode(SIGNALING, F32, how.context).signaling is False
    assert decode(QUIET, F32, how.context).signaling is True


def test_payloads_are_left_aligned_between_formats() -> None:
    how = under(contexts.X86_SSE)
    assert arithmetic.add(0x7E01, 0x3C00, F16, how, F32) == (0x7FC02000, NONE)
    assert arithmetic.add(0x7FC02000, ONE, F32, how, F16) == (0x7E01, NONE)
    assert arithmetic.add(0xFFC00001, ONE, F32, how, F16) == (0xFE00, NONE)
    assert arithmetic.add(0xFFFFFFFF, ONE, F32, how, E5M2) == (0xFF, NONE)


@pytest.mark.parametrize(("name", "code"), [("e4m3fn", 0xFF), ("e4m3fnuz", 0x80), ("hif8", 0x80)])
def test_formats_of_one_nan_use_it(name: str, code: int) -> None:
    fmt = get_format(name)
    assert arithmetic.div(0, 0, fmt, under(contexts.X86_SSE)) == (code, INVALID)
    assert arithmetic.add(0xFFC00001, ONE, F32, under(contexts.X86_SSE), fmt) == (code, NONE)


def test_neighbours_and_roots_follow_the_rule_too() -> None:
    how = under(contexts.X86_SSE)
    assert next_up(SIGNALING, F32, how) == (SIGNALING | QUIET_BIT, INVALID)
    assert arithmetic.sqrt(QUIET2, F32, how) == (QUIET2, NONE)
    assert arithmetic.round_to_integral(SIGNALING2, F32, how) == (0xFFE00001, INVALID)


@pytest.mark.parametrize(
    ("context", "above", "below", "nan"),
    [
        (contexts.IEEE, 0x7FFFFFFF, 0x80000000, 0x7FFFFFFF),
        (contexts.ARM, 0x7FFFFFFF, 0x80000000, 0),
        (contexts.X86_SSE, 0x80000000, 0x80000000, 0x80000000),
        (contexts.RISCV, 0x7FFFFFFF, 0x80000000, 0x7FFFFFFF),
    ],
)
def test_failed_conversions_to_integers(context: Context, above: int, below: int, nan: int) -> None:
    int32, uint32 = get_format("int32"), get_format("uint32")
    how = under(context)
    assert arithmetic.to_int(0x4F32D05E, F32, int32, how) == (above, INVALID)  # 3e9
    assert arithmetic.to_int(0xCF32D05E, F32, int32, how) == (below, INVALID)
    assert arithmetic.to_int(INF, F32, int32, how) == (above, INVALID)
    assert arithmetic.to_int(QUIET, F32, int32, how) == (nan, INVALID)
    negative = 0xFFFFFFFF if context is contexts.X86_SSE else 0
    assert arithmetic.to_int(0xBF800000, F32, uint32, how) == (negative, INVALID)


def test_flushing_may_look_at_another_time_than_tininess() -> None:
    # 2**-14 less a quarter of a quantum: tiny before rounding, not after it.
    after_only = Context(tininess="before", flush_outputs=True, flush_detection="after")
    nearly, half = 0x387FF800, get_format("float16")
    assert cast(nearly, F32, half, under(after_only)) == (0x0400, Flag.UNDERFLOW | Flag.INEXACT)
    before_only = Context(tininess="after", flush_outputs=True, flush_detection="before")
    assert cast(nearly, F32, half, under(before_only)) == (0, Flag.UNDERFLOW | Flag.INEXACT)
