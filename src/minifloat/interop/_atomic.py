"""Write a file whole or not at all."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from minifloat._errors import FileFormatError

__all__ = ["check_writable", "replacing"]


def check_writable(path: Path, *, force: bool) -> None:
    """Refuse a target that exists (unless `force`), is no regular file, or has no folder.

    Parameters
    ----------
    path : pathlib.Path
    force : bool
        Whether an existing regular file may be replaced.

    Raises
    ------
    FileFormatError
        With the reason.
    """
    if not path.parent.is_dir():
        msg = f"{path}: there is no folder {path.parent}"
        raise FileFormatError(msg)
    if path.exists():
        if not path.is_file():
            msg = f"{path}: exists and is not a regular file"
            raise FileFormatError(msg)
        if not force:
            msg = f"{path}: exists already (--force replaces it)"
            raise FileFormatError(msg)


@contextlib.contextmanager
def replacing(path: Path, *, force: bool = False) -> Iterator[IO[bytes]]:
    """Open a temporary file beside `path` that takes its place when the block succeeds.

    Nobody ever sees a partial file: after an error the temporary file is removed and `path` is
    what it was before.

    Parameters
    ----------
    path : pathlib.Path
    force : bool
        Whether an existing regular file may be replaced.

    Yields
    ------
    binary file

    Raises
    ------
    FileFormatError
        If the target may not be written.
    """
    check_writable(path, force=force)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:40]}.", suffix=".tmp")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
        temporary.chmod(0o666 & ~_umask())
        check_writable(path, force=force)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
