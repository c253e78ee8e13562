from __future__ import annotations

import numpy as np
import pytest

from minifloat import OptionError, _core, tosa
from minifloat.reference import tosa as plain

# First states of some streams, from the recurrence worked by hand.
FIRST_STATES = {
    0: (0x705A5E76, 0x5D787FEF, 0x81123A3C, 0x67CEA56D),
    3: (0xF8D3396E, 0xDF62F1D7, 0xC12ED78C, 0xF753F29D),
    9: (0x09C4EF5E, 0xF9FBB727, 0x694AF22C, 0x2E010DFD),
    15: (0x1AB6A54E, 0x32EEFE77, 0x5A7F3CCC, 0x2B7CC55D),
    16: (0x9D8998F6, 0x3127736F, 0x50B2613C, 0xF98EAE6D),
}


@pytest.mark.parametrize("stream", FIRST_STATES)
def test_first_draws_are_the_states_over_two_to_31(stream):
    states = np.array(FIRST_STATES[stream], np.uint32)
    magnitude = (states & 0x7FFFFFFF).astype(np.float32) / np.float32(2.0**31)
    expected = np.where(states >> 31, -magnitude, magnitude)
    np.testing.assert_array_equal(tosa.set_data(stream, range(4)), expected)


@pytest.mark.parametrize("stream", [0, 1, 7, 17, 2**29, 2**32 - 1])
def test_a_range_is_the_naive_recurrence(stream):
    expected = np.array([plain.set_data(stream, i) for i in range(5000)], np.float32)
    np.testing.assert_array_equal(tosa.set_data(stream, range(5000)), expected)


@pytest.mark.parametrize("step", [1, 2, 3, 64, 129])
@pytest.mark.parametrize("start", [0, 1, 63, 1000])
def test_ranges_may_start_anywhere_and_stride(start, step):
    taken = range(start, start + 700 * step, step)
    whole = tosa.set_data(4, range(start + 700 * step))
    np.testing.assert_array_equal(tosa.set_data(4, taken), whole[start::step])


def test_a_descending_range_is_the_ascending_one_reversed():
    np.testing.assert_array_equal(
        tosa.set_data(4, range(999, -1, -1)), tosa.set_data(4, range(1000))[::-1]
    )


def test_far_indices_are_reached_by_composing_steps():
    # T^(a + b) = T^a T^b, with T^a by Python integers; a few far indices against that.
    modulus, stream = 2**32, 12
    step = ((8 * stream + 1) * 0x705A5E75 % modulus, 1)

    def compose(first, then):
        return (first[0] * then[0] % modulus, (first[1] * then[0] + then[1]) % modulus)

    rng = np.random.default_rng(7)
    indices = rng.integers(0, modulus, 300, dtype=np.uint64)
    expected = []
    for index in indices:
        power, square, left = (1, 0), step, int(index)
        while left:
            if left & 1:
                power = compose(power, square)
            square, left = compose(square, square), left >> 1
        state = (power[0] * (step[0] + 1) + power[1]) % modulus
        value = np.float32(state & 0x7FFFFFFF) / np.float32(2.0**31)
        expected.append(-value if state >> 31 else value)
    np.testing.assert_array_equal(tosa.set_data(stream, indices), np.array(expected, np.float32))


def test_scattered_indices_agree_with_ranges():
    whole = tosa.set_data(9, range(4096))
    indices = np.random.default_rng(1).integers(0, 4096, (7, 130))
    np.testing.assert_array_equal(tosa.set_data(9, indices), whole[indices])


def test_the_last_index_continues_a_range():
    last = 2**32 - 1
    np.testing.assert_array_equal(
        tosa.set_data(5, range(last - 2, last + 1)), tosa.set_data(5, [last - 2, last - 1, last])
    )


def test_scalars_give_numpy_scalars():
    assert isinstance(tosa.set_data(0, 0), np.float32)
    assert tosa.set_data(0, np.zeros((0, 3), int)).shape == (0, 3)
    assert tosa.set_data(0, range(0)).shape == (0,)


@pytest.mark.parametrize("index", [-1, 2**32, range(2**32 - 1, 2**32 + 1), [0.5], range(1, -2, -1)])
def test_indices_outside_32_bits_are_refused(index):
    with pytest.raises(OptionError, match="index"):
        tosa.set_data(0, index)


def test_stream_numbers_outside_32_bits_are_refused():
    with pytest.raises(OptionError, match="data_set"):
        tosa.set_data(-1, 0)


def test_expf_is_the_plain_transcription():
    x = np.concatenate([2 * tosa.set_data(6, range(20000)), np.float32([-2, -0.0, 0, 2, 64, -64])])
    out = np.empty_like(x)
    _core.tosa.exp_float(out, x)
    np.testing.assert_array_equal(out, np.array([plain.expf(float(v)) for v in x], np.float32))


def test_expf_is_within_half_an_ulp_and_a_bit():
    x = 2 * tosa.set_data(1, range(100000))
    out = np.empty_like(x)
    _core.tosa.exp_float(out, x)
    exact = np.exp(x.astype(np.float64))
    assert np.max(np.abs(out - exact) / np.spacing(out)) < 0.502


@pytest.mark.parametrize("parameter", [0, 1, 2])
@pytest.mark.parametrize("test_set", range(6))
@pytest.mark.parametrize("ks", [1, 2, 9, 48])
def test_single_elements_are_the_appendix(test_set, ks, parameter):
    i = np.arange(200)
    k = i % ks
    found = tosa.mi_data(test_set, ks, parameter, k, i, edition="seed")
    scale = plain.SCALES["fp32", "fp32"]
    expected = [
        plain.mi_data(test_set, ks, parameter, int(a), int(b), scale)
        for a, b in zip(k, i, strict=True)
    ]
    np.testing.assert_array_equal(found, np.array(expected, np.float32))


@pytest.mark.parametrize("edition", ["seed", "1.1", "tool"])
@pytest.mark.parametrize("test_set", range(6))
def test_single_elements_are_those_of_tensors(test_set, edition):
    tensor = tosa.generate_tensor(
        "MATMUL", (3, 5, 7), position=1, test_set=test_set, dtype="fp32", out_dtype="fp32",
        edition=edition,
    )  # fmt: skip
    n, c, x = np.indices((3, 5, 7))
    found = tosa.mi_data(test_set, 5, 1, c, (n * 5 + c) * 7 + x, edition=edition)
    np.testing.assert_array_equal(found, tensor)


def test_bad_arguments_of_single_elements_are_refused():
    for bad in ((6, 1, 0, 0, 0), (0, 0, 0, 0, 0), (0, 1, 3, 0, 0), (0, 1, 0, 0.5, 0)):
        with pytest.raises(OptionError):
            tosa.mi_data(*bad)
