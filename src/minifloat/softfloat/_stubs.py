"""Writes what is generated from the table: the stub, and the list of names in the documentation.

``python -m minifloat.softfloat._stubs`` prints the stub, with ``names`` the list.
"""

from __future__ import annotations

import sys
from itertools import groupby

from minifloat.softfloat._table import ENTRIES, Entry

__all__ = ["names_text", "stub_text"]

_HEAD = '''"""Generated from the table of names; see minifloat.softfloat._stubs."""

from typing import Any, Final, TypeAlias

import numpy.typing as npt

from minifloat.softfloat._profiles import PROFILES as PROFILES
from minifloat.softfloat._status import FloatStatus as FloatStatus
from minifloat.softfloat._words import ExceptionFlag as ExceptionFlag
from minifloat.softfloat._words import FtzDetection as FtzDetection
from minifloat.softfloat._words import InfZeroNanRule as InfZeroNanRule
from minifloat.softfloat._words import MuladdFlag as MuladdFlag
from minifloat.softfloat._words import Relation as Relation
from minifloat.softfloat._words import RoundMode as RoundMode
from minifloat.softfloat._words import ThreeNanRule as ThreeNanRule
from minifloat.softfloat._words import TwoNanRule as TwoNanRule

Codes: TypeAlias = npt.ArrayLike
Integers: TypeAlias = npt.ArrayLike

'''
_ARRAYS = ("Codes", "Integers", "Relation")


def stub_text() -> str:
    """Return the stub of the package.

    Returns
    -------
    str
    """
    parts = [_HEAD]
    for constants, entries in groupby(ENTRIES.values(), key=lambda e: e.is_constant):
        lines = "".join(_declaration(entry) for entry in entries)
        parts.append(f"\n{lines}\n" if constants else lines)
    return "".join(parts).rstrip("\n") + "\n"


def _declaration(entry: Entry) -> str:
    if entry.is_constant:
        return f"{entry.name}: Final[int]\n"
    parameters = ", ".join(f"{name}: {kind}" for name, kind in entry.parameters)
    scalar = entry.returns == "bool" and entry.family == "status"
    arrays = entry.returns in _ARRAYS or (entry.returns == "bool" and not scalar)
    line = f"def {entry.name}({parameters}) -> {'Any' if arrays else entry.returns}: ...\n"
    if len(line) <= 101:
        return line
    return f"def {entry.name}(\n    {parameters}\n) -> {'Any' if arrays else entry.returns}: ...\n"


def names_text() -> str:
    """Return the list of names for the documentation, one family a line.

    Returns
    -------
    str
    """
    lines = ["# Every name of `minifloat.softfloat`", ""]
    lines += ["Generated from the table of names; the arguments follow each family.", ""]
    functions = sorted(
        (entry for entry in ENTRIES.values() if entry.family != "status"), key=lambda e: e.family
    )
    for family, group in groupby(functions, key=lambda e: e.family):
        entries = list(group)
        arguments = ", ".join(name for name, _ in entries[0].parameters)
        what = "constants" if entries[0].is_constant else f"({arguments})"
        lines.append(f"- **{family}** {what}: " + ", ".join(f"`{e.name}`" for e in entries))
    lines += ["", "## Status", ""]
    status = [entry.name for entry in ENTRIES.values() if entry.family == "status"]
    lines.append(", ".join(f"`{name}`" for name in status))
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.stdout.write(names_text() if sys.argv[1:] == ["names"] else stub_text())
