"""Sample results and bounds of Arm's reference model in double precision, for the test suite.

In an environment of its own (the package pins others exactly), with N between 1 and 33:

    pip install tosa-tools
    tosa_verif_build_tests --test-type positive --no-special-tests --seed 7 -o TESTS \
        --filter '^(conv2d|conv3d|depthwise_conv2d|transpose_conv2d|avg_pool2d|matmul)' \
        --tensor-dim-range 1,16 --max-conv-padding 1 --max-conv-dilation 2
    tosa_verif_build_tests ... --filter '^r?fft2d$' --target-shape 4,16,32
    tosa_verif_build_tests ... --filter '^reduce_sum$' --target-dtype fp32 --target-shape 40,30,16
    python scripts/tosa_reference_model.py ENVIRONMENT/bin/tosa_reference_model TESTS/*/

runs the model over some tests of each operator and writes tests/tosa/reference_model.json: the
attributes, the limits that the tool wrote down, and a few elements of each output and bound.
"""

from __future__ import annotations

import json
import math
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np

PER_FOLDER = 12
ELEMENTS = 10


def attributes_of(name: str, op: str, tensors: list[dict[str, Any]]) -> dict[str, Any]:
    """Read the attributes from the shapes and the name of a test."""

    def digits(pattern: str) -> list[int] | None:
        found = re.search(pattern, name)
        return [int(text) for text in re.findall(r"-?\d", found[1])] if found else None

    shapes = [tensor["shape"] for tensor in tensors]
    found: dict[str, Any] = {"ifm": shapes[0]}
    if op in ("CONV2D", "CONV3D", "TRANSPOSE_CONV2D"):
        found |= {"kernel": shapes[1][1:-1], "ofm_channels": shapes[1][0]}
    if op == "DEPTHWISE_CONV2D":
        found |= {"kernel": shapes[1][:2], "multiplier": shapes[1][3]}
    if "CONV" in op:
        found["bias_channels"] = shapes[2][0]
    if op == "MATMUL":
        found["width"] = shapes[1][2]
    if op == "REDUCE_SUM":
        found["axis"] = tensors[0]["dot_product_info"]["axis"]
    if op == "AVG_POOL2D":
        found["kernel"] = digits(r"kern(\d+)")
    if op == "FFT2D":
        found["inverse"] = "inverseTrue" in name
    pad = digits(r"_pad([-\d]+)")
    more = {"stride": digits(r"_st(\d+)_"), "dilation": digits(r"_dilat(\d+)")}
    more["out_pad" if op == "TRANSPOSE_CONV2D" else "pad"] = pad
    found |= {key: value for key, value in more.items() if value is not None}
    if "lclbnd1" in name:
        found["local_bound"] = True
    return found


def sample(model: Path, desc: Path) -> dict[str, Any] | None:
    """Run the model on one test; None for tests of block-scaled or integer types."""
    test = json.loads(desc.read_text())
    generated = test["meta"]["data_gen"]["tensors"].values()
    tensors = sorted(
        (each for each in generated if each["generator"] == "DOT_PRODUCT"),
        key=lambda each: each["input_pos"],
    )
    op = test["test_details"]["operator"].upper()
    if not tensors or "BLOCK" in op or any("UE8M0" in each["data_type"] for each in tensors):
        return None
    folder = desc.parent
    command = [str(model), "--precise_mode=1", f"--test_desc={desc.resolve()}"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    compliance = next(iter(test["meta"]["compliance"]["tensors"].values()))["dot_product_info"]
    names = ["output"] if len(test["ofm_file"]) == 1 else ["output_real", "output_imag"]
    outputs = {}
    for name, file in zip(names, test["ofm_file"], strict=True):
        result, bound = np.load(folder / file), np.load(folder / f"bounds_{file}")
        at = np.unique(np.linspace(0, result.size - 1, ELEMENTS).astype(int))
        outputs[name] = {
            "shape": list(result.shape),
            "index": at.tolist(),
            "result": [float(x).hex() for x in result.flat[at]],
            "bound": [float(x).hex() for x in bound.flat[at]],
        }
    second = tensors[1] if len(tensors) > 1 and op != "FFT2D" else tensors[0]
    return {
        "name": folder.name,
        "op": op,
        "attributes": attributes_of(folder.name, op, tensors),
        "test_set": tensors[0]["dot_product_info"]["s"],
        "dtype": tensors[0]["data_type"],
        "weight_dtype": second["data_type"],
        "acc": test["test_details"].get("accumulator_types", [None])[0],
        "out": test["test_details"]["output_types"][0],
        **{key: compliance[key] for key in ("ksb", "abs_bound", "variance_error_bound")},
        "outputs": outputs,
    }


def main() -> None:
    """Write the samples."""
    model, *folders = map(Path, sys.argv[1:])
    samples = []
    for folder in folders:
        tests = sorted(folder.glob("*/desc.json"))
        step = max(1, len(tests) // (3 * PER_FOLDER))
        while math.gcd(step, 6) != 1:  # names end in the test set: visit all six
            step += 1
        found = (sample(model, test) for test in tests[::step])
        samples += [each for each in found if each is not None][:PER_FOLDER]
    target = Path(__file__).parents[1] / "tests" / "tosa" / "reference_model.json"
    part = target.with_suffix(".part")
    part.write_text(json.dumps({"samples": samples}) + "\n")
    part.replace(target)


if __name__ == "__main__":
    main()
