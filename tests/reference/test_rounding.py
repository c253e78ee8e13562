"""The reference's rounding, range and flag rules, one by one, on values worked out by hand."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Literal

import pytest
from strategies import DETERMINISTIC

from minifloat._context import Context
from minifloat._errors import CodeError, NanError, OptionError
from minifloat._flags import Flag
from minifloat._formats import IntFormat, get_format
from minifloat._rounding import Overflow, Rounding, Stochastic
from minifloat.reference.how import How
from minifloat.reference.rounding import cast, encode
from minifloat.reference.spacing import quantum
from minifloat.reference.values import Value, decode, smallest_normal

NONE = Flag(0)
INEXACT, OVERFLOW, INVALID = Flag.INEXACT, Flag.OVERFLOW | Flag.INEXACT, Flag.INVALID
TINY = Flag.UNDERFLOW | Flag.INEXACT
Tininess = Literal["after", "before"]


def tininess(rule: Tininess) -> Context:
    return Context(tininess=rule)


# ---- choosing between neighbours -------------------------------------------------------------


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        # Of 1.25 and -1.25 (halfway), 1.3125, 1.1875 in a format with values 1, 1.5.
        (Rounding.TIES_TO_EVEN, (1.0, -1.0, 1.5, 1.0)),
        (Rounding.TIES_TO_AWAY, (1.5, -1.5, 1.5, 1.0)),
        (Rounding.TIES_TO_ZERO, (1.0, -1.0, 1.5, 1.0)),
        (Rounding.TOWARD_ZERO, (1.0, -1.0, 1.0, 1.0)),
        (Rounding.AWAY_FROM_ZERO, (1.5, -1.5, 1.5, 1.5)),
        (Rounding.TOWARD_POSITIVE, (1.5, -1.0, 1.5, 1.5)),
        (Rounding.TOWARD_NEGATIVE, (1.0, -1.5, 1.0, 1.0)),
        (Rounding.TO_ODD, (1.5, -1.5, 1.5, 1.5)),
    ],
)
def test_modes_choose_their_neighbour(mode: Rounding, expected: tuple[float, ...]) -> None:
    fmt = get_format("e2m1fn")
    results = [encode(x, fmt, How(mode)) for x in (1.25, -1.25, 1.3125, 1.1875)]
    assert tuple(float(decode(code, fmt)) for code, _ in results) == expected
    assert {flags for _, flags in results} == {INEXACT}


@pytest.mark.parametrize(
    ("name", "tie", "even", "odd"),
    [
        # With no trailing bit neighbouring powers of two differ in the parity of their codes.
        ("e8m0", 1.5, 2.0, 1.0),
        ("e8m0", 3.0, 2.0, 4.0),
        ("binary8p1ue", 1.5, 1.0, 2.0),
        ("binary8p1ue", 3.0, 4.0, 2.0),
        ("hifloat8", 1.5 * 2.0**-17, 2.0**-17, 2.0**-16),
        ("hifloat8", 2.0**-23, 0.0, 2.0**-22),
        ("hifloat8", 1.5 * 2.0**-16, 2.0**-15, 2.0**-16),
        ("hifloat8", 40960.0, 32768.0, math.inf),
        ("int8", 2.5, 2.0, 3.0),
        ("int8", 3.5, 4.0, 3.0),
    ],
)
def test_parity_is_that_of_the_code(name: str, tie: float, even: float, odd: float) -> None:
    fmt = get_format(name)
    results = (encode(tie, fmt, How(mode))[0] for mode in ("rne", "rto"))
    values = [float(decode(code, fmt)) for code in results]
    if math.isinf(odd):  # IEEE 754 has no to-odd overflow to infinity
        odd = float(fmt.max)
    assert values == [even, odd]


def test_a_tie_at_the_edge_goes_by_the_code_that_would_follow() -> None:
    assert encode(464, get_format("e4m3fn")) == (0x7E, INEXACT)
    assert encode(248, get_format("e4m3fnuz")) == (0x80, OVERFLOW)
    assert encode(248, get_format("e4m3")) == (0x78, OVERFLOW)
    assert encode(7, get_format("e2m1fn")) == (0x7, OVERFLOW)
    assert encode(6.9, get_format("e2m1fn")) == (0x7, INEXACT)


@pytest.mark.parametrize("mode", DETERMINISTIC)
def test_without_subnormals_the_smallest_value_is_the_only_quantum_below(mode: Rounding) -> None:
    fmt = get_format("e3m2:nosubnormals")
    low = 0.25
    up = mode in (Rounding.TOWARD_POSITIVE, Rounding.AWAY_FROM_ZERO, Rounding.TO_ODD)
    nearest = mode.value.startswith("ties")
    tie_goes_up = mode is Rounding.TIES_TO_AWAY or up
    for x, goes_up in ((0.2, up or nearest), (0.1, up), (0.125, tie_goes_up)):
        code, flags = encode(x, fmt, How(mode, context=tininess("before")))
        assert float(decode(code, fmt)) == (low if goes_up else 0.0), x
        assert flags == TINY


def test_dlfloat16_has_no_subnormals_and_an_odd_smallest_value() -> None:
    fmt = get_format("dlfloat16")
    smallest = Fraction(513, 2**40)
    assert fmt.smallest == smallest == smallest_normal(fmt)
    assert encode(smallest / 2, fmt) == (0, TINY)
    assert encode(smallest / 2, fmt, How("rto")) == (1, TINY)
    assert encode(smallest * Fraction(50001, 100000), fmt) == (1, TINY)
    # With an unbounded exponent the nearest value would be 2**-31 still, just below.
    assert encode(Fraction(1, 2**31), fmt) == (1, TINY)
    assert encode(smallest * (1 - Fraction(1, 2**20)), fmt) == (1, INEXACT)


def test_quanta_of_hifloat8_taper() -> None:
    fmt = get_format("hifloat8")
    sizes = {0: 3, 3: 3, -3: 3, 4: 2, -7: 2, 8: 1, -15: 1, 15: 1, -16: 0, -22: 0}
    for exponent, trailing_bits in sizes.items():
        value = Fraction(2) ** exponent * Fraction(5, 4)
        assert quantum(value, fmt) == Fraction(2) ** (exponent - trailing_bits)
    assert quantum(Fraction(1, 2**40), fmt) == Fraction(1, 2**22)


# ---- range -----------------------------------------------------------------------------------

INF_AT_TOP = dict.fromkeys(DETERMINISTIC, "inf") | {
    Rounding.TOWARD_ZERO: "max",
    Rounding.TO_ODD: "max",
}


@pytest.mark.parametrize("mode", DETERMINISTIC)
@pytest.mark.parametrize("negative", [False, True])
def test_ieee_overflow_goes_by_mode(mode: Rounding, negative: bool) -> None:
    inward = Rounding.TOWARD_POSITIVE if negative else Rounding.TOWARD_NEGATIVE
    stays = mode is inward or INF_AT_TOP[mode] == "max"
    sign = 0x80 if negative else 0
    x = -1e9 if negative else 1e9
    how = How(mode, Overflow.IEEE)
    assert encode(x, get_format("e5m2"), how) == (sign | (0x7B if stays else 0x7C), OVERFLOW)
    assert encode(x, get_format("e4m3fn"), how) == (sign | (0x7E if stays else 0x7F), OVERFLOW)
    fnuz = get_format("e5m2fnuz")
    assert encode(x, fnuz, how) == (sign | 0x7F if stays else 0x80, OVERFLOW)


def test_infinities_pass_without_flags_whatever_they_become() -> None:
    e5m2, e4m3fn, e2m1 = (get_format(name) for name in ("e5m2", "e4m3fn", "e2m1fn"))
    cells = [
        (e5m2, Overflow.IEEE, 0x7C),
        (e5m2, Overflow.SATURATE, 0x7B),
        (e5m2, Overflow.SATURATE_KEEP_INFINITY, 0x7C),
        (e5m2, Overflow.INFINITY, 0x7C),
        (e5m2, Overflow.NAN, 0x7E),
        (e5m2, Overflow.NAN_KEEP_INFINITY, 0x7C),
        (e4m3fn, Overflow.IEEE, 0x7F),
        (e4m3fn, Overflow.NAN_KEEP_INFINITY, 0x7F),
        (e4m3fn, Overflow.NAN, 0x7F),
        (e4m3fn, Overflow.SATURATE, 0x7E),
        (e4m3fn, Overflow.SATURATE_KEEP_INFINITY, 0x7E),
        (e2m1, Overflow.SATURATE, 0x7),
        (e2m1, Overflow.SATURATE_KEEP_INFINITY, 0x7),
    ]
    for fmt, policy, code in cells:
        for mode in DETERMINISTIC:
            how = How(mode, policy)
            assert encode(math.inf, fmt, how) == (code, NONE)
            sign = 1 << (fmt.bits - 1)
            assert encode(-math.inf, fmt, how) == (sign | code, NONE)


@pytest.mark.parametrize(
    ("name", "policy"),
    [
        ("e2m1fn", Overflow.IEEE),
        ("e2m1fn", Overflow.NAN),
        ("e4m3fn", Overflow.INFINITY),
        ("e4m3fn", Overflow.WRAP),
        ("int8", Overflow.IEEE),
        ("int8", Overflow.P3109),
        ("ue2m2:finite", Overflow.P3109),
    ],
)
def test_policies_without_a_code_for_their_result_are_refused(name: str, policy: Overflow) -> None:
    with pytest.raises(OptionError, match="saturate"):
        encode(1, get_format(name), How(overflow=policy))


def test_nan_without_a_code_follows_the_nan_policy() -> None:
    fmt, integer = get_format("e2m1fn"), get_format("int8")
    with pytest.raises(NanError, match="float4_e2m1fn"):
        encode(math.nan, fmt)
    assert encode(-math.nan, fmt, How(nan="max")) == (0x7, INVALID)
    assert encode(math.nan, fmt, How(nan="zero")) == (0x0, INVALID)
    assert encode(math.nan, integer, How(nan="max")) == (127, INVALID)
    with pytest.raises(OptionError, match="propagate"):
        encode(math.nan, fmt, How(nan="propagate"))


def test_nan_keeps_its_sign_where_it_has_one() -> None:
    for name, codes_ in {
        "e4m3fn": (0x7F, 0xFF),
        "e5m2": (0x7E, 0xFE),
        "hif8": (0x80, 0x80),
    }.items():
        fmt = get_format(name)
        assert tuple(encode(x, fmt)[0] for x in (math.nan, -math.nan)) == codes_


def test_signaling_nans_are_invalid_and_become_quiet() -> None:
    half = get_format("float16")
    assert cast(0x7D01, half, get_format("float32")) == (0x7FC00000, INVALID)
    assert cast(0xFE01, half, get_format("e4m3fn")) == (0xFF, NONE)
    assert cast(0x7D01, half, half) == (0x7E00, INVALID)


@pytest.mark.parametrize(
    ("policy", "finite", "infinite"),
    [
        # Of -2 in a format with NaN at 0xFF: a negative number, then -infinity.
        (Overflow.IEEE, (0xFF, INVALID), (0xFF, INVALID)),
        (Overflow.NAN, (0xFF, INVALID), (0xFF, INVALID)),
        (Overflow.NAN_KEEP_INFINITY, (0xFF, INVALID), (0xFF, INVALID)),
        (Overflow.SATURATE, (0, INVALID), (0, NONE)),
        (Overflow.SATURATE_KEEP_INFINITY, (0, INVALID), (0, NONE)),
        (Overflow.P3109, (0xFF, INVALID), (0xFF, INVALID)),
    ],
)
def test_negative_numbers_in_an_unsigned_format(
    policy: Overflow, finite: tuple[int, Flag], infinite: tuple[int, Flag]
) -> None:
    fmt = get_format("ue5m3")
    assert encode(-2, fmt, How(overflow=policy)) == finite
    assert encode(-math.inf, fmt, How(overflow=policy)) == infinite
    assert encode(-0.0, fmt, How(overflow=policy)) == (0, NONE)


def test_p3109_rounds_negative_numbers_before_it_refuses_them() -> None:
    fmt = get_format("binary8p3ue")
    tiny = -Fraction(fmt.smallest) / 4
    assert encode(tiny, fmt) == (0, TINY)
    assert encode(tiny, fmt, How("rtn")) == (0xFF, INVALID)
    assert encode(-2, fmt, How("rtz")) == (0, INVALID)
    assert encode(-2, fmt, How("rtp")) == (0, INVALID)
    assert encode(-2, fmt, How("rto")) == (0xFF, INVALID)
    assert encode(tiny, fmt, How(overflow="saturate")) == (0, INVALID)


def test_a_format_without_zero() -> None:
    fmt = get_format("e8m0")
    smallest = 2.0**-127
    for mode in DETERMINISTIC:
        for x in (smallest * 0.9, smallest / 2, 1e-300):
            assert encode(x, fmt, How(mode)) == (0, TINY)
        assert encode(0.0, fmt, How(mode)) == (0xFF, INVALID)
        assert encode(-1.0, fmt, How(mode)) == (0xFF, INVALID)
    assert encode(-math.inf, fmt, How(overflow="saturate")) == (0xFF, INVALID)
    assert encode(-1.0, fmt, How(overflow="saturate")) == (0xFF, INVALID)


@pytest.mark.parametrize(
    ("x", "saturated", "wrapped"),
    [
        (127.4, (127, INEXACT), (127, INEXACT)),
        (127.5, (127, INVALID), (0x80, INVALID)),
        (-128.5, (0x80, INEXACT), (0x80, INEXACT)),
        (-129, (0x80, INVALID), (0x7F, INVALID)),
        (300, (127, INVALID), (300 - 256, INVALID)),
        (-300, (0x80, INVALID), ((-300) % 256, INVALID)),
        (0.5, (0, INEXACT), (0, INEXACT)),
        (-0.0, (0, NONE), (0, NONE)),
        (math.inf, (127, INVALID), (0, INVALID)),
        (-math.inf, (0x80, INVALID), (0, INVALID)),
    ],
)
def test_integers_saturate_or_wrap(
    x: float, saturated: tuple[int, Flag], wrapped: tuple[int, Flag]
) -> None:
    fmt = get_format("int8")
    assert encode(x, fmt) == saturated
    assert encode(x, fmt, How(overflow="wrap")) == wrapped


def test_integers_have_scales_and_64_bits() -> None:
    fixed = IntFormat(8, scale_exponent=-4)
    assert encode(1.03125, fixed) == (0x10, INEXACT)
    assert encode(100, fixed) == (127, INVALID)
    assert encode(2**63 - 1, get_format("int64")) == (2**63 - 1, NONE)
    assert encode(Fraction(2**65 - 1, 2), get_format("uint64")) == (2**64 - 1, INVALID)


# ---- flags -----------------------------------------------------------------------------------


@pytest.mark.parametrize("rule", ["after", "before"])
def test_tininess_differs_only_in_the_last_step_below_the_normal_range(rule: Tininess) -> None:
    fmt = get_format("float16")
    bound = Fraction(1, 2**14)
    step = Fraction(1, 2**25)  # half a subnormal quantum: a quantum of the binade below
    how = How(context=tininess(rule))
    expected = INEXACT if rule == "after" else TINY
    assert encode(bound - step / 4, fmt, how) == (0x0400, expected)
    assert encode(bound - step / 2, fmt, how) == (0x0400, expected)
    assert encode(bound - step * Fraction(51, 100), fmt, how) == (0x0400, TINY)
    assert encode(bound - step, fmt, how) == (0x0400, TINY)
    assert encode(bound - 2 * step, fmt, how) == (0x03FF, NONE)
    assert encode(bound + step, fmt, how) == (0x0400, INEXACT)


def test_tininess_of_hifloat8_goes_by_the_precision_of_its_lowest_normal_binade() -> None:
    fmt = get_format("hifloat8")
    step = Fraction(1, 2**17)
    bound = 4 * step
    # Both round to 2**-15; with one trailing bit the first would be a value below it.
    assert encode(bound - step, fmt) == (0x7E, TINY)
    assert encode(bound - step / 2, fmt) == (0x7E, INEXACT)
    before = How(context=tininess("before"))
    assert encode(bound - step / 2, fmt, before) == (0x7E, TINY)


def test_stochastic_modes_judge_tininess_before_rounding() -> None:
    fmt = get_format("float16")
    x = Fraction(1, 2**14) * (1 - Fraction(1, 2**13))
    how = How(Stochastic(8), random_bits=255)
    assert encode(x, fmt, how) == (0x0400, TINY)


def test_flushing_outputs_zeroes_tiny_results_even_exact_ones() -> None:
    fmt = get_format("e5m2")
    how = How(context=Context(flush_outputs=True))
    assert encode(2.0**-15, fmt, how) == (0x00, TINY)
    assert encode(-(2.0**-15), fmt, how) == (0x80, TINY)
    assert encode(2.0**-14, fmt, how) == (0x04, NONE)
    nearly = 2.0**-14 * (1 - 2.0**-6)
    assert encode(nearly, fmt, how) == (0x04, INEXACT)
    before = How(context=Context(tininess="before", flush_outputs=True))
    assert encode(nearly, fmt, before) == (0x00, TINY)


def test_flushing_inputs_zeroes_subnormal_sources_silently() -> None:
    half, single = get_format("float16"), get_format("float32")
    how = How(context=Context(flush_inputs=True))
    assert cast(0x03FF, half, single, how) == (0, NONE)
    assert cast(0x83FF, half, single, how) == (0x80000000, NONE)
    assert cast(0x0400, half, single, how) == (0x38800000, NONE)


def test_codes_in_storage_form() -> None:
    fmt = get_format("tfloat32")
    assert encode(1.0, fmt) == (0x3F800000, NONE)
    assert decode(0x3F802000, fmt) == Value.of(1 + Fraction(1, 1024))
    for stray in (0x3F800001, 0x3F801000, 1 << 32, -1):
        with pytest.raises(CodeError, match="tfloat32"):
            decode(stray, fmt)
