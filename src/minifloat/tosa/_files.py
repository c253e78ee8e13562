"""Tests as folders: inputs, reference, bounds, and the ``desc.json`` of Arm's conformance tools.

A folder holds one ``.npy`` file for each input; ``ref-<output>.npy`` and
``bounds_ref-<output>.npy`` in float64 for each output; ``desc.json`` in the schema 1.2 of the
tools; and ``operation.json`` with what that schema has no room for: attributes, types and edition.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from minifloat._errors import OptionError
from minifloat.tosa._case import TestCase
from minifloat.tosa._editions import Edition
from minifloat.tosa._elements import verify_elements
from minifloat.tosa._report import ElementReport, OutputReport
from minifloat.tosa._types import TensorType, as_type
from minifloat.tosa._verify import verify_dot_products

__all__ = ["verify_folder", "write_case"]

_VERSION = "1.2"
_FILE_DTYPES = {"bf16": "V2", "fp8e4m3": "V1"}


def write_case(folder: Path, case: TestCase, *, reordered: bool = False) -> None:
    """Write a test into a folder, which is made if need be.

    Each file appears whole or not at all, and ``desc.json`` last.

    Parameters
    ----------
    folder : pathlib.Path
    case : TestCase
    reordered : bool
        Whether the data were reordered, so that the tools could not make them from ``desc.json``.

    Raises
    ------
    OSError
        If a file cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for tensor in case.operation.inputs:
        kind = _input_type(case, tensor.position)
        _write_array(folder / f"{tensor.name}.npy", case.inputs[tensor.name], kind)
    for name in case.operation.outputs:
        _write_array(folder / f"ref-{name}.npy", case.reference.results[name], None)
        _write_array(folder / f"bounds_ref-{name}.npy", case.reference.bounds[name], None)
    details = {
        "op": case.operation.op,
        "attributes": case.operation.attributes,
        "dtype": case.types.data.name,
        "weight_dtype": case.types.weight.name,
        "acc": case.types.acc.name,
        "out": case.types.out.name,
        "test_set": case.test_set,
        "edition": case.edition.value,
    }
    _write_text(folder / "operation.json", json.dumps(details, indent=1))
    _write_text(folder / "desc.json", json.dumps(_description(case, reordered), indent=1))


def _input_type(case: TestCase, position: int) -> TensorType:
    return case.types.type_of(0 if case.operation.op == "FFT2D" else position)


def _write_array(path: Path, array: NDArray[Any], kind: TensorType | None) -> None:
    if kind is not None and kind.name in _FILE_DTYPES:
        array = array.view(_FILE_DTYPES[kind.name])
    with _replacing(path) as part:
        np.save(part, array, allow_pickle=False)


def _write_text(path: Path, text: str) -> None:
    with _replacing(path) as part:
        part.write(f"{text}\n".encode())


class _replacing:  # noqa: N801
    """Open a temporary file beside `path` for writing, and rename it when all went well."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> Any:
        handle, self._part = tempfile.mkstemp(dir=self._path.parent, prefix=f".{self._path.name}.")
        self._file = os.fdopen(handle, "wb")
        return self._file

    def __exit__(self, kind: object, *rest: object) -> None:
        self._file.close()
        part = Path(self._part)
        if kind is None:
            part.chmod(0o666 & ~_umask())
            part.replace(self._path)
        else:
            part.unlink()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _description(case: TestCase, reordered: bool) -> dict[str, Any]:
    known, types = case.operation, case.types
    names = [tensor.name for tensor in known.inputs]
    meta: dict[str, Any] = {"compliance": _compliance(case)}
    if case.edition is Edition.TOOL and known.op != "FULLY_CONNECTED" and not reordered:
        meta["data_gen"] = _data_generation(case)
    return {
        "version": _VERSION,
        "tosa_file": "test.tosa",
        "ifm_name": names,
        "ifm_file": [f"{name}.npy" for name in names],
        "ofm_name": list(known.outputs),
        "ofm_file": [f"ref-{name}.npy" for name in known.outputs],
        "expected_failure": False,
        "test_requirements": {
            "profiles_supported": ["tosa-pro-fp"],
            "bounds_file_required": True,
        },
        "test_details": {
            "operator": known.op,
            "accumulator_types": [types.acc.tosa_name],
            "output_types": [types.out.tosa_name] * len(known.outputs),
            "output_shapes": [list(known.output_shape)] * len(known.outputs),
        },
        "meta": meta,
    }


def _compliance(case: TestCase) -> dict[str, Any]:
    limits = case.limits
    entry = {
        "mode": "DOT_PRODUCT",
        "data_type": case.types.out.tosa_name,
        "shape": list(case.operation.output_shape),
        "dot_product_info": {
            "s": case.test_set,
            "ksb": limits.ksb,
            "abs_bound": int(limits.max_error),
            "variance_error_bound": limits.variance,
        },
    }
    return {"version": _VERSION, "tensors": dict.fromkeys(case.operation.outputs, entry)}


def _data_generation(case: TestCase) -> dict[str, Any]:
    known, types = case.operation, case.types
    tensors = {}
    for tensor in known.inputs:
        info: dict[str, Any] = {
            "s": case.test_set,
            "ks": known.ks,
            "out_type": types.out.tosa_name,
        }
        if known.kernel is not None:
            info["kernel"] = list(known.kernel)
        if known.axis is not None:
            info["axis"] = known.axis
        if known.op in ("MATMUL", "MATMUL_T"):
            info["other_data_type"] = types.type_of(1 - tensor.position).tosa_name
        tensors[tensor.name] = {
            "generator": "DOT_PRODUCT",
            "data_type": _input_type(case, tensor.position).tosa_name,
            "input_type": "VARIABLE",
            "shape": list(tensor.shape),
            "input_pos": tensor.position,
            "op": known.op,
            "dot_product_info": info,
        }
    return {"version": _VERSION, "tensors": tensors}


def verify_folder(
    folder: Path, actual: Mapping[str, ArrayLike] | ArrayLike
) -> list[OutputReport | ElementReport]:
    """Judge outputs by the reference, bounds and ``desc.json`` of a folder.

    The folder may be one of `write_case` or a test of Arm's tools whose reference was made in
    double precision; descriptions from version 0.2 on are read. Limits that an old description
    leaves out are those of its time: KS and 0.4 KS.

    Parameters
    ----------
    folder : pathlib.Path
    actual : mapping of array_like, or array_like
        The outputs by name, or the only output.

    Returns
    -------
    list of OutputReport or ElementReport
        One for each output.

    Raises
    ------
    OptionError
        If a file or an entry of the description is missing, or a mode is not known.
    """
    path = folder / "desc.json"
    if not path.is_file():
        msg = f"{folder} holds no desc.json: it is no test"
        raise OptionError(msg)
    description = json.loads(path.read_text())
    entries = description.get("meta", {}).get("compliance", {}).get("tensors", {})
    names = description.get("ofm_name", [])
    if not isinstance(actual, Mapping):
        if len(names) != 1:
            msg = f"{folder} has outputs {names}: name the file of each"
            raise OptionError(msg)
        actual = {names[0]: actual}
    reports = []
    for name, file in zip(names, description["ofm_file"], strict=True):
        if name not in actual:
            msg = f"{folder} has outputs {names}: {name!r} is not given"
            raise OptionError(msg)
        if name not in entries:
            msg = f"{path} has no compliance entry for output {name!r}"
            raise OptionError(msg)
        reports.append(_verify_output(folder, name, file, entries[name], actual[name]))
    return reports


def _verify_output(
    folder: Path, name: str, file: str, entry: Mapping[str, Any], actual: ArrayLike
) -> OutputReport | ElementReport:
    mode, kind = entry["mode"], as_type(entry["data_type"])
    reference = _load(folder / file, name)
    bounds_path = folder / f"bounds_{file}"
    needs_bound = mode in ("DOT_PRODUCT", "ABS_ERROR", "FP_SPECIAL")
    bound = _load(bounds_path, name) if needs_bound else None
    if mode == "DOT_PRODUCT" and bound is not None:
        info = entry["dot_product_info"]
        return verify_dot_products(
            reference,
            bound,
            actual,
            dtype=kind,
            test_set=info["s"],
            ksb=info["ksb"],
            max_error=info.get("abs_bound", info["ksb"]),
            variance=info.get("variance_error_bound", 0.4 * info["ksb"]),
            name=name,
        )
    numbers = entry.get(f"{mode.lower()}_info", {})
    return verify_elements(mode, reference, actual, dtype=kind, bound=bound, name=name, **numbers)


def _load(path: Path, name: str) -> NDArray[np.float64]:
    if not path.is_file():
        msg = f"the verdict on {name!r} needs {path}, which is missing"
        raise OptionError(msg)
    array = np.load(path, allow_pickle=False)
    if array.dtype != np.float64:
        msg = f"{path} must hold float64, made in double precision, not {array.dtype}"
        raise OptionError(msg)
    return np.asarray(array)
