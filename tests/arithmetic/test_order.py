"""Comparisons, extrema and neighbours against the reference on all pairs of narrow codes."""

from __future__ import annotations

import numpy as np
import pytest
from inputs import CUSTOM

import minifloat as mf
from minifloat._flags import Flag
from minifloat.reference.arithmetic import ARITHMETIC
from minifloat.reference.comparison import EXTREMA, compare, extremum, next_down, next_up
from minifloat.reference.how import How

FORMATS = (
    "float4_e2m1fn",
    "float6_e3m2fn",
    "binary4p2sf",
    "binary5p3se",
    "binary4p2ue",
    "e2m2",
    "e3m2:fnuz,inf",
    "ue3m2:finite,nozero,bias=4",
    "e3m2:nosubnormals",
)
VERBS = dict(zip(EXTREMA, (
    "minimum", "minimum_magnitude", "minimum_number", "minimum_magnitude_number",
    "min_num", "min_num_magnitude", "maximum", "maximum_magnitude", "maximum_number",
    "maximum_magnitude_number", "max_num", "max_num_magnitude",
), strict=True))  # fmt: skip
RISCV = How(nan="max", context=mf.contexts.RISCV)


def pairs(fmt: mf.Format) -> tuple[np.ndarray, np.ndarray]:
    codes = np.arange(1 << fmt.bits, dtype=np.uint8)
    return np.repeat(codes, codes.size), np.tile(codes, codes.size)


@pytest.mark.parametrize("name", FORMATS)
def test_relations_of_all_pairs(name: str) -> None:
    fmt = mf.get_format(name)
    a, b = pairs(fmt)
    for signaling in (False, True):
        flags = np.zeros(a.shape, np.uint8)
        found = mf.compare(a, b, fmt, signaling=signaling, flags=flags)
        for i in range(a.size):
            relation, raised = compare(int(a[i]), int(b[i]), fmt, signaling=signaling)
            assert (found[i], flags[i]) == (relation, raised), (a[i], b[i])
        np.testing.assert_array_equal(mf.less(a, b, fmt, signaling=signaling), found == -1)
        np.testing.assert_array_equal(mf.less_equal(a, b, fmt), (found == -1) | (found == 0))
        np.testing.assert_array_equal(mf.equal(a, b, fmt), found == 0)
        np.testing.assert_array_equal(mf.not_equal(a, b, fmt), found != 0)
        np.testing.assert_array_equal(mf.greater(a, b, fmt), found == 1)
        np.testing.assert_array_equal(mf.greater_equal(a, b, fmt), (found == 0) | (found == 1))
        np.testing.assert_array_equal(mf.unordered(a, b, fmt), found == 2)


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("kind", EXTREMA)
def test_extrema_of_all_pairs(name: str, kind: str) -> None:
    fmt = mf.get_format(name)
    a, b = pairs(fmt)
    for how in (ARITHMETIC, RISCV):
        flags = np.zeros(a.shape, np.uint8)
        verb = getattr(mf, VERBS[kind])
        found = verb(a, b, fmt, flags=flags, context=how.context)
        for i in range(a.size):
            expected = extremum(kind, int(a[i]), int(b[i]), fmt, how)
            assert (found[i], flags[i]) == expected, (a[i], b[i])


@pytest.mark.parametrize(
    "name", [*FORMATS, "float8_e5m2", "float8_e8m0fnu", "hifloat8", "float16", *CUSTOM]
)
def test_neighbours_of_all_codes(name: str) -> None:
    fmt = mf.get_format(name)
    codes = np.arange(1 << min(fmt.bits, 12), dtype=np.uint16)
    if fmt.bits == 16:  # both ends of the range and of the signs
        codes = np.concatenate([codes, codes + 0x7000, codes + 0x8000, codes + 0xF000])
    for verb, reference in ((mf.next_up, next_up), (mf.next_down, next_down)):
        flags = np.zeros(codes.shape, np.uint8)
        found = verb(codes, fmt, flags=flags)
        for i, code in enumerate(codes.tolist()):
            assert (found[i], flags[i]) == reference(code, fmt), hex(code)


def test_quiet_relations_raise_only_for_signaling_nans() -> None:
    for code, invalid in ((0x7E, False), (0x7D, True)):
        for verb in (mf.equal, mf.not_equal, mf.unordered):
            flags = mf.Flags()
            verb(code, 0x3C, "e5m2", flags=flags)
            assert bool(flags) == invalid
        for verb in (mf.less, mf.less_equal, mf.greater, mf.greater_equal):
            flags = mf.Flags()
            assert not verb(code, 0x3C, "e5m2", flags=flags)
            assert flags.raised == Flag.INVALID


def test_total_order_sorts_everything() -> None:
    order = [0xFF, 0xFE, 0xFD, 0xFC, 0xFB, 0x81, 0x80, 0x00, 0x01, 0x7B, 0x7C, 0x7D, 0x7E, 0x7F]
    a, b = np.meshgrid(order, order, indexing="ij")
    found = mf.total_order(a, b, "e5m2")
    np.testing.assert_array_equal(found, np.triu(np.ones(found.shape, bool)))
