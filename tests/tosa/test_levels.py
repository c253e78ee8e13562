"""Every instruction-set level and every chunking gives the same bytes."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

from minifloat import _core, tosa
from minifloat.tosa._editions import Edition
from minifloat.tosa._patterns import selected_axes, tensor_pattern
from minifloat.tosa._rules import element_rule


@pytest.fixture
def level():
    before = _core.isa()
    yield _core.set_isa
    _core.set_isa(before)


def fill(rule, count, begin=0, axes=(), offset=0):
    out = np.empty(count, np.float32)
    _core.tosa.fill(
        out, begin, offset, int(rule.kind), rule.first, rule.second, rule.when_negative, rule.scale,
        rule.special_signed, rule.special_value, list(axes),
    )  # fmt: skip
    return out


@pytest.mark.parametrize("test_set", range(6))
def test_levels_make_the_same_data(level, test_set):
    made = set()
    for name in _core.isa_levels():
        level(name)
        data = tosa.generate(
            "CONV2D", {"ifm": (1, 50, 41, 3), "kernel": (3, 2), "ofm_channels": 5},
            test_set=test_set,
        )  # fmt: skip
        draws = tosa.set_data(5, range(3, 9000, 2)), tosa.set_data(5, np.arange(7000) * 99991)
        made.add(b"".join(each.tobytes() for each in (*data.values(), *draws)))
    assert len(made) == 1


def test_levels_find_the_same_errors(level):
    rng = np.random.default_rng(0)
    reference = rng.standard_normal(70000)
    bound = abs(reference) + rng.random(70000)
    actual = reference.astype(np.float32)
    actual[::1000] *= 1.5
    actual[5], reference[6], bound[7], bound[8] = np.nan, np.nan, np.inf, 0
    reports = set()
    for name in _core.isa_levels():
        level(name)
        report = tosa.verify_dot_products(
            reference, bound, actual, dtype="fp32", test_set=3, ksb=4, max_error=8, variance=6.4
        )
        reports.add(repr(report))
    assert len(reports) == 1
    assert "failures=73," in reports.pop()


@pytest.mark.parametrize("test_set", range(6))
@pytest.mark.parametrize("begin", [0, 1, 63, 64, 999, 2047, 2048, 5003])
def test_a_tensor_may_be_made_in_pieces(test_set, begin):
    shape = (3, 11, 13, 14)
    rule = element_rule(Edition.TOOL, test_set, 3 * 4 * 14, 0, 100.0)
    pattern = tensor_pattern("CONV2D", 0, shape, (3, 4), None, Edition.TOOL)
    axes = [] if rule.special_k is None else selected_axes(pattern, rule.special_k)
    whole = fill(rule, int(np.prod(shape)), axes=axes)
    part = fill(rule, whole.size - begin, begin, axes)
    np.testing.assert_array_equal(part, whole[begin:])


def test_indices_of_draws_wrap_at_32_bits():
    rule = element_rule(Edition.TOOL, 5, 9, 0, 100.0)
    far = fill(rule, 10, offset=2**32 - 5)
    np.testing.assert_array_equal(far[5:], fill(rule, 5))


def test_results_do_not_depend_on_the_state_of_the_float_unit(level):
    """Another library may leave rounding upward or flush-to-zero on."""
    libm = ctypes.CDLL(None)
    if not hasattr(libm, "fesetround"):
        pytest.skip("the C library offers no fesetround")
    upward = {"x86_64": 0x800, "aarch64": 0x400000}.get(__import__("platform").machine())
    if upward is None:
        pytest.skip("the code of upward rounding is not known for this machine")
    for name in _core.isa_levels():
        level(name)
        for test_set in range(6):
            rule = element_rule(Edition.TOOL, test_set, 9, 0, 100.0)
            expected = fill(rule, 3000)
            try:
                assert libm.fesetround(upward) == 0
                found = fill(rule, 3000)
            finally:
                libm.fesetround(0)
            np.testing.assert_array_equal(found, expected)


def test_the_core_refuses_arrays_that_do_not_fit():
    good, wide = np.empty(4, np.float32), np.empty(4)
    with pytest.raises(ValueError, match="out: expected 4 items of 4 bytes"):
        _core.tosa.set_data_run(wide, 0, 0, 1)
    with pytest.raises(ValueError, match="indices"):
        _core.tosa.set_data_at(good, 0, np.zeros(3, np.uint32))
    with pytest.raises(ValueError, match="bound"):
        _core.tosa.dot_product_errors(wide, wide[:3], good, wide, 1.0, 1.0, 1.0, 1.0, True)
    with pytest.raises(ValueError, match="unknown rule"):
        _core.tosa.fill(good, 0, 0, 7, 0, 0, False, 1.0, False, 0.0, [])
    with pytest.raises(ValueError, match="too many axes"):
        _core.tosa.fill(good, 0, 0, 0, 0, 0, False, 1.0, False, 0.0, [(1, 1, 0)] * 7)
    with pytest.raises(ValueError, match="size or modulus zero"):
        _core.tosa.fill(good, 0, 0, 0, 0, 0, False, 1.0, False, 0.0, [(4, 0, 0)])
    good.flags.writeable = False
    with pytest.raises((ValueError, BufferError)):
        _core.tosa.set_data_run(good, 0, 0, 1)
