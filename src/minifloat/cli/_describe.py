"""A format as a record of plain values, for tables and JSON."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from minifloat._formats import FloatFormat, Format, IntFormat
from minifloat._formats.named import ALIASES
from minifloat.cli._numbers import as_json_number
from minifloat.reference.values import Value

__all__ = ["aliases_of", "format_record", "special_codes"]


def aliases_of(fmt: Format) -> list[str]:
    """Return the other names of a format, shortest first.

    Parameters
    ----------
    fmt : Format

    Returns
    -------
    list of str
    """
    names = [alias for alias, name in ALIASES.items() if name == fmt.name]
    return sorted(names, key=lambda name: (len(name), name))


def special_codes(fmt: Format) -> dict[str, int]:
    """Return the codes that mark the ends of a format's range, and its special values.

    Parameters
    ----------
    fmt : Format

    Returns
    -------
    dict of str to int
    """
    if isinstance(fmt, IntFormat):
        top = (1 << fmt.precision) - 1
        return {"max": top, "min": top + 1 if fmt.signed else 0}
    found = {"zero": 0} if fmt.has_zero else {}
    for label in ("smallest", "max", "infinity", "nan"):
        code = getattr(fmt, f"{label}_code")
        if code is not None:
            found[label] = code << fmt.code_shift
    return found


def format_record(fmt: Format) -> dict[str, Any]:
    """Describe a format.

    Parameters
    ----------
    fmt : Format

    Returns
    -------
    dict
        Numbers are exact: JSON numbers where float64 or an integer holds them.
    """
    record: dict[str, Any] = {
        "name": str(fmt),
        "spec": fmt.spec,
        "aliases": aliases_of(fmt),
        "kind": "integer" if isinstance(fmt, IntFormat) else "float",
        "bits": fmt.bits,
        "code_bits": fmt.code_bits,
        "signed": fmt.signed,
        "precision": fmt.precision,
    }
    if isinstance(fmt, FloatFormat):
        fields = ("exponent_bits", "trailing_bits", "bias")
        record |= {field: getattr(fmt, field) for field in fields}
        record["eps"] = float(Fraction(2) ** (1 - fmt.precision))
    limits = ("max", "min", "smallest_normal", "smallest")
    record |= {limit: as_json_number(Value.of(getattr(fmt, limit))) for limit in limits}
    properties = ("has_zero", "has_negative_zero", "has_infinity", "has_nan")
    record |= {name: getattr(fmt, name) for name in properties}
    record["default_overflow"] = fmt.default_overflow.value
    return record
