"""``minifloat formats``."""

from __future__ import annotations

from minifloat._formats import Format
from minifloat._formats import formats as named_formats
from minifloat.cli._console import console, new_table, print_json
from minifloat.cli._describe import aliases_of, format_record
from minifloat.cli._numbers import short_text
from minifloat.cli._options import AsJson, Flag
from minifloat.reference.values import Value

__all__ = ["formats"]

_WIDE = 120


def formats(*, p3109: Flag = False, as_json: AsJson = False) -> None:
    """List the number formats.

    Besides these, every command takes aliases, P3109 names and spec strings such as
    ``e5m6:bias=9,finite``.

    Parameters
    ----------
    p3109 : bool
        List the IEEE P3109 family, ``binary{K}p{P}{s|u}{e|f}``, instead of the named formats.
    as_json : bool
        Print JSON.
    """
    listed: list[Format] = list(named_formats.p3109() if p3109 else named_formats.values())
    if as_json:
        print_json([format_record(fmt) for fmt in listed])
        return
    screen = console()
    columns = ["format", "specials", "layout", "bits", "max", "min normal", "smallest"]
    # Aliases are the first to go where the screen is narrow.
    also = screen.width >= _WIDE
    table = new_table(*columns, *(["also"] if also else []), left=3, tight=not also)
    table.columns[-1].justify = "left" if also else "right"
    for fmt in listed:
        limits = (fmt.max, fmt.smallest_normal, fmt.smallest)
        cells = [str(fmt), _specials(fmt), _layout(fmt), str(fmt.bits)]
        cells += [short_text(Value.of(limit), 4) for limit in limits]
        table.add_row(*cells, *([", ".join(aliases_of(fmt))] if also else []))
    screen.print(table)


def _specials(fmt: Format) -> str:
    words = {"inf": fmt.has_infinity, "nan": fmt.has_nan, "-0": fmt.has_negative_zero}
    words["no 0"] = not fmt.has_zero
    return " ".join(word for word, there in words.items() if there) or "-"


def _layout(fmt: Format) -> str:
    return fmt.spec.partition(":")[0] if fmt.spec != str(fmt) else ""
