"""Lines in all their forms, and lines that are none."""

from __future__ import annotations

import io

import pytest

from minifloat import Rounding
from minifloat._errors import MinifloatError
from minifloat.conformance.vectors import Settings, get_function, read_batches


def batches(text: str, function: str | None = "f16_add") -> list[tuple[str, Settings, list[int]]]:
    found = None if function is None else get_function(function)
    read = read_batches(io.BytesIO(text.encode()), found, Settings())
    return [(b.function.name, b.settings, b.lines.tolist()) for b in read]


def test_plain_lines_take_the_settings_given() -> None:
    assert batches("3C00 3C00 4000 00\n3C00 3C01 4000 01\n") == [("f16_add", Settings(), [1, 2])]


def test_annotated_lines_are_grouped_by_their_settings() -> None:
    text = "RTZ A - 3C00 3C00 4000 00\nRNE B - 3C00 3C01 4000 01\nRTZ A - 0000 0000 0000 00\n"
    first = Settings(Rounding.TOWARD_ZERO)
    second = Settings(tininess="before")
    expected = [("f16_add", first, [1, 3]), ("f16_add", second, [2])]
    assert batches(text) == expected
    # The same where widths differ, blank lines and comments occur, and the last line has no end.
    assert batches(text.replace("RNE B", "RNE  B").rstrip("\n")) == expected
    assert batches("\n# a comment\n" + text) == [
        (name, settings, [line + 2 for line in lines]) for name, settings, lines in expected
    ]


def test_lines_may_name_their_function() -> None:
    text = "f16_eq - - - 3C00 3C00 1 00\nbf16_to_f32 - - - 3F80 3F800000 00\n"
    assert [(name, lines) for name, _, lines in batches(text, None)] == [
        ("f16_eq", [1]),
        ("bf16_to_f32", [2]),
    ]


def test_modes_may_be_spelt_out() -> None:
    found = batches("ties_to_zero A - 3C00 3C00 4000 00\n")
    assert found[0][1].rounding is Rounding.TIES_TO_ZERO


def test_carriage_returns_and_lower_case_are_read() -> None:
    read = read_batches(io.BytesIO(b"3c00 bc00 0000 00\r\n"), get_function("f16_add"), Settings())
    (batch,) = read
    assert [int(column[0]) for column in batch.operands] == [0x3C00, 0xBC00]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("3C00 3C00 4000\n", "line 1: f16_add has 4 columns, or 7 with the settings"),
        ("3C00 3C00 4000 00\n3C00 3C00 40G0 00\n", "line 2: '40G0' is no hexadecimal result"),
        ("3C00 13C00 4000 00\n", "line 1: '13C00' is no hexadecimal operand 2"),
        ("3C00 3C00 4000 20\n", "line 1: '20' is no hexadecimal flags"),
        ("RXX A - 3C00 3C00 4000 00\n", "line 1: rounding mode 'RXX'"),
        ("RNE C - 3C00 3C00 4000 00\n", "line 1: 'RNE C -'"),
        ("f16_bad - - - 3C00 3C00 4000 00\n", "line 1: function 'f16_bad'"),
    ],
)
def test_what_is_no_vector_is_refused_by_line(text: str, message: str) -> None:
    with pytest.raises(MinifloatError, match=message):
        batches(text)


def test_a_function_is_needed() -> None:
    with pytest.raises(MinifloatError, match="--function is needed"):
        batches("3C00 3C00 4000 00\n", None)


def test_predicates_are_0_or_1() -> None:
    with pytest.raises(MinifloatError, match="line 1: '2' is no hexadecimal result"):
        batches("3C00 3C00 2 00\n", "f16_eq")
