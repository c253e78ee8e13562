"""What every command prints with."""

from __future__ import annotations

import contextlib
import json
import math
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

__all__ = ["console", "new_table", "print_json", "printable", "progress"]

_WIDE = 200


def console() -> Console:
    """Return a console on standard output.

    Colours go to terminals only, and nowhere under ``NO_COLOR``; what is no terminal is wide
    enough for every table, so that nothing is cut in files and pipes.

    Returns
    -------
    rich.console.Console
    """
    wide = None if sys.stdout.isatty() or "COLUMNS" in os.environ else _WIDE
    return Console(width=wide, highlight=False, soft_wrap=False)


@contextlib.contextmanager
def progress(label: str, total: int) -> Iterator[Callable[[int], None]]:
    """Show a progress bar on standard error while the block runs, if that is a terminal.

    Parameters
    ----------
    label : str
    total : int

    Yields
    ------
    callable
        To be called with the amount done since the last call.
    """
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=total)
        yield lambda amount: bar.advance(task, amount)


def new_table(*columns: str, left: int = 1, tight: bool = False, fold: Sequence[str] = ()) -> Table:
    """Return a table in the common style.

    Parameters
    ----------
    *columns : str
        The headings.
    left : int
        How many leading columns hold text (the rest are numbers, aligned to the right).
    tight : bool
        Whether one blank separates the columns, not two.
    fold : sequence of str
        The columns that go on in a second line where the screen is narrow; the others are whole.

    Returns
    -------
    rich.table.Table
    """
    table = Table(box=None, pad_edge=False, header_style="bold", collapse_padding=tight)
    for index, column in enumerate(columns):
        table.add_column(
            column,
            justify="left" if index < left else "right",
            no_wrap=column not in fold,
            overflow="fold" if column in fold else "ellipsis",
        )
    return table


def print_json(value: Any) -> None:
    """Print a value as strict JSON: infinities and NaN become the texts "inf", "-inf", "nan".

    Parameters
    ----------
    value : object
    """
    json.dump(_strict(value), sys.stdout, indent=2, allow_nan=False)
    sys.stdout.write("\n")


def printable(text: str) -> str:
    r"""Return a text from a file with everything escaped that could drive a terminal.

    Parameters
    ----------
    text : str

    Returns
    -------
    str

    Examples
    --------
    >>> printable("w\x1b[31m")
    'w\\x1b[31m'
    """
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in text
    )


def _strict(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _strict(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_strict(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value
