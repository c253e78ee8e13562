"""Format type, storage, native and calculation types, packed word: the whole cube of formats."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
import pytest

from minifloat import FormatError
from minifloat.popfloat import FormatConfig

HALF, FLOAT, CHAR, SHORT = np.float16, np.float32, np.int8, np.int16
ANY = (False, True)
WIDTHS = [(m, e) for m in range(24) for e in range(9)]


@dataclass(frozen=True)
class Row:
    """One line of the tables: the first whose conditions hold applies."""

    bits: range
    exponents: range
    denorms: tuple[bool, ...]
    specials: tuple[bool, ...]
    kind: str
    native: type | None  # None: half if half holds all values, else float
    storage: type
    packed: int


EIGHT, SIXTEEN, MORE = range(9), range(9, 17), range(17, 40)
SMALL, FIVE, EIGHT_BITS, ALL = range(5), range(5, 6), range(8, 9), range(9)
# Formats that fit half, unless the calculation was specified as single.
HALF_ROWS = [
    Row(EIGHT, FIVE, ANY, (True,), "ONE_FIVE_TWO_GF8", HALF, CHAR, 8),
    Row(EIGHT, FIVE, ANY, (False,), "MAX_NORM_ALIGN_GF8", HALF, CHAR, 8),
    Row(EIGHT, SMALL, ANY, ANY, "MIN_NORM_ALIGN_GF8", HALF, CHAR, 8),
    Row(SIXTEEN, ALL, ANY, ANY, "QUANTISED_FP16", HALF, HALF, 16),
]
# All others, after IEEE half itself.
SINGLE_ROWS = [
    Row(EIGHT, range(6), ANY, ANY, "ENABLE_DENORM_GF16", HALF, CHAR, 8),
    Row(EIGHT, range(6, 9), ANY, ANY, "ENABLE_DENORM_GF16", FLOAT, CHAR, 8),
    Row(SIXTEEN, EIGHT_BITS, ANY, ANY, "BFLOAT16", FLOAT, SHORT, 16),
    Row(SIXTEEN, ALL, (True,), ANY, "ENABLE_DENORM_GF16", None, SHORT, 16),
    Row(SIXTEEN, ALL, (False,), ANY, "NO_DENORM_GF16", None, SHORT, 16),
    Row(MORE, ALL, ANY, ANY, "QUANTISED_FP32", FLOAT, FLOAT, 32),
]
IEEE_HALF = Row(SIXTEEN, FIVE, ANY, (True,), "IEEE_FP16", HALF, HALF, 16)


def expected(m: int, e: int, denorms: bool, specials: bool, half_rows: bool) -> Row:
    if (m, e, specials) == (10, 5, True):
        return IEEE_HALF
    for row in HALF_ROWS if half_rows else SINGLE_ROWS:
        conditions = (
            1 + e + m in row.bits,
            e in row.exponents,
            denorms in row.denorms,
            specials in row.specials,
        )
        if all(conditions):
            return row
    raise AssertionError


def fits_half(m: int, e: int) -> bool:
    return m <= 10 and e <= 5 and not (m == 10 and e == 5)


def half_holds(m: int, e: int, bias: int, denorms: bool, specials: bool) -> bool:
    """Whether 1/e/m with this bias has no value outside float16."""
    if m > 10 or e > 5:
        return False
    if e == 1 and specials and not denorms:
        return True  # zero alone
    # Without exponent bits the integers below 2**m in steps of 2**(1 - bias - m); otherwise the top
    # binade in use counts.
    top = -bias if e == 0 else 2**e - 1 - specials - bias
    return top <= 15 and 1 - bias - m >= -24


def check(config: FormatConfig, row: Row, native_holds: bool) -> None:
    native = row.native or (HALF if native_holds else FLOAT)
    found = (config.format_type.name, config.native_type, config.storage_type)
    assert found == (row.kind, np.dtype(native), np.dtype(row.storage)), config
    assert config.packed_float_bits == row.packed, config
    unpacked = ("QUANTISED_FP16", "QUANTISED_FP32", "IEEE_FP16")
    assert config.is_packed_float_format == (row.kind not in unpacked)


@pytest.mark.parametrize("spec", ["AUTO", "FP32", "FP16"])
@pytest.mark.parametrize("shift", [0, 17])
def test_whole_cube_by_requested_type(spec: str, shift: int) -> None:
    for (m, e), denorms, specials in itertools.product(WIDTHS, ANY, ANY):
        bias = (2 ** (e - 1) - 1 if e else 0) + shift
        fits = fits_half(m, e)
        if spec == "FP16" and not fits:
            with pytest.raises(FormatError, match="cannot be calculated in half"):
                FormatConfig(m, e, bias, denorms, specials, spec)
            continue
        config = FormatConfig(m, e, bias, denorms, specials, spec)
        half_rows = fits and spec != "FP32"
        assert config.calculation_type == (HALF if half_rows else FLOAT)
        row = expected(m, e, denorms, specials, half_rows)
        check(config, row, half_holds(m, e, bias, denorms, specials))


@pytest.mark.parametrize("calculation", ["HALF", "FLOAT"])
def test_whole_cube_by_calculation_type(calculation: str) -> None:
    for (m, e), denorms, specials in itertools.product(WIDTHS, ANY, ANY):
        fits = fits_half(m, e)
        arguments = (m, e, 3, denorms, specials, calculation)
        if calculation == "HALF" and not fits:
            with pytest.raises(FormatError, match="cannot be calculated in half"):
                FormatConfig.with_calculation_type(*arguments)
            continue
        config = FormatConfig.with_calculation_type(*arguments)
        assert config.calculation_type == (HALF if calculation == "HALF" else FLOAT)
        row = expected(m, e, denorms, specials, fits)
        check(config, row, half_holds(m, e, 3, denorms, specials))


def test_packed_words_of_the_whole_cube() -> None:
    for (m, e), denorms, specials, bias in itertools.product(WIDTHS, ANY, ANY, (-128, -1, 7, 127)):
        config = FormatConfig(m, e, bias, denorms, specials)
        word = int.from_bytes(
            bytes([m, e])
            + bias.to_bytes(1, "little", signed=True)
            + bytes([denorms + 2 * specials]),
            "little",
        )
        assert config.packed_float_parameters == word
        assert FormatConfig.from_packed_parameters(word) == config
        assert FormatConfig.from_packed_parameters(word).packed_float_parameters == word


@pytest.mark.parametrize(
    ("arguments", "kind"),
    [
        ((10, 5, 15, True, True), "IEEE_FP16"),
        ((10, 5, 30, True, False), "ENABLE_DENORM_GF16"),
        ((11, 4, 13, False, True), "NO_DENORM_GF16"),
        ((4, 3, 3, True, False), "MIN_NORM_ALIGN_GF8"),
        ((9, 6, 62, False, False), "NO_DENORM_GF16"),
        ((2, 5, 29, True, False), "MAX_NORM_ALIGN_GF8"),
        ((2, 5, 29, True, True), "ONE_FIVE_TWO_GF8"),
        ((14, 1, 0, True, False), "ENABLE_DENORM_GF16"),
        ((6, 1, 0, True, False), "MIN_NORM_ALIGN_GF8"),
        ((15, 0, -1, True, True), "ENABLE_DENORM_GF16"),
        ((1, 6, 31, True, True), "ENABLE_DENORM_GF16"),
        ((0, 7, 63, True, True), "ENABLE_DENORM_GF16"),
        ((7, 8, 127, False, True), "BFLOAT16"),
        ((8, 5, 15, True, True), "QUANTISED_FP16"),
        ((12, 8, 127, True, True), "QUANTISED_FP32"),
    ],
)
def test_format_types_by_name(arguments: tuple[int, int, int, bool, bool], kind: str) -> None:
    assert FormatConfig(*arguments).format_type.name == kind
