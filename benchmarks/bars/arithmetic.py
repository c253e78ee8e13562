"""Arithmetic with flags for every element, beside numpy's float addition; matrix products."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import minifloat as mf
from bars import data, peers
from bars.measure import Bar, Figure, MissingPeerError, Run

SIDE = 512
BINARY = ("add", "sub", "mul", "div")


def _operation(op: str, fmt: str, **how: Any) -> Run:
    count = {"fma": 3, "sqrt": 1}.get(op, 2)
    operands = [data.codes(fmt, seed) for seed in (0, 1, 2)[:count]]
    if op == "sqrt":
        operands = [mf.abs(operands[0], fmt)]
    flags = data.scratch("uint8", 3)
    out = data.scratch(str(operands[0].dtype), 4)
    call: Callable[..., Any] = getattr(mf, op)
    return lambda: call(*operands, fmt, flags=flags, out=out, workers=1, **how)


def _numpy_add(dtype: str) -> Run:
    a, b, out = data.floats(dtype, 0), data.floats(dtype, 1), data.scratch(dtype, 5)
    return lambda: np.add(a, b, out=out)


def _beside_add(op: str, fmt: str, how: dict[str, Any], dtype: str) -> tuple[Run, Run]:
    return _operation(op, fmt, **how), _numpy_add(dtype)


def _bar(op: str, fmt: str, limit: float, **how: Any) -> Bar:
    dtype = "float64" if fmt == "float64" else "float32"
    words = [getattr(value, "value", str(value)) for value in how.values()]
    if "context" in how:
        words[-1] = f"tininess {how['context'].tininess}"
    return Bar(
        " ".join([op, fmt, "with flags", *words]),
        f"numpy.add of {dtype}",
        limit,
        functools.partial(_beside_add, op, fmt, how, dtype),
        data.SIZE,
        pairs=9,
    )


def _beside_softfloat(op: str, fmt: str, bits: int, theirs: str) -> tuple[Run, Run]:
    size = peers.SLOW_SIZE
    a, b = data.codes(fmt, 0)[:size], data.codes(fmt, 1)[:size]
    operands = (a, b, a) if op == "fma" else (a, b)
    flags, out = np.zeros(size, np.uint8), np.empty_like(a)
    call: Callable[..., Any] = getattr(mf, op)
    run: Run = lambda: call(*operands, fmt, flags=flags, out=out, workers=1)  # noqa: E731
    return run, peers.softfloat(theirs, bits, len(operands))


BEFORE = mf.contexts.ARM

BARS: list[Bar | Figure] = [
    *(_bar(op, fmt, 3.0) for fmt in ("float16", "bfloat16") for op in ("add", "sub", "mul")),
    *(
        _bar(op, fmt, 2.0)
        for fmt in ("float8_e4m3fn", "float8_e5m2", "hifloat8", "binary8p3se")
        for op in BINARY
    ),
    *(_bar(op, "float8_e4m3fn", 2.0) for op in ("rem", "maximum", "minimum_number")),
    _bar("add", "float4_e2m1fn", 2.0, rounding="toward_zero"),
    *(_bar(op, "float32", 2.5) for op in ("add", "mul")),
    *(
        _bar(op, "float32", 4.0, **how)
        for op in ("add", "mul")
        for how in (
            {"rounding": "toward_zero"},
            {"rounding": "ties_to_away"},
            {"rounding": "to_odd"},
            {"context": BEFORE},
        )
    ),
    *(
        _bar(op, fmt, 4.0)
        for fmt in ("float16", "bfloat16", "tfloat32", "float32")
        for op in ("fma", "div", "sqrt")
    ),
    *(
        _bar(op, fmt, 8.0, rounding="toward_positive")
        for fmt in ("float16", "float32")
        for op in ("fma", "div", "sqrt")
    ),
    *(_bar(op, "float64", 5.0) for op in ("add", "mul")),
    *(_bar(op, "float64", 40.0) for op in ("fma", "div", "rem")),
    *(
        Bar(
            f"{op} {fmt} with flags",
            f"Berkeley SoftFloat f{bits}_{theirs}, C loop",
            1.0 if bits == 64 else None,
            functools.partial(_beside_softfloat, op, fmt, bits, theirs),
            peers.SLOW_SIZE,
            least=True,
        )
        for fmt, bits in (("float16", 16), ("float32", 32), ("float64", 64))
        for op, theirs in (
            ("add", "add"),
            ("mul", "mul"),
            ("div", "div"),
            ("fma", "mulAdd"),
            ("rem", "rem"),
        )
    ),
]
"""Bars of operations on arrays of codes."""


def _products(fmt: str, workers: int, side: int = SIDE, **how: Any) -> Run:
    if not hasattr(mf, "matmul"):
        msg = "this version has no matmul"
        raise MissingPeerError(msg)
    a, b = (data.codes(fmt, seed)[: side * side].reshape(side, side) for seed in (0, 1))
    options = {"product": "rounded", "workers": workers} | how
    return lambda: mf.matmul(a, b, fmt, **options)


def _matmul(fmt: str, how: dict[str, Any]) -> float:
    """Nanoseconds of processor time for each multiply-add, after a warm-up."""
    run = _products(fmt, 1, **how)
    run()
    start = time.process_time()
    run()
    return (time.process_time() - start) * 1e9 / SIDE**3


def _two_workers(fmt: str) -> tuple[Run, Run]:
    return _products(fmt, 2), _products(fmt, 1)


def _beside_apytypes(side: int) -> tuple[Run, Run]:
    return _products("float16", 1, side), peers.apytypes_matmul(side)


MATMUL_BARS: list[Bar | Figure] = [
    *(
        Figure(
            f"matmul 512^3 {' '.join([fmt, *how.values()])}",
            "ns for each multiply-add",
            limit,
            functools.partial(_matmul, fmt, how),
            5,
        )
        for fmt, how, limit in (
            ("float16", {}, 0.2),
            ("bfloat16", {}, 0.35),
            ("float8_e4m3fn", {}, 0.35),
            ("hifloat8", {}, 0.35),
            ("binary8p3se", {}, 0.35),
            ("e6m9", {}, 0.35),
            ("float16", {"rounding": "toward_zero"}, 1.5),
            ("float8_e4m3fn", {"rounding": "toward_negative"}, 1.5),
        )
    ),
    *(
        Bar(
            f"matmul 512^3 {fmt}, two workers",
            "one worker",
            1.6,
            functools.partial(_two_workers, fmt),
            SIDE**3,
            least=True,
            pairs=7,
            clock=time.perf_counter,
        )
        for fmt in ("float16", "float8_e4m3fn")
    ),
    Bar(
        "matmul 128^3 float16",
        "apytypes @",
        None,
        functools.partial(_beside_apytypes, 128),
        128**3,
        least=True,
        pairs=3,
    ),
]
"""Bars of matrix products with every product and sum rounded."""
