"""Hardware results and the signs of their errors equal the scalar core, where few are doubtful.

Operands lie mostly in the middle of the range: blocks with many doubtful elements would take
another path.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import minifloat as mf
from minifloat import _core
from minifloat._plans import storage_dtype
from minifloat._rounding import Rounding

SIZE = 4096
MODES = tuple(mode for mode in Rounding if mode is not Rounding.HYBRID)
OPERATIONS = {"add": 2, "sub": 2, "mul": 2, "div": 2, "rem": 2, "sqrt": 1, "fma": 3}
FORMATS = ("bfloat16", "tfloat32", "float32", "float64")


@pytest.fixture(params=_core.isa_levels())
def level(request: pytest.FixtureRequest) -> Iterator[str]:
    before = _core.isa()
    _core.set_isa(request.param)
    yield request.param
    _core.set_isa(before)


def middling_codes(fmt: mf.FloatFormat, spread: int, extremes: float, seed: int) -> np.ndarray:
    """Codes around 1 with random, sparse or dense significands; a few have any bits at all."""
    rng = np.random.default_rng(seed)
    trailing = rng.integers(0, 2**fmt.trailing_bits, SIZE, np.uint64)
    sparse = np.uint64(1) << rng.integers(0, fmt.trailing_bits, SIZE).astype(np.uint64)
    kind = rng.integers(0, 4, SIZE)
    trailing = np.where(kind == 1, sparse, trailing)
    trailing = np.where(kind == 2, np.uint64(2**fmt.trailing_bits) - sparse, trailing)
    field = (fmt.bias + rng.integers(-spread, spread + 1, SIZE)).astype(np.uint64)
    sign = rng.integers(0, 2, SIZE, np.uint64) << np.uint64(fmt.bits - 1)
    content = sign | (field << np.uint64(fmt.trailing_bits)) | trailing
    anything = rng.integers(0, 2**64, SIZE, np.uint64, endpoint=False) >> np.uint64(64 - fmt.bits)
    content = np.where(rng.random(SIZE) < extremes, anything, content)
    return (content << np.uint64(fmt.code_shift)).astype(storage_dtype(fmt))


def assert_equal_to_scalar(
    operation: str, codes: list[np.ndarray], fmt: mf.FloatFormat, **how: object
) -> None:
    operands = codes[: OPERATIONS[operation]]
    results = []
    for scalar in (False, True):
        flags = np.zeros(SIZE, np.uint8)
        _core.set_scalar_arithmetic(scalar)
        try:
            found = getattr(mf, operation)(*operands, fmt, flags=flags, **how)
        finally:
            _core.set_scalar_arithmetic(False)
        results.append((found, flags))
    (found, flags), (expected, raised) = results
    wrong = np.flatnonzero((found != expected) | (flags != raised))
    assert not wrong.size, [
        f"{operation} {how} {[hex(c[i]) for c in operands]}:"
        f" {found[i]:#x}/{flags[i]} not {expected[i]:#x}/{raised[i]}"
        for i in wrong[:3]
    ]


@pytest.mark.parametrize("name", FORMATS)
def test_middling_operands_equal_the_scalar_core(name: str, level: str) -> None:
    fmt = mf.get_format(name)
    for spread in (1, 12):  # ties and cancellation; far apart
        codes = [middling_codes(fmt, spread, 0.004, 10 * spread + k) for k in range(3)]
        codes[2][: SIZE // 4] = codes[0][: SIZE // 4]
        for operation in OPERATIONS:
            for mode in MODES:
                for context in (mf.contexts.IEEE, mf.contexts.ARM):
                    assert_equal_to_scalar(operation, codes, fmt, rounding=mode, context=context)


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("overflow", ["saturate", "saturate_keep_infinity", "nan", "p3109"])
def test_results_beyond_the_range_equal_the_scalar_core(
    name: str, overflow: str, level: str
) -> None:
    fmt = mf.get_format(name)
    codes = [middling_codes(fmt, 2, 0.01, seed) for seed in range(3)]
    rng = np.random.default_rng(7)
    largest = int(mf.encode(float(fmt.max), fmt)) >> fmt.code_shift
    for k in range(3):  # a few sums and products around the largest value
        at = rng.choice(SIZE, 40, replace=False)
        near = (largest + 2 - rng.integers(0, 8, 40)).astype(codes[k].dtype)
        codes[k][at] = near << codes[k].dtype.type(fmt.code_shift)
        codes[1 - k if k < 2 else 0][at[:20]] = codes[k][at[:20]]
    for operation in OPERATIONS:
        for mode in MODES:
            assert_equal_to_scalar(operation, codes, fmt, rounding=mode, overflow=overflow)


@pytest.mark.parametrize("name", FORMATS)
def test_results_near_the_smallest_normal_equal_the_scalar_core(name: str, level: str) -> None:
    """Both rules of tininess; float32 blocks like these take the wider carrier."""
    fmt = mf.get_format(name)
    exponent = fmt.bias // 2
    codes = [middling_codes(fmt, 3, 0.01, 20 + seed) for seed in range(3)]
    down = codes[0].dtype.type(exponent << (fmt.trailing_bits + fmt.code_shift))
    small = [codes[0] - down, codes[1] - down, codes[2] - down - down]
    up = [small[0], codes[1] + down, small[2]]
    for mode in MODES:
        for context in (mf.contexts.IEEE, mf.contexts.ARM):
            for operation in ("mul", "fma"):
                assert_equal_to_scalar(operation, small, fmt, rounding=mode, context=context)
            assert_equal_to_scalar("div", up, fmt, rounding=mode, context=context)


@pytest.mark.parametrize("name", FORMATS)
def test_a_result_may_replace_its_operand(name: str, level: str) -> None:
    fmt = mf.get_format(name)
    codes = [middling_codes(fmt, 5, 0.02, 30 + seed) for seed in range(3)]
    for operation, count in OPERATIONS.items():
        for k in range(count):
            operands = [c.copy() for c in codes[:count]]
            expected = getattr(mf, operation)(*operands, fmt, rounding="rtp")
            getattr(mf, operation)(*operands, fmt, rounding="rtp", out=operands[k])
            np.testing.assert_array_equal(operands[k], expected)


def test_remainders_of_halves_are_even() -> None:
    """Quotients of k + 1/2: the integer is the even one, whatever the quotient's own rounding."""
    fmt = mf.get_format("float64")
    rng = np.random.default_rng(3)
    half = np.ldexp(rng.integers(1, 2**20, SIZE).astype(np.float64), rng.integers(-40, 40, SIZE))
    count = rng.integers(0, 2**30, SIZE)
    whole = half * (2 * count + 1)
    found = mf.rem(whole.view(np.uint64), (2 * half).view(np.uint64), fmt).view(np.float64)
    np.testing.assert_array_equal(found, np.where(count % 2 == 0, half, -half))
