"""Edition "tool" against what Arm's released tool made and decided (scripts/tosa_tools.py)."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import element_cases
import pytest
import tosa_tools
import verdict_cases

from minifloat import tosa

RECORD = json.loads((Path(__file__).parent / "tosa_tools.json").read_text())


def case_name(case):
    more = [f"{key}={case[key]}" for key in ("kernel", "axis") if key in case]
    return "-".join(map(str, (case["op"], case["position"], case["shape"], *more))).replace(" ", "")


def test_the_record_covers_the_case_list():
    listed = json.loads(json.dumps(list(tosa_tools.tensor_cases())))
    assert [
        {k: v for k, v in case.items() if k != "sha256"} for case in RECORD["tensors"]
    ] == listed


@pytest.mark.parametrize("case", RECORD["tensors"], ids=case_name)
def test_tensors_are_the_tools_byte_for_byte(case):
    for test_set, recorded in enumerate(case["sha256"]):
        digest = hashlib.sha256()
        for data_type, out_type, other in tosa_tools.type_cases(case["op"], case["position"]):
            tensor = tosa.generate_tensor(
                case["op"],
                case["shape"],
                position=case["position"],
                test_set=test_set,
                dtype=data_type,
                out_dtype=out_type,
                ks=case["ks"],
                kernel=case.get("kernel"),
                axis=case.get("axis"),
                other_dtype=other,
            )
            digest.update(tensor.tobytes())
        assert digest.hexdigest() == recorded, f"test set {test_set}"


@pytest.mark.parametrize("index", range(len(RECORD["verdicts"])))
def test_verdicts_are_the_tools(index):
    group = verdict_cases.group(index)
    found = [
        tosa.verify_dot_products(
            case.reference,
            case.bound,
            case.actual,
            dtype=case.kind,
            test_set=case.test_set,
            ksb=case.ksb,
            max_error=case.max_error,
            variance=case.variance,
        )
        for case in group
    ]
    recorded = [verdict == "1" for verdict in RECORD["verdicts"][index]]
    differing = [
        (case.tag, recorded_verdict, report.reasons())
        for case, recorded_verdict, report in zip(group, recorded, found, strict=True)
        if report.passed != recorded_verdict
    ]
    assert not differing


def test_the_recorded_verdicts_go_both_ways():
    for row in RECORD["verdicts"]:
        assert {"0", "1"} <= set(row)


@pytest.mark.parametrize("data_type", tosa_tools.TYPES)
@pytest.mark.parametrize("mode", element_cases.MODES)
def test_verdicts_on_single_elements_are_the_tools(mode, data_type):
    recorded = bin(int(RECORD["elements"][f"{mode} {data_type}"], 16))[3:]
    assert {"0", "1"} == set(recorded)
    cases = list(element_cases.cases(mode, data_type))
    assert len(cases) == len(recorded)
    for case, verdict in zip(cases, recorded, strict=True):
        report = tosa.verify_elements(
            mode, case.reference, case.actual, dtype=data_type, bound=case.bound, **case.info
        )
        assert report.passed == (verdict == "1"), case
