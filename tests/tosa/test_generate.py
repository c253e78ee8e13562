from __future__ import annotations

import math

import ml_dtypes
import numpy as np
import pytest

from minifloat import DtypeError, FormatError, MinifloatError, OptionError, tosa
from minifloat.reference import tosa as plain
from minifloat.tosa._editions import Edition
from minifloat.tosa._generate import weight_arrays
from minifloat.tosa._patterns import kernel_index, selected_axes, tensor_pattern

SEED_TYPES = [("fp16", "fp16"), ("fp16", "fp32"), ("bf16", "fp32"), ("fp32", "fp32")]
NARROW = {"fp32": np.float32, "fp16": np.float16, "bf16": ml_dtypes.bfloat16}

# Operator, attributes, and the same sizes by the letters of the appendix.
SEED_CASES = [
    (
        "CONV2D",
        {"ifm": (2, 5, 7, 3), "kernel": (2, 3), "ofm_channels": 4},
        {"N": 2, "IH": 5, "IW": 7, "IC": 3, "OC": 4, "KH": 2, "KW": 3, "BC": 4},
    ),
    (
        "CONV2D",
        {"ifm": (1, 4, 4, 1), "kernel": (1, 1), "ofm_channels": 3, "bias_channels": 1},
        {"N": 1, "IH": 4, "IW": 4, "IC": 1, "OC": 3, "KH": 1, "KW": 1, "BC": 1},
    ),
    (
        "CONV3D",
        {"ifm": (2, 3, 4, 5, 2), "kernel": (2, 3, 2), "ofm_channels": 3},
        {"N": 2, "ID": 3, "IH": 4, "IW": 5, "IC": 2, "OC": 3, "KD": 2, "KH": 3, "KW": 2, "BC": 3},
    ),
    (
        "DEPTHWISE_CONV2D",
        {"ifm": (2, 5, 4, 3), "kernel": (3, 2), "multiplier": 2},
        {"N": 2, "IH": 5, "IW": 4, "C": 3, "M": 2, "KH": 3, "KW": 2, "BC": 6},
    ),
    ("FULLY_CONNECTED", {"ifm": (5, 6), "ofm_channels": 7}, {"N": 5, "IC": 6, "OC": 7, "BC": 7}),
    ("MATMUL", {"ifm": (2, 5, 6), "width": 7}, {"N": 2, "H": 5, "C": 6, "W": 7}),
    (
        "TRANSPOSE_CONV2D",
        {"ifm": (1, 3, 4, 2), "kernel": (3, 2), "ofm_channels": 3, "stride": (2, 2)},
        {"N": 1, "IH": 3, "IW": 4, "IC": 2, "OC": 3, "KH": 3, "KW": 2, "BC": 3},
    ),
    ("FFT2D", {"ifm": (2, 4, 8)}, {"N": 2, "H": 4, "W": 8}),
    ("RFFT2D", {"ifm": (3, 8, 2)}, {"N": 3, "H": 8, "W": 2}),
    ("REDUCE_SUM", {"ifm": (3, 5, 4), "axis": 1}, {"outer": 3, "KS": 5, "inner": 4}),
    ("REDUCE_SUM", {"ifm": (3, 5, 4), "axis": 2}, {"outer": 15, "KS": 4, "inner": 1}),
    (
        "AVG_POOL2D",
        {"ifm": (2, 6, 5, 3), "kernel": (3, 2)},
        {"N": 2, "IH": 6, "IW": 5, "C": 3, "KH": 3, "KW": 2},
    ),
]


@pytest.mark.parametrize("test_set", range(6))
@pytest.mark.parametrize(("data", "acc"), SEED_TYPES)
@pytest.mark.parametrize(("op", "attributes", "sizes"), SEED_CASES)
def test_the_seed_edition_is_the_plain_transcription(op, attributes, sizes, data, acc, test_set):
    out = data if acc != "fp16" else "fp16"
    found = tosa.generate(
        op, attributes, test_set=test_set, dtype=data, acc=acc, out=out, edition="seed", small=True
    )
    expected = plain.tensors(op, test_set, plain.SCALES[data, acc], **sizes)
    assert list(found) == list(expected)
    for name, flat in expected.items():
        if name.startswith("weight") and op in ("FFT2D", "RFFT2D", "REDUCE_SUM", "AVG_POOL2D"):
            # Real constants, of no prescribed rounding: the plain text rounds angles of up to 12
            # turns before it takes the cosine, an error of 75 * 2^-53 at most.
            np.testing.assert_allclose(found[name].ravel(), flat, rtol=0, atol=75 * 2.0**-53)
            continue
        with np.errstate(over="ignore"):
            narrowed = np.array(flat, np.float32).astype(NARROW[data])
        assert found[name].tobytes() == narrowed.tobytes(), name


@pytest.mark.parametrize("edition", ["seed", "1.1", "tool"])
@pytest.mark.parametrize("test_set", range(6))
def test_operators_agree_with_single_tensors(test_set, edition):
    attributes = {"ifm": (2, 5, 7, 3), "kernel": (2, 3), "ofm_channels": 4}
    for data, out in (("fp16", "fp16"), ("fp32", "fp32"), ("bf16", "bf16")):
        acc = out if data == "fp16" else "fp32"
        found = tosa.generate(
            "CONV2D", attributes, test_set=test_set, dtype=data, acc=acc, out=out, edition=edition,
            small=True,
        )  # fmt: skip
        for position, name in enumerate(("input", "weight", "bias")):
            single = tosa.generate_tensor(
                "CONV2D", found[name].shape, position=position, test_set=test_set, dtype=data,
                out_dtype=acc if edition == "seed" else out, ks=18, kernel=(2, 3),
                other_dtype=data, edition=edition,
            )  # fmt: skip
            assert single.tobytes() == found[name].tobytes()


def test_a_bias_takes_its_scale_from_the_inputs_in_the_texts_only():
    attributes = {"ifm": (1, 8, 8, 4), "kernel": (1, 1), "ofm_channels": 8}
    made = {
        edition: tosa.generate(
            "CONV2D", attributes, test_set=1, dtype="e4m3", out="fp16", edition=edition, small=True
        )["bias"]
        for edition in ("1.1", "tool")
    }
    ratio = made["tool"].astype(float) / made["1.1"].astype(float)
    np.testing.assert_allclose(ratio, (255.875 / 240) ** 2, rtol=2e-3)


def test_the_tool_scales_set_5_by_the_root_of_one_more():
    data = {
        edition: tosa.generate_tensor(
            "MATMUL", (1, 4, 8), position=0, test_set=5, dtype="fp32", out_dtype="fp32",
            edition=edition,
        )
        for edition in ("1.1", "tool")
    }  # fmt: skip
    ratio = data["1.1"].astype(float) / data["tool"]
    np.testing.assert_allclose(ratio, math.sqrt(9 / 8), rtol=1e-6)


@pytest.mark.parametrize("test_set", [0, 1, 2, 3, 4])
def test_the_tool_and_the_text_agree_but_for_set_5_and_conv3d(test_set):
    attributes = {"ifm": (2, 3, 5, 4, 3), "kernel": (2, 2, 3), "ofm_channels": 5}
    text, tool = (
        tosa.generate("CONV3D", attributes, test_set=test_set, edition=edition, small=True)
        for edition in ("1.1", "tool")
    )
    np.testing.assert_array_equal(text["input"], tool["input"])
    same = np.array_equal(text["weight"], tool["weight"])
    assert same == (test_set in (0, 1))


def test_the_seed_edition_reuses_streams_and_has_no_negative_peak():
    attributes = {"ifm": (1, 40, 6), "width": 40}
    seed = tosa.generate("MATMUL", attributes, test_set=3, edition="seed")["A"]
    later = tosa.generate("MATMUL", attributes, test_set=3, edition="1.1")["A"]
    assert (seed[0, :, 0] == 16).all()
    assert set(later[0, :, 0]) == {-16.0, 16.0}
    zero = tosa.generate("MATMUL", attributes, test_set=0, edition="seed")["A"]
    np.testing.assert_array_equal(zero == 0, tosa.set_data(0, range(240)).reshape(1, 40, 6) < 0)


@pytest.mark.parametrize("op", ["CONV2D", "TRANSPOSE_CONV2D", "CONV3D", "AVG_POOL2D", "MATMUL"])
def test_special_elements_sit_where_the_kernel_index_says(op):
    shape, kernel = ((2, 7, 5, 3), (2, 4)) if op != "CONV3D" else ((2, 4, 7, 5, 3), (3, 2, 4))
    shape = (2, 7, 5) if op == "MATMUL" else shape
    pattern = tensor_pattern(op, 0, shape, kernel, None, Edition.V1_1)
    k = kernel_index(pattern).reshape(shape)
    tensor = tosa.generate_tensor(
        op, shape, position=0, test_set=2, dtype="fp32", out_dtype="fp32", ks=60, kernel=kernel
    )
    np.testing.assert_array_equal(tensor == 1, k == 0)


def test_every_kernel_index_is_found_by_its_digits():
    pattern = ((2, 1), (7, 3), (5, 4), (3, 3))
    k = kernel_index(pattern)
    for target in range(40):
        axes = selected_axes(pattern, target)
        chosen = np.zeros(k.shape, bool)
        if axes:
            picks = [range(digit, size, radix) for size, radix, digit in axes]
            chosen[np.ix_(*picks)] = True
        np.testing.assert_array_equal(chosen, k == target)


@pytest.mark.parametrize("count", [1, 2047, 2048, 2049, 40000])
@pytest.mark.parametrize("test_set", range(6))
def test_narrow_tensors_are_the_wide_one_rounded(test_set, count):
    wide = tosa.generate_tensor(
        "MATMUL", (1, count, 3), position=0, test_set=test_set, dtype="fp32", out_dtype="fp16",
        other_dtype="fp16",
    )  # fmt: skip
    narrow = tosa.generate_tensor(
        "MATMUL", (1, count, 3), position=0, test_set=test_set, dtype="fp16", out_dtype="fp16"
    )
    np.testing.assert_array_equal(narrow, wide.astype(np.float16))


@pytest.mark.parametrize("test_set", range(6))
def test_largest_first_moves_the_large_elements_of_sets_2_and_3_only(test_set):
    attributes = {"ifm": (1, 40, 6), "width": 40}
    plainly = tosa.generate("MATMUL", attributes, test_set=test_set)
    moved = tosa.generate("MATMUL", attributes, test_set=test_set, largest_first=True)
    if test_set not in (2, 3):
        for name in plainly:
            np.testing.assert_array_equal(plainly[name], moved[name])
        return
    peak = 1 if test_set == 2 else 16
    assert (abs(moved["A"][0, :, 5]) == peak).all()
    assert (abs(moved["B"][0, 5, :]) == peak).all()
    assert (abs(moved["A"][0, :, 0]) < peak).all()
    third = tosa.generate(
        "MATMUL", attributes, test_set=test_set, largest_first=True, sum_order=[3, 0, 1, 2, 4, 5]
    )
    assert (abs(third["A"][0, :, 3]) == peak).all()


def test_a_sum_order_must_be_a_permutation():
    for bad in ([0, 1], "sorted", [0, 0, 1, 2, 3, 4]):
        with pytest.raises(OptionError, match="sum_order"):
            tosa.generate(
                "MATMUL", {"ifm": (1, 40, 6), "width": 40}, test_set=2, largest_first=True,
                sum_order=bad,
            )  # fmt: skip


@pytest.mark.parametrize("inverse", [False, True])
def test_the_weights_of_a_transform_are_its_coefficients(inverse):
    shape = {"ifm": (1, 4, 8), "inverse": inverse}
    weights = weight_arrays(tosa.operation("FFT2D", shape), Edition.TOOL)
    x = np.random.default_rng(0).standard_normal((4, 8))
    coefficients = weights["weight_real"] + 1j * weights["weight_imag"]
    found = np.einsum("yx,yxmn->mn", x, coefficients)
    expected = np.fft.ifft2(x, norm="forward") if inverse else np.fft.fft2(x)
    np.testing.assert_allclose(found, expected, atol=1e-13)


@pytest.mark.parametrize(
    ("op", "attributes", "words"),
    [
        ("CONV2", {}, "did you mean 'CONV2D'"),
        ("MATMUL", {"ifm": (1, 2, 3)}, "needs attribute 'width'"),
        ("MATMUL", {"ifm": (1, 2), "width": 2}, "needs 3 values"),
        ("MATMUL", {"ifm": (1, 2, 0), "width": 2}, "1 or more"),
        ("MATMUL", {"ifm": (1, 2, 3), "widht": 2}, "did you mean 'width'"),
        ("MATMUL", {"ifm": (1, 2, 3), "width": 2.5}, "must be an integer"),
        ("CONV2D", {"ifm": (1, 4, 4, 1), "kernel": (5, 1), "ofm_channels": 1}, "exceeds padded"),
        (
            "CONV2D",
            {"ifm": (1, 4, 4, 1), "kernel": (1, 1), "ofm_channels": 1, "stride": (2, 2)},
            "stride 2 does not divide the 3 steps",
        ),
        (
            "CONV2D",
            {"ifm": (1, 4, 4, 1), "kernel": (1, 1), "ofm_channels": 4, "bias_channels": 2},
            "'bias_channels' must be 1 or 4",
        ),
        ("REDUCE_SUM", {"ifm": (3, 4), "axis": 2}, "0..1"),
        ("FFT2D", {"ifm": (3, 4, 6)}, "powers of two"),
        (
            "TRANSPOSE_CONV2D",
            {"ifm": (1, 4, 4, 1), "kernel": (2, 2), "ofm_channels": 1, "out_pad": (-2, 0, 0, 0)},
            "more than -2",
        ),
        ("MATMUL", {"ifm": (1, 9, 3), "width": 9}, r"81 outputs.*ifm=\(13, 9, 3\) is enough"),
        ("REDUCE_SUM", {"ifm": (2000,), "axis": 0}, "second axis"),
    ],
)
def test_errors_say_what_is_wrong(op, attributes, words):
    with pytest.raises(OptionError, match=words):
        tosa.generate(op, attributes, test_set=0)


def test_errors_of_types_and_sets():
    shape = {"ifm": (1, 40, 6), "width": 40}
    with pytest.raises(OptionError, match="sets 0 to 5"):
        tosa.generate("MATMUL", shape, test_set=6)
    with pytest.raises(FormatError, match="did you mean"):
        tosa.generate("MATMUL", shape, test_set=0, dtype="fp17")
    with pytest.raises(OptionError, match="no test data for fp8e4m3"):
        tosa.generate("MATMUL", shape, test_set=0, dtype="e4m3", edition="seed")
    with pytest.raises(OptionError, match=r"allowed are \['seed', '1.1', 'tool'\]"):
        tosa.generate("MATMUL", shape, test_set=0, edition="0.9")
    with pytest.raises(OptionError, match="narrower"):
        tosa.generate(
            "CONV2D", {"ifm": (1, 40, 6, 5), "kernel": (1, 1), "ofm_channels": 6}, test_set=0,
            acc="fp16",
        )  # fmt: skip
    assert issubclass(DtypeError, MinifloatError)
