"""TOSA data and verdicts: ``pytest benchmarks/test_tosa.py --benchmark-only -n 0``.

With ``MINIFLOAT_TOSA_TOOLS`` naming a folder of ``tosa-tools`` (see ``scripts/tosa_tools.py``) its
generator and verifier run in the same groups.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from minifloat import tosa

sys.path.insert(0, str(Path(__file__).parents[1] / "scripts"))
import tosa_tools

SIZE = 1 << 24
SIDE = 1 << 12
DTYPES = ("FP32", "FP16", "BF16", "FP8E4M3")


@pytest.fixture(scope="module")
def tool() -> tosa_tools.Tool:
    folder = os.environ.get("MINIFLOAT_TOSA_TOOLS")
    if not folder:
        pytest.skip("MINIFLOAT_TOSA_TOOLS names no folder with tosa-tools")
    return tosa_tools.Tool(Path(folder))


def out_type(dtype: str) -> str:
    return "FP16" if dtype.startswith("FP8") else "FP32"


@pytest.mark.benchmark(group="draws")
def test_copyto(benchmark: Any) -> None:
    source, out = np.ones(SIZE, np.float32), np.empty(SIZE, np.float32)
    benchmark(np.copyto, out, source)


@pytest.mark.benchmark(group="draws")
def test_set_data(benchmark: Any) -> None:
    benchmark(tosa.set_data, 3, range(5, 5 + SIZE))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("test_set", range(6))
def test_generate(benchmark: Any, test_set: int, dtype: str) -> None:
    benchmark.group = f"set {test_set} {dtype}"
    benchmark(
        tosa.generate_tensor,
        "MATMUL",
        (1, SIDE, SIDE),
        position=0,
        test_set=test_set,
        dtype=dtype,
        out_dtype=out_type(dtype),
    )


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("test_set", range(6))
def test_generate_by_the_tool(
    benchmark: Any, tool: tosa_tools.Tool, test_set: int, dtype: str
) -> None:
    benchmark.group = f"set {test_set} {dtype}"
    case = {"op": "MATMUL", "position": 0, "shape": [1, SIDE, SIDE], "ks": SIDE}
    types = (dtype, out_type(dtype), None)
    benchmark.pedantic(tosa_tools.tool_tensor, (tool, case, test_set, types), rounds=2)


@pytest.fixture(scope="module")
def outputs() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    reference = np.random.default_rng(0).random((1, SIDE, SIDE)) + 1
    return reference, 2 * reference, reference.astype(np.float32)


@pytest.mark.benchmark(group="verdict")
def test_verify(benchmark: Any, outputs: tuple[np.ndarray, ...]) -> None:
    limits = {"ksb": 4, "max_error": 8, "variance": 6.4}
    report = benchmark(tosa.verify_dot_products, *outputs, dtype="fp32", test_set=0, **limits)
    assert report.passed


@pytest.mark.benchmark(group="verdict")
def test_verify_by_the_tool(
    benchmark: Any, tool: tosa_tools.Tool, outputs: tuple[np.ndarray, ...]
) -> None:
    info = {"s": 0, "ksb": 4, "abs_bound": 8, "variance_error_bound": 6.4}
    words = {"dot_product_info": info}
    assert benchmark.pedantic(tool.verify, (*outputs, "FP32", "DOT_PRODUCT"), words, rounds=2)


CONV = {"ifm": (4, 56, 56, 128), "kernel": (3, 3), "pad": (1, 1, 1, 1), "ofm_channels": 128}


@pytest.mark.benchmark(group="reference")
def test_plain_product_of_the_size(benchmark: Any) -> None:
    known = tosa.operation("CONV2D", CONV)
    rng = np.random.default_rng(0)
    rows = known.count // CONV["ofm_channels"]  # type: ignore[operator]
    left, right = rng.random((rows, known.ks)), rng.random((known.ks, 128))
    benchmark(np.matmul, left, right)


@pytest.mark.benchmark(group="reference")
def test_reference_and_bound(benchmark: Any) -> None:
    data = tosa.generate("CONV2D", CONV, test_set=3)
    benchmark(tosa.reference, "CONV2D", CONV, data)
