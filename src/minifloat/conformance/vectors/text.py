"""Vectors as text: TestFloat's lines, and the same with the settings in front.

TestFloat's line has the operands, the result and the flags, upper-case hexadecimal without prefix,
with one space between. The annotated line has three more words in front: the rounding mode, the
tininess, and whether integer roundings raise INEXACT; ``-`` where that does not matter. The name of
the function may come before those.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from minifloat._arrays import AnyArray
from minifloat._errors import OptionError
from minifloat._formats import Format
from minifloat._rounding import Rounding
from minifloat.conformance.vectors.functions import Function, Settings

__all__ = ["MODES", "annotation", "digits", "lines", "settings_of"]

MODES: dict[str, Rounding] = {
    "RNE": Rounding.TIES_TO_EVEN,
    "RTZ": Rounding.TOWARD_ZERO,
    "RDN": Rounding.TOWARD_NEGATIVE,
    "RUP": Rounding.TOWARD_POSITIVE,
    "RMM": Rounding.TIES_TO_AWAY,
    "ODD": Rounding.TO_ODD,
}
"""The words of the first column; other modes are spelt out."""
_WORDS = {mode: word for word, mode in MODES.items()}
_DIGITS = np.frombuffer(b"0123456789ABCDEF", np.uint8)


def digits(fmt: Format | None) -> int:
    """Return how many hexadecimal digits a column has.

    Parameters
    ----------
    fmt : Format or None
        None for predicates.

    Returns
    -------
    int
    """
    return 1 if fmt is None else -(-fmt.code_bits // 4)


def annotation(function: Function, settings: Settings) -> str:
    """Return the three words in front of an annotated line.

    Parameters
    ----------
    function : Function
    settings : Settings

    Returns
    -------
    str

    Examples
    --------
    >>> from minifloat.conformance.vectors.functions import get_function
    >>> annotation(get_function("f16_add"), Settings(tininess="before"))
    'RNE B -'
    """
    mode = _WORDS.get(settings.rounding, settings.rounding.value)
    words = (
        ("rounding", mode),
        ("tininess", "A" if settings.tininess == "after" else "B"),
        ("exact", "E" if settings.exact else "N"),
    )
    return " ".join(word if use in function.uses else "-" for use, word in words)


def settings_of(words: Sequence[str], settings: Settings) -> Settings:
    """Read the three words in front of an annotated line.

    Parameters
    ----------
    words : sequence of str, length 3
    settings : Settings
        What ``-`` stands for.

    Returns
    -------
    Settings

    Raises
    ------
    OptionError
        For other words.

    Examples
    --------
    >>> settings_of(["RTZ", "B", "-"], Settings()).tininess
    'before'
    """
    mode, tininess, exact = words
    if mode != "-":
        settings = replace(settings, rounding=_mode(mode))
    if tininess not in ("A", "B", "-") or exact not in ("E", "N", "-"):
        msg = f"{' '.join(words)!r}: after the rounding mode come A, B or -, then E, N or -"
        raise OptionError(msg)
    if tininess != "-":
        settings = replace(settings, tininess="after" if tininess == "A" else "before")
    return settings if exact == "-" else replace(settings, exact=exact == "E")


def _mode(word: str) -> Rounding:
    if word in MODES:
        return MODES[word]
    for mode in Rounding:
        if mode.value == word:
            return mode
    msg = f"rounding mode {word!r}: allowed are {', '.join(MODES)}, -, or a mode's full name"
    raise OptionError(msg)


def lines(columns: Sequence[tuple[AnyArray, int]], prefix: str = "") -> bytes:
    r"""Write columns of codes as lines.

    Parameters
    ----------
    columns : sequence of (ndarray of unsigned int, shape (n,), int)
        Codes, and how many digits each has.
    prefix : str
        What every line begins with.

    Returns
    -------
    bytes

    Examples
    --------
    >>> lines([(np.array([10, 255], np.uint8), 2), (np.array([1, 0], np.uint8), 1)], "RNE A -")
    b'RNE A - 0A 1\nRNE A - FF 0\n'
    """
    head = np.frombuffer(f"{prefix} ".encode() if prefix else b"", np.uint8)
    width = len(head) + sum(count + 1 for _, count in columns)
    page = np.full((len(columns[0][0]), width), ord(" "), np.uint8)
    page[:, : len(head)] = head
    at = len(head)
    for codes, count in columns:
        for place in range(count):
            shift = codes.dtype.type(4 * (count - 1 - place))
            page[:, at + place] = _DIGITS[(codes >> shift) & codes.dtype.type(15)]
        at += count + 1
    page[:, -1] = ord("\n")
    return page.tobytes()
