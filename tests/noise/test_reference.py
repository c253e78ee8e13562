"""Tabled noise in the core against the reference, value by value."""

from __future__ import annotations

import numpy as np
import pytest
from inputs import edges

import minifloat as mf
from minifloat import noise
from minifloat.reference.bulk import encode_array
from minifloat.reference.how import How

DENSITIES = [noise.TruncatedNormal(0.05, 0.2), noise.LogitNormal(), noise.Bernoulli(0.3)]


@pytest.mark.parametrize("bits", [1, 5, 16])
@pytest.mark.parametrize(
    "name", ["float8_e4m3fn", "float8_e5m2", "e3m2:nosubnormals", "int6:scale=-4"]
)
@pytest.mark.parametrize("density", DENSITIES, ids=lambda density: type(density).__name__)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_codes_and_flags(dtype: type, density: noise.Noise, name: str, bits: int) -> None:
    fmt = mf.get_format(name)
    x = np.repeat(edges(fmt, dtype), 5)
    draws = np.random.default_rng(bits).integers(0, 2**32, x.size, dtype=np.uint32)
    draws[:4] = [0, 2**32 - 1, 2**31, 1]
    rounding = mf.Stochastic(bits=bits, noise=density)
    table = tuple(density.table(bits).tolist())
    how = How(rounding, "saturate", noise_table=table, noise_jams=density.jams)
    expected, raised = encode_array(x, fmt, how, random_bits=draws)
    flags = np.zeros(x.shape, np.uint8)
    options = {"rounding": rounding, "overflow": "saturate", "random_bits": draws}
    np.testing.assert_array_equal(mf.encode(x, fmt, flags=flags, **options), expected)
    np.testing.assert_array_equal(flags, raised)
