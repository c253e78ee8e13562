"""Overflow, infinities, signs and zeros: the range rules by numbers worked out by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import minifloat as mf

BIG, INF = 1e30, float("inf")
ALL = ["rne", "rna", "rnz", "rtz", "rtp", "rtn", "raz", "rto"]
# IEEE 754 §7.4: which modes deliver the largest finite value, on each side.
STAYS_POSITIVE = {"rtz", "rtn", "rto"}
STAYS_NEGATIVE = {"rtz", "rtp", "rto"}
X = np.array([BIG, -BIG, INF, -INF])
INEXACT, UNDERFLOW, OVERFLOW, INVALID = 1, 2, 4, 16


def encode(x: Any, name: str, **how: Any) -> tuple[list[int], list[int]]:
    flags = np.empty(np.shape(x), np.uint8)
    codes = mf.encode(np.asarray(x, np.float64), name, flags=flags, **how)
    return codes.tolist(), flags.tolist()


@pytest.mark.parametrize("mode", ALL)
@pytest.mark.parametrize(
    ("name", "largest", "beyond"),
    [("e5m2", 0x7B, 0x7C), ("e4m3fn", 0x7E, 0x7F), ("e3m4", 0x6F, 0x70)],
)
def test_ieee_goes_by_mode_with_nan_for_infinity(
    name: str, largest: int, beyond: int, mode: str
) -> None:
    codes, flags = encode(X, name, rounding=mode)
    assert codes[0] == (largest if mode in STAYS_POSITIVE else beyond)
    assert codes[1] == 0x80 | (largest if mode in STAYS_NEGATIVE else beyond)
    assert codes[2:] == [beyond, 0x80 | beyond]
    assert flags == [OVERFLOW | INEXACT] * 2 + [0, 0]


def test_500_into_e4m3fn() -> None:
    for mode in ("rne", "rna", "rnz", "rtp", "raz"):
        assert mf.encode(500.0, "e4m3fn", rounding=mode) == 0x7F
    for mode in ("rtz", "rto", "rtn"):
        assert mf.encode(500.0, "e4m3fn", rounding=mode) == 0x7E
    assert mf.encode(464.0, "e4m3fn") == 0x7E  # the tie still goes to the even code
    assert mf.encode(np.nextafter(464.0, 500), "e4m3fn") == 0x7F


def test_fnuz_has_one_nan() -> None:
    assert encode(X, "e4m3fnuz") == ([0x80] * 4, [5, 5, 0, 0])
    assert encode(X, "e4m3fnuz", rounding="rtz") == ([0x7F, 0xFF, 0x80, 0x80], [5, 5, 0, 0])


@pytest.mark.parametrize("mode", ALL)
@pytest.mark.parametrize(
    ("name", "policy", "codes"),
    [
        ("e5m2", "saturate", [0x7B, 0xFB, 0x7B, 0xFB]),
        ("e5m2", "saturate_keep_infinity", [0x7B, 0xFB, 0x7C, 0xFC]),
        ("e5m2", "nan", [0x7E, 0xFE, 0x7E, 0xFE]),
        ("e5m2", "nan_keep_infinity", [0x7E, 0xFE, 0x7C, 0xFC]),
        ("e5m2", "infinity", [0x7C, 0xFC, 0x7C, 0xFC]),
        ("e4m3fn", "saturate", [0x7E, 0xFE, 0x7E, 0xFE]),
        ("e4m3fn", "saturate_keep_infinity", [0x7E, 0xFE, 0x7E, 0xFE]),
        ("e4m3fn", "nan", [0x7F, 0xFF, 0x7F, 0xFF]),
        ("e2m1fn", "saturate", [0x7, 0xF, 0x7, 0xF]),
        ("hifloat8", "saturate", [0x6E, 0xEE, 0x6E, 0xEE]),
        ("hifloat8", "infinity", [0x6F, 0xEF, 0x6F, 0xEF]),
        ("hifloat8", "nan", [0x80] * 4),
    ],
)
def test_policies_of_one_result_for_all_modes(
    name: str, policy: str, codes: list[int], mode: str
) -> None:
    assert encode(X, name, overflow=policy, rounding=mode) == (codes, [5, 5, 0, 0])


def test_defaults_of_formats() -> None:
    assert encode(X, "e2m1fn") == ([0x7, 0xF, 0x7, 0xF], [5, 5, 0, 0])
    assert encode(X, "e5m2")[0] == [0x7C, 0xFC, 0x7C, 0xFC]
    assert mf.get_format("e2m1fn").default_overflow is mf.Overflow.SATURATE
    assert mf.get_format("e4m3fn").default_overflow is mf.Overflow.IEEE
    assert mf.get_format("int8").default_overflow is mf.Overflow.SATURATE
    assert mf.get_format("binary8p4sf").default_overflow is mf.Overflow.P3109


def test_default_overflow_is_a_field_of_the_format() -> None:
    fnuz, p3109 = mf.get_format("e4m3fnuz"), mf.get_format("binary8p4sf")
    codes = np.arange(256)
    np.testing.assert_array_equal(mf.decode(codes, fnuz), mf.decode(codes, p3109))
    assert fnuz != p3109
    assert mf.encode(1e9, fnuz) == 0x80
    assert mf.encode(1e9, p3109) == 0x7F


@pytest.mark.parametrize("mode", ALL)
def test_p3109_saturates_finite_formats_and_goes_by_mode_in_extended_ones(mode: str) -> None:
    assert encode(X, "binary8p3sf", rounding=mode)[0] == [0x7F, 0xFF, 0x7F, 0xFF]
    codes, _ = encode(X, "binary8p3se", rounding=mode)
    assert codes[2:] == [0x7F, 0xFF]
    assert codes[0] == (0x7E if mode in ("rtz", "rtn") else 0x7F)
    assert codes[1] == (0xFE if mode in ("rtz", "rtp") else 0xFF)


def test_two_rules_of_an_emulator() -> None:
    # Round to odd with infinities, and the largest normal value instead of infinity.
    assert mf.encode(1e9, "e5m2", rounding="to_odd", overflow="infinity") == 0x7C
    assert encode(X, "e5m2", overflow="saturate_keep_infinity")[0] == [0x7B, 0xFB, 0x7C, 0xFC]


def test_integers_saturate_or_wrap_after_rounding() -> None:
    x = [127.4, 127.5, 128.0, -128.5, -128.6, -129.0, 300.0, -INF, INF]
    codes, flags = encode(x, "int8")
    assert np.array(codes, np.uint8).view(np.int8).tolist() == [
        127, 127, 127, -128, -128, -128, 127, -128, 127
    ]  # fmt: skip
    assert flags == [1, 16, 16, 1, 16, 16, 16, 16, 16]
    codes, flags = encode(x[:7], "int8", overflow="wrap")
    assert np.array(codes, np.uint8).view(np.int8).tolist() == [127, -128, -128, -128, 127, 127, 44]
    assert flags == [1, 16, 16, 1, 16, 16, 16]
    codes, flags = encode([-0.5, -0.6, -3.0, 255.4, 256.0], "uint8")
    assert codes == [0, 0, 0, 255, 255]
    assert flags == [1, 16, 16, 1, 16]


def test_nan_into_integers_raises_or_is_replaced() -> None:
    with pytest.raises(mf.NanError):
        mf.encode(np.nan, "int8")
    assert encode([np.nan, -np.nan], "int8", nan="max") == ([127, 127], [16, 16])
    assert encode([np.nan], "int8", nan="zero") == ([0], [16])


@pytest.mark.parametrize("mode", ALL)
def test_a_format_without_zero(mode: str) -> None:
    codes, flags = encode([0.0, -0.0, 2.0**-140, 2.0**-127, 1e-300], "e8m0fnu", rounding=mode)
    assert codes == [0xFF, 0xFF, 0, 0, 0]
    assert flags == [INVALID, INVALID, UNDERFLOW | INEXACT, 0, UNDERFLOW | INEXACT]


def test_negative_values_into_unsigned_formats() -> None:
    x = [-1.0, -1e-30, -INF, -0.0]
    assert encode(x[:3], "e8m0fnu") == ([0xFF] * 3, [16] * 3)
    assert encode(x, "ue5m3") == ([0xFF, 0xFF, 0xFF, 0], [16, 16, 16, 0])
    assert encode(x, "ue5m3", overflow="saturate") == ([0, 0, 0, 0], [16, 16, 0, 0])
    assert encode(x, "ue3m2:finite") == ([0, 0, 0, 0], [16, 16, 0, 0])
    assert encode(x[:3], "e8m0fnu", overflow="saturate") == ([0xFF] * 3, [16] * 3)
    # P3109 rounds first: what goes to zero is zero.
    assert encode(x, "binary8p3ue") == ([0xFF, 0, 0xFF, 0], [16, 3, 16, 0])
    assert encode(x[:2], "binary8p3ue", rounding="rtn") == ([0xFF, 0xFF], [16, 16])
    assert encode(x[:2], "binary8p3ue", rounding="rtz") == ([0, 0], [16, 3])


def test_formats_without_negative_zero_give_zero_without_a_flag() -> None:
    for name in ("e4m3fnuz", "e5m2fnuz", "hifloat8", "binary8p3se", "int8", "ue5m3"):
        assert encode([-0.0], name) == ([0], [0])
    for name in ("e4m3fn", "e5m2", "e2m1fn", "bf16"):
        codes, flags = encode([-0.0], name)
        assert codes == [1 << (mf.get_format(name).bits - 1)]
        assert flags == [0]


def test_underflow_keeps_the_sign_where_zero_has_one() -> None:
    assert mf.encode(-1e-30, "e4m3fn") == 0x80
    assert mf.encode(-1e-30, "e4m3fnuz") == 0
    assert mf.encode(-1e-30, "e4m3fn", rounding="rtn") == 0x81
    assert mf.encode(-1e-30, "e4m3fn", rounding="rtp") == 0x80
