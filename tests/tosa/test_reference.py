"""Double-precision results and bounds against loops over the definitions of the operators.

The data are small integers, so that every sum is exact and equality is meant.
"""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import numpy as np
import pytest

from minifloat import OptionError, tosa
from minifloat.tosa._editions import Edition
from minifloat.tosa._limits import dot_product_limits
from minifloat.tosa._lowering import window_counts
from minifloat.tosa._reference import input_values, reference_of

SAMPLES = json.loads((Path(__file__).parent / "reference_model.json").read_text())


def integers(shape, seed):
    return np.random.default_rng(seed).integers(-8, 9, shape).astype(np.float32)


def conv(data, weight, bias, stride, pad, dilation):
    """Add product by product; data (N, ..., IC), weight (OC, ..., IC), any number of axes."""
    spatial = data.ndim - 2
    sizes = []
    for a in range(spatial):
        reach = (weight.shape[1 + a] - 1) * dilation[a] + 1
        sizes.append((data.shape[1 + a] + pad[2 * a] + pad[2 * a + 1] - reach) // stride[a] + 1)
    out = np.zeros((data.shape[0], *sizes, weight.shape[0]))
    for n, *at, oc in np.ndindex(*out.shape):
        total = float(bias[oc % bias.size])
        for tap in itertools.product(*(range(k) for k in weight.shape[1:-1])):
            where = [at[a] * stride[a] - pad[2 * a] + tap[a] * dilation[a] for a in range(spatial)]
            if all(0 <= where[a] < data.shape[1 + a] for a in range(spatial)):
                total += float(data[(n, *where)] @ weight[(oc, *tap)])
        out[(n, *at, oc)] = total
    return out


CONVS = [
    ((1, 5, 6, 2), (2, 3), (1, 1), (0, 0, 0, 0), (1, 1)),
    ((2, 5, 7, 3), (3, 2), (2, 1), (1, 1, 0, 1), (1, 2)),
    ((1, 9, 4, 1), (1, 1), (4, 3), (0, 0, 0, 0), (1, 1)),
    ((1, 3, 3, 2), (3, 3), (1, 1), (2, 2, 2, 2), (1, 1)),
    ((2, 4, 3, 4, 2), (2, 1, 3), (2, 1, 1), (1, 1, 0, 0, 2, 0), (1, 1, 2)),
]


@pytest.mark.parametrize(("shape", "kernel", "stride", "pad", "dilation"), CONVS)
def test_convolutions(shape, kernel, stride, pad, dilation):
    op = "CONV2D" if len(shape) == 4 else "CONV3D"
    inputs = {
        "input": integers(shape, 1),
        "weight": integers((3, *kernel, shape[-1]), 2),
        "bias": integers(3, 3),
    }
    attributes = {
        "ifm": shape, "kernel": kernel, "ofm_channels": 3, "stride": stride, "pad": pad,
        "dilation": dilation,
    }  # fmt: skip
    found = tosa.reference(op, attributes, inputs).results["output"]
    expected = conv(inputs["input"], inputs["weight"], inputs["bias"], stride, pad, dilation)
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize(("shape", "kernel", "stride", "pad", "dilation"), CONVS[:4])
def test_depthwise_convolutions(shape, kernel, stride, pad, dilation):
    channels, multiplier = shape[-1], 2
    inputs = {
        "input": integers(shape, 1),
        "weight": integers((*kernel, channels, multiplier), 2),
        "bias": integers(channels * multiplier, 3),
    }
    attributes = {
        "ifm": shape, "kernel": kernel, "multiplier": multiplier, "stride": stride, "pad": pad,
        "dilation": dilation,
    }  # fmt: skip
    found = tosa.reference("DEPTHWISE_CONV2D", attributes, inputs).results["output"]
    for c in range(channels):
        for m in range(multiplier):
            weight = inputs["weight"][None, :, :, c : c + 1, m]
            bias = inputs["bias"][c * multiplier + m : c * multiplier + m + 1]
            one = conv(inputs["input"][..., c : c + 1], weight, bias, stride, pad, dilation)
            np.testing.assert_array_equal(found[..., c * multiplier + m], one[..., 0])


@pytest.mark.parametrize("stride", [(1, 1), (2, 3)])
@pytest.mark.parametrize("out_pad", [(0, 0, 0, 0), (1, 0, 2, 1), (-1, -1, -1, 0)])
def test_transposed_convolutions(stride, out_pad):
    data, weight, bias = integers((2, 3, 4, 2), 1), integers((3, 2, 3, 2), 2), integers(1, 3)
    attributes = {
        "ifm": data.shape, "kernel": (2, 3), "ofm_channels": 3, "stride": stride,
        "out_pad": out_pad, "bias_channels": 1,
    }  # fmt: skip
    known = tosa.operation("TRANSPOSE_CONV2D", attributes)
    expected = np.full(known.output_shape, float(bias[0]))
    for n, iy, ix, oc, ky, kx in np.ndindex(2, 3, 4, 3, 2, 3):
        y, x = iy * stride[0] + out_pad[0] + ky, ix * stride[1] + out_pad[2] + kx
        if 0 <= y < expected.shape[1] and 0 <= x < expected.shape[2]:
            expected[n, y, x, oc] += data[n, iy, ix] @ weight[oc, ky, kx]
    inputs = {"input": data, "weight": weight, "bias": bias}
    found = tosa.reference("TRANSPOSE_CONV2D", attributes, inputs).results["output"]
    np.testing.assert_array_equal(found, expected)


def test_products():
    a, b = integers((3, 4, 5), 1), integers((3, 5, 6), 2)
    shape = {"ifm": (3, 4, 5), "width": 6}
    expected = np.matmul(a.astype(float), b)
    found = tosa.reference("MATMUL", shape, {"A": a, "B": b}).results["output"]
    np.testing.assert_array_equal(found, expected)
    transposed = np.ascontiguousarray(b.swapaxes(1, 2))
    found = tosa.reference("MATMUL_T", shape, {"A": a, "B": transposed}).results["output"]
    np.testing.assert_array_equal(found, expected)
    single = {"A": a, "B": transposed[:1]}
    found = tosa.reference("MATMUL_T", shape | {"weight_batch": 1}, single).results["output"]
    np.testing.assert_array_equal(found, np.matmul(a.astype(float), b[0]))
    full = {"input": a[0], "weight": transposed[0], "bias": integers(6, 3)}
    found = tosa.reference("FULLY_CONNECTED", {"ifm": (4, 5), "ofm_channels": 6}, full)
    np.testing.assert_array_equal(found.results["output"], expected[0] + full["bias"])


@pytest.mark.parametrize("axis", [0, 1, 2, 3])
def test_sums(axis):
    data = integers((3, 4, 5, 2), 1)
    found = tosa.reference("REDUCE_SUM", {"ifm": data.shape, "axis": axis}, {"input": data})
    np.testing.assert_array_equal(found.results["output"], data.sum(axis=axis, keepdims=True))


def test_pools_divide_by_the_elements_inside():
    data = integers((2, 4, 5, 3), 1)
    attributes = {"ifm": data.shape, "kernel": (2, 3), "pad": (1, 1, 2, 0), "stride": (2, 1)}
    known = tosa.operation("AVG_POOL2D", attributes)
    expected = np.empty(known.output_shape)
    for n, y, x, c in np.ndindex(*expected.shape):
        rows = slice(max(2 * y - 1, 0), 2 * y + 1)
        window = data[n, rows, max(x - 2, 0) : x + 1, c].astype(float)
        expected[n, y, x, c] = window.sum() / window.size
        assert window_counts(known)[0, y, x, 0] == window.size
    found = tosa.reference("AVG_POOL2D", attributes, {"input": data}).results["output"]
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("inverse", [False, True])
@pytest.mark.parametrize("shape", [(2, 4, 8), (1, 1, 4), (1, 2, 1), (1, 1, 1)])
def test_transforms(shape, inverse):
    real, imag = integers(shape, 1), integers(shape, 2)
    _, h, w = shape
    y, x, m, n = np.indices((h, w, h, w))
    turns = (y * m % h) / h + (x * n % w) / w
    kernel = np.exp((2j if inverse else -2j) * np.pi * turns)
    expected = np.einsum("byx,yxmn->bmn", real + 1j * imag, kernel)
    inputs = {"input_real": real, "input_imag": imag}
    found = tosa.reference("FFT2D", {"ifm": shape, "inverse": inverse}, inputs)
    for part, name in ((expected.real, "output_real"), (expected.imag, "output_imag")):
        np.testing.assert_allclose(found.results[name], part, rtol=0, atol=1e-12)
    if not inverse:
        half = tosa.reference("RFFT2D", {"ifm": shape}, {"input_real": real})
        expected = np.einsum("byx,yxmn->bmn", real.astype(complex), kernel)[..., : w // 2 + 1]
        np.testing.assert_allclose(half.results["output_real"], expected.real, rtol=0, atol=1e-12)
        np.testing.assert_allclose(half.results["output_imag"], expected.imag, rtol=0, atol=1e-12)


@pytest.mark.parametrize("op", ["FFT2D", "RFFT2D"])
def test_bounds_of_transforms_by_definition_and_by_the_short_cut(op):
    shape = (2, 8, 4)
    data = {
        "input_real": np.full(shape, 3, np.float32),
        "input_imag": np.full(shape, 5, np.float32),
    }
    inputs = {name: data[name] for name in list(data)[: 2 if op == "FFT2D" else 1]}
    short = tosa.reference(op, {"ifm": shape}, inputs, edition="seed").bounds
    # One element a shade larger forces the sums to be formed one by one.
    for array in inputs.values():
        array[0, 0, 0] = np.nextafter(array[0, 0, 0], np.float32(9))
    summed = tosa.reference(op, {"ifm": shape, "local_bound": True}, inputs, edition="seed").bounds
    for name, bound in short.items():
        np.testing.assert_allclose(summed[name], bound, rtol=1e-6)


def test_bounds_by_edition():
    data = integers((1, 4, 5, 2), 1)
    data[0, 0, 0, 0] = 0
    weight, bias = integers((3, 2, 2, 2), 2), integers(3, 3)
    weight[0] = 0
    inputs = {"input": data, "weight": weight, "bias": bias}
    attributes = {"ifm": data.shape, "kernel": (2, 2), "ofm_channels": 3, "pad": (1, 0, 0, 0)}
    geometry = ((1, 1), (1, 0, 0, 0), (1, 1))
    least = np.float64(2.0**-126)

    def bound(edition, **more):
        return tosa.reference("CONV2D", attributes | more, inputs, edition=edition).bounds["output"]

    plain = conv(abs(data), abs(weight), abs(bias), *geometry)
    np.testing.assert_array_equal(bound("seed", local_bound=True), plain)
    peak = np.full_like(data, 8)
    np.testing.assert_array_equal(bound("seed"), conv(peak, abs(weight), abs(bias), *geometry))
    raised = np.maximum(abs(weight).astype(float), least)
    expected = conv(peak.astype(float), raised, abs(bias), *geometry)
    np.testing.assert_array_equal(bound("1.1"), expected)
    # The tool gives padding the peak as well, so that all positions have one bound.
    np.testing.assert_array_equal(
        bound("tool"), np.broadcast_to(expected[:, 1:2, :1], expected.shape)
    )


def test_infinite_weights_do_not_meet_the_padding():
    data, weight = np.ones((1, 2, 2, 1), np.float32), np.ones((1, 2, 2, 1), np.float32)
    weight[0, 0, 0, 0] = np.inf
    inputs = {"input": data, "weight": weight, "bias": np.zeros(1, np.float32)}
    attributes = {"ifm": data.shape, "kernel": (2, 2), "ofm_channels": 1, "pad": (1, 0, 1, 0)}
    found = tosa.reference("CONV2D", attributes, inputs).results["output"]
    np.testing.assert_array_equal(found[0, :, :, 0], [[1, 2], [2, np.inf]])


def test_not_a_number_stays_where_it_belongs():
    data = integers((1, 2, 2), 1)
    data[0, 0, 0] = np.nan
    inputs = {"A": data, "B": integers((1, 2, 3), 2)}
    found = tosa.reference("MATMUL", {"ifm": (1, 2, 2), "width": 3}, inputs).results["output"]
    np.testing.assert_array_equal(np.isnan(found[0]), [[True] * 3, [False] * 3])
    spectrum = tosa.reference(
        "FFT2D", {"ifm": (1, 2, 2)}, {"input_real": data, "input_imag": data}
    ).results["output_real"]
    assert np.isnan(spectrum).all()


def test_inputs_are_checked():
    shape = {"ifm": (1, 2, 2), "width": 3}
    good = {"A": integers((1, 2, 2), 1), "B": integers((1, 2, 3), 2)}
    with pytest.raises(OptionError, match="'B' is missing"):
        tosa.reference("MATMUL", shape, {"A": good["A"]})
    with pytest.raises(OptionError, match=r"shape \(1, 2, 3\), not \(1, 3, 2\)"):
        tosa.reference("MATMUL", shape, good | {"B": integers((1, 3, 2), 2)})
    with pytest.raises(ValueError, match="not float64"):
        tosa.reference("MATMUL", shape, good | {"B": good["B"].astype(float)})


@pytest.mark.parametrize("sample", SAMPLES["samples"], ids=lambda sample: sample["name"])
def test_results_and_bounds_are_those_of_the_reference_model(sample):
    """Against Arm's model in double precision (scripts/tosa_reference_model.py).

    It adds in another order, so results may differ by the roundings of KS + 1 additions.
    """
    types = tosa.signature(
        sample["op"], sample["dtype"], weight_dtype=sample["weight_dtype"], acc=sample["acc"],
        out=sample["out"],
    )  # fmt: skip
    known = tosa.operation(sample["op"], sample["attributes"])
    inputs = tosa.generate(
        sample["op"], sample["attributes"], test_set=sample["test_set"], dtype=sample["dtype"],
        weight_dtype=sample["weight_dtype"], acc=sample["acc"], out=sample["out"],
        weights=False, small=True,
    )  # fmt: skip
    expected = reference_of(known, types, input_values(known, types, inputs), Edition.TOOL)
    limits = dot_product_limits(known.ks, types, has_bias=expected.has_bias, edition=Edition.TOOL)
    assert limits.ksb == sample["ksb"]
    assert limits.max_error == sample["abs_bound"]
    assert limits.variance == pytest.approx(sample["variance_error_bound"], rel=1e-15)
    for name, values in sample["outputs"].items():
        assert list(known.output_shape) == values["shape"]
        at = values["index"]
        bound = np.array([float.fromhex(text) for text in values["bound"]])
        result = np.array([float.fromhex(text) for text in values["result"]])
        slack = (known.ks + 1) * 2.0**-52 * bound
        assert (abs(expected.bounds[name].ravel()[at] - bound) <= slack).all()
        assert (abs(expected.results[name].ravel()[at] - result) <= slack).all()
