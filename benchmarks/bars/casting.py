"""Deterministic casts, beside copying the float32 source."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import minifloat as mf
from bars import data, peers
from bars.measure import Bar, Figure, Run

NEAREST = [
    "float8_e4m3fn",
    "float8_e5m2",
    "float8_e4m3",
    "float8_e3m4",
    "float8_e4m3fnuz",
    "float8_e4m3b11fnuz",
    "float16",
    "bfloat16",
    "dlfloat16",
    "e6m9",
]
OTHERS: list[tuple[str, dict[str, str]]] = [
    *(("float8_e4m3fn", {"rounding": mode.value}) for mode in list(mf.Rounding)[1:-1]),
    ("float8_e4m3fn", {"overflow": "saturate"}),
    ("float8_e5m2", {"overflow": "saturate_keep_infinity"}),
    ("float16", {"rounding": "toward_zero"}),
    ("bfloat16", {"rounding": "toward_positive", "overflow": "saturate"}),
    ("binary8p3se", {}),
    ("binary8p4uf", {"overflow": "saturate"}),
    ("float6_e2m3fn", {}),
    ("float6_e3m2fn", {}),
    ("float4_e2m1fn", {}),
    ("float4_e2m1fn", {"rounding": "to_odd"}),
]
ANY = ["float8_e4m3fn", "bfloat16", "float16", "float4_e2m1fn", "binary8p3se", "hifloat8", "e5m6"]
BIG = 1 << 26


def encode(x: Any, fmt: str, **how: Any) -> Run:
    """A run of encode into an array that is there, on one worker."""
    out = data.scratch(str(mf.encode(1.0, fmt).dtype), 0, x.size)
    return lambda: mf.encode(x, fmt, out=out, workers=1, **how)


def _encode(fmt: str, how: dict[str, str], dtype: str) -> tuple[Run, Run]:
    x = data.floats(dtype)
    if not getattr(mf.get_format(fmt), "signed", True):
        x = np.abs(x)
    return encode(x, fmt, **how), data.copy(x)


def _decode(fmt: str) -> tuple[Run, Run]:
    codes, out = data.any_codes(fmt), data.scratch("float32")
    return lambda: mf.decode(codes, fmt, out=out), data.copy(data.floats())


def _quantize(fmt: str) -> tuple[Run, Run]:
    x = data.floats().copy()
    return lambda: mf.quantize(x, fmt, out=x, workers=1), data.copy(data.floats())


def _special(kind: str, fmt: str) -> tuple[Run, Run]:
    normal = data.floats()
    x = {
        "subnormal": lambda: normal * np.float32(1e-39),
        "NaN": lambda: np.full_like(normal, np.nan),
        "infinite": lambda: np.copysign(np.float32(np.inf), normal),
        "mixed": lambda: np.where(
            np.arange(normal.size) % 3 == 0, np.float32(np.nan), normal * np.float32(1e-38)
        ),
    }[kind]()
    return encode(x, fmt), encode(normal, fmt)


def _two_workers(verb: str) -> tuple[Run, Run]:
    x = data.floats("float32", 0, BIG)
    out = data.scratch("uint8" if verb == "encode" else "float32", 0, BIG)
    call: Callable[..., Any] = getattr(mf, verb)
    runs = [functools.partial(call, x, "e4m3fn", out=out, workers=count) for count in (2, 1)]
    return runs[0], runs[1]


def _small(verb: str) -> tuple[Run, Run]:
    x = data.floats()[:16].copy()
    codes = mf.encode(x, "e4m3fn")
    repeats = range(2000)
    calls: dict[str, Run] = {
        "encode": lambda: mf.encode(x, "e4m3fn"),
        "decode": lambda: mf.decode(codes, "e4m3fn"),
        "quantize": lambda: mf.quantize(x, "e4m3fn"),
    }

    def repeat(run: Run) -> Run:
        def many() -> None:
            for _ in repeats:
                run()

        return many

    return repeat(calls[verb]), repeat(lambda: np.add(x, x))


def _beside(peer: Callable[[], Run], ours: Callable[[], Run]) -> Callable[[], tuple[Run, Run]]:
    return lambda: (ours(), peer())


def _ours(fmt: str) -> Callable[[], Run]:
    return lambda: encode(data.floats(), fmt)


def _ours_values(fmt: str) -> Run:
    codes, out = data.codes(fmt), data.scratch("float32")
    return lambda: mf.decode(codes, fmt, out=out)


def slow(peer: Callable[[], Run], what: Callable[[Any], Run]) -> Callable[[], tuple[Run, Run]]:
    """Beside a peer that is given `SLOW_SIZE` elements only."""
    return lambda: (what(data.floats()[: peers.SLOW_SIZE]), peer())


def quantized(x: Any, **how: Any) -> Run:
    """A run of quantize to e4m3fn into another array."""
    out = np.empty_like(x)
    return lambda: mf.quantize(x, "e4m3fn", out=out, workers=1, **how)


def _name(verb: str, fmt: str, how: dict[str, str], source: str = "float32") -> str:
    return f"{verb} {source} -> {' '.join([fmt, *how.values()])}"


COPY, SIZE, SLOW = "numpy.copyto of the float32 source", data.SIZE, peers.SLOW_SIZE

BARS: list[Bar | Figure] = [
    *(
        Bar(
            _name("encode", fmt, {}),
            COPY,
            1.4,
            functools.partial(_encode, fmt, {}, "float32"),
            SIZE,
        )
        for fmt in NEAREST
    ),
    *(
        Bar(_name("encode", f, how), COPY, 2.0, functools.partial(_encode, f, how, "float32"), SIZE)
        for f, how in OTHERS
    ),
    *(
        Bar(_name("encode", f, how), COPY, 2.2, functools.partial(_encode, f, how, "float32"), SIZE)
        for f, how in (("hifloat8", {}), ("hifloat8", {"rounding": "ties_to_away"}))
    ),
    *(
        Bar(f"decode {fmt} -> float32", COPY, 1.2, functools.partial(_decode, fmt), SIZE)
        for fmt in ("float8_e4m3fn", "float8_e5m2", "hifloat8", "float4_e2m1fn")
    ),
    *(
        Bar(f"quantize in place {fmt}", COPY, 1.5, functools.partial(_quantize, fmt), SIZE)
        for fmt in ANY
    ),
    *(
        Bar(
            _name("encode", fmt, {}, "float64"),
            "numpy.copyto of the float64 source",
            2.5,
            functools.partial(_encode, fmt, {}, "float64"),
            SIZE,
        )
        for fmt in ("float8_e4m3fn", "bfloat16", "float32", "hifloat8")
    ),
    *(
        Bar(
            f"encode {kind} numbers -> {fmt}",
            "the same of normal numbers",
            1.1,
            functools.partial(_special, kind, fmt),
            SIZE,
        )
        for fmt in ("float8_e4m3fn", "bfloat16")
        for kind in ("subnormal", "NaN", "infinite", "mixed")
    ),
    *(
        Bar(
            f"{verb} e4m3fn, 64M, two workers",
            "one worker",
            1.4,
            functools.partial(_two_workers, verb),
            BIG,
            least=True,
            clock=time.perf_counter,
        )
        for verb in ("encode", "quantize")
    ),
    *(
        Bar(
            f"{verb} of 16 elements",
            "numpy.add of 16 elements",
            5.0,
            functools.partial(_small, verb),
            2000,
            pairs=31,
        )
        for verb in ("encode", "decode", "quantize")
    ),
    *(
        Bar(
            _name("encode", fmt, {}),
            "torch copy_, one thread",
            1.0,
            _beside(functools.partial(peers.torch_cast, fmt), _ours(fmt)),
            SIZE,
            least=True,
        )
        for fmt in ("float8_e4m3fn", "float8_e5m2", "bfloat16", "float16")
    ),
    *(
        Bar(
            _name("encode", fmt, {}),
            "ml_dtypes astype",
            limit,
            _beside(functools.partial(peers.ml_dtypes_cast, fmt), _ours(fmt)),
            SIZE,
            least=True,
            pairs=5,
        )
        for fmt, limit in (
            ("float8_e4m3fn", 8.0),
            ("float8_e5m2", 8.0),
            ("float8_e4m3fnuz", 8.0),
            ("float6_e2m3fn", None),
            ("float4_e2m1fn", None),
        )
    ),
    *(
        Bar(
            "decode float8_e4m3fn -> float32",
            name,
            None,
            _beside(peer, functools.partial(_ours_values, "float8_e4m3fn")),
            SIZE,
            least=True,
            pairs=5,
        )
        for name, peer in (
            ("torch copy_, one thread", functools.partial(peers.torch_values, "float8_e4m3fn")),
            ("ml_dtypes astype", functools.partial(peers.ml_dtypes_values, "float8_e4m3fn")),
        )
    ),
    *(
        Bar("quantize float32 -> e4m3fn", name, None, slow(peer, quantized), SLOW, True, pairs=5)
        for name, peer in (
            ("gfloat round_ndarray", peers.gfloat_round),
            ("apytypes cast", functools.partial(peers.apytypes_cast, stochastic=False)),
            ("pychop Chop, numpy", peers.pychop_round),
            ("qtorch float_quantize", peers.qtorch_round),
        )
    ),
    Bar(
        "quantize float32 -> e4m3fn",
        "CPFloat, one thread",
        None,
        lambda: (
            quantized(data.floats()),
            peers.cpfloat(4, -6, 8, stochastic=False),
        ),
        SIZE,
        True,
    ),
]
"""Bars of every deterministic cast, then peers."""
