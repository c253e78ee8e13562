from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import minifloat as mf
from minifloat.cli._inspection import chance_up, neighbours
from minifloat.reference.values import Value

from .conftest import Run

SMALL = [
    "e4m3fn",
    "e5m2",
    "e4m3fnuz",
    "hif8",
    "e8m0",
    "e3m2fn",
    "e2m1fn",
    "int8",
    "binary8p3se",
]
DETERMINISTIC = [mode.value for mode in mf.Rounding if mode is not mf.Rounding.HYBRID]


def by_mode(run: Run, *arguments: object) -> dict[str, dict[str, object]]:
    result = run("inspect", *arguments, "--json")
    assert result.code == 0
    return {row["mode"]: row for row in result.json["rounding"]}


@pytest.mark.parametrize("fmt", [*SMALL, "float16", "tf32", "int64", "float64"])
@pytest.mark.parametrize("number", [0.3, -1.75, 500.0, 2.0**-9, 3.1e-5, -70000.0, 0.0])
def test_every_mode_gives_what_encode_gives(run: Run, fmt: str, number: float) -> None:
    rows = by_mode(run, number.hex(), "--format", fmt)
    for mode in DETERMINISTIC:
        flags = mf.Flags()
        code = mf.encode(number, fmt, rounding=mode, flags=flags)
        assert rows[mode]["code"] == code
        assert rows[mode]["flags"] == [str(f.name).lower() for f in mf.Flag if f in flags]


def test_decimals_are_rounded_once(run: Run) -> None:
    # Just above the tie 1 + 2**-4 of e4m3fn, by less than float64 can tell.
    rows = by_mode(run, "1.062500000000000000000000000001", "--format", "e4m3fn")
    assert rows["ties_to_even"]["value"] == 1.125
    assert by_mode(run, "1.0625", "--format", "e4m3fn")["ties_to_even"]["value"] == 1


def test_negative_numbers_and_specials_are_arguments(run: Run) -> None:
    assert by_mode(run, "-0.3", "-f", "e4m3fn")["ties_to_even"]["value"] == -0.3125
    assert by_mode(run, "-inf", "-f", "e5m2")["ties_to_even"]["value"] == "-inf"
    assert by_mode(run, "nan", "-f", "e2m1")["ties_to_even"]["flags"] == ["invalid"]
    assert "NaN into" in str(by_mode(run, "nan", "-f", "e2m1", "--nan", "raise")["to_odd"]["error"])


def test_policies_are_honoured(run: Run) -> None:
    rows = by_mode(run, "500", "-f", "e4m3fn", "--overflow", "saturate")
    assert {rows[mode]["value"] for mode in DETERMINISTIC} == {448}
    assert rows["ties_to_even"]["flags"] == ["inexact", "overflow"]


@pytest.mark.parametrize("fmt", SMALL)
def test_the_neighbours_of_every_code_are_the_next_values(fmt: str) -> None:
    found = mf.get_format(fmt)
    codes = np.arange(2**found.bits, dtype=np.uint8)
    values = mf.decode(codes, fmt, dtype=np.float64)
    grid = np.unique(values[~np.isnan(values)])
    for value in values[np.isfinite(values)]:
        below, above = neighbours(Value.of(float(value)), found)
        index = int(np.searchsorted(grid, value))
        lower = None if below is None else mf.decode(below, fmt, dtype=np.float64)
        upper = None if above is None else mf.decode(above, fmt, dtype=np.float64)
        assert lower == (grid[index - 1] if index else None)
        assert upper == (grid[index + 1] if index + 1 < grid.size else None)


def test_neighbours_of_a_number_bracket_it(run: Run) -> None:
    record = run("inspect", "0.3", "--format", "e4m3fn", "--json").json
    assert (record["below"]["value"], record["above"]["value"]) == (0.28125, 0.3125)
    assert record["below"]["dyadic"] == "9/2^5"
    assert record["above"]["hex"] == "0x1.4p-2"
    beyond = run("inspect", "500", "--format", "e4m3fn", "--json").json
    assert (beyond["below"]["value"], beyond["above"]) == (448, None)


def test_a_code_shows_its_fields_and_value(run: Run) -> None:
    record = run("inspect", "0x2a", "--format", "e4m3fn", "--json").json
    assert (record["bits"], record["value"], record["code"]) == ("0 0101 010", 0.3125, 42)
    assert run("inspect", "0b101010", "--format", "e4m3fn", "--json").json["value"] == 0.3125
    assert run("inspect", "0x6f", "--format", "hif8", "--json").json["bits"] == "0 11 0111 1"
    assert "0x1.4p-2" in run("inspect", "0x2a", "--format", "e4m3fn").out


VARIANTS = ["floor", "nearest", "centred"]


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("bits", [1, 3, 8])
@pytest.mark.parametrize("fmt", ["e4m3fn", "hif8", "int8", "e2m1fn"])
def test_probabilities_are_those_of_all_random_numbers(fmt: str, bits: int, variant: str) -> None:
    found = mf.get_format(fmt)
    mode = mf.Stochastic(bits, variant)  # type: ignore[arg-type]
    everything = np.arange(2**bits, dtype=np.uint64)
    for number in (0.3, 1.0, 1.03125, 1.40625, -2.71, 0.001, 5.99):
        spread = np.full(2**bits, number)
        codes = mf.encode(spread, fmt, rounding=mode, random_bits=everything, overflow="saturate")
        low = mf.encode(number, fmt, rounding="toward_zero", overflow="saturate")
        chance = chance_up(Value.of(number), found, mode)
        assert chance == Fraction(int(np.count_nonzero(codes != low)), 2**bits)


def test_the_exact_probability_is_the_fraction(run: Run) -> None:
    row = by_mode(run, "0.3", "-f", "e4m3fn")["stochastic"]
    assert (row["p_up"], row["value"], row["up"]["value"]) == ("3/5", 0.28125, 0.3125)  # type: ignore[index]
    tiny = by_mode(run, "1e-60", "-f", "e4m3fn")["stochastic"]
    assert Fraction(str(tiny["p_up"])) == Fraction(512, 10**60)
    assert tiny["up"]["value"] == 2**-9  # type: ignore[index]
    assert by_mode(run, "0.3125", "-f", "e4m3fn")["stochastic"]["p_up"] == "0"


def test_the_number_of_random_bits_is_an_option(run: Run) -> None:
    rows = by_mode(run, "0.3", "-f", "e4m3fn", "--bits", "2")
    assert rows["stochastic floor, 2 bits"]["p_up"] == "1/2"
    assert rows["stochastic nearest, 2 bits"]["p_up"] == "1/2"
    assert rows["stochastic centred, 2 bits"]["p_up"] == "1/2"


def test_hybrid_is_shown_for_the_sources_that_hold_the_value(run: Run) -> None:
    modes = by_mode(run, "1.25", "-f", "hif8")
    assert {"hybrid from float16", "hybrid from float32"} <= modes.keys()
    modes = by_mode(run, "0x1.000002p0", "-f", "hif8")
    assert "hybrid from float16" not in modes
    assert modes["hybrid from float32"]["code"] == mf.encode(
        np.float32(float.fromhex("0x1.000002p0")), "hif8", rounding="hybrid"
    )
    assert not any("hybrid" in mode for mode in by_mode(run, "1.25", "-f", "e4m3fn"))


def test_the_text_says_what_a_reader_needs(run: Run) -> None:
    out = run("inspect", "0.3", "--format", "e4m3fn").out
    for word in (
        "3/10",
        "0x2a",
        "0 0101 010",
        "5/2^4",
        "0x1.4p-2",
        "+4.167%",
        "3/5 ~ 0.6",
        "inexact",
    ):
        assert word in out
