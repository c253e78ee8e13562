"""Reference arithmetic against numbers that float64, numpy and the math module get exactly."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import numpy as np
import pytest
from strategies import DETERMINISTIC

from minifloat._context import Context, contexts
from minifloat._errors import FormatError
from minifloat._flags import Flag
from minifloat._formats import get_format
from minifloat._rounding import Overflow, Rounding, Stochastic
from minifloat.reference import arithmetic
from minifloat.reference.arithmetic import ARITHMETIC
from minifloat.reference.bulk import encode_array
from minifloat.reference.grid import decode_table
from minifloat.reference.how import How
from minifloat.reference.rounding import encode
from minifloat.reference.values import Kind, Value, decode

E4M3FN, E5M2, E2M1 = (get_format(name) for name in ("e4m3fn", "e5m2", "e2m1fn"))
F16, F32 = get_format("float16"), get_format("float32")
NARROW = [
    "e4m3fn",
    "e5m2",
    "e3m4",
    "e5m2fnuz",
    "e2m1fn",
    "e3m2fn",
    "hifloat8",
    "binary8p4se",
    "binary6p2sf",
    "ue5m3",
]
NONE = Flag(0)

# In float64 the sums and products of 8-bit numbers are exact; quotients and roots are so precise
# that no tie and no grid point of an 8-bit format lies between them and the exact ones.
FLOAT64: dict[str, Callable[..., np.ndarray]] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.divide,
}


@pytest.mark.parametrize("name", NARROW)
@pytest.mark.parametrize("operation", FLOAT64)
def test_binary_operations_agree_with_float64(operation: str, name: str) -> None:
    fmt = get_format(name)
    pairs = np.random.default_rng(8).integers(0, 1 << fmt.bits, (200, 2))
    values = decode_table(fmt)[pairs]
    for mode, context in itertools.product(DETERMINISTIC, (contexts.IEEE, contexts.ARM)):
        how = How(mode, nan="max", context=context)
        with np.errstate(all="ignore"):
            result = FLOAT64[operation](*values.T)
        # Left out here: NaN operands (no result to compare), and zero sums and divisors, whose
        # sign rules numpy does not share in all modes; they have their own tests.
        plain = np.isfinite(result) & (result != 0)
        codes, flags = encode_array(result[plain], fmt, how)
        for (a, b), code, flag in zip(pairs[plain].tolist(), codes, flags, strict=True):
            ours = getattr(arithmetic, operation)(a, b, fmt, how)
            assert ours == (code, Flag(int(flag))), (hex(a), hex(b), mode)


@pytest.mark.parametrize("name", NARROW)
def test_fma_agrees_with_float64(name: str) -> None:
    fmt = get_format(name)
    if fmt.bits == 8 and name in ("ue5m3", "e5m2", "e5m2fnuz", "hifloat8"):
        # Range and precision of x * y + z exceed float64's 53 bits: small operands only.
        codes = [code for code in range(256) if 2.0**-8 < abs(decode_table(fmt)[code]) < 2.0**8]
    else:
        codes = [code for code in range(1 << fmt.bits) if math.isfinite(decode_table(fmt)[code])]
    triples = np.random.default_rng(3).choice(codes, (600, 3))
    x, y, z = decode_table(fmt)[triples].T
    exact = x * y + z
    for mode in DETERMINISTIC:
        how = How(mode, nan="max")
        codes_, flags = encode_array(exact, fmt, how)
        for (a, b, c), value, code, flag in zip(
            triples.tolist(), exact, codes_, flags, strict=True
        ):
            if value:
                ours = arithmetic.fma(a, b, c, fmt, how)
                assert ours == (code, Flag(int(flag))), (hex(a), hex(b), hex(c), mode)


@pytest.mark.parametrize("name", NARROW)
def test_sqrt_agrees_with_float64(name: str) -> None:
    fmt = get_format(name)
    values = decode_table(fmt)
    codes = np.flatnonzero(values > 0)
    for mode in DETERMINISTIC:
        how = How(mode, nan="max")
        expected, flags = encode_array(np.sqrt(values[codes]), fmt, how)
        ours = [arithmetic.sqrt(code, fmt, how) for code in codes.tolist()]
        assert [code for code, _ in ours] == expected.tolist(), mode
        assert [int(flag) for _, flag in ours] == flags.tolist(), mode


def test_results_in_another_format_round_once() -> None:
    # 1 + 2**-9 * 2**-3: exact in float32, a double rounding in float16 would lose it.
    one, tiny = 0x38, 0x01
    assert arithmetic.add(one, tiny, E4M3FN, out=F32) == (
        encode(1 + 2.0**-9, F32)[0],
        NONE,
    )
    code, flags = arithmetic.fma(0x3C, 0x01, one, (E5M2, E5M2, E4M3FN), out=F16)
    assert (float(decode(code, F16)), flags) == (1.0, Flag.INEXACT)
    with pytest.raises(FormatError, match="out="):
        arithmetic.add(one, tiny, (E4M3FN, E5M2))


@pytest.mark.parametrize("mode", DETERMINISTIC)
def test_zero_sums_are_negative_only_toward_negative(mode: Rounding) -> None:
    how = How(mode)
    minus = 0x8000 if mode is Rounding.TOWARD_NEGATIVE else 0
    assert arithmetic.sub(0x3C00, 0x3C00, F16, how) == (minus, NONE)
    assert arithmetic.add(0x0000, 0x8000, F16, how) == (minus, NONE)
    assert arithmetic.fma(0x3C00, 0x3C00, 0xBC00, F16, how) == (minus, NONE)
    assert arithmetic.add(0x8000, 0x8000, F16, how) == (0x8000, NONE)
    assert arithmetic.add(0x0000, 0x0000, F16, how) == (0, NONE)
    assert arithmetic.sqrt(0x8000, F16, how) == (0x8000, NONE)


def test_formats_without_negative_zero_give_zero() -> None:
    fmt = get_format("float8_e4m3fnuz")
    how = How(Rounding.TOWARD_NEGATIVE)
    assert arithmetic.sub(0x40, 0x40, fmt, how) == (0, NONE)
    assert arithmetic.mul(0x00, 0xC0, fmt, how) == (0, NONE)


@pytest.mark.parametrize(
    ("name", "policy", "expected"),
    [
        ("float16", None, 0x7C00),
        ("float8_e4m3fn", None, 0x7F),
        ("float8_e4m3fn", Overflow.SATURATE, 0x7E),
        ("float4_e2m1fn", None, 0x7),
        ("float16", Overflow.SATURATE, 0x7BFF),
        ("hifloat8", None, 0x6F),
    ],
)
def test_division_by_zero_passes_the_range_step(
    name: str, policy: Overflow | None, expected: int
) -> None:
    fmt = get_format(name)
    one, _ = encode(1, fmt)
    how = How(overflow=policy, nan="max")
    assert arithmetic.div(one, 0, fmt, how) == (expected, Flag.DIVIDE_BY_ZERO)


@pytest.mark.parametrize("name", ["binary8p3se", "binary8p4sf", "binary8p3ue", "binary6p6uf"])
def test_division_by_zero_is_nan_in_p3109(name: str) -> None:
    fmt = get_format(name)
    for dividend in range(1 << fmt.bits):
        code, flags = arithmetic.div(dividend, 0, fmt)
        assert decode(code, fmt).is_nan
        assert flags == (NONE if decode(dividend, fmt).is_nan else Flag.INVALID)


INF, NEG_INF, ONE, ZERO, QUIET, SIGNALING = 0x7C, 0xFC, 0x3C, 0x00, 0x7E, 0x7D


@pytest.mark.parametrize(
    ("operation", "operands"),
    [
        ("add", (INF, NEG_INF)),
        ("sub", (INF, INF)),
        ("mul", (INF, ZERO)),
        ("mul", (ZERO, NEG_INF)),
        ("div", (INF, INF)),
        ("div", (ZERO, ZERO)),
        ("sqrt", (0xBC,)),
        ("sqrt", (NEG_INF,)),
        ("rem", (INF, ONE)),
        ("rem", (ONE, ZERO)),
        ("fma", (INF, ZERO, ONE)),
        ("fma", (INF, ZERO, QUIET)),
        ("fma", (INF, ONE, NEG_INF)),
        ("add", (SIGNALING, ONE)),
        ("mul", (ONE, SIGNALING)),
        ("rem", (SIGNALING, QUIET)),
        ("fma", (ONE, ONE, SIGNALING)),
        ("round_to_integral", (SIGNALING,)),
    ],
)
def test_invalid_operations_give_the_canonical_nan(
    operation: str, operands: tuple[int, ...]
) -> None:
    assert getattr(arithmetic, operation)(*operands, E5M2) == (QUIET, Flag.INVALID)


def test_quiet_nans_pass_silently() -> None:
    for operation in ("add", "sub", "mul", "div", "rem"):
        for nan in (QUIET, 0xFE, 0x7F):
            for operands in ((nan, ONE), (INF, nan), (nan, nan)):
                assert getattr(arithmetic, operation)(*operands, E5M2) == (QUIET, NONE)
    assert arithmetic.add(0x7D, ONE, E5M2, How(context=contexts.RISCV)) == (QUIET, NONE)


def test_invalid_without_nan_gives_the_largest_value() -> None:
    assert arithmetic.div(0, 0, E2M1) == (0x7, Flag.INVALID)
    assert arithmetic.sqrt(0xA, E2M1) == (0x7, Flag.INVALID)


def test_every_operation_with_a_nan_gives_nan() -> None:
    for name in ("e4m3fn", "e5m2", "e4m3fnuz", "hifloat8", "e8m0fnu", "binary8p3ue", "dlfloat16"):
        fmt = get_format(name)
        nan, _ = encode(math.nan, fmt)
        others = [0, 1, fmt.max_code, nan]  # type: ignore[attr-defined]
        for operation, other in itertools.product(("add", "sub", "mul", "div", "rem"), others):
            function = getattr(arithmetic, operation)
            assert decode(function(nan, other, fmt)[0], fmt).is_nan, (name, operation)
            assert decode(function(other, nan, fmt)[0], fmt).is_nan, (name, operation)


def test_flushed_operands_are_zeros() -> None:
    flush = How(context=Context(flush_inputs=True))
    smallest_normal, largest_subnormal = 0x0400, 0x03FF
    assert arithmetic.add(largest_subnormal, 0x8001, F16, flush) == (0, NONE)
    assert arithmetic.sub(smallest_normal, largest_subnormal, F16, flush) == (0x0400, NONE)
    assert arithmetic.div(0x3C00, 0x0001, F16, flush) == (0x7C00, Flag.DIVIDE_BY_ZERO)
    assert arithmetic.mul(0x8001, 0x3C00, F16, flush) == (0x8000, NONE)


def test_flushed_results_are_zeros() -> None:
    flush = How(context=Context(flush_outputs=True))
    tiny = Flag.UNDERFLOW | Flag.INEXACT
    assert arithmetic.sub(0x0401, 0x0400, F16, flush) == (0, tiny)
    assert arithmetic.sub(0x0400, 0x0401, F16, flush) == (0x8000, tiny)
    assert arithmetic.sub(0x0800, 0x0400, F16, flush) == (0x0400, NONE)


def test_rem_agrees_with_the_math_module() -> None:
    rng = np.random.default_rng(11)
    for a, b in rng.integers(0, 1 << 16, (4000, 2)).tolist():
        x, y = float(decode(a, F16)), float(decode(b, F16))
        if math.isfinite(x) and y and not math.isnan(y):
            expected = encode(math.remainder(x, y), F16)
            assert arithmetic.rem(a, b, F16) == expected, (hex(a), hex(b))


def test_round_to_integral_agrees_with_numpy() -> None:
    functions = {
        Rounding.TIES_TO_EVEN: np.rint,
        Rounding.TOWARD_ZERO: np.trunc,
        Rounding.TOWARD_POSITIVE: np.ceil,
        Rounding.TOWARD_NEGATIVE: np.floor,
    }
    codes = np.arange(0, 1 << 16, 7, dtype=np.uint16)
    values = codes.view(np.float16)
    codes, values = codes[~np.isnan(values)], values[~np.isnan(values)]
    for mode, function in functions.items():
        expected = function(values)
        ours = [arithmetic.round_to_integral(code, F16, How(mode)) for code in codes.tolist()]
        assert [code for code, _ in ours] == expected.view(np.uint16).tolist()
        inexact = (expected != values).astype(int).tolist()
        assert [int(flags) for _, flags in ours] == inexact
        silent = arithmetic.round_to_integral(int(codes[99]), F16, How(mode), exact=False)
        assert silent == (ours[99][0], NONE)


def test_round_to_integral_overflows_where_the_integer_is_out_of_range() -> None:
    fmt = get_format("float4_e1m2fn")
    largest, _ = encode(1.75, fmt)
    code, flags = arithmetic.round_to_integral(largest, fmt)
    assert (code, flags) == (largest, Flag.OVERFLOW | Flag.INEXACT)


def test_scalbn_rounds_once() -> None:
    assert arithmetic.scalbn(0x3C01, -20, F16) == encode((1 + 2.0**-10) * 2.0**-20, F16)
    assert arithmetic.scalbn(0x3C00, 20, F16) == (0x7C00, Flag.OVERFLOW | Flag.INEXACT)
    assert arithmetic.scalbn(0x8000, 100000, F16) == (0x8000, NONE)
    assert arithmetic.fma(0x3C00, 0x3C00, 0x3C00, F16, exponent=-1) == (0x3C00, NONE)


def test_conversions_to_and_from_integers() -> None:
    int8, uint8 = get_format("int8"), get_format("uint8")
    assert arithmetic.to_int(encode(-7.5, F16)[0], F16, int8) == (0xF8, Flag.INEXACT)
    assert arithmetic.to_int(encode(-7.5, F16)[0], F16, int8, exact=False) == (0xF8, NONE)
    assert arithmetic.to_int(encode(300, F16)[0], F16, int8) == (127, Flag.INVALID)
    assert arithmetic.to_int(encode(-0.4, F16)[0], F16, uint8) == (0, Flag.INEXACT)
    assert arithmetic.to_int(encode(-0.6, F16)[0], F16, uint8) == (0, Flag.INVALID)
    wrap = How(overflow=Overflow.WRAP, nan="zero")
    assert arithmetic.to_int(encode(300, F16)[0], F16, int8, wrap) == (300 - 256, Flag.INVALID)
    assert arithmetic.to_int(0x7E00, F16, int8, wrap) == (0, Flag.INVALID)
    assert arithmetic.from_int(2**62 + 2**54 + 1, get_format("bfloat16")) == (
        0x5E81,
        Flag.INEXACT,
    )


def test_stochastic_sums_use_the_random_bits() -> None:
    results = {
        arithmetic.add(0x38, 0x10, E4M3FN, How(Stochastic(3), random_bits=r))[0] for r in range(8)
    }
    assert results == {0x38, 0x39}


def test_integer_formats_have_no_arithmetic() -> None:
    with pytest.raises(FormatError, match="int8"):
        arithmetic.add(1, 1, get_format("int8"))
    with pytest.raises(FormatError, match="int8"):
        arithmetic.add(1, 1, F16, ARITHMETIC, get_format("int8"))


def test_values_carry_their_class() -> None:
    assert Value.of(-math.inf) == Value(Kind.INFINITE, True)
    assert Value.of(np.float32(-0.0)) == Value(negative=True)
    with pytest.raises(ValueError, match="rational"):
        _ = Value.of(math.nan).number
