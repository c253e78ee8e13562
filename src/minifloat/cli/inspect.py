"""``minifloat inspect``."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Annotated, Any

from cyclopts import Parameter
from rich.console import Console
from rich.text import Text

from minifloat._errors import OptionError
from minifloat._formats import Format, get_format
from minifloat._rounding import as_overflow
from minifloat.cli._console import console, new_table, print_json
from minifloat.cli._inspection import Outcome, flag_names, neighbours, outcomes, value_record
from minifloat.cli._layout import code_text, layout_text, painted
from minifloat.cli._numbers import decimal_text, dyadic_text, hex_text, parse_value, short_text
from minifloat.cli._options import AsJson, NanWord
from minifloat.reference.values import Value, decode

__all__ = ["inspect"]

_CODE = re.compile(r"0x[0-9a-f]+|0b[01]+|0o[0-7]+", re.IGNORECASE)
_FOLDED = ("rounding", "dyadic", "hex", "flags", "P(up)")
_WIDE = 16
_LONG = 60
_MOST_BITS = 32


def inspect(
    number: Annotated[str, Parameter(name="NUMBER", allow_leading_hyphen=True)],
    /,
    *,
    format_: Annotated[str, Parameter(name=("--format", "-f"))],
    overflow: str | None = None,
    nan: NanWord = "max",
    bits: int = 8,
    as_json: AsJson = False,
) -> None:
    """Show one number, or one code, in a format.

    Prints the bits by field, the exact value, its neighbours, and what every rounding mode makes
    of it, flags and probabilities of rounding up included. Text is read exactly (0.3 is three
    tenths, not a float64) and rounded once.

    Parameters
    ----------
    number : str
        A number (0.3, 3/10, 1e-5, 0x1.8p-3, inf, nan), or a code (0x2a, 0b101010).
    format_ : str
        A name, alias, P3109 name or spec string.
    overflow : str
        Overflow policy; the format's own when omitted.
    nan : str
        What NaN becomes where the format has none.
    bits : int
        Random bits of the stochastic variants, 1 to 32.
    as_json : bool
        Print JSON.
    """
    fmt = get_format(format_)
    policy = None if overflow is None else as_overflow(overflow)
    if not 1 <= bits <= _MOST_BITS:
        msg = f"bits={bits}: allowed are 1 to {_MOST_BITS}"
        raise OptionError(msg)
    code = int(number, 0) if _CODE.fullmatch(number.strip()) else None
    value = parse_value(number) if code is None else decode(code, fmt)
    found = outcomes(value, fmt, policy, nan, bits)
    if as_json:
        print_json(_record(number, value, code, fmt, found))
    else:
        _print(console(), number, value, code, fmt, found)


def _record(
    text: str, value: Value, code: int | None, fmt: Format, found: list[Outcome]
) -> dict[str, Any]:
    sides = dict(zip(("below", "above"), neighbours(value, fmt), strict=True))
    return {
        "input": text,
        "format": str(fmt),
        **value_record(value, code, fmt),
        **{
            side: None if near is None else value_record(decode(near, fmt), near, fmt)
            for side, near in sides.items()
        },
        "rounding": [_outcome_record(outcome, fmt) for outcome in found],
    }


def _outcome_record(outcome: Outcome, fmt: Format) -> dict[str, Any]:
    if outcome.code is None:
        return {"mode": outcome.mode, "error": outcome.refusal}
    record = {
        "mode": outcome.mode,
        **value_record(decode(outcome.code, fmt), outcome.code, fmt),
        "flags": flag_names(outcome.flags),
    }
    if outcome.chance_up is not None:
        record["p_up"] = str(outcome.chance_up)
    if outcome.code_up is not None:
        up = value_record(decode(outcome.code_up, fmt), outcome.code_up, fmt)
        record["up"] = up | {"flags": flag_names(outcome.flags_up)}
    return record


def _print(
    screen: Console, text: str, value: Value, code: int | None, fmt: Format, found: list[Outcome]
) -> None:
    screen.print(Text(str(fmt), style="bold"), Text(f"{fmt.bits} bits:"), layout_text(fmt))
    folded = (*_FOLDED, "bits") if fmt.bits > 2 * _WIDE else _FOLDED
    table = new_table("", "code", "bits", "value", "dyadic", "hex", left=6, fold=folded)
    nearest = code
    if code is None:
        table.add_row("input", "", "", _cut(text), _cut(dyadic_text(value)), hex_text(value))
        nearest = next(o.code for o in found if o.mode == "ties_to_even")
    if nearest is not None:
        table.add_row("nearest" if code is None else "code", *_row(nearest, fmt))
    for side, near in zip(("below", "above"), neighbours(value, fmt), strict=True):
        if near is not None:
            table.add_row(side, *_row(near, fmt))
    screen.print(table)
    if nearest is not None:
        there = decode(nearest, fmt)
        screen.print(f"exactly {decimal_text(there)}", markup=False)
        if code is None:
            _print_error(screen, value, there)
    screen.print()
    _print_outcomes(screen, fmt, found)


def _print_error(screen: Console, value: Value, nearest: Value) -> None:
    if value.is_finite and nearest.is_finite and not value.is_zero:
        error = nearest.number - value.number
        relative = float(error / abs(value.number)) if error else 0.0
        shown = short_text(Value.of(error))
        screen.print(f"error {shown} ({100 * relative:+.4g}% of the input)", markup=False)


def _print_outcomes(screen: Console, fmt: Format, found: list[Outcome]) -> None:
    if all(outcome.code is None for outcome in found):
        screen.print(Text(f"no rounding gives a code: {found[0].refusal}", style="red"))
        return
    bits = ["bits"] if fmt.bits <= _WIDE else []
    columns = ("rounding", "code", *bits, "value", "flags", "P(up)")
    table = new_table(*columns, left=len(columns), fold=_FOLDED)
    for outcome in found:
        if outcome.code is None:
            table.add_row(outcome.mode, Text(outcome.refusal, style="red"))
            continue
        chance = "" if outcome.chance_up is None else _chance_text(outcome.chance_up)
        table.add_row(outcome.mode, *_outcome_row(outcome.code, outcome.flags, fmt), chance)
        if (outcome.code_up, outcome.flags_up) not in ((None, 0), (outcome.code, outcome.flags)):
            assert outcome.code_up is not None
            table.add_row("  or up", *_outcome_row(outcome.code_up, outcome.flags_up, fmt), "")
    screen.print(table)


def _outcome_row(code: int, flags: Any, fmt: Format) -> tuple[str | Text, ...]:
    bits = (painted(code, fmt),) if fmt.bits <= _WIDE else ()
    value = short_text(decode(code, fmt))
    return code_text(code, fmt), *bits, value, ", ".join(flag_names(flags)) or "-"


def _row(code: int, fmt: Format) -> tuple[str | Text, ...]:
    value = decode(code, fmt)
    forms = short_text(value), _cut(dyadic_text(value)), hex_text(value)
    return code_text(code, fmt), painted(code, fmt), *forms


def _cut(text: str) -> str:
    return text if len(text) <= _LONG else f"{text[: _LONG - 1]}…"


def _chance_text(chance: Fraction) -> str:
    return f"{_cut(str(chance))} ~ {float(chance):.4g}" if chance.denominator > 1 else str(chance)
