"""NaN: the rules of each machine, the default NaN, and that NaN never turns into a number."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from minifloat import softfloat as sf
from minifloat.softfloat import PROFILES, ExceptionFlag, FloatStatus
from minifloat.softfloat._layouts import LAYOUTS
from minifloat.softfloat._table import ENTRIES

Q1, Q2, Q3 = 0x7FC00123, 0xFFC00456, 0x7FC00789
S1, S2, S3 = 0x7F800111, 0xFF800222, 0x7F800333
ONE, INF, ZERO = 0x3F800000, 0x7F800000, 0x00000000
QUIET = 0x00400000
INVALID = ExceptionFlag.INVALID

# Default NaN; of two NaNs (quiet, quiet), (quiet, signalling), (signalling, quiet); of a * b + c
# with three quiet NaNs, and with c alone signalling: the index of the operand, or None for default.
MACHINES: dict[str, tuple[int, tuple[Any, Any, Any], tuple[Any, Any]]] = {
    "arm": (0x7FC00000, (0, 1, 0), (2, 2)),
    "arm_default_nan": (0x7FC00000, (None, None, None), (None, None)),
    "arm_ah": (0xFFC00000, (0, 0, 0), (0, 0)),
    "x86_sse": (0xFFC00000, (0, 0, 0), (0, 0)),
    "riscv": (0x7FC00000, (None, None, None), (None, None)),
    "x87": (0xFFC00000, (1, 0, 1), (0, 2)),
    "power": (0x7FC00000, (0, 0, 0), (0, 0)),
    "s390x": (0x7FC00000, (0, 1, 0), (0, 2)),
    "mips_2008": (0x7FC00000, (0, 1, 0), (2, 2)),
    "loongarch": (0x7FC00000, (0, 1, 0), (2, 2)),
    "sparc": (0x7FFFFFFF, (1, 1, 0), (2, 2)),
    "m68k": (0x7FFFFFFF, (0, 0, 0), (0, 2)),
    "hexagon": (0xFFFFFFFF, (None, None, None), (None, None)),
    "alpha": (0x7FC00000, (1, 0, 1), (0, 2)),
}


@pytest.mark.parametrize("machine", MACHINES)
def test_machines_choose_their_nan(machine: str) -> None:
    default, pairs, triples = MACHINES[machine]
    status = FloatStatus.profile(machine)
    assert sf.float32_default_nan(status) == default
    assert sf.float32_div(ZERO, ZERO, status) == default

    def expected(operands: tuple[int, ...], index: int | None) -> int:
        return default if index is None else operands[index] | QUIET

    for operands, index in zip(((Q1, Q2), (Q1, S2), (S1, Q2)), pairs, strict=True):
        assert sf.float32_add(*operands, status) == expected(operands, index), operands
    for operands, index in zip(((Q1, Q2, Q3), (Q1, Q2, S3)), triples, strict=True):
        assert sf.float32_muladd(*operands, 0, status) == expected(operands, index), operands


def test_legacy_mips_and_hppa_signal_with_the_bit_set() -> None:
    mips, hppa = FloatStatus.profile("mips_legacy"), FloatStatus.profile("hppa")
    assert sf.float32_default_nan(mips) == 0x7FBFFFFF
    assert sf.float32_default_nan(hppa) == 0x7FA00000
    assert sf.float32_is_signaling_nan(0x7FC00001, mips)
    assert sf.float32_is_quiet_nan(0x7F800001, mips)
    assert sf.float32_add(0x7F800001, ONE, hppa) == 0x7F800001
    assert hppa.exception_flags == 0
    assert sf.float32_add(0x7FC00001, ONE, hppa) == 0x7FA00000
    assert hppa.exception_flags == INVALID | ExceptionFlag.INVALID_SNAN
    assert sf.float32_silence_nan(0x7FC00001, hppa) == 0x7FA00000


@pytest.mark.parametrize(
    ("machine", "result", "raised"),
    [
        ("arm", 0x7FC00000, INVALID | ExceptionFlag.INVALID_IMZ),
        ("arm_default_nan", 0x7FC00000, INVALID | ExceptionFlag.INVALID_IMZ),
        ("arm_ah", Q1, ExceptionFlag(0)),
        ("x86_sse", Q1, ExceptionFlag(0)),
        ("riscv", 0x7FC00000, INVALID | ExceptionFlag.INVALID_IMZ),
        ("softfloat_8086_sse", 0xFFC00000, INVALID | ExceptionFlag.INVALID_IMZ),
        ("power", Q1, INVALID | ExceptionFlag.INVALID_IMZ),
    ],
)
def test_infinity_times_zero_plus_nan(machine: str, result: int, raised: ExceptionFlag) -> None:
    status = FloatStatus.profile(machine)
    assert sf.float32_muladd(ZERO, INF, Q1, 0, status) == result
    assert status.exception_flags == raised


def test_arm_keeps_a_signalling_addend_of_infinity_times_zero() -> None:
    status = FloatStatus.profile("arm")
    assert sf.float32_muladd(INF, ZERO, S1, 0, status) == S1 | QUIET
    flags = INVALID | ExceptionFlag.INVALID_IMZ | ExceptionFlag.INVALID_SNAN
    assert status.exception_flags == flags
    quiet = FloatStatus.profile("x86_sse")
    assert sf.float32_muladd(INF, ZERO, S1, 0, quiet) == S1 | QUIET
    assert quiet.exception_flags == INVALID | ExceptionFlag.INVALID_SNAN


@pytest.mark.parametrize("order", list(itertools.permutations("abc")))
@pytest.mark.parametrize("signaling", [False, True])
def test_all_twelve_rules_of_three(order: tuple[str, ...], signaling: bool) -> None:
    rule = ("s_" if signaling else "") + "".join(order)
    status = FloatStatus(three_nan_rule=rule)  # type: ignore[arg-type]
    for operands in itertools.product((Q1, S1, ONE), (Q2, S2, ONE), (Q3, S3, ONE)):
        found = sf.float32_muladd(*operands, 0, status)
        nans = [k for k in map("abc".index, order) if operands[k] != ONE]
        if not nans:
            continue
        signals = [k for k in nans if operands[k] in (S1, S2, S3)]
        chosen = signals[0] if signaling and signals else nans[0]
        assert found == operands[chosen] | QUIET, (rule, operands)


def test_negating_leaves_the_sign_of_nan() -> None:
    status = FloatStatus()
    everything = sf.float_muladd_negate_c | sf.float_muladd_negate_product
    everything |= sf.float_muladd_negate_result
    assert sf.float32_muladd(ONE, ONE, Q1, everything, status) == Q1
    assert sf.float32_muladd(ONE, Q2, ONE, everything, status) == Q2
    assert sf.float32_chs(Q1) == Q1 | 0x80000000


@pytest.mark.parametrize("machine", PROFILES)
@pytest.mark.parametrize("prefix", [p for p, one in LAYOUTS.items() if one.fmt.has_nan])
def test_nan_in_gives_nan_out(prefix: str, machine: str) -> None:
    layout = LAYOUTS[prefix]
    rng = np.random.default_rng(1)
    dtype = np.dtype(f"u{(layout.fmt.code_bits + 7) // 8}")
    numbers = rng.integers(0, 2**64, 500, np.uint64).astype(dtype)
    content = 2**layout.fmt.bits - 1 << layout.fmt.code_shift
    numbers &= dtype.type(content)
    nans = numbers | dtype.type(layout.infinity)
    nans = nans[layout.is_nan(nans)]
    numbers = numbers[~layout.is_nan(numbers)][: len(nans)]
    nans = nans[: len(numbers)]
    assert len(nans) > 100
    status = FloatStatus.profile(machine)
    prefers_numbers = ("minnum", "maxnum", "minnummag", "maxnummag", "minimum_number")
    skipped = {f"{prefix}_{name}" for name in (*prefers_numbers, "maximum_number")}
    checked = 0
    for name, entry in ENTRIES.items():
        kinds = [kind for _, kind in entry.parameters]
        own = name.startswith(f"{prefix}_") and entry.returns == "Codes"
        if not own or name in skipped or "Codes" not in kinds:
            continue
        target = entry.family.removeprefix("to_")
        result = LAYOUTS.get(target, layout)
        if not result.fmt.has_nan:
            continue
        places = [k for k, kind in enumerate(kinds) if kind == "Codes"]
        for place in places:
            arguments = [_argument(kind, parameter) for parameter, kind in entry.parameters]
            for k in places:
                arguments[k] = nans if k == place else numbers
            arguments = [status if a is None else a for a in arguments]
            found = getattr(sf, name)(*arguments)
            assert result.is_nan(found).all(), (name, place)
            checked += 1
    # 5 operations on two, 2 on three, 2 extrema, 3 roundings, 5 on bits, 6 conversions
    assert checked == 10 + 6 + 4 + 3 + 5 + 6


def _argument(kind: str, parameter: str) -> Any:
    return {"bool": True, "int": 0, "Integers": 3}.get(kind) if parameter != "status" else None


def test_e4m3_has_one_nan_whatever_the_pattern() -> None:
    for pattern in (0x40, 0xC0, 0x7F, 0x20, 0x01):
        status = FloatStatus(default_nan_mode=True, default_nan_pattern=pattern)
        expected = 0x7F | pattern & 0x80
        assert sf.float8e4m3_default_nan(status) == expected
        assert sf.bfloat16_to_float8e4m3(0x7FC0, False, status) == expected
        assert sf.bfloat16_to_float8e4m3(0xFF80, False, status) == expected
        assert sf.float8e4m3_mul(0xFE, 0x7E, status) == expected
    keeps = FloatStatus()
    assert sf.bfloat16_to_float8e4m3(0xFFC1, False, keeps) == 0xFF
    assert sf.float8e4m3_add(0xFF, 0x38, keeps) == 0xFF
    assert sf.float8e4m3_mul(0xFE, 0x7E, keeps) == 0x7F


def test_riscv_has_no_signalling_e5m2() -> None:
    plain, riscv = FloatStatus(), FloatStatus.profile("riscv")
    assert sf.float8e5m2_is_signaling_nan(0x7D, plain)
    assert not sf.float8e5m2_is_signaling_nan(0x7D, riscv)
    assert sf.float8e5m2_add(0x7D, 0x3C, riscv) == 0x7E
    assert riscv.exception_flags == 0
    sf.float8e5m2_add(0x7D, 0x3C, plain)
    assert plain.exception_flags == INVALID | ExceptionFlag.INVALID_SNAN


def test_no_signaling_nans() -> None:
    status = FloatStatus(no_signaling_nans=True)
    assert sf.float32_add(S1, ONE, status) == S1 | QUIET
    assert status.exception_flags == 0
    assert sf.float32_is_quiet_nan(S1, status)
