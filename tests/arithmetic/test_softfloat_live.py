"""Berkeley SoftFloat, live through softfloatpy: every kind of operand, mode and tininess rule."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
import softfloatpy as sf

import minifloat as mf
from minifloat._plans import storage_dtype

MODES = {
    "rne": sf.RoundingMode.NEAR_EVEN,
    "rtz": sf.RoundingMode.MIN_MAG,
    "rtn": sf.RoundingMode.MIN,
    "rtp": sf.RoundingMode.MAX,
    "rna": sf.RoundingMode.NEAR_MAX_MAG,
}
KINDS = {"float16": sf.Float16, "float32": sf.Float32, "float64": sf.Float64}
COUNTS = {"add": 2, "sub": 2, "mul": 2, "div": 2, "rem": 2, "sqrt": 1, "fma": 3}


def operands(name: str, size: int, seed: int) -> np.ndarray:
    """Random bits, numbers near each other, and subnormals."""
    fmt = mf.get_format(name)
    rng = np.random.default_rng(seed)
    bits = rng.integers(0, 2**64, size, np.uint64) >> np.uint64(64 - fmt.bits)
    near = mf.encode(rng.choice([-1.0, 1.0], size) * np.ldexp(1.0, rng.integers(-6, 6, size)), fmt)
    near = near.astype(np.uint64) + rng.integers(0, 9, size, np.uint64)
    top = np.uint64(2 ** (fmt.bits - 1))
    tiny = bits & (top | np.uint64(2 ** (fmt.bits // 2) - 1))
    kind = rng.integers(0, 3, size)
    return np.choose(kind, [bits, near, tiny]).astype(storage_dtype(fmt))


@pytest.fixture(params=["after", "before"])
def tininess(request: pytest.FixtureRequest) -> Iterator[str]:
    before = sf.get_tininess_mode()
    modes = sf.TininessMode
    after = request.param == "after"
    sf.set_tininess_mode(modes.AFTER_ROUNDING if after else modes.BEFORE_ROUNDING)
    yield request.param
    sf.set_tininess_mode(before)


def softfloat(name: str, verb: str, codes: tuple[int, ...]) -> tuple[int, int]:
    kind, size = KINDS[name], mf.get_format(name).bits // 8
    first, *rest = (kind.from_bytes(code.to_bytes(size, "big")) for code in codes)
    sf.set_exception_flags(0)
    function = getattr(sf, f"f{8 * size}_{'mul_add' if verb == 'fma' else verb}")
    result = function(first, *rest)
    return int.from_bytes(result.to_bytes(), "big"), int(sf.get_exception_flags())


@pytest.mark.parametrize("verb", COUNTS)
@pytest.mark.parametrize("name", KINDS)
def test_results_and_flags_are_softfloats(name: str, verb: str, tininess: str) -> None:
    size = 250
    codes = [operands(name, size, seed) for seed in range(COUNTS[verb])]
    context = mf.Context(tininess=tininess)
    for mode, theirs in MODES.items():
        sf.set_rounding_mode(theirs)
        flags = np.zeros(size, np.uint8)
        found = getattr(mf, verb)(*codes, name, rounding=mode, context=context, flags=flags)
        nan = mf.is_nan(found, name)
        for i in range(size):
            row = tuple(int(c[i]) for c in codes)
            code, raised = softfloat(name, verb, row)
            assert flags[i] == raised, (mode, [hex(c) for c in row])
            # Which NaN a machine makes is its own business; the TestFloat sample settles x86's.
            assert nan[i] if mf.is_nan(code, name) else found[i] == code, (
                mode,
                [hex(c) for c in row],
            )
    sf.set_rounding_mode(sf.RoundingMode.NEAR_EVEN)
