"""One line of data is a format: what docs/add_a_format.md says, done and checked."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import minifloat as mf
from minifloat._formats import lookup, named
from minifloat.reference import arithmetic, bulk, values
from minifloat.reference.how import How

NAME = "float6_e3m2b4"
LINE = {NAME: mf.FloatFormat(3, 2, 4, infinities=False, nan=mf.NanCode.NONE, name=NAME)}
DETERMINISTIC = [mode for mode in mf.Rounding if mode is not mf.Rounding.HYBRID]


@pytest.fixture
def fmt(monkeypatch: pytest.MonkeyPatch) -> Iterator[mf.Format]:
    for name, line in LINE.items():
        monkeypatch.setitem(named._NAMED, name, line)
    yield mf.get_format(NAME)
    lookup.parse_format.cache_clear()


def test_new_format_is_in_the_table(fmt: mf.Format) -> None:
    assert NAME in mf.formats
    assert mf.formats[NAME] is fmt
    assert mf.finfo(NAME).max == 14.0


def test_new_format_decodes_as_the_reference(fmt: mf.Format) -> None:
    expected = [float(values.decode(code, fmt)) for code in range(64)]
    np.testing.assert_array_equal(mf.decode(range(64), NAME), expected)


@pytest.mark.parametrize("mode", DETERMINISTIC)
def test_new_format_rounds_as_the_reference(fmt: mf.Format, mode: mf.Rounding) -> None:
    x = np.arange(-1 << 10, 1 << 10, dtype=np.float32) / 64
    flags = np.zeros(x.size, np.uint8)
    codes = mf.encode(x, NAME, rounding=mode, flags=flags)
    expected, raised = bulk.encode_array(x, fmt, How(rounding=mode))
    np.testing.assert_array_equal(codes, expected)
    np.testing.assert_array_equal(flags, raised)


@pytest.mark.parametrize("name", ["add", "mul", "div"])
def test_new_format_computes_as_the_reference(fmt: mf.Format, name: str) -> None:
    a, b = (side.ravel() for side in np.indices((64, 64)).astype(np.uint8))
    flags = np.zeros(a.size, np.uint8)
    codes = getattr(mf, name)(a, b, NAME, flags=flags)
    compute = getattr(arithmetic, name)
    pairs = zip(a.tolist(), b.tolist(), strict=True)
    expected = [compute(x, y, fmt, How(nan="max")) for x, y in pairs]
    assert codes.tolist() == [code for code, _ in expected]
    assert flags.tolist() == [int(raised) for _, raised in expected]


def test_the_name_is_gone_afterwards() -> None:
    with pytest.raises(mf.FormatError):
        mf.get_format(NAME)
