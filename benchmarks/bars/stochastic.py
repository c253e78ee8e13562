"""Stochastic rounding, flags and HYBRID, beside copying the source."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

import minifloat as mf
from bars import data, peers
from bars.casting import COPY, SIZE, SLOW, encode, quantized, slow
from bars.measure import Bar, Figure, Run

SIXTEEN = mf.Stochastic(bits=16)


def _beside_copy(fmt: str, **how: Any) -> tuple[Run, Run]:
    return encode(data.floats(), fmt, **how), data.copy(data.floats())


def _stochastic(fmt: str, rounding: mf.Stochastic) -> tuple[Run, Run]:
    return _beside_copy(fmt, rounding=rounding, rng=7)


def _hybrid() -> tuple[Run, Run]:
    return _beside_copy("hifloat8", rounding="hybrid")


def _flags(fmt: str, rounding: str, *, each: bool) -> tuple[Run, Run]:
    x = data.floats()
    flags = np.zeros(x.size, np.uint8) if each else mf.Flags()
    return encode(x, fmt, rounding=rounding, flags=flags), encode(x, fmt, rounding=rounding)


def _name(fmt: str, rounding: mf.Stochastic) -> str:
    noise = type(rounding.noise).__name__ if rounding.noise else rounding.variant
    return f"encode float32 -> {fmt} stochastic {noise} {rounding.bits}"


_CASES: list[tuple[str, mf.Stochastic, float]] = [
    ("float8_e4m3fn", mf.Stochastic(bits=8), 3.0),
    ("float8_e4m3fn", SIXTEEN, 3.0),
    ("bfloat16", SIXTEEN, 3.0),
    ("float4_e2m1fn", SIXTEEN, 3.0),
    ("float8_e4m3fn", mf.Stochastic(bits=16, variant="nearest"), 3.0),
    ("float8_e4m3fn", mf.Stochastic(bits=16, variant="centred"), 3.0),
    ("float8_e4m3fn", mf.Stochastic(bits=24), 4.0),
    ("bfloat16", mf.Stochastic(bits=32), 4.0),
    ("float8_e4m3fn", mf.Stochastic(), 4.0),
    ("float8_e4m3fn", mf.Stochastic(bits=8, noise=mf.noise.Uniform(0.25, 0.75)), 6.0),
    ("float8_e4m3fn", mf.Stochastic(bits=16, noise=mf.noise.Uniform(0.25, 0.75)), 6.0),
]

BARS: list[Bar | Figure] = [
    *(
        Bar(_name(fmt, how), COPY, limit, functools.partial(_stochastic, fmt, how), SIZE)
        for fmt, how, limit in _CASES
    ),
    Bar("encode float32 -> hifloat8 hybrid", COPY, 2.7, _hybrid, SIZE),
    *(
        Bar(
            f"encode float32 -> {fmt} {rounding}, {kind}",
            "the same without flags",
            limit,
            functools.partial(_flags, fmt, rounding, each=each),
            SIZE,
        )
        for fmt, rounding in (
            ("float8_e4m3fn", "ties_to_even"),
            ("float8_e4m3fn", "toward_zero"),
            ("bfloat16", "ties_to_even"),
            ("hifloat8", "ties_to_even"),
        )
        for kind, limit, each in (("sticky flags", 1.3, False), ("flags each", 2.0, True))
    ),
    Bar(
        "quantize float32 -> e4m3fn stochastic, bits=16",
        "CPFloat, one thread",
        1.0,
        lambda: (
            quantized(data.floats(), rounding=SIXTEEN, rng=7),
            peers.cpfloat(4, -6, 8, stochastic=True),
        ),
        SIZE,
        least=True,
    ),
    Bar(
        "quantize float32 -> e4m3fn stochastic, bits=16",
        "apytypes cast, STOCH_WEIGHTED",
        6.0,
        slow(
            functools.partial(peers.apytypes_cast, stochastic=True),
            lambda x: quantized(x, rounding=SIXTEEN, rng=7),
        ),
        SLOW,
        least=True,
    ),
]
"""Bars of everything beside the plain cast."""
