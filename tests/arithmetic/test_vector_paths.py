"""The vector paths equal the scalar core, bit for bit and flag for flag, at every level."""

from __future__ import annotations

import numpy as np
import pytest

import minifloat as mf
from minifloat import _core
from minifloat._operations import Op, Switches, _plan
from minifloat._plans import storage_dtype
from minifloat._rounding import Rounding

MODES = tuple(mode for mode in Rounding if mode is not Rounding.HYBRID)
BINARY = {"add": Op.ADD, "sub": Op.SUBTRACT, "mul": Op.MULTIPLY, "div": Op.DIVIDE}
FORMATS = (
    "float16",
    "bfloat16",
    "tfloat32",
    "float32",
    "float64",
    "dlfloat16",
    "float8_e5m2",
    "hifloat8",
    "binary11p5se",
)


@pytest.fixture(params=_core.isa_levels())
def level(request: pytest.FixtureRequest) -> object:
    before = _core.isa()
    _core.set_isa(request.param)
    yield request.param
    _core.set_isa(before)


def codes_of(fmt: mf.Format, size: int, seed: int) -> np.ndarray:
    """Codes of every kind: any bits, near each other, specials, subnormals, near the largest."""
    rng = np.random.default_rng(seed)
    dtype = storage_dtype(fmt)
    content = rng.integers(0, 2**64, size, np.uint64, endpoint=False) >> np.uint64(64 - fmt.bits)
    near_one = mf.encode(np.ldexp(rng.choice([-1.0, 1.0], size), rng.integers(-9, 9, size)), fmt)
    near_one = (near_one.astype(np.uint64) >> np.uint64(fmt.code_shift)) + rng.integers(
        0, 16, size, np.uint64
    )
    kind = rng.integers(0, 6, size)
    top = np.uint64(2 ** (fmt.bits - 1))
    content = np.where(kind < 2, near_one, content)
    content = np.where(kind == 2, content & top | rng.integers(0, 8, size, np.uint64), content)
    largest = np.uint64(mf.encode(float(fmt.max), fmt)) >> np.uint64(fmt.code_shift)
    content = np.where(
        kind == 3,
        content & top | (largest + np.uint64(4) - rng.integers(0, 9, size, np.uint64)),
        content,
    )
    content &= np.uint64(2**fmt.bits - 1)
    return (content << np.uint64(fmt.code_shift)).astype(dtype)


def scalar(
    operation: str, codes: list[np.ndarray], fmt: mf.Format, **how: object
) -> tuple[np.ndarray, np.ndarray]:
    """Element by element: arrays of one element never take a vector path's long loops."""
    flags = np.zeros(codes[0].shape, np.uint8)
    found = np.zeros(codes[0].shape, storage_dtype(fmt))
    _core.set_scalar_arithmetic(True)
    try:
        getattr(mf, operation)(*codes, fmt, flags=flags, out=found, **how)
    finally:
        _core.set_scalar_arithmetic(False)
    return found, flags


def moderate_codes(fmt: mf.Format, size: int, seed: int, *, positive: bool = False) -> np.ndarray:
    """Numbers of exponents -45 to 45, many of few bits or close to each other, and zeros.

    Blocks of these alone take the hardware's own arithmetic, or the narrower carrier.
    """
    rng = np.random.default_rng(seed)
    bits = rng.choice([1, 3, 11, 24, 53], size)
    significand = 1 + np.floor(rng.random(size) * 2.0**bits) / 2.0**bits
    spread = rng.choice([0, 2, 45], size)
    values = np.ldexp(significand, rng.integers(-spread, spread + 1))
    if not positive:
        values *= rng.choice([-1.0, 1.0], size)
        values[rng.random(size) < 0.05] = 0.0
        values[rng.random(size) < 0.05] = -0.0
    return np.asarray(mf.encode(values, fmt))


@pytest.mark.parametrize("name", ["bfloat16", "tfloat32", "float32", "float64"])
def test_moderate_operands_equal_the_scalar_core(name: str, level: str) -> None:
    fmt = mf.get_format(name)
    a, b = (moderate_codes(fmt, 3000, seed) for seed in (1, 2))
    c = mf.mul(a, b, fmt, rounding="rto") ^ np.left_shift(1, fmt.code_bits - 1).astype(a.dtype)
    c[::3] = moderate_codes(fmt, 1000, 3)
    divisors = moderate_codes(fmt, 3000, 4, positive=True)
    operands = {"add": (a, b), "sub": (a, c), "mul": (a, b), "div": (a, divisors)}
    operands |= {"sqrt": (divisors,), "fma": (a, b, c)}
    for operation, codes in operands.items():
        for mode in MODES:
            flags = np.zeros(3000, np.uint8)
            found = getattr(mf, operation)(*codes, fmt, rounding=mode, flags=flags)
            expected, raised = scalar(operation, list(codes), fmt, rounding=mode)
            wrong = np.flatnonzero((found != expected) | (flags != raised))
            assert not wrong.size, [
                f"{operation} {mode} {[hex(x[i]) for x in codes]}:"
                f" {found[i]:#x}/{flags[i]} not {expected[i]:#x}/{raised[i]}"
                for i in wrong[:3]
            ]


@pytest.mark.parametrize("name", FORMATS)
def test_vector_paths_equal_the_scalar_core(name: str, level: str) -> None:
    fmt = mf.get_format(name)
    codes = [codes_of(fmt, 3000, seed) for seed in range(3)]
    contexts = (mf.contexts.IEEE, mf.contexts.ARM, mf.contexts.X86_SSE)
    for operation, count in (
        ("add", 2),
        ("sub", 2),
        ("mul", 2),
        ("div", 2),
        ("sqrt", 1),
        ("fma", 3),
    ):
        for mode in MODES:
            for context in contexts:
                how = {"rounding": mode, "context": context}
                flags = np.zeros(3000, np.uint8)
                found = getattr(mf, operation)(*codes[:count], fmt, flags=flags, **how)
                expected, raised = scalar(operation, codes[:count], fmt, **how)
                wrong = np.flatnonzero((found != expected) | (flags != raised))
                assert not wrong.size, [
                    f"{operation} {mode} {[hex(c[i]) for c in codes[:count]]}:"
                    f" {found[i]:#x}/{flags[i]} not {expected[i]:#x}/{raised[i]}"
                    for i in wrong[:3]
                ]


@pytest.mark.parametrize("name", ["float16", "bfloat16", "float32", "float64", "float8_e4m3fn"])
@pytest.mark.parametrize("variant", ["floor", "nearest", "centred"])
def test_stochastic_vector_paths_equal_the_scalar_core(name: str, variant: str) -> None:
    fmt = mf.get_format(name)
    codes = [codes_of(fmt, 3000, seed) for seed in range(3)]
    for bits in (1, 8, 16, 23, 32):
        how = {"rounding": mf.Stochastic(bits, variant), "rng": mf.Key(bits).at(77)}
        for operation, count in (("add", 2), ("mul", 2), ("div", 2), ("sqrt", 1), ("fma", 3)):
            flags = np.zeros(3000, np.uint8)
            found = getattr(mf, operation)(*codes[:count], fmt, flags=flags, **how)
            expected, raised = scalar(operation, codes[:count], fmt, **how)
            np.testing.assert_array_equal(found, expected)
            np.testing.assert_array_equal(flags, raised)


def test_paths_are_those_meant() -> None:
    def path(op: Op, name: str) -> str:
        fmt = mf.get_format(name)
        count = 3 if op is Op.MULTIPLY_ADD else 2
        return _plan(op, (fmt,) * count, fmt, "rne", None, "max", None, Switches()).core.path

    assert path(Op.ADD, "float8_e4m3fn") == "table"
    assert path(Op.MULTIPLY_ADD, "float8_e4m3fn") == "float32"
    assert path(Op.MULTIPLY, "float16") == "float32"
    assert path(Op.MULTIPLY, "bfloat16") == "float32"
    assert path(Op.DIVIDE, "float32") == "direct32"
    assert path(Op.MULTIPLY_ADD, "float64") == "direct64"
