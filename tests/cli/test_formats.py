from __future__ import annotations

import numpy as np
import pytest

import minifloat as mf

from .conftest import Run


def test_every_named_format_is_listed(run: Run) -> None:
    records = run("formats", "--json").json
    assert [record["name"] for record in records] == list(mf.formats)
    out = run("formats").out
    assert all(name in out for name in mf.formats)


def test_records_read_back_as_the_formats(run: Run) -> None:
    for record in run("formats", "--json").json:
        fmt = mf.get_format(record["name"])
        assert mf.get_format(record["spec"]) == fmt
        assert all(mf.get_format(alias) == fmt for alias in record["aliases"])
        assert fmt.max == record["max"] if fmt.bits < 64 else fmt.max == int(record["max"])
        assert (fmt.bits, fmt.signed) == (record["bits"], record["signed"])


def test_the_p3109_family_is_listed_on_demand(run: Run) -> None:
    names = [record["name"] for record in run("formats", "--p3109", "--json").json]
    assert names == [fmt.name for fmt in mf.formats.p3109()]


@pytest.mark.parametrize(
    "name", ["e4m3fn", "e5m2", "hif8", "e2m1fn", "int4", "e8m0", "binary4p2sf"]
)
def test_small_formats_show_all_their_values(run: Run, name: str) -> None:
    values = run("show", name, "--json").json["values"]
    fmt = mf.get_format(name)
    codes = [entry["code"] for entry in values]
    assert codes == list(range(2**fmt.bits))
    shown = np.array([float(entry["value"]) for entry in values])
    expected = mf.decode(np.array(codes, np.uint8), fmt, dtype=np.float64)
    np.testing.assert_array_equal(shown, expected)
    np.testing.assert_array_equal(np.signbit(shown), np.signbit(expected))
    out = run("show", name).out
    assert all(entry["bits"] in out for entry in values)


def test_bits_spell_the_codes(run: Run) -> None:
    for name in ("e4m3fn", "hif8", "int4", "e5m6:bias=9"):
        for entry in run("show", name, "--json").json.get("values", []):
            assert int(entry["bits"].replace(" ", ""), 2) == entry["code"]


def test_wide_formats_show_their_limits_only(run: Run) -> None:
    record = run("show", "tf32", "--json").json
    assert "values" not in record
    assert (record["bits"], record["code_bits"]) == (19, 32)
    assert record["codes"]["max"] == 0x7F7FE000
    assert "stored in the high bits of 32" in run("show", "tf32").out


def test_custom_formats_are_shown(run: Run) -> None:
    record = run("show", "e6m9:bias=40,finite", "--json").json
    assert record["max"] == mf.get_format("e6m9:bias=40,finite").max
