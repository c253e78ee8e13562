"""The worked examples of the Cast page, its slips put right, and others from its rules."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from minifloat.ascend import Ctrl, cast_bits

FILE = Path(__file__).parents[1] / "data" / "ascend_examples.csv"


def rows() -> list[dict[str, str]]:
    with FILE.open(newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("row", rows(), ids=lambda row: f"{row['id']}-{row['table']}")
def test_worked_example(row: dict[str, str]) -> None:
    out = cast_bits(
        int(row["src_bits"], 16),
        src=row["src"],
        dst=row["dst"],
        round_mode=row["round_mode"],
        sat_mode=row["sat_mode"],
        ctrl=Ctrl.per_instruction(),
    )
    assert int(out) == int(row["expected_bits"], 16), row["note"] or row["page_says"]


def test_no_row_is_missing() -> None:
    assert len(rows()) == 178
