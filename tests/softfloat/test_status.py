"""The status: its fields, its helpers, the machines."""

from __future__ import annotations

import pytest

from minifloat import contexts
from minifloat import softfloat as sf
from minifloat._errors import MinifloatError
from minifloat.softfloat import ExceptionFlag, FloatStatus


@pytest.mark.parametrize(
    ("profile", "context"),
    [
        ("arm", contexts.ARM),
        ("arm_default_nan", contexts.ARM_DEFAULT_NAN),
        ("arm_ah", contexts.ARM_AH),
        ("x86_sse", contexts.X86_SSE),
        ("riscv", contexts.RISCV),
    ],
)
def test_profiles_are_the_contexts_of_the_same_name(profile: str, context: object) -> None:
    assert FloatStatus.profile(profile).context == context


def test_words_and_numbers_are_taken_for_enumerations() -> None:
    status = FloatStatus(rounding_mode="up", two_nan_rule="x87", ftz_detection=1)
    assert status.rounding_mode is sf.RoundMode.UP
    assert status.two_nan_rule is sf.TwoNanRule.X87
    assert status.ftz_detection is sf.FtzDetection.BEFORE_ROUNDING
    status.rounding_mode = 5
    assert status.rounding_mode is sf.RoundMode.TO_ODD


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("rounding_mode", "nearest", "did you mean 'nearest_even'"),
        ("rounding_mode", 8, "allowed are"),
        ("rounding_mode", True, "allowed are"),
        ("two_nan_rule", "abc", "allowed are"),
        ("tfloat32_input", "cut", "reject, chop, round"),
    ],
)
def test_other_words_are_refused(field: str, value: object, message: str) -> None:
    with pytest.raises(MinifloatError, match=message):
        FloatStatus(**{field: value})  # type: ignore[arg-type]
    with pytest.raises(MinifloatError):
        setattr(FloatStatus(), field, value)


def test_unset_rules_are_an_error_unless_the_default_nan_is_given() -> None:
    with pytest.raises(MinifloatError, match="default_nan_mode"):
        sf.float32_add(0, 0, FloatStatus(two_nan_rule="none"))
    assert sf.float32_add(0, 0, FloatStatus(two_nan_rule="none", default_nan_mode=True)) == 0
    with pytest.raises(MinifloatError, match="default_nan"):
        sf.float32_add(0, 0, FloatStatus(default_nan_pattern=0))


def test_helpers_set_and_get_every_field() -> None:
    status = FloatStatus()
    sf.set_float_rounding_mode(sf.float_round_down, status)
    sf.set_float_exception_flags(3, status)
    sf.float_raise(sf.float_flag_inexact, status)
    sf.set_flush_to_zero(True, status)
    sf.set_float_2nan_prop_rule(sf.float_2nan_prop_ba, status)
    assert sf.get_float_rounding_mode(status) == 1
    assert sf.get_float_exception_flags(status) == 0x13
    assert sf.get_flush_to_zero(status) is True
    assert status.two_nan_rule is sf.TwoNanRule.BA
    assert repr(status) == (
        "FloatStatus(rounding_mode='down',"
        " exception_flags=<ExceptionFlag.INVALID|DIVBYZERO|INEXACT: 19>,"
        " flush_to_zero=True, two_nan_rule='ba')"
    )


def test_flags_are_sticky_and_copies_are_apart() -> None:
    status = FloatStatus()
    sf.float16_div(0x3C00, 0, status)
    sf.float16_add(0x3C00, 0x3C00, status)
    assert status.exception_flags == ExceptionFlag.DIVBYZERO
    other = status.copy(exception_flags=0)
    sf.float16_sqrt(0xBC00, other)
    assert status.exception_flags == ExceptionFlag.DIVBYZERO
    assert other.exception_flags == ExceptionFlag.INVALID | ExceptionFlag.INVALID_SQRT


def test_unknown_profiles_get_a_hint() -> None:
    with pytest.raises(MinifloatError, match="did you mean 'mips_2008'"):
        FloatStatus.profile("mips2008")
