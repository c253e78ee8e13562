"""The command line, ``minifloat``: see ``minifloat --help``."""

from __future__ import annotations

import sys
from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    arguments : sequence of str, optional
        The words after ``minifloat``; those of the process when omitted.

    Returns
    -------
    int
        0 when all went well, 1 after an error (one line on standard error), 2 when something that
        was checked does not comply.
    """
    try:
        from minifloat.cli._app import run
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in ("cyclopts", "rich"):
            raise
        hint = "pip install 'minifloat[cli]'"
        sys.stderr.write(f"error: the command line needs {error.name}: {hint}\n")
        return 1
    return run(arguments)
