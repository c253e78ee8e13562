"""Comparison with Arm's tool itself: set MINIFLOAT_TOSA_TOOLS and run `pytest -m oracle_live`."""

from __future__ import annotations

import ctypes
import ctypes.util
import os
from pathlib import Path

import numpy as np
import pytest
import tosa_tools
import verdict_cases

from minifloat import _core, tosa

pytestmark = pytest.mark.oracle_live


@pytest.fixture(scope="module")
def tool():
    folder = os.environ.get("MINIFLOAT_TOSA_TOOLS")
    if not folder:
        pytest.skip(
            "MINIFLOAT_TOSA_TOOLS names no folder with tosa-tools; see scripts/tosa_tools.py"
        )
    return tosa_tools.Tool(Path(folder))


@pytest.mark.parametrize("test_set", range(6))
def test_tensors(tool, test_set):
    for case in tosa_tools.tensor_cases():
        for types in tosa_tools.type_cases(case["op"], case["position"]):
            theirs = tosa_tools.tool_tensor(tool, case, test_set, types)
            ours = tosa.generate_tensor(
                case["op"], case["shape"], position=case["position"], test_set=test_set,
                dtype=types[0], out_dtype=types[1], ks=case["ks"], kernel=case.get("kernel"),
                axis=case.get("axis"), other_dtype=types[2],
            )  # fmt: skip
            assert ours.tobytes() == theirs.tobytes(), (case, types)


@pytest.mark.parametrize("dtype", tosa_tools.TYPES)
@pytest.mark.parametrize("test_set", range(6))
def test_a_million_elements(tool, test_set, dtype):
    case = {"op": "MATMUL", "position": 0, "shape": [1, 1024, 1024], "ks": 1024}
    theirs = tosa_tools.tool_tensor(tool, case, test_set, (dtype, "FP32", None))
    ours = tosa.generate_tensor(
        "MATMUL", case["shape"], position=0, test_set=test_set, dtype=dtype, out_dtype="fp32"
    )
    assert ours.tobytes() == theirs.tobytes()


@pytest.mark.parametrize("index", range(6 * len(verdict_cases.TYPES)))
def test_verdicts(tool, index):
    for case in verdict_cases.group(index):
        info = {
            "s": case.test_set,
            "ksb": case.ksb,
            "abs_bound": case.max_error,
            "variance_error_bound": case.variance,
        }
        theirs = tool.verify(
            case.reference, case.bound, case.actual, case.kind.tosa_name, "DOT_PRODUCT",
            dot_product_info=info,
        )  # fmt: skip
        ours = tosa.verify_dot_products(
            case.reference, case.bound, case.actual, dtype=case.kind, test_set=case.test_set,
            ksb=case.ksb, max_error=case.max_error, variance=case.variance,
        )  # fmt: skip
        assert ours.passed == theirs, case.tag


def test_expf_of_the_c_library():
    name = ctypes.util.find_library("m")
    if not name or "libm.so.6" not in name:
        pytest.skip("the C library is not glibc, whose expf is the yardstick")
    expf = ctypes.CDLL(name).expf
    expf.argtypes, expf.restype = [ctypes.c_float], ctypes.c_float
    x = 2 * tosa.set_data(9, range(0, 2**32 - 1, 21001))
    out = np.empty_like(x)
    _core.tosa.exp_float(out, x)
    np.testing.assert_array_equal(out, np.array([expf(v) for v in x], np.float32))
