"""``minifloat show``."""

from __future__ import annotations

from typing import Annotated, Any

from cyclopts import Parameter
from rich.columns import Columns
from rich.text import Text

from minifloat._formats import Format, get_format
from minifloat.cli._console import console, new_table, print_json
from minifloat.cli._describe import format_record, special_codes
from minifloat.cli._layout import bits_text, code_text, layout_text, painted
from minifloat.cli._numbers import as_json_number, dyadic_text, hex_text, short_text
from minifloat.cli._options import AsJson
from minifloat.reference.values import Value, decode

__all__ = ["show"]

_MOST_BITS = 8


def show(format_: Annotated[str, Parameter(name="FORMAT")], /, *, as_json: AsJson = False) -> None:
    """Show one format: its limits, bit layout and, for 8 bits or fewer, all values.

    Parameters
    ----------
    format_ : str
        A name, alias, P3109 name or spec string.
    as_json : bool
        Print JSON.
    """
    fmt = get_format(format_)
    if as_json:
        print_json(_record(fmt))
        return
    screen = console()
    screen.print(Text(str(fmt), style="bold"), Text(f"{fmt.bits} bits:"), layout_text(fmt))
    screen.print(_facts(fmt))
    table = new_table("", "code", "bits", "value", "dyadic", "hex", left=3, fold=["bits"])
    for label, code in special_codes(fmt).items():
        value = decode(code, fmt)
        row = (short_text(value), dyadic_text(value), hex_text(value))
        table.add_row(label, code_text(code, fmt), painted(code, fmt), *row)
    screen.print(table)
    if fmt.bits <= _MOST_BITS:
        screen.print()
        screen.print(Columns([_cell(code, fmt) for code in _codes(fmt)], column_first=True))


def _codes(fmt: Format) -> range:
    return range(0, 1 << fmt.code_bits, 1 << fmt.code_shift)


def _cell(code: int, fmt: Format) -> Text:
    value = short_text(decode(code, fmt))
    return Text.assemble(code_text(code, fmt), " ", painted(code, fmt), " ", f"{value:<14}")


def _facts(fmt: Format) -> str:
    record = format_record(fmt)
    facts = [f"spec {fmt.spec}"] if fmt.spec != str(fmt) else []
    if record["aliases"]:
        facts.append(f"also {', '.join(record['aliases'])}")
    facts += [f"bias {record['bias']}"] if "bias" in record else []
    facts += [f"precision {fmt.precision}", f"overflow {fmt.default_overflow.value}"]
    if fmt.code_bits > fmt.bits:
        facts.append(f"stored in the high bits of {fmt.code_bits}")
    normal = Value.of(fmt.smallest_normal)
    facts.append(f"smallest normal {short_text(normal)} = {dyadic_text(normal)}")
    return "; ".join(facts)


def _record(fmt: Format) -> dict[str, Any]:
    record = format_record(fmt)
    record["codes"] = special_codes(fmt)
    if fmt.bits <= _MOST_BITS:
        record["values"] = [
            {
                "code": code,
                "bits": bits_text(code, fmt),
                "value": as_json_number(decode(code, fmt)),
                "dyadic": dyadic_text(decode(code, fmt)),
            }
            for code in _codes(fmt)
        ]
    return record
