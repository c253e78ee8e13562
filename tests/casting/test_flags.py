"""Status flags of casts: what raises which, both tininess rules, flushing, and sticky counts."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from inputs import all_float16

import minifloat as mf

INEXACT, UNDERFLOW, OVERFLOW, INVALID = (
    mf.Flag.INEXACT,
    mf.Flag.UNDERFLOW,
    mf.Flag.OVERFLOW,
    mf.Flag.INVALID,
)
TINY = INEXACT | UNDERFLOW


def flags_of(x: Any, name: str, **how: Any) -> list[int]:
    flags = np.empty(np.shape(x), np.uint8)
    mf.encode(np.asarray(x, np.float64), name, flags=flags, nan="max", **how)
    return flags.tolist()


def test_values_of_the_flags() -> None:
    assert [int(flag) for flag in mf.Flag] == [1, 2, 4, 8, 16]
    assert [flag.name for flag in mf.Flag] == [
        "INEXACT", "UNDERFLOW", "OVERFLOW", "DIVIDE_BY_ZERO", "INVALID"
    ]  # fmt: skip


def test_exact_results_raise_nothing() -> None:
    x = [0.0, -0.0, 1.0, -448.0, 2.0**-9, 7 * 2.0**-9, 2.0**-6]
    assert flags_of(x, "e4m3fn") == [0] * 7


def test_inexact_and_overflow() -> None:
    assert flags_of([1.01, 448.5, 463.9, 464.1, -1e9], "e4m3fn") == [1, 1, 1, 5, 5]
    # The delivered value may be exact where the rounded one was not in range.
    assert flags_of([1e9, -1e9], "e4m3fn", overflow="saturate") == [5, 5]
    assert flags_of([480.0], "e4m3fn", overflow="saturate") == [5]
    assert flags_of([448.0], "e4m3fn", overflow="saturate") == [0]
    assert flags_of([1e9], "e5m2", overflow="nan") == [5]


@pytest.mark.parametrize(
    "policy", ["ieee", "saturate", "saturate_keep_infinity", "nan", "infinity"]
)
def test_infinite_sources_raise_nothing_whatever_they_become(policy: str) -> None:
    assert flags_of([np.inf, -np.inf], "e5m2", overflow=policy) == [0, 0]
    if policy != "infinity":
        assert flags_of([np.inf, -np.inf], "e4m3fn", overflow=policy) == [0, 0]
    assert flags_of([np.inf, -np.inf], "e2m1fn") == [0, 0]


def test_integers_raise_invalid_alone() -> None:
    x = [127.6, -1e9, np.inf, -np.inf, np.nan, 0.5, 1.0]
    assert flags_of(x, "int8") == [16, 16, 16, 16, 16, 1, 0]
    assert flags_of([300.5, 1e30], "int8", overflow="wrap") == [16, 16]


def test_underflow_is_tiny_and_inexact() -> None:
    least = 2.0**-6
    x = [least * (1 - 2.0**-5), 0.5 * least, 0.51 * least, 2.0**-30, -(2.0**-30)]
    # 1 - 2**-5 rounds to 1 at full precision too: not tiny after rounding.
    assert flags_of(x, "e4m3fn") == [INEXACT, 0, TINY, TINY, TINY]
    assert flags_of(x, "e4m3fn", context=mf.contexts.ARM) == [TINY, 0, TINY, TINY, TINY]


@pytest.mark.parametrize("preset", ["IEEE", "X86_SSE", "RISCV", "ARM", "ARM_DEFAULT_NAN"])
def test_presets_by_their_tininess(preset: str) -> None:
    context = getattr(mf.contexts, preset)
    before = preset.startswith("ARM")
    assert context.tininess == ("before" if before else "after")
    x = 2.0**-14 * (1 - 2.0**-13)  # between the largest subnormal float16 and the smallest normal
    assert flags_of([x], "float16", context=context) == [TINY if before else INEXACT]


def test_after_rounding_means_at_full_precision_with_unbounded_exponent() -> None:
    # In e4m3fn below 2**-6: rounded to 4 bits, 2**-6 * 31/32 is a tie that goes to even 2**-6.
    least = 2.0**-6
    tie = least * (1 - 2.0**-5)
    just_below = np.nextafter(tie, 0)
    assert flags_of([tie, just_below], "e4m3fn") == [INEXACT, TINY]
    assert mf.encode([tie, just_below], "e4m3fn").tolist() == [0x08, 0x08]
    assert flags_of([tie], "e4m3fn", rounding="rnz") == [TINY]
    assert flags_of([least * (1 - 2.0**-20)], "e4m3fn", rounding="rtz") == [TINY]
    assert flags_of([least * (1 - 2.0**-20)], "e4m3fn", rounding="raz") == [INEXACT]
    assert flags_of([-least * (1 - 2.0**-20)], "e4m3fn", rounding="rtn") == [INEXACT]
    assert flags_of([-least * (1 - 2.0**-20)], "e4m3fn", rounding="rtp") == [TINY]


@pytest.mark.parametrize("name", ["e4m3fn", "e5m2", "e3m2fn", "hifloat8", "binary8p3se"])
def test_rules_of_tininess_differ_in_one_place_only(name: str) -> None:
    x = all_float16().astype(np.float64)
    after, before = (
        np.array(flags_of(x, name, context=mf.Context(tininess=rule)))
        for rule in ("after", "before")
    )
    differ = after != before
    assert (after[differ] == INEXACT).all()
    assert (before[differ] == TINY).all()
    values = np.abs(mf.quantize(x, name))
    least = 2.0**-15 if name == "hifloat8" else float(mf.get_format(name).smallest_normal)
    assert (values[differ] == least).all()
    if name != "e5m2":
        assert differ.any()


def test_flush_outputs() -> None:
    context = mf.Context(flush_outputs=True)
    x = [2.0**-9, -(2.0**-9), 2.0**-6, 2.0**-6 * (1 - 2.0**-20), 1e-20]
    flags = np.empty(5, np.uint8)
    codes = mf.encode(x, "e4m3fn", context=context, flags=flags)
    # Exact subnormals become zeros too, and raise.
    assert codes.tolist() == [0, 0x80, 0x08, 0x08, 0]
    assert flags.tolist() == [TINY, TINY, 0, INEXACT, TINY]
    before = mf.Context(flush_outputs=True, tininess="before")
    assert mf.encode(x[3], "e4m3fn", context=before) == 0
    detects = mf.Context(flush_outputs=True, flush_detection="before")
    assert mf.encode(x[3], "e4m3fn", context=detects) == 0


def test_flush_inputs_is_silent() -> None:
    context = mf.Context(flush_inputs=True)
    codes = np.array([0x01, 0x83, 0x08, 0x07])
    flags = np.empty(4, np.uint8)
    words = mf.cast(codes, "e4m3fn", "float32", context=context, flags=flags)
    assert words.view(np.float32).tolist() == [0, 0, 2.0**-6, 0]
    assert np.signbit(words.view(np.float32)).tolist() == [False, True, False, False]
    assert flags.tolist() == [0, 0, 0, 0]
    tiny = np.float32(1e-40)
    assert mf.encode(tiny, "float32") != 0
    assert mf.encode(tiny, "float32", context=context) == 0


def test_nan_flags() -> None:
    assert flags_of([np.nan, -np.nan], "e4m3fn") == [0, 0]
    assert flags_of([np.nan], "e2m1fn") == [INVALID]
    assert flags_of([np.nan], "int8") == [INVALID]


def test_sticky_flags_count_and_remember_the_first() -> None:
    flags = mf.Flags()
    assert not flags
    assert flags.raised == mf.Flag(0)
    assert repr(flags) == "Flags(none in 0 elements)"
    mf.encode([1.0, 1.01, 1e9], "e4m3fn", flags=flags)
    mf.encode(1.0, "e4m3fn", flags=flags)
    mf.quantize([[1e-9, 2.0], [1.01, -1e9]], "e4m3fn", flags=flags)
    mf.cast([0x7D], "e5m2", "e4m3fn", flags=flags)
    assert flags
    assert flags.seen == 9
    assert flags.raised == INEXACT | UNDERFLOW | OVERFLOW | INVALID
    assert int(flags) == 23
    assert flags.counts == {1: 5, 2: 1, 4: 2, 8: 0, 16: 1}
    assert flags.first == {1: 1, 2: 4, 4: 2, 16: 8}
    assert mf.Flag.OVERFLOW in flags
    assert mf.Flags.DIVIDE_BY_ZERO not in flags
    assert repr(flags) == (
        "Flags(INEXACT: 5, first at 1; UNDERFLOW: 1, first at 4; OVERFLOW: 2, first at 2;"
        " INVALID: 1, first at 8 in 9 elements)"
    )
    for twin in (copy.deepcopy(flags), pickle.loads(pickle.dumps(flags))):
        assert repr(twin) == repr(flags)
    flags.clear()
    assert repr(flags) == "Flags(none in 0 elements)"


@pytest.mark.parametrize("size", [0, 1, 1023, 1024, 1025, 70_000])
def test_counts_equal_the_flags_of_elements(size: int) -> None:
    x = np.random.default_rng(size).normal(size=size).astype(np.float32) * 300
    x[::17] = 1e-9
    for name in ("e4m3fn", "bf16", "int8", "hifloat8", "float64", "e8m0fnu"):
        for how in ({}, {"rounding": mf.Stochastic(6), "rng": 1}):
            each, sticky = np.empty(size, np.uint8), mf.Flags()
            mf.encode(x, name, flags=each, **how)
            mf.encode(x, name, flags=sticky, **how)
            assert sticky.seen == size
            for flag in mf.Flag:
                raised = (each & flag) != 0
                assert sticky.counts[flag] == raised.sum()
                assert sticky.first.get(flag) == (int(np.argmax(raised)) if raised.any() else None)
