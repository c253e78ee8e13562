from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from minifloat import OptionError, tosa
from minifloat.tosa._editions import Edition
from minifloat.tosa._sweep import DEFAULT_ATTRIBUTES, DEFAULT_TYPES

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def backends(monkeypatch):
    monkeypatch.syspath_prepend(str(EXAMPLES))
    import tosa_backends

    return tosa_backends


def test_every_operator_has_a_problem_of_enough_outputs():
    assert set(DEFAULT_ATTRIBUTES) == set(DEFAULT_TYPES) == set(tosa.ATTRIBUTES)
    for op, attributes in DEFAULT_ATTRIBUTES.items():
        tosa.operation(op, attributes).require_enough_outputs()


@pytest.mark.parametrize("edition", ["seed", "1.1", "tool"])
def test_the_float32_example_passes_everything(backends, edition):
    cases = tosa.sweep_cases(edition=edition)
    results = tosa.sweep(backends.numpy_float32, cases, edition=edition)
    # The text of the seed edition measures in half ulps of the accumulator, which an output of a
    # narrower type cannot meet.
    narrow = [r for r in results if edition == "seed" and r.types["acc"] != r.types["out"]]
    assert {r.case: r.message for r in results if r not in narrow and r.status != "pass"} == {}
    assert len(results) - len(narrow) > 100


def test_the_bfloat16_example_fails(backends):
    results = tosa.sweep(backends.bfloat16_accumulator, tosa.sweep_cases(dtypes=["fp32"]))
    assert {r.op for r in results if r.status == "fail"} == set(DEFAULT_TYPES)
    assert {r.status for r in results} == {"fail"}


def test_the_emulated_example_passes(backends):
    results = tosa.sweep(backends.emulated, tosa.sweep_cases(test_sets=[3, 5]))
    assert {r.case for r in results if r.status != "pass"} == set()


def test_the_torch_example_passes_what_it_supports(backends):
    pytest.importorskip("torch", reason="torch is no dependency of the tests")
    results = tosa.sweep(backends.torch_cpu, tosa.sweep_cases(["MATMUL", "CONV2D", "FFT2D"]))
    statuses = {r.status for r in results if r.types["data"] == "fp32" and r.op != "FFT2D"}
    assert statuses == {"pass"}
    assert {r.status for r in results if r.op == "FFT2D"} == {"unsupported"}


def test_a_program_is_a_backend():
    command = f"{sys.executable} {EXAMPLES / 'tosa_command_backend.py'} {{desc}} {{out}}"
    results = tosa.sweep(command, tosa.sweep_cases(["MATMUL", "CONV2D"], [3], ["fp32"]))
    assert [(r.op, r.status) for r in results] == [("MATMUL", "pass"), ("CONV2D", "unsupported")]


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("import sys; sys.exit('out of memory')", "status 1: out of memory"),
        ("pass", "wrote no actual.npy"),
    ],
)
def test_what_a_program_does_wrong_is_an_error(code, message):
    command = f'{sys.executable} -c "{code}" {{desc}} {{out}}'
    (result,) = tosa.sweep(command, tosa.sweep_cases(["MATMUL"], [3], ["fp32"]))
    assert result.status == "error"
    assert message in result.message


def test_what_a_callable_does_wrong_is_an_error():
    cases = tosa.sweep_cases(["MATMUL"], [3], ["fp32"])
    (result,) = tosa.sweep(lambda case: case.inputs["A"], cases)
    assert (result.status, result.report) == ("error", None)
    assert "shape" in result.message
    (result,) = tosa.sweep(lambda case: case.inputs["C"], cases)
    assert result.message.startswith("KeyError")


def test_results_come_one_by_one_and_become_json():
    seen = []
    cases = tosa.sweep_cases(["MATMUL"], [0, 3], ["fp32"])
    results = tosa.sweep(
        lambda case: case.inputs["A"] @ case.inputs["B"], cases, on_result=seen.append
    )
    assert seen == results
    plain = json.loads(json.dumps([r.to_dict() for r in results], allow_nan=False))
    assert [each["status"] for each in plain] == ["pass", "pass"]
    assert plain[1]["report"]["outputs"][0]["passed"]


def test_backends_that_cannot_be_loaded():
    for text, words in (
        ("python backend.py", "neither module:function nor a command"),
        ("no_such_module:run", "cannot be loaded"),
        ("math:no_such_function", "cannot be loaded"),
    ):
        with pytest.raises(OptionError, match=words):
            tosa.load_backend(text)


def test_own_attributes_and_too_small_tests():
    cases = tosa.sweep_cases(["MATMUL"], [3], ["fp32"])

    def backend(case):
        assert case.operation.ks == 7
        return case.inputs["A"] @ case.inputs["B"]

    own = {"MATMUL": {"ifm": (1, 40, 7), "width": 40}}
    assert tosa.sweep(backend, cases, attributes=own)[0].status == "pass"
    with pytest.raises(OptionError, match="at least 1000"):
        tosa.sweep(backend, cases, attributes={"MATMUL": {"ifm": (1, 4, 7), "width": 4}})


def test_a_picture_of_a_sweep():
    pytest.importorskip("matplotlib", reason="pictures are an extra")
    cases = tosa.sweep_cases(["MATMUL", "REDUCE_SUM"], [0, 3], ["fp32"])

    def backend(case):
        if case.operation.op == "MATMUL":
            return np.full(case.operation.output_shape, np.nan, np.float32)
        return case.inputs["input"].sum(axis=1, keepdims=True)

    ax = tosa.plot_sweep(tosa.sweep(backend, cases))
    assert [each.get_text() for each in ax.get_xticklabels()] == ["MATMUL", "REDUCE_SUM"]
    largest = next(line for line in ax.lines if line.get_label() == "largest error")
    low, high = ax.get_ylim()
    assert all(low < y < high for y in largest.get_ydata())
    assert (np.asarray(largest.get_ydata()) > 1).tolist() == [True, True, False, False]


def test_a_picture_of_a_sweep_without_reports_is_empty():
    pytest.importorskip("matplotlib", reason="pictures are an extra")

    def backend(case):
        raise tosa.UnsupportedError(case.name)

    ax = tosa.plot_sweep(tosa.sweep(backend, tosa.sweep_cases(["MATMUL"], [0], ["fp32"])))
    assert len(ax.lines) == 1  # the limit
    assert ax.get_legend() is None


# ---- folders


@pytest.mark.parametrize(
    ("op", "types"),
    [
        pytest.param(op, types, id=f"{op}-{types.data}-{types.weight}-{types.out}")
        for op, types, _ in tosa.sweep_cases(None, [3], ["fp32", "bf16", "e4m3"])
    ],
)
def test_a_folder_tells_all(tmp_path, op, types):
    case = tosa.make_case(tosa.operation(op, DEFAULT_ATTRIBUTES[op]), types, 3, Edition.TOOL)
    tosa.write_case(tmp_path / "deep" / "test", case)
    folder = tmp_path / "deep" / "test"
    details = json.loads((folder / "operation.json").read_text())
    inputs = {t.name: np.load(folder / f"{t.name}.npy") for t in case.operation.inputs}
    names = {key: details[key] for key in ("dtype", "weight_dtype", "acc", "out")}
    again = tosa.reference(details["op"], details["attributes"], inputs, **names)
    outputs = {}
    for name in case.operation.outputs:
        result = np.load(folder / f"ref-{name}.npy")
        np.testing.assert_array_equal(again.results[name], result)
        np.testing.assert_array_equal(
            again.bounds[name], np.load(folder / f"bounds_ref-{name}.npy")
        )
        outputs[name] = tosa.run(op, details["attributes"], inputs, **names)
        if isinstance(outputs[name], dict):
            outputs[name] = outputs[name][name]
    assert all(report.passed for report in tosa.verify_folder(folder, outputs))
    assert not list(folder.glob(".*"))


def matmul_folder(tmp_path):
    known = tosa.operation("MATMUL", {"ifm": (1, 40, 8), "width": 40})
    case = tosa.make_case(known, tosa.signature("MATMUL"), 3, Edition.TOOL)
    tosa.write_case(tmp_path, case)
    return case, case.reference.results["output"].astype(np.float32)


def test_the_description_has_the_limits_and_the_recipe(tmp_path):
    matmul_folder(tmp_path)
    description = json.loads((tmp_path / "desc.json").read_text())
    compliance = description["meta"]["compliance"]["tensors"]["output"]
    assert compliance["dot_product_info"] == {
        "s": 3, "ksb": 8, "abs_bound": 48, "variance_error_bound": pytest.approx(12.8),
    }  # fmt: skip
    recipe = description["meta"]["data_gen"]["tensors"]["B"]
    info = recipe["dot_product_info"]
    made = tosa.generate_tensor(
        recipe["op"], recipe["shape"], position=recipe["input_pos"], test_set=info["s"],
        dtype=recipe["data_type"], out_dtype=info["out_type"], ks=info["ks"],
        other_dtype=info["other_data_type"],
    )  # fmt: skip
    np.testing.assert_array_equal(made, np.load(tmp_path / "B.npy"))


def test_no_recipe_where_the_tool_would_make_other_data(tmp_path):
    known = tosa.operation("MATMUL", {"ifm": (1, 40, 8), "width": 40})
    for index, (edition, reordered) in enumerate(((Edition.V1_1, False), (Edition.TOOL, True))):
        case = tosa.make_case(known, tosa.signature("MATMUL"), 3, edition, first=7)
        tosa.write_case(tmp_path / str(index), case, reordered=reordered)
        description = json.loads((tmp_path / str(index) / "desc.json").read_text())
        assert "data_gen" not in description["meta"]


def test_old_descriptions_and_other_modes_are_read(tmp_path):
    _, output = matmul_folder(tmp_path)
    path = tmp_path / "desc.json"
    description = json.loads(path.read_text())
    entry = description["meta"]["compliance"]["tensors"]["output"]
    del entry["dot_product_info"]["abs_bound"], entry["dot_product_info"]["variance_error_bound"]
    path.write_text(json.dumps(description))
    (report,) = tosa.verify_folder(tmp_path, output)
    assert (report.max_error_limit, report.square_sum_limit) == (8, pytest.approx(0.4 * 8 * 1600))
    entry |= {"mode": "ULP", "ulp_info": {"ulp": 0.5}}
    path.write_text(json.dumps(description))
    assert tosa.verify_folder(tmp_path, output)[0].mode == "ULP"
    assert tosa.verify_folder(tmp_path, output)[0].passed
    output[0, 0, 0] *= 1.001
    assert not tosa.verify_folder(tmp_path, output)[0].passed


def test_incomplete_folders_say_what_is_missing(tmp_path):
    with pytest.raises(OptionError, match=r"no desc\.json"):
        tosa.verify_folder(tmp_path, np.zeros(1, np.float32))
    _, output = matmul_folder(tmp_path)
    with pytest.raises(OptionError, match="'output' is not given"):
        tosa.verify_folder(tmp_path, {"result": output})
    (tmp_path / "bounds_ref-output.npy").unlink()
    with pytest.raises(OptionError, match=r"bounds_ref-output\.npy, which is missing"):
        tosa.verify_folder(tmp_path, output)


def test_a_failed_write_leaves_nothing_behind(tmp_path, monkeypatch):
    def fail(*_args, **_more):
        message = "disk full"
        raise OSError(message)

    monkeypatch.setattr(np, "save", fail)
    with pytest.raises(OSError, match="disk full"):
        matmul_folder(tmp_path)
    assert list(tmp_path.iterdir()) == []
