"""The root of the command line: what there is, loaded when used, and how errors end."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Sequence

import cyclopts
from cyclopts import CycloptsError

from minifloat._errors import MinifloatError

__all__ = ["app", "run"]

_COMMANDS: dict[str, tuple[str, str]] = {
    "formats": ("minifloat.cli.formats:formats", "List the number formats."),
    "show": ("minifloat.cli.show:show", "Show one format: limits, bit layout, all values."),
    "inspect": ("minifloat.cli.inspect:inspect", "Show one number, or one code, in a format."),
    "cast": ("minifloat.cli.cast:cast", "Convert the tensors of a file to another format."),
    "compare": ("minifloat.cli.compare:compare", "Rank formats by what they do to real weights."),
}
"""Name, import path and help line of each command."""

_APPLICATIONS: dict[str, str] = {
    "ascend": "Check kernels and models of Ascend C's Cast.",
    "popfloat": "Gfloat formats: casts, packing, noise densities.",
    "tosa": "Check results against TOSA's compliance rules.",
    "vectors": "Write and check test vectors.",
}
"""Help line of each application below this one: ``app`` in the module of its name, if there."""


def _version() -> str:
    from importlib.metadata import version

    return version("minifloat")


app = cyclopts.App(
    name="minifloat",
    help="Low-precision number formats, exact to the last bit.",
    version=_version,
    result_action="return_value",
)
for _name, (_path, _help) in _COMMANDS.items():
    app.command(_path, name=_name, help=_help)
for _name, _help in _APPLICATIONS.items():
    if _name not in _COMMANDS and importlib.util.find_spec(f"minifloat.cli.{_name}"):
        app.command(f"minifloat.cli.{_name}:app", name=_name, help=_help)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run one command line and turn errors into one line and an exit code.

    Parameters
    ----------
    arguments : sequence of str, optional

    Returns
    -------
    int
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        result = app(words, exit_on_error=False, print_error=False)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader left (as `head` does); what is still buffered has nowhere to go.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except (MinifloatError, CycloptsError, OSError, MemoryError) as error:
        sys.stderr.write(f"error: {_one_line(error)}\n")
        return 1
    return result if isinstance(result, int) else 0


def _one_line(error: BaseException) -> str:
    text = "".join(char if char.isprintable() else " " for char in str(error))
    return " ".join(text.split()) or type(error).__name__
