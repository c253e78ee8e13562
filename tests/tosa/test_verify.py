from __future__ import annotations

import json
import math

import ml_dtypes
import numpy as np
import pytest

from minifloat import DtypeError, OptionError, tosa
from minifloat.tosa._editions import Edition
from minifloat.tosa._limits import dot_product_limits

SHAPE = {"ifm": (1, 40, 64), "width": 40}
WEIGHTED = {"ifm": (1, 12, 12, 8), "kernel": (3, 3), "pad": (1, 1, 1, 1), "ofm_channels": 8}


def product(dtype="fp32", test_set=3, **types):
    data = tosa.generate("MATMUL", SHAPE, test_set=test_set, dtype=dtype, **types)
    return data, tosa.reference("MATMUL", SHAPE, data, dtype=dtype, **types)


@pytest.mark.parametrize(
    ("op", "types", "ks", "bias", "expected"),
    [
        ("CONV2D", {"dtype": "fp32"}, 36, False, (36, 216, 57.6)),
        ("CONV2D", {"dtype": "fp32"}, 36, True, (37, 222, 59.2)),
        ("CONV2D", {"dtype": "fp16", "acc": "fp16"}, 36, True, (37, 74, 59.2)),
        ("CONV2D", {"dtype": "fp16", "acc": "fp32"}, 192, False, (3, 6, 4.8)),
        ("CONV2D", {"dtype": "bf16"}, 192, True, (2, 4, 3.2)),
        ("MATMUL", {"dtype": "e5m2", "out": "fp32"}, 15, False, (15, 30720, 25165824.0)),
        ("MATMUL", {"dtype": "e5m2", "out": "fp32"}, 200, False, (200, 131072, 107374182.4)),
        ("MATMUL", {"dtype": "e4m3", "out": "fp16"}, 15, False, (15, 30, 24.0)),
        ("CONV2D", {"dtype": "fp16", "weight_dtype": "fp32", "out": "fp32"}, 84, False,
         (84, 168, 134.4)),
    ],
)  # fmt: skip
def test_limits(op, types, ks, bias, expected):
    signature = tosa.signature(op, types.pop("dtype"), **types)
    limits = dot_product_limits(ks, signature, has_bias=bias, edition=Edition.TOOL)
    assert (limits.ksb, limits.max_error) == expected[:2]
    assert limits.variance == pytest.approx(expected[2], rel=1e-15)


def test_limits_of_the_seed_edition():
    signature = tosa.signature("CONV2D", "fp16", acc="fp32")
    limits = dot_product_limits(36, signature, has_bias=True, edition=Edition.SEED)
    assert (limits.ksb, limits.max_error, limits.unit_type.name) == (37, 37, "fp32")
    assert limits.variance == pytest.approx(14.8)
    assert limits.sum_limit(100) == pytest.approx(2 * math.sqrt(37 * 100))


@pytest.mark.parametrize("edition", ["seed", "1.1", "tool"])
@pytest.mark.parametrize("test_set", range(6))
def test_the_rounded_reference_passes_everywhere(test_set, edition):
    data = tosa.generate("CONV2D", WEIGHTED, test_set=test_set, edition=edition)
    exact = tosa.reference("CONV2D", WEIGHTED, data, edition=edition).results["output"]
    report = tosa.verify(
        "CONV2D", WEIGHTED, data, exact.astype(np.float32), test_set=test_set, edition=edition
    )
    assert report
    assert report.headroom > 1


def test_the_report_measures_what_is_wrong():
    data, expected = product()
    exact, bound = expected.results["output"], expected.bounds["output"]
    unit = bound * 2.0**-24
    output = exact.astype(np.float32)
    assert tosa.verify("MATMUL", SHAPE, data, output, test_set=3).outputs[0].worst[0].error < 1
    output[0, 7, 9] = exact[0, 7, 9] + 1000 * unit[0, 7, 9]
    output[0, 3, 2] = exact[0, 3, 2] - 2000 * unit[0, 3, 2]
    report = tosa.verify("MATMUL", SHAPE, data, output, test_set=3)
    (checked,) = report.outputs
    assert not report
    assert checked.failures == 2
    assert checked.first_failure == (0, 3, 2)
    assert [each.index for each in checked.worst[:2]] == [(0, 3, 2), (0, 7, 9)]
    assert checked.worst[0].error == pytest.approx(-2000, rel=1e-3)
    assert checked.worst[1].error == pytest.approx(1000, rel=1e-3)
    assert checked.max_error == pytest.approx(2000, rel=1e-3)
    # The squares are nearer to their limit than the largest error: 0.181 against 0.192.
    assert checked.headroom == pytest.approx(math.sqrt(1.6 * 64 * 1600 / 5e6), rel=1e-3)
    assert "2 of 1600 elements" in str(report)
    assert json.loads(json.dumps(report.to_dict()))["outputs"][0]["failures"] == 2


def test_sums_are_those_of_the_errors():
    data, expected = product()
    exact, bound = expected.results["output"], expected.bounds["output"]
    output = (exact * (1 + 2.0**-20)).astype(np.float32)
    error = (output - exact) / (bound * 2.0**-24)
    (checked,) = tosa.verify("MATMUL", SHAPE, data, output, test_set=3).outputs
    assert checked.error_sum == pytest.approx(error.sum(), rel=1e-12)
    assert checked.square_sum == pytest.approx((error**2).sum(), rel=1e-12)
    assert checked.max_error == pytest.approx(abs(error).max(), rel=1e-15)


def test_a_bias_fails_in_the_sets_that_are_judged_for_it():
    data, expected = product(test_set=5)
    exact, bound = expected.results["output"], expected.bounds["output"]
    # The mean error may be sqrt(10 * 102.4 / 1600) = 0.8, its root mean square sqrt(102.4) = 10.1.
    output = (exact + 5.5 * bound * 2.0**-24).astype(np.float32)
    for test_set, passes in ((None, True), (2, True), (3, False), (5, False)):
        (checked,) = tosa.verify("MATMUL", SHAPE, data, output, test_set=test_set).outputs
        assert checked.failures == 0
        assert checked.variance_passed
        assert checked.passed == checked.unbiased == passes
        assert ("biased" in " ".join(checked.reasons())) != passes


@pytest.mark.parametrize("special", [np.nan, np.inf, -np.inf])
def test_a_misplaced_special_value_is_an_infinite_error(special):
    data, expected = product()
    output = expected.results["output"].astype(np.float32)
    output[0, 1, 1] = special
    (checked,) = tosa.verify("MATMUL", SHAPE, data, output, test_set=3).outputs
    assert checked.failures == 1
    assert checked.max_error == math.inf
    assert checked.headroom == 0
    assert checked.worst[0].index == (0, 1, 1)
    assert json.dumps(checked.to_dict(), allow_nan=False)


def test_exact_outputs_have_infinite_headroom():
    report = tosa.verify_dot_products(
        [1.0, 2.0], [1.0, 2.0], np.float32([1, 2]), dtype="fp32", test_set=3, ksb=4, max_error=8,
        variance=6.4,
    )  # fmt: skip
    assert report.headroom == math.inf
    assert report.worst == ()


def test_long_outputs_are_judged_whole():
    n = 3 * 65536 + 17
    reference = np.ones(n)
    output = np.ones(n, np.float32)
    output[[5, 65536, n - 1]] = 1 + 2.0**-10
    report = tosa.verify_dot_products(
        reference, reference, output, dtype="fp32", test_set=0, ksb=1, max_error=2, variance=1e12
    )
    assert report.failures == 3
    assert report.first_failure == (5,)
    assert [each.index for each in report.worst] == [(5,), (65536,), (n - 1,)]
    assert report.square_sum == 3 * (2.0**14) ** 2


@pytest.mark.parametrize("dtype", ["fp16", "bf16", "e4m3", "e5m2"])
def test_outputs_may_be_codes_or_ml_dtypes_or_raw_bytes(dtype):
    kind = tosa.as_type(dtype)
    other = getattr(ml_dtypes, kind.format_name, np.float16)
    values = np.linspace(-3, 3, 41)
    narrow = values.astype(other)
    size = narrow.dtype.itemsize
    for form in (narrow, narrow.view(f"u{size}"), narrow.view(f"V{size}")):
        report = tosa.verify_elements("ULP", values, form, dtype=dtype, ulp=0.5)
        assert report.passed
    with pytest.raises(DtypeError, match="not float64"):
        tosa.verify_elements("ULP", values, values, dtype=dtype, ulp=0.5)


def test_missing_and_misshapen_outputs_are_errors():
    data, expected = product()
    output = expected.results["output"].astype(np.float32)
    with pytest.raises(OptionError, match=r"shape \(1, 40, 40\), not \(40, 40\)"):
        tosa.verify("MATMUL", SHAPE, data, output[0], test_set=3)
    with pytest.raises(OptionError, match="'output' is missing"):
        tosa.verify("MATMUL", SHAPE, data, {"result": output}, test_set=3)
    spectrum = tosa.generate("FFT2D", {"ifm": (1, 32, 32)}, test_set=3, weights=False)
    with pytest.raises(OptionError, match="mapping by name"):
        tosa.verify("FFT2D", {"ifm": (1, 32, 32)}, spectrum, spectrum["input_real"], test_set=3)


# ---- other rules


FUNCTIONS = {
    "ABS": np.abs,
    "NEGATE": np.negative,
    "CEIL": np.ceil,
    "FLOOR": np.floor,
    "RECIPROCAL": lambda x: 1 / x,
    "RSQRT": lambda x: 1 / np.sqrt(x),
    "ERF": np.vectorize(math.erf),
    "EXP": np.exp,
    "LOG": np.log,
    "SIGMOID": lambda x: 1 / (1 + np.exp(-x)),
    "TANH": np.tanh,
    "COS": np.cos,
    "SIN": np.sin,
    "ADD": np.add,
    "SUB": np.subtract,
    "MUL": np.multiply,
    "POW": np.power,
    "MAXIMUM": np.maximum,
    "MINIMUM": np.minimum,
}


@pytest.mark.parametrize("op", tosa.ELEMENTWISE)
@pytest.mark.parametrize("dtype", ["fp32", "fp16", "bf16"])
def test_correctly_rounded_functions_pass_and_gross_errors_do_not(op, dtype):
    kind = tosa.as_type(dtype)
    narrow = {"fp32": np.float32, "fp16": np.float16, "bf16": ml_dtypes.bfloat16}[dtype]
    count, _ = tosa.ELEMENTWISE[op]
    rng = np.random.default_rng(2)
    inputs = [np.exp(rng.uniform(-3, 2, 500)).astype(narrow) for _ in range(count)]
    if op not in ("LOG", "RSQRT", "POW"):
        inputs = [np.where(np.arange(500) % 2, x, -x).astype(narrow) for x in inputs]
    exact = FUNCTIONS[op](*(x.astype(np.float64) for x in inputs))
    good = exact.astype(narrow)
    assert tosa.verify_elementwise(op, inputs, good, dtype=dtype)
    bad = good.copy()
    bad[10] = narrow(float(bad[10]) * 1.3 + 0.5)
    report = tosa.verify_elementwise(op, inputs, bad, dtype=dtype)
    assert report.failures == 1
    assert report.first_failure == (10,)
    assert report.worst[0].index == (10,)
    assert kind.name == report.dtype


def test_special_inputs_of_functions():
    x = np.float32([np.nan, np.inf, -np.inf, 0.0, -1.0])
    with np.errstate(all="ignore"):
        for op, function in (("EXP", np.exp), ("LOG", np.log), ("TANH", np.tanh)):
            assert tosa.verify_elementwise(op, [x], function(x), dtype="fp32"), op
        sigmoid = np.float32([np.nan, 1, 0, 0.5, 1 / (1 + np.exp(1))])
    assert tosa.verify_elementwise("SIGMOID", [x], sigmoid, dtype="fp32")
    wrong = np.float32([0, 1, 0, 0.5, 1 / (1 + np.exp(1))])
    assert not tosa.verify_elementwise("SIGMOID", [x], wrong, dtype="fp32")


def test_flushing_all_subnormal_inputs_or_none():
    tiny = np.float32(2.0**-127)
    x = np.float32([2.0**-126, 2.0**-126])
    y = np.float32([tiny, tiny])
    kept, flushed = x + y, x.copy()
    assert tosa.verify_elementwise("ADD", [x, y], kept, dtype="fp32")
    assert tosa.verify_elementwise("ADD", [x, y], flushed, dtype="fp32")
    mixed = np.float32([kept[0], flushed[1]])
    assert not tosa.verify_elementwise("ADD", [x, y], mixed, dtype="fp32")


def test_casts_may_truncate_or_round():
    x = np.float32([1 + 2.0**-11 + 2.0**-13, -1 - 2.0**-11 - 2.0**-13, 65520.0, 1e-9])
    up, down = 1 + 2.0**-10, 1.0
    for output in ([up, -up, np.inf, 0], [down, -down, 65504, 0]):
        assert tosa.verify_cast(x, np.float16(output), dtype="fp16")
    report = tosa.verify_cast(x, np.float16([1 + 2.0**-9, -1, 65504, 0]), dtype="fp16")
    assert report.first_failure == (0,)
    eight = np.float32([500.0, -500.0, 448.0])
    assert tosa.verify_cast(eight, np.uint8([0x7F, 0xFF, 0x7E]), dtype="e4m3")


def test_modes_refuse_wrong_numbers():
    one = np.ones(1, np.float32)
    with pytest.raises(OptionError, match="did you mean 'ULP'"):
        tosa.verify_elements("ULPS", [1.0], one, dtype="fp32")
    with pytest.raises(OptionError, match="mode ULP: missing"):
        tosa.verify_elements("ULP", [1.0], one, dtype="fp32")
    with pytest.raises(OptionError, match="unexpected keyword"):
        tosa.verify_elements("EXACT", [1.0], one, dtype="fp32", ulp=1)
    with pytest.raises(OptionError, match="needs bound"):
        tosa.verify_elements("ABS_ERROR", [1.0], one, dtype="fp32")
    with pytest.raises(OptionError, match="reference"):
        tosa.verify_elements("EXACT", [1.0, 2.0], one, dtype="fp32")
    with pytest.raises(OptionError, match="takes 2 inputs"):
        tosa.verify_elementwise("ADD", [one], one, dtype="fp32")
    with pytest.raises(OptionError, match="do not broadcast"):
        tosa.verify_elementwise("ADD", [np.ones(2, np.float32), np.ones(3, np.float32)], one,
                                dtype="fp32")  # fmt: skip
    with pytest.raises(OptionError, match="did you mean 'TANH'"):
        tosa.verify_elementwise("TANN", [one], one, dtype="fp32")


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.int32])
def test_rescale_allows_roundings_of_float32(dtype):
    rng = np.random.default_rng(4)
    limits = np.iinfo(dtype)
    values = rng.integers(-(2**31), 2**31, (50, 7))
    multiplier = rng.integers(2**30, 2**31, 7)
    shift = 31 + (34 - limits.bits if limits.bits < 32 else 0)
    exact = [
        [(int(x) - 3) * int(m) / 2**shift + 5 for x, m in zip(row, multiplier, strict=True)]
        for row in values
    ]
    rounded = np.clip(np.rint(exact), limits.min, limits.max)
    how = {"multiplier": multiplier, "shift": shift, "input_zp": 3, "output_zp": 5}
    good = rounded.astype(dtype)
    assert tosa.verify_rescale(values, good, **how)
    inside = np.argwhere((rounded > limits.min + 600) & (rounded < limits.max - 600))
    if limits.bits < 16:
        inside = np.argwhere((rounded > limits.min + 2) & (rounded < limits.max - 2))
    bad = good.copy()
    step = 1 if limits.bits < 32 else 600
    bad[tuple(inside[0])] += np.array(2 * step, dtype)
    report = tosa.verify_rescale(values, bad, **how)
    assert report.failures == 1
    assert report.first_failure == tuple(inside[0])


def test_rescale_refuses_what_does_not_fit():
    with pytest.raises(DtypeError, match="values must be integers"):
        tosa.verify_rescale([1.0], np.int8([1]), multiplier=1, shift=0)
    with pytest.raises(OptionError, match="shape"):
        tosa.verify_rescale([1, 2], np.int8([1]), multiplier=1, shift=0)
    with pytest.raises(OptionError, match="does not fit"):
        tosa.verify_rescale([1, 2], np.int8([1, 2]), multiplier=[1, 2, 3], shift=0)
