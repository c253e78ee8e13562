"""Record what Arm's conformance tool makes and decides, for the tests of `minifloat.tosa`.

The tool's libraries are called through ctypes; nothing else of it is needed or run:

    pip install --no-deps --target FOLDER tosa-tools
    python scripts/tosa_tools.py FOLDER

writes tests/tosa/tosa_tools.json: the version, SHA-256 sums of generated tensors and verdicts. The
test suite reads that file. With MINIFLOAT_TOSA_TOOLS=FOLDER, `pytest -m oracle_live tests/tosa`
compares with the libraries directly.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

TYPES = ("FP32", "FP16", "BF16", "FP8E4M3", "FP8E5M2")
DTYPES = {"FP32": np.float32, "FP16": np.float16, "BF16": np.uint16}
CODES = {"BF16": 0, "FP16": 2, "FP32": 3, "FP8E4M3": 12, "FP8E5M2": 13, "FP64": 99}


class _Tensor(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char_p),
        ("shape", ctypes.POINTER(ctypes.c_int32)),
        ("rank", ctypes.c_int32),
        ("data_type", ctypes.c_int),
        ("data", ctypes.c_void_p),
        ("size", ctypes.c_size_t),
    ]


class Tool:
    """The generator and the verifier of tosa-tools."""

    def __init__(self, folder: Path) -> None:
        libraries = folder / "tosa_reference_model"
        generator = ctypes.CDLL(str(libraries / "libtosa_reference_generate_lib.so"))
        verifier = ctypes.CDLL(str(libraries / "libtosa_reference_verify_lib.so"))
        self._generate = generator.tgd_generate_data
        self._generate.argtypes = [
            ctypes.c_char_p,
            ctypes.c_char_p,
            ctypes.c_void_p,
            ctypes.c_size_t,
        ]
        self._generate.restype = ctypes.c_bool
        self._verify = verifier.tvf_verify_data
        self._verify.argtypes = [ctypes.POINTER(_Tensor)] * 3 + [ctypes.c_char_p]
        self._verify.restype = ctypes.c_bool

    def generate(self, tensor: dict[str, Any], **info: Any) -> np.ndarray | None:
        """Return a generated tensor, or None where the tool refuses."""
        described = {
            "generator": "DOT_PRODUCT",
            "input_type": "VARIABLE",
            **tensor,
            "dot_product_info": info,
        }
        config = {"version": "1.2", "tensors": {"t": described}}
        out = np.zeros(tensor["shape"], DTYPES.get(tensor["data_type"], np.uint8))
        made = self._generate(json.dumps(config).encode(), b"t", out.ctypes.data, out.nbytes)
        return out if made else None

    def verify(
        self,
        reference: np.ndarray,
        bound: np.ndarray | None,
        actual: np.ndarray,
        data_type: str,
        mode: str,
        **info: Any,
    ) -> bool:
        """Return the tool's verdict."""
        described = {"mode": mode, "data_type": data_type, "shape": list(actual.shape), **info}
        config = {"version": "1.0", "tensors": {"t": described}}
        keep: list[Any] = []
        tensors = [
            None if array is None else self._tensor(array, kind, keep)
            for array, kind in ((reference, "FP64"), (bound, "FP64"), (actual, data_type))
        ]
        return bool(self._verify(*tensors, json.dumps(config).encode()))

    @staticmethod
    def _tensor(array: np.ndarray, kind: str, keep: list[Any]) -> _Tensor:
        array = np.ascontiguousarray(array)
        shape = (ctypes.c_int32 * max(array.ndim, 1))(*array.shape)
        keep += [array, shape]
        pointer = ctypes.cast(shape, ctypes.POINTER(ctypes.c_int32))
        return _Tensor(b"t", pointer, array.ndim, CODES[kind], array.ctypes.data, array.nbytes)


def tensor_cases() -> Iterator[dict[str, Any]]:
    """Yield the tensors whose data are recorded: operator, position, shape, ks, kernel, axis."""

    def case(
        op: str, position: int, shape: tuple[int, ...], ks: int, **more: Any
    ) -> dict[str, Any]:
        return {"op": op, "position": position, "shape": list(shape), "ks": ks, **more}

    for n, h, c in ((2, 3, 4), (1, 7, 9), (3, 5, 1)):
        for op in ("MATMUL", "MATMUL_T"):
            yield case(op, 0, (n, h, c), c)
        yield case("MATMUL", 1, (n, c, h), c)
        yield case("MATMUL_T", 1, (n, h, c), c)
    for data, kernel in (
        ((1, 8, 9, 3), (3, 2)),
        ((2, 5, 7, 4), (1, 1)),
        ((2, 7, 6, 1), (2, 5)),
        ((1, 4, 4, 5), (5, 6)),
    ):
        channels, points = data[3], kernel[0] * kernel[1]
        for op in ("CONV2D", "TRANSPOSE_CONV2D"):
            ks = points * channels
            yield case(op, 0, data, ks, kernel=kernel)
            yield case(op, 1, (5, *kernel, channels), ks, kernel=kernel)
            yield case(op, 2, (5,), ks, kernel=kernel)
        yield case("DEPTHWISE_CONV2D", 0, data, points, kernel=kernel)
        yield case("DEPTHWISE_CONV2D", 1, (*kernel, channels, 3), points, kernel=kernel)
        yield case("DEPTHWISE_CONV2D", 2, (channels * 3,), points, kernel=kernel)
        yield case("AVG_POOL2D", 0, data, points, kernel=kernel)
        for depth in (1, 2):
            solid = (depth, *kernel)
            ks = depth * points * channels
            yield case("CONV3D", 0, (data[0], 3, *data[1:]), ks, kernel=solid)
            yield case("CONV3D", 1, (5, *solid, channels), ks, kernel=solid)
            yield case("CONV3D", 2, (5,), ks, kernel=solid)
    for n, h, w in ((1, 4, 8), (2, 8, 4), (2, 16, 2)):
        for position in (0, 1):
            yield case("FFT2D", position, (n, h, w), 2 * h * w)
        yield case("RFFT2D", 0, (n, h, w), h * w)
    for axis, count in enumerate((3, 4, 5, 6)):
        yield case("REDUCE_SUM", 0, (3, 4, 5, 6), count, axis=axis)
    yield case("REDUCE_SUM", 0, (7,), 7, axis=0)


def type_cases(op: str, position: int) -> Iterator[tuple[str, str, str | None]]:
    """Yield (type of the tensor, output type, type of the other input or None)."""
    others: tuple[str | None, ...] = (None,)
    if op.startswith("MATMUL") and position < 2:
        others = (None, *TYPES)
    for data_type in ("FP32",) if op in ("FFT2D", "RFFT2D") else TYPES:
        for out_type in TYPES:
            for other in others:
                yield data_type, out_type, other


def tool_tensor(
    tool: Tool, case: dict[str, Any], test_set: int, types: tuple[str, str, str | None]
) -> np.ndarray | None:
    """Return the tool's tensor of a case."""
    data_type, out_type, other = types
    tensor = {
        "data_type": data_type,
        "shape": case["shape"],
        "input_pos": case["position"],
        "op": case["op"],
    }
    info = {"s": test_set, "ks": case["ks"], "out_type": out_type}
    info |= {key: case[key] for key in ("kernel", "axis") if key in case}
    if other is not None:
        info["other_data_type"] = other
    return tool.generate(tensor, **info)


def record_tensors(tool: Tool) -> list[dict[str, Any]]:
    """Return the cases, each with one SHA-256 sum for a test set over all its types in order."""
    recorded = []
    for case in tensor_cases():
        sums = []
        for test_set in range(6):
            digest = hashlib.sha256()
            for types in type_cases(case["op"], case["position"]):
                made = tool_tensor(tool, case, test_set, types)
                if made is None:
                    message = f"the tool refuses {case} {types}"
                    raise SystemExit(message)
                digest.update(made.tobytes())
            sums.append(digest.hexdigest())
        recorded.append({**case, "sha256": sums})
    return recorded


def record_verdicts(tool: Tool) -> list[str]:
    """Return the tool's dot-product verdicts over the test suite's cases, ``1`` for compliant."""
    import verdict_cases

    rows = []
    for group in verdict_cases.groups():
        verdicts = [
            tool.verify(
                case.reference,
                case.bound,
                case.actual,
                case.kind.tosa_name,
                "DOT_PRODUCT",
                dot_product_info={
                    "s": case.test_set,
                    "ksb": case.ksb,
                    "abs_bound": case.max_error,
                    "variance_error_bound": case.variance,
                },
            )
            for case in group
        ]
        rows.append("".join("01"[verdict] for verdict in verdicts))
    return rows


def record_elements(tool: Tool) -> dict[str, str]:
    """Return the tool's verdicts on single elements by mode and type, as hexadecimal bits."""
    import element_cases

    words = {"ABS_ERROR": "abs_error_info", "MAX_RELATIVE": "max_relative_info"}
    recorded = {}
    for mode in element_cases.MODES:
        for data_type in TYPES:
            bits = "1"
            for case in element_cases.cases(mode, data_type):
                info = {words.get(mode, f"{mode.lower()}_info"): case.info} if case.info else {}
                verdict = tool.verify(
                    case.reference, case.bound, case.actual, data_type, mode, **info
                )
                bits += "01"[verdict]
            recorded[f"{mode} {data_type}"] = f"{int(bits, 2):x}"
    return recorded


def main() -> None:
    """Write the record."""
    folder = Path(sys.argv[1])
    sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "tosa"))
    version = next(folder.glob("tosa_tools-*.dist-info")).name.split("-")[1].removesuffix(".dist")
    tool = Tool(folder)
    record = {
        "tosa_tools": version,
        "tensors": record_tensors(tool),
        "verdicts": record_verdicts(tool),
        "elements": record_elements(tool),
    }
    target = Path(__file__).parents[1] / "tests" / "tosa" / "tosa_tools.json"
    part = target.with_suffix(".part")
    lines = json.dumps(record, indent=1)
    part.write_text(lines + "\n")
    part.replace(target)


if __name__ == "__main__":
    main()
