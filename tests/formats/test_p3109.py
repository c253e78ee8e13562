"""The P3109 family: its parameters, values and names."""

from __future__ import annotations

import csv
import gzip
import itertools
from collections import defaultdict
from pathlib import Path

import gfloat
import gfloat.formats
import numpy as np
import pytest

from minifloat._errors import FormatError
from minifloat._formats import FloatFormat, formats, get_format, p3109_format
from minifloat._rounding import Overflow
from minifloat.reference.grid import decode_table

DATA = Path(__file__).parents[1] / "data"


def family(narrowest: int, widest: int) -> list[FloatFormat]:
    return [fmt for fmt in formats.p3109() if narrowest <= fmt.bits <= widest]


def gfloat_values(fmt: FloatFormat) -> np.ndarray:
    signed = gfloat.types.Signedness.Signed if fmt.signed else gfloat.types.Signedness.Unsigned
    domain = gfloat.types.Domain.Extended if fmt.infinities else gfloat.types.Domain.Finite
    info = gfloat.formats.format_info_p3109(fmt.bits, fmt.precision, signed, domain)
    return np.asarray(gfloat.decode_ndarray(info, np.arange(1 << fmt.bits)))


def test_values_agree_with_the_table() -> None:
    expected = defaultdict(dict)
    with gzip.open(DATA / "p3109_values.csv.gz", "rt") as lines:
        for row in csv.DictReader(lines):
            expected[row["name"].lower()][int(row["code"])] = float(row["value"])
    assert len(expected) == len(family(3, 8)) == 120
    for fmt in family(3, 8):
        ours = decode_table(fmt)
        theirs = [expected[fmt.name][code] for code in range(1 << fmt.bits)]
        np.testing.assert_array_equal(ours, theirs, err_msg=fmt.name)


@pytest.mark.parametrize(
    "name",
    [
        "binary9p1ue",
        "binary9p4sf",
        "binary10p3ue",
        "binary10p10uf",
        "binary11p5se",
        "binary12p2se",
        "binary12p8uf",
        "binary13p6sf",
        "binary13p5ue",
        "binary14p11se",
        "binary15p8ue",
        "binary15p14sf",
    ],
)
def test_wider_formats_decode_as_gfloat(name: str) -> None:
    fmt = get_format(name)
    assert isinstance(fmt, FloatFormat)
    np.testing.assert_array_equal(decode_table(fmt), gfloat_values(fmt))


@pytest.mark.sweep
def test_all_formats_decode_as_gfloat() -> None:
    for fmt in family(9, 15):
        ours = decode_table.__wrapped__(fmt)
        np.testing.assert_array_equal(ours, gfloat_values(fmt), err_msg=fmt.name)


def test_one_has_its_code_in_every_format() -> None:
    for fmt in family(3, 15):
        code = 2 ** (fmt.bits - 2) if fmt.signed else 2 ** (fmt.bits - 1)
        assert fmt.magnitude(code) == 1, fmt.name


def test_32_formats_exceed_float64_and_say_so() -> None:
    too_wide = []
    for bits, signed, extended in itertools.product(range(3, 16), (True, False), (True, False)):
        for precision in range(1, bits + (not signed)):
            try:
                p3109_format(bits, precision, signed, extended)
            except FormatError as error:
                too_wide.append(str(error))
    assert len(too_wide) == 32
    assert all("float64" in reason for reason in too_wide)
    # K - 1 precisions of signed formats and K of unsigned ones, each finite and extended.
    family_size = sum(2 * (bits - 1) + 2 * bits for bits in range(3, 16))
    assert len(list(formats.p3109())) == family_size - 32


@pytest.mark.parametrize("name", ["binary8p8se", "binary8p0se", "binary2p1se", "binary16p5se"])
def test_formats_outside_the_family_are_refused(name: str) -> None:
    with pytest.raises(FormatError, match=name):
        get_format(name)


def test_names_have_two_spellings() -> None:
    assert get_format("p3109_k8p3se") is get_format("binary8p3se")
    assert get_format("Binary8p3se").name == "binary8p3se"


def test_names_round_trip() -> None:
    for fmt in family(3, 15):
        assert get_format(str(fmt)) is fmt


def test_default_overflow_is_p3109s() -> None:
    assert {fmt.default_overflow for fmt in family(3, 15)} == {Overflow.P3109}
    amd, p3109 = get_format("float8_e4m3fnuz"), get_format("binary8p4sf")
    np.testing.assert_array_equal(decode_table(amd), decode_table(p3109))
    assert amd != p3109
