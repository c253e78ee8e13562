"""NaN in every direction: canonical results, signs, and which of them signal."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import minifloat as mf

NANS32 = np.array([0x7FC00000, 0xFFC00000, 0x7FC12345, 0xFF812345, 0x7F800001], np.uint32)
SIGNS = [0, 1, 0, 1, 0]
SIGNALS = [False, False, False, True, True]
CANONICAL = {
    "float64": 0x7FF8 << 48,
    "float32": 0x7FC00000,
    "tf32": 0x7FC00000,
    "float16": 0x7E00,
    "bf16": 0x7FC0,
    "e5m2": 0x7E,
    "e4m3": 0x7C,
    "e3m4": 0x78,
    "e4m3fn": 0x7F,
    "dlfloat16": 0x7FFF,
}
ONE_NAN = {"e4m3fnuz": 0x80, "e5m2fnuz": 0x80, "hifloat8": 0x80, "e8m0fnu": 0xFF, "ue5m3": 0xFF}
ONE_NAN |= {"binary8p3se": 0x80, "binary8p4uf": 0xFF}


@pytest.mark.parametrize("name", CANONICAL)
def test_casts_give_one_canonical_quiet_nan_with_the_sign(name: str) -> None:
    flags = np.empty(5, np.uint8)
    codes = mf.encode(NANS32.view(np.float32), name, flags=flags)
    top = mf.get_format(name).code_bits - 1
    assert codes.tolist() == [CANONICAL[name] | sign << top for sign in SIGNS]
    assert flags.tolist() == [16 * signals for signals in SIGNALS]
    np.testing.assert_array_equal(mf.cast(NANS32, "float32", name), codes)


@pytest.mark.parametrize("name", ONE_NAN)
def test_formats_of_one_nan_use_it(name: str) -> None:
    flags = np.empty(5, np.uint8)
    codes = mf.encode(NANS32.view(np.float32), name, flags=flags)
    assert codes.tolist() == [ONE_NAN[name]] * 5
    assert flags.tolist() == [16 * signals for signals in SIGNALS]
    back = mf.cast([ONE_NAN[name]] * 2, name, "float32")
    assert back.tolist() == [0x7FC00000] * 2


@pytest.mark.parametrize(
    "source", ["float64", "float16", "bf16", "e5m2", "e4m3fn", "hifloat8", "binary5p2se"]
)
def test_nan_in_gives_nan_out(source: str) -> None:
    fmt = mf.get_format(source)
    codes = np.arange(1 << min(fmt.bits, 16), dtype=np.uint64) << np.uint64(max(fmt.bits - 16, 0))
    codes = codes[mf.is_nan(codes, fmt)]
    assert codes.size
    for target in (*CANONICAL, *ONE_NAN):
        assert mf.is_nan(mf.cast(codes, fmt, target), target).all()
    assert np.isnan(mf.decode(codes, fmt)).all()


@pytest.mark.parametrize("name", ["e2m1fn", "e3m2fn", "int8", "uint4", "e4m3:finite"])
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_formats_without_nan(name: str, dtype: Any) -> None:
    fmt = mf.get_format(name)
    x = np.array([1.0, np.nan, -np.nan], dtype)
    largest = mf.encode(float(fmt.max), fmt)
    flags = np.empty(3, np.uint8)
    assert mf.encode(x, fmt, nan="max", flags=flags)[1:].tolist() == [largest, largest]
    assert flags.tolist() == [0, 16, 16]
    assert mf.encode(x, fmt, nan="zero", flags=flags)[1:].tolist() == [0, 0]
    assert flags.tolist() == [0, 16, 16]
    with pytest.raises(mf.NanError, match="2 NaNs, the first at index 1"):
        mf.encode(x, fmt)
    assert mf.encode(x[:1], fmt) == mf.encode(1.0, fmt)


def test_nan_policies_do_not_touch_formats_with_nan() -> None:
    for nan in ("raise", "max", "zero"):
        assert mf.encode(np.nan, "e4m3fn", nan=nan) == 0x7F
        assert mf.encode(-np.nan, "e5m2", nan=nan) == 0xFE


def signalling(name: str, context: mf.Context, target: str = "float32") -> np.ndarray[Any, Any]:
    fmt = mf.get_format(name)
    codes = np.arange(1 << fmt.bits)
    flags = np.empty(codes.shape, np.uint8)
    quiet = mf.cast(codes, fmt, target, context=context, flags=flags)
    nan = mf.is_nan(codes, fmt)
    np.testing.assert_array_equal(quiet, mf.cast(codes, fmt, target))
    counts = mf.Flags()
    mf.cast(codes, fmt, target, context=context, flags=counts)
    assert counts.counts[mf.Flag.INVALID] == np.count_nonzero(flags & 16)
    assert not (flags[~nan] & 16).any()
    return codes[(flags & 16) != 0]


@pytest.mark.parametrize("target", ["float32", "float64", "e4m3fn", "float16"])
@pytest.mark.parametrize("name", ["e5m2", "e4m3", "e3m4", "float16", "bf16"])
def test_formats_with_infinities_have_the_quiet_bit(name: str, target: str) -> None:
    fmt = mf.get_format(name)
    assert isinstance(fmt, mf.FloatFormat)
    codes = np.arange(1 << fmt.bits)
    nan = mf.is_nan(codes, fmt)
    quiet = (codes >> (fmt.trailing_bits - 1)) & 1 == 1
    signals = codes[nan & ~quiet]
    np.testing.assert_array_equal(signalling(name, mf.contexts.IEEE, target), signals)
    np.testing.assert_array_equal(signalling(name, mf.contexts.ARM, target), signals)
    # RISC-V knows no signalling NaN of 8 bits or fewer.
    riscv = signalling(name, mf.contexts.RISCV, target)
    np.testing.assert_array_equal(riscv, [] if fmt.bits <= 8 else signals)
    old = mf.Context(snan_bit_is_one=True)
    np.testing.assert_array_equal(signalling(name, old, target), codes[nan & quiet])
    assert signalling(name, mf.Context(no_signaling_nans=True), target).size == 0


@pytest.mark.parametrize(
    "name", ["e4m3fn", "e4m3fnuz", "hifloat8", "binary8p3se", "e8m0fnu", "dlfloat16"]
)
def test_other_formats_have_quiet_nans_only(name: str) -> None:
    for context in (mf.contexts.IEEE, mf.Context(snan_bit_is_one=True)):
        assert signalling(name, context).size == 0


def test_0x7d_of_e5m2_signals() -> None:
    flags = np.zeros((), np.uint8)
    assert mf.cast(0x7D, "e5m2", "e5m2", flags=flags) == 0x7E
    assert flags == mf.Flag.INVALID
    mf.cast(0x7D, "e5m2", "e5m2", flags=flags, context=mf.contexts.RISCV)
    assert flags == 0
