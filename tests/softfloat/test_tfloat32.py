"""tfloat32: rounded once, the article's scheme with its defects, operands with low bits."""

from __future__ import annotations

import random

import numpy as np
import pytest

from minifloat import softfloat as sf
from minifloat._errors import MinifloatError
from minifloat._formats import get_format
from minifloat._rounding import Rounding
from minifloat.reference import arithmetic
from minifloat.reference.how import How
from minifloat.softfloat import ExceptionFlag as F
from minifloat.softfloat import FloatStatus, RoundMode
from minifloat.softfloat._causes import status_flags

TF32 = get_format("tf32")
MODES = {
    RoundMode.NEAREST_EVEN: Rounding.TIES_TO_EVEN,
    RoundMode.DOWN: Rounding.TOWARD_NEGATIVE,
    RoundMode.UP: Rounding.TOWARD_POSITIVE,
    RoundMode.TO_ZERO: Rounding.TOWARD_ZERO,
    RoundMode.TIES_AWAY: Rounding.TIES_TO_AWAY,
    RoundMode.TO_ODD: Rounding.TO_ODD,
}
LOW = 0x1FFF


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", ["add", "sub", "mul", "div"])
def test_results_are_rounded_once(name: str, mode: RoundMode) -> None:
    rng = random.Random(name + mode.name)
    operation = getattr(arithmetic, name)
    for _ in range(60):
        a = rng.choice((0x00002000, 0x7F7FE000, 0x3F800000, rng.getrandbits(32))) & ~LOW
        b = (a ^ rng.getrandbits(4) << 13 if rng.random() < 0.4 else rng.getrandbits(32)) & ~LOW
        expected, flags = operation(a, b, TF32, How(MODES[mode], nan="max"))
        status = FloatStatus(mode, default_nan_mode=True)
        assert sf.tfloat32_add.__name__
        found = getattr(sf, f"tfloat32_{name}")(a, b, status)
        if sf.tfloat32_is_any_nan(found):
            assert sf.tfloat32_is_any_nan(expected)
        else:
            assert hex(found) == hex(expected), (hex(a), hex(b))
        plain = F.INVALID | F.DIVBYZERO | F.OVERFLOW | F.UNDERFLOW | F.INEXACT
        assert status.exception_flags & plain == status_flags(int(flags)), (hex(a), hex(b))


def test_double_rounding_near_underflow_is_avoided() -> None:
    # Through float32 the product rounds up to a tie first.
    a, b = sf.float64_to_tfloat32(_bits("0x1.71cp-67"), FloatStatus()), 0
    b = sf.float64_to_tfloat32(_bits("0x1.f28p-66"), FloatStatus())
    exact, article = FloatStatus(), FloatStatus(tfloat32_scheme="article")
    value = sf.tfloat32_to_float64(sf.tfloat32_mul(a, b, exact), exact)
    assert value == _bits("0x1.70p-132")
    value = sf.tfloat32_to_float64(sf.tfloat32_mul(a, b, article), article)
    assert value != _bits("0x1.70p-132")


def _bits(text: str) -> int:
    return int(np.float64(float.fromhex(text)).view(np.uint64))


def test_the_articles_scheme_chops_a_tie() -> None:
    one, step = 0x3F800000, 0x3A800000  # 1, 2**-10
    half = 0x3AC00000  # 3 * 2**-11
    exact, article = FloatStatus(), FloatStatus(tfloat32_scheme="article")
    assert sf.tfloat32_add(one, half, exact) == 0x3F804000
    assert exact.exception_flags == F.INEXACT
    assert sf.tfloat32_add(one, half, article) == 0x3F802000
    assert article.exception_flags == 0  # float32 holds the sum
    assert sf.tfloat32_add(one, step, article) == 0x3F802000
    up = article.copy(rounding_mode="up")
    assert sf.tfloat32_add(one, half, up) == 0x3F802000  # wrong in a directed mode


def test_the_articles_scheme_does_not_overflow_below_float32() -> None:
    largest, ulp = 0x7F7FE000, 0x79800000  # 2**116, half a quantum of the top binade
    exact, article = FloatStatus(), FloatStatus(tfloat32_scheme="article")
    assert sf.tfloat32_add(largest, ulp, exact) == sf.tfloat32_infinity
    assert exact.exception_flags == F.OVERFLOW | F.INEXACT
    assert sf.tfloat32_add(largest, ulp, article) == largest
    assert article.exception_flags == 0


def test_no_result_has_low_bits() -> None:
    rng = np.random.default_rng(5)
    a, b = (rng.integers(0, 2**32, 3000, np.uint32) & np.uint32(~LOW & 0xFFFFFFFF) for _ in "ab")
    for scheme in ("exact", "article"):
        status = FloatStatus(tfloat32_scheme=scheme)
        for name in ("add", "mul", "div", "min"):
            assert not (getattr(sf, f"tfloat32_{name}")(a, b, status) & LOW).any()
        assert not (sf.float64_to_tfloat32(a.astype(np.uint64) << 32, status) & LOW).any()
        assert sf.int32_to_tfloat32(0x7FFFFFFF, status) & LOW == 0


def test_operands_with_low_bits_are_rejected_by_default() -> None:
    with pytest.raises(MinifloatError, match="1 tfloat32 operands have low bits"):
        sf.tfloat32_add([0x3F800000, 0x3F800001], 0, FloatStatus())
    with pytest.raises(MinifloatError, match="belongs to tfloat32_scheme='article'"):
        sf.tfloat32_add(0, 0, FloatStatus(tfloat32_input="keep"))


@pytest.mark.parametrize(
    ("policy", "operand", "used"),
    [
        ("chop", 0x3F801FFF, 0x3F800000),
        ("round", 0x3F801000, 0x3F800000),
        ("round", 0x3F803000, 0x3F804000),
        ("round", 0x3F801001, 0x3F802000),
        ("round_away", 0x3F801000, 0x3F802000),
        ("round_away", 0xBF801000, 0xBF802000),
        ("round", 0x7F7FF000, 0x7F800000),
        ("chop", 0x7F7FFFFF, 0x7F7FE000),
        ("chop", 0x00001FFF, 0x00000000),
        ("chop", 0x7FC01234, 0x7FC00000),
        ("round", 0xFFFFFFFF, 0xFFFFE000),
        ("chop", 0x7F801FFF, 0x7FC02000),  # a payload in the low bits alone stays a NaN
        ("round", 0x7F800001, 0x7FC02000),
    ],
)
def test_operands_are_chopped_or_rounded(policy: str, operand: int, used: int) -> None:
    status = FloatStatus(tfloat32_input=policy)
    assert hex(sf.tfloat32_scalbn(operand, 0, status)) == hex(used)
    quiet_inputs = F.INVALID | F.INVALID_SNAN | F.INPUT_DENORMAL_USED
    assert status.exception_flags & ~quiet_inputs == 0


def test_the_article_may_keep_all_bits_of_operands() -> None:
    status = FloatStatus(tfloat32_scheme="article", tfloat32_input="keep")
    chopped = status.copy(tfloat32_input="chop")
    assert sf.tfloat32_sub(0x3F801000, 0x3F800000, status) == 0x3A000000
    assert sf.tfloat32_sub(0x3F801000, 0x3F800000, chopped) == 0


def test_operations_on_bits_take_any_operand() -> None:
    assert sf.tfloat32_abs(0xBF800001) == 0x3F800001
    assert sf.tfloat32_is_any_nan(0x7F800001)
    assert not sf.tfloat32_is_infinity(0x7F800001)
