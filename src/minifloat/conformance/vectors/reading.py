"""Reading vectors: a stream of lines becomes batches of columns."""

from __future__ import annotations

import gzip
import io
import itertools
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, cast

import numpy as np

from minifloat._arrays import AnyArray
from minifloat._errors import FormatError, OptionError
from minifloat._formats import Format
from minifloat._plans import storage_dtype
from minifloat._rounding import Rounding
from minifloat.conformance.vectors.functions import Function, Settings, get_function
from minifloat.conformance.vectors.text import digits, settings_of

__all__ = ["Batch", "function_of_path", "open_vectors", "read_batches"]

_LINES = 1 << 15
_MODE_NAMES = frozenset(mode.value for mode in Rounding)
_VALUE = np.full(256, 255, np.uint8)
_VALUE[list(b"0123456789")] = range(10)
_VALUE[list(b"ABCDEF")] = _VALUE[list(b"abcdef")] = range(10, 16)


@dataclass(frozen=True, slots=True)
class Batch:
    """Lines of one function and the same settings.

    Parameters
    ----------
    function : Function
    settings : Settings
    lines : ndarray of int64, shape (n,)
        Their numbers in the stream, from 1.
    operands : tuple of ndarray, shape (n,)
    result, flags : ndarray, shape (n,)
    """

    function: Function
    settings: Settings
    lines: AnyArray
    operands: tuple[AnyArray, ...]
    result: AnyArray
    flags: AnyArray


def function_of_path(path: Path) -> str:
    """Return the function that a file's name says: its stem.

    Parameters
    ----------
    path : Path

    Returns
    -------
    str

    Examples
    --------
    >>> function_of_path(Path("vectors/f16_mulAdd.txt.gz"))
    'f16_mulAdd'
    """
    name = path.name.removesuffix(".gz")
    return name[: name.rindex(".")] if "." in name[1:] else name


def open_vectors(path: Path | None) -> tuple[IO[bytes], IO[bytes]]:
    """Open a file of vectors, plain or gzip, or standard input.

    Parameters
    ----------
    path : Path or None
        None is standard input.

    Returns
    -------
    tuple of two binary files
        What to read lines from, and what tells how far the file has been read.
    """
    raw = cast("IO[bytes]", sys.stdin.buffer if path is None else path.open("rb"))
    buffered = raw if hasattr(raw, "peek") else io.BufferedReader(cast("io.RawIOBase", raw))
    packed = buffered.peek(2)[:2] == b"\x1f\x8b"
    return (cast("IO[bytes]", gzip.GzipFile(fileobj=buffered)) if packed else buffered), raw


def read_batches(
    stream: IO[bytes], function: Function | None, settings: Settings
) -> Iterator[Batch]:
    """Read vectors as they come.

    Parameters
    ----------
    stream : binary file
    function : Function or None
        None where every line must name its own.
    settings : Settings
        What lines without settings, or with ``-``, stand for.

    Yields
    ------
    Batch
        In the order of each function's and setting's first line, 32,768 lines at a time.

    Raises
    ------
    OptionError
        For lines that are no vectors: which one, and what is wrong with it.
    """
    number = 1
    while chunk := list(itertools.islice(stream, _LINES)):
        page = _uniform(chunk)
        if page is not None and function is not None and b"_" not in chunk[0].split()[0]:
            yield from _uniform_batches(page, number, function, settings)
        else:
            yield from _general_batches(chunk, number, function, settings)
        number += len(chunk)


def _uniform(chunk: Sequence[bytes]) -> AnyArray | None:
    """Lines of one layout as a page of bytes; None if they have several."""
    width = len(chunk[0])
    odd = not chunk[0].strip() or chunk[0].endswith(b"\r\n")
    if odd or any(len(line) != width for line in chunk):
        return None
    page = np.frombuffer(b"".join(chunk), np.uint8).reshape(len(chunk), width)
    spaces = page[0] == ord(" ")
    same = ((page == ord(" ")) == spaces).all() and (page[:, -1] == ord("\n")).all()
    return page if same else None


def _uniform_batches(
    page: AnyArray, number: int, function: Function, settings: Settings
) -> Iterator[Batch]:
    ends = np.flatnonzero((page[0] == ord(" ")) | (page[0] == ord("\n")))
    starts = np.concatenate([[0], ends[:-1] + 1])
    spans = [slice(a, b) for a, b in zip(starts, ends, strict=True) if b > a]
    annotated = _is_annotated(len(spans), function, number, bytes(page[0]))
    numbers = np.arange(number, number + len(page), dtype=np.int64)
    columns = [
        _codes(page[:, span], fmt, numbers)
        for span, fmt in zip(spans[3 * annotated :], _column_formats(function), strict=True)
    ]
    if not annotated:
        yield _batch(function, settings, numbers, columns)
        return
    keys = np.ascontiguousarray(page[:, : spans[2].stop]).view(f"S{spans[2].stop}").ravel()
    words, first, index = np.unique(keys, return_index=True, return_inverse=True)
    for group in np.argsort(first):
        chosen = index == group
        found = _settings(words[group].decode().split(), settings, int(numbers[first[group]]))
        yield _batch(function, found, numbers[chosen], [column[chosen] for column in columns])


def _general_batches(
    chunk: Sequence[bytes], number: int, function: Function | None, settings: Settings
) -> Iterator[Batch]:
    groups: dict[tuple[Function, tuple[bytes, ...]], list[tuple[int, list[bytes]]]] = {}
    for at, line in enumerate(chunk, number):
        words = line.split()
        if not words or words[0].startswith(b"#"):
            continue
        own, words = _own_function(words, function, at)
        annotated = _is_annotated(len(words), own, at, line)
        head, rest = (tuple(words[:3]), words[3:]) if annotated else ((), words)
        groups.setdefault((own, head), []).append((at, rest))
    for (own, head), rows in groups.items():
        numbers = np.array([at for at, _ in rows], np.int64)
        columns = [
            _general_column([row[k] for _, row in rows], fmt, numbers)
            for k, fmt in enumerate(_column_formats(own))
        ]
        found = settings
        if head:
            found = _settings([word.decode("latin-1") for word in head], settings, rows[0][0])
        yield _batch(own, found, numbers, columns)


def _own_function(
    words: list[bytes], function: Function | None, at: int
) -> tuple[Function, list[bytes]]:
    if b"_" in words[0] and words[0].decode("latin-1") not in _MODE_NAMES:
        try:
            return get_function(words[0].decode("latin-1")), words[1:]
        except (OptionError, FormatError) as error:
            msg = f"line {at}: {error}"
            raise OptionError(msg) from None
    if function is None:
        msg = f"line {at}: it names no function, so --function is needed"
        raise OptionError(msg)
    return function, words


def _is_annotated(words: int, function: Function, at: int, line: bytes) -> bool:
    plain = len(function.operands) + 2
    if words in (plain, plain + 3):
        return words == plain + 3
    shown = line.decode("latin-1").strip()[:80]
    msg = (
        f"line {at}: {function.name} has {plain} columns, or {plain + 3} with the settings in"
        f" front; this one has {words}: {shown!r}"
    )
    raise OptionError(msg)


def _settings(words: list[str], settings: Settings, at: int) -> Settings:
    try:
        return settings_of(words, settings)
    except OptionError as error:
        msg = f"line {at}: {error}"
        raise OptionError(msg) from None


def _column_formats(function: Function) -> list[tuple[Format | None, str]]:
    operands = [(fmt, f"operand {k}") for k, fmt in enumerate(function.operands, 1)]
    return [*operands, (function.result, "result"), (None, "flags")]


def _codes(page: AnyArray, column: tuple[Format | None, str], numbers: AnyArray) -> AnyArray:
    """Codes of a column of bytes."""
    fmt, name = column
    values = _VALUE[page]
    if (values == 255).any():
        at = int(np.argmax((values == 255).any(axis=1)))
        _refuse(bytes(page[at]), name, int(numbers[at]))
    total = np.zeros(len(page), np.uint64)
    extra = max(page.shape[1] - 16, 0)
    wide = np.asarray(values[:, :extra].any(axis=1))
    for place in range(extra, page.shape[1]):
        total = (total << np.uint64(4)) | values[:, place]
    return _within(total, wide, fmt, name, numbers)


def _general_column(
    words: list[bytes], column: tuple[Format | None, str], numbers: AnyArray
) -> AnyArray:
    width = max(len(word) for word in words)
    padded = b"".join(word.rjust(width, b"0") for word in words)
    page = np.frombuffer(padded, np.uint8).reshape(len(words), width)
    return _codes(page, column, numbers)


def _within(
    codes: AnyArray, wide: AnyArray, fmt: Format | None, name: str, numbers: AnyArray
) -> AnyArray:
    limit = 31 if name == "flags" else 1 if fmt is None else 2**fmt.code_bits - 1
    outside = wide | (codes > np.uint64(limit))
    if fmt is not None and fmt.code_shift:
        outside |= codes & np.uint64(2**fmt.code_shift - 1) != 0
    if outside.any():
        at = int(np.argmax(outside))
        _refuse(f"{int(codes[at]):0{digits(fmt)}X}".encode(), name, int(numbers[at]))
    return codes.astype(np.uint8 if fmt is None else storage_dtype(fmt))


def _refuse(word: bytes, name: str, at: int) -> None:
    msg = f"line {at}: {word.decode('latin-1')!r} is no hexadecimal {name} of that width"
    raise OptionError(msg)


def _batch(
    function: Function, settings: Settings, numbers: AnyArray, columns: list[AnyArray]
) -> Batch:
    *operands, result, flags = columns
    return Batch(function, settings, numbers, tuple(operands), result, flags)
