"""The compatibility switches: each alone, and all together against the host code retold."""

from __future__ import annotations

import dataclasses

import numpy as np
import numpy.typing as npt
import pytest
from inputs import random_float32
from popfloat_host import cast as host_cast
from popfloat_host import some_edges as edges

from minifloat import OptionError
from minifloat.popfloat import Compat, FormatConfig, GfloatCast, RoundConfig

MODES = ("RZ", "RA", "RN", "RU", "RD")
# The formats of popfloat's own tests, and more; calculated in the type that AUTO chooses.
FORMATS = [
    (10, 5, 15, True, True),
    (10, 5, 30, True, False),
    (11, 4, 13, False, True),
    (4, 3, 3, True, False),
    (9, 6, 62, False, False),
    (2, 5, 29, True, False),
    (2, 5, 29, True, True),
    (9, 6, 62, True, False),
    (14, 1, 0, True, False),
    (6, 1, 0, True, False),
    (15, 0, -1, True, False),
    (1, 6, 31, True, True),
    (0, 7, 63, True, True),
    (8, 5, 15, True, True),
    (7, 3, 2, False, True),
    (3, 4, 7, False, True),
    (3, 4, 7, False, False),
    (7, 0, 4, True, True),
    (2, 1, 3, True, True),
]
Arguments = tuple[int, int, int, bool, bool]


def values(
    arguments: Arguments, mode: str, x: npt.NDArray[np.float32], nanoo: bool, compat: Compat | str
) -> npt.NDArray[np.float32]:
    config = FormatConfig(*arguments)
    gf = GfloatCast(config, RoundConfig(mode), nanoo, "FP32", compat=compat)
    found = gf.cast_native_to_gfloat(x)
    assert found.dtype == np.float32
    return found


@pytest.mark.parametrize("nanoo", [False, True])
@pytest.mark.parametrize("arguments", FORMATS)
def test_host_code_to_the_bit(arguments: Arguments, nanoo: bool) -> None:
    config = FormatConfig(*arguments)
    gradual = FormatConfig(*arguments[:3], True, arguments[4])
    points = [edges(config.to_format(), np.float32), edges(gradual.to_format(), np.float32)]
    x = np.concatenate([*points, random_float32(20_000, 11, gradual.to_format())])
    half = config.calculation_type == np.float16
    for mode in MODES:
        found = values(arguments, mode, x, nanoo, "popfloat")
        expected = host_cast(x, arguments, mode, nanoo=nanoo, half=half).astype(np.float32)
        np.testing.assert_array_equal(found, expected, err_msg=mode)
        zero = found == 0
        assert not np.signbit(found[zero]).any()
        nan = np.isnan(found)
        words = found[nan].view(np.uint32)
        assert (words & 0x7FFFFFFF == (0x7FD9C000 if half else 0x7FD9C07E)).all()
        np.testing.assert_array_equal(words >> 31, np.signbit(x[nan]) & (not half))


@pytest.mark.parametrize("nanoo", [False, True])
@pytest.mark.parametrize(
    "arguments", [a for a in FORMATS if FormatConfig(*a).is_packed_float_format]
)
def test_packed_words_hold_the_same_values(arguments: Arguments, nanoo: bool) -> None:
    config = FormatConfig(*arguments)
    x = np.concatenate([edges(config.to_format(), np.float32), random_float32(5_000, 12)])
    for mode in MODES:
        rounds = RoundConfig(mode)
        gf = GfloatCast(config, rounds, nanoo, native_type="FP32", compat="popfloat")
        found = gf.cast_gfloat_to_native(gf.cast_native_to_gfloat(x))
        expected = values(arguments, mode, x, nanoo, "popfloat")
        if arguments[4] and not arguments[0]:  # infinity has the only special code
            expected = np.where(np.isnan(expected), np.copysign(np.inf, x), expected)
        np.testing.assert_array_equal(found, expected, err_msg=mode)


def test_positive_zero() -> None:
    x = np.float32([-0.0, -1e-9, 0.0])
    only = Compat(positive_zero=True)
    arguments = (3, 4, 7, True, True)
    assert np.signbit(values(arguments, "RN", x, True, Compat())).tolist() == [True, True, False]
    assert not np.signbit(values(arguments, "RN", x, True, only)).any()
    gf = GfloatCast(FormatConfig(*arguments), RoundConfig("RN"), True, compat=only)
    assert gf.cast_native_to_gfloat(x).tolist() == [0, 0, 0]
    assert not np.signbit(gf.cast_gfloat_to_native(np.int8([-128]))).any()
    wide = GfloatCast(FormatConfig(9, 6, 31, True, True), RoundConfig("RN"), True, compat=only)
    assert np.signbit(wide.cast_gfloat_to_native(np.int16([-32768]))).all()


def test_tiny_to_zero() -> None:
    step = 2.0**-9
    x = np.float32([0.49 * step, 0.5 * step, 0.51 * step])
    only = Compat(tiny_to_zero=True)
    arguments = (3, 4, 7, True, True)
    assert values(arguments, "RU", x, True, Compat()).tolist() == [step, step, step]
    assert values(arguments, "RU", x, True, only).tolist() == [0, step, step]
    assert values(arguments, "RD", -x, True, only).tolist() == [0, -step, -step]
    assert values(arguments, "RN", x, True, only).tolist() == [0, 0, step]


def test_flush_after_rounding() -> None:
    normal = 2.0**-6
    x = np.float32([0.5, 0.6, 0.93, 0.95, 0.97]) * np.float32(normal)
    only = Compat(flush_after_rounding=True)
    arguments = (3, 4, 7, False, True)
    expected = {
        "RN": [0, 0, 0, normal, normal],
        "RA": [0, 0, 0, normal, normal],
        "RU": [0, 0, normal, normal, normal],
        "RZ": [0, 0, 0, 0, 0],
        "RD": [0, 0, 0, 0, 0],
    }
    for mode, results in expected.items():
        assert values(arguments, mode, x, True, only).tolist() == results, mode
    assert values(arguments, "RN", x, True, Compat()).tolist() == [0] + [normal] * 4
    with_denormals = (3, 4, 7, True, True)
    np.testing.assert_array_equal(
        values(with_denormals, "RN", x, True, only), values(with_denormals, "RN", x, True, Compat())
    )


def test_round_through_half() -> None:
    # Just above a tie: half's eleven bits make the tie of it, which goes to even.
    x = np.float32([1 + 2**-4 + 2**-20, 1 + 2**-4 + 2**-9])
    only = Compat(round_through_half=True)
    assert values((3, 4, 7, True, True), "RN", x, True, Compat()).tolist() == [1.125, 1.125]
    assert values((3, 4, 7, True, True), "RN", x, True, only).tolist() == [1.0, 1.125]
    single = FormatConfig(3, 4, 7, True, True, "FP32")
    gf = GfloatCast(single, RoundConfig("RN"), True, "FP32", compat=only)
    assert gf.cast_native_to_gfloat(x).tolist() == [1.125, 1.125]


@pytest.mark.parametrize("bias", [7, 40, -30, 100])
def test_round_through_half_takes_the_bias_along(bias: int) -> None:
    x = random_float32(2_000, 4, FormatConfig(3, 4, 7, True, True).to_format())
    x = x[(np.abs(x) < 1e4) & (np.abs(x) > 1e-4)]
    scale = np.float32(2.0 ** (7 - bias))
    only = Compat(round_through_half=True)
    plain = values((3, 4, 7, True, True), "RN", x, True, only)
    found = values((3, 4, bias, True, True), "RN", x * scale, True, only)
    np.testing.assert_array_equal(found, plain * scale)
    halves = x.astype(np.float16)
    gf = GfloatCast(FormatConfig(3, 4, 7, True, True), RoundConfig("RN"), True, compat=only)
    np.testing.assert_array_equal(
        gf.cast_native_to_gfloat(halves), gf.cast_native_to_gfloat(halves.astype(np.float32))
    )


def test_half_top_truncates() -> None:
    x = np.float32([57344, 61439, 61440, 65519, 65520, 65536, -65519])
    only = Compat(half_top_truncates=True)
    arguments = (2, 5, 15, True, True)  # largest 57344, spacing 8192
    nan = np.nan
    expected = [57344, 57344, 57344, 57344, 57344, nan, -57344]
    np.testing.assert_array_equal(values(arguments, "RN", x, True, only), np.float32(expected))
    through_half = Compat(half_top_truncates=True, round_through_half=True)
    expected = [57344, 57344, 57344, 57344, nan, nan, -57344]
    np.testing.assert_array_equal(
        values(arguments, "RN", x, True, through_half), np.float32(expected)
    )
    plain = [57344, 57344, nan, nan, nan, nan, nan]
    np.testing.assert_array_equal(values(arguments, "RN", x, True, Compat()), np.float32(plain))
    single = FormatConfig(*arguments, "FP32")
    gf = GfloatCast(single, RoundConfig("RN"), True, "FP32", compat=only)
    np.testing.assert_array_equal(gf.cast_native_to_gfloat(x), np.float32(plain))


def test_ties_by_significand() -> None:
    arguments = (0, 7, 63, True, True)
    smallest = 2.0**-62
    x = np.float32([1.5, 3.0, -6.0, 12.0, 1.4999, smallest / 2, 0.75 * smallest])
    only = Compat(ties_by_significand=True)
    expected = [2.0, 4.0, -8.0, 16.0, 1.0, 0.0, smallest]
    assert values(arguments, "RN", x, True, only).tolist() == expected
    even_codes = [2.0, 2.0, -8.0, 8.0, 1.0, 0.0, smallest]
    assert values(arguments, "RN", x, True, Compat()).tolist() == even_codes
    np.testing.assert_array_equal(
        values((2, 5, 15, True, True), "RN", x, True, only),
        values((2, 5, 15, True, True), "RN", x, True, Compat()),
    )


def test_infinities_overflow() -> None:
    x = np.float32([np.inf, -np.inf])
    only = Compat(infinities_overflow=True)
    arguments = (3, 4, 7, True, True)
    assert np.isnan(values(arguments, "RN", x, True, only)).all()
    assert values(arguments, "RN", x, False, only).tolist() == [240, -240]
    assert values(arguments, "RN", x, True, Compat()).tolist() == [np.inf, -np.inf]
    assert np.isnan(values((0, 7, 63, True, True), "RN", x, True, only)).all()
    assert np.isinf(values((0, 7, 63, True, True), "RN", x, True, Compat())).all()


def test_nan_pattern() -> None:
    x = np.array([0x7F800001, 0xFFC12345], np.uint32).view(np.float32)
    only = Compat(nan_pattern=True)
    found = values((9, 6, 31, True, True), "RN", x, True, only)
    assert found.view(np.uint32).tolist() == [0x7FD9C07E, 0xFFD9C07E]
    found = values((3, 4, 7, True, True), "RN", x, True, only)  # half's, widened
    assert found.view(np.uint32).tolist() == [0x7FD9C000, 0x7FD9C000]
    half = GfloatCast(FormatConfig(8, 5, 15, True, True), RoundConfig("RN"), True, compat=only)
    assert half.cast_native_to_gfloat(x).view(np.uint16).tolist() == [0x7ECE, 0x7ECE]
    words = {
        (2, 5, 15, "AUTO"): [0x7E, 0x7E],  # the top byte of half's
        (2, 5, 15, "FP32"): [0x7E, 0xFE],
        (3, 4, 7, "AUTO"): [0x7D, 0x7D],
        (7, 8, 127, "AUTO"): [0x7FD9, 0xFFD9],  # the top half of single's
    }
    for (m, e, bias, spec), expected in words.items():
        config = FormatConfig(m, e, bias, True, True, spec)
        gf = GfloatCast(config, RoundConfig("RN"), True, compat=only)
        found_words = gf.cast_native_to_gfloat(x)
        assert found_words.view(f"u{found_words.dtype.itemsize}").tolist() == expected
        assert np.isnan(gf.cast_gfloat_to_native(found_words)).all()


@pytest.mark.parametrize("bits", [0, 1, 2, 5])
def test_extra_sx_bit(bits: int) -> None:
    config = FormatConfig(3, 4, 7, True, True)
    x = np.full(64, 1 + 0.125 * 33 / 64, np.float32)
    gf = GfloatCast(config, RoundConfig("SX", bits), True, compat=Compat(extra_sx_bit=True))
    other = GfloatCast(config, RoundConfig("SX", bits + 1), True)
    draws = np.arange(64) % 2 ** (bits + 1)
    found = gf.cast_native_to_gfloat(x, random_bits=draws)
    np.testing.assert_array_equal(found, other.cast_native_to_gfloat(x, random_bits=draws))
    assert len(set(found.tolist())) == 2


def test_the_preset_is_every_switch_of_the_host_code() -> None:
    preset = dataclasses.asdict(Compat.popfloat())
    assert [name for name, on in preset.items() if not on] == ["extra_sx_bit"]
    assert not any(dataclasses.asdict(Compat()).values())
    gf = GfloatCast(FormatConfig(3, 4, 7, True, True), RoundConfig("RN"), True, compat="popfloat")
    assert gf.compat == Compat.popfloat()


def test_unknown_presets_are_refused() -> None:
    with pytest.raises(OptionError, match="did you mean 'popfloat'"):
        GfloatCast(FormatConfig(3, 4, 7, True, True), RoundConfig("RN"), True, compat="popflot")
