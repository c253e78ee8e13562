"""The error tree: every error the package raises on purpose is a `MinifloatError`."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = [
    "CodeError",
    "DtypeError",
    "FileFormatError",
    "FormatError",
    "MinifloatError",
    "MissingExtraError",
    "NanError",
    "OptionError",
    "nearest",
]


class MinifloatError(ValueError):
    """Base class of all errors raised on purpose by this package."""


class FormatError(MinifloatError):
    """A format that is unknown, impossible, or unfit for the operation."""


class OptionError(MinifloatError):
    """A rounding, overflow, NaN or noise option that is unknown or cannot be honoured."""


class CodeError(MinifloatError):
    """Codes that do not belong to the format: stray high bits, or values passed as codes."""


class NanError(MinifloatError):
    """A NaN met a format without NaN under ``nan="raise"``."""


class DtypeError(MinifloatError, TypeError):
    """An array of a dtype that the operation does not take."""


class FileFormatError(MinifloatError):
    """A file that is corrupt, truncated, of an unknown kind, or may not be written."""


class MissingExtraError(MinifloatError, ImportError):
    """An optional dependency is not installed; the message says which extra brings it."""


def nearest(word: str, allowed: Iterable[str]) -> str:
    """Return a hint naming the allowed word closest to `word`, or an empty string.

    Parameters
    ----------
    word : str
        What was asked.
    allowed : iterable of str
        What would have been accepted.

    Returns
    -------
    str
        ``" (did you mean 'x'?)"`` or ``""``.

    Examples
    --------
    >>> nearest("e4m3f", ["e4m3fn", "e5m2"])
    " (did you mean 'e4m3fn'?)"
    """
    import difflib  # rarely needed

    found = difflib.get_close_matches(word, list(allowed), n=1, cutoff=0.5)
    return f" (did you mean {found[0]!r}?)" if found else ""
