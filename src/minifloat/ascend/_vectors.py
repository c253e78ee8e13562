"""Golden files for device tests: inputs, expected outputs, and the comparison with a device's."""

from __future__ import annotations

import dataclasses
import io
import json
import os
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from minifloat._arrays import AnyArray
from minifloat._errors import CodeError, FormatError
from minifloat._packing import pack, packed_size, unpack
from minifloat.ascend._cast import recipe
from minifloat.ascend._control import Ctrl
from minifloat.ascend._explain import explain, other_readings, show
from minifloat.ascend._modes import RoundMode, SatMode, as_mode
from minifloat.ascend._pairs import find_pair
from minifloat.ascend._policy import Policy
from minifloat.ascend._rules import Recipe
from minifloat.ascend._stimuli import stimuli
from minifloat.ascend._types import DataType

__all__ = ["Case", "Mismatch", "Report", "check_vectors", "write_vectors"]

_CASE = "case.json"
_RESET = Ctrl()
_DEFAULT = Policy()


@dataclass(frozen=True, slots=True)
class Case:
    """What a folder of golden files holds.

    Parameters
    ----------
    src, dst : str
    round_mode, sat_mode : str
    ctrl : int
        The CTRL register.
    saturating : bool
        The effective mode that follows from `sat_mode` and `ctrl`.
    policy : dict of str to str
    count : int
        Number of elements.
    seed : int
    """

    src: str
    dst: str
    round_mode: str
    sat_mode: str
    ctrl: int
    saturating: bool
    policy: dict[str, str]
    count: int
    seed: int

    def recipe(self) -> Recipe:
        """Decide the cast of the case.

        Returns
        -------
        Recipe
        """
        return recipe(
            self.src,
            self.dst,
            self.round_mode,
            self.sat_mode,
            ctrl=Ctrl.of_register(self.ctrl),
            policy=Policy(**self.policy),  # type: ignore[arg-type]
        )


@dataclass(frozen=True, slots=True)
class Mismatch:
    """One element on which a device disagrees.

    Parameters
    ----------
    index : int
    source, expected, actual : str
        Bits and value.
    rule : str
        What decides the expected result.
    """

    index: int
    source: str
    expected: str
    actual: str
    rule: str


@dataclass(frozen=True, slots=True)
class Report:
    """The comparison of a device's output with the expected one.

    Parameters
    ----------
    case : Case
    mismatches : int
        How many elements differ.
    first : tuple of Mismatch
        The first of them.
    agreeing : tuple of str
        Changes of one mode, CTRL bit or open point under which every element would agree.
    """

    case: Case
    mismatches: int
    first: tuple[Mismatch, ...]
    agreeing: tuple[str, ...]


def write_vectors(
    folder: str | os.PathLike[str],
    *,
    src: str | DataType,
    dst: str | DataType,
    round_mode: RoundMode | str | None = None,
    sat_mode: SatMode | str | None = None,
    ctrl: Ctrl = _RESET,
    policy: Policy = _DEFAULT,
    extra: int = 32768,
    seed: int = 0,
) -> Case:
    """Write inputs and expected outputs of a cast.

    Parameters
    ----------
    folder : path
        Made if need be. Receives ``input.bin`` and ``expected.bin``, raw little-endian elements
        (4-bit types two a byte, the even one low), the same as ``.npy`` (unsigned bit patterns, one
        element each), and ``case.json``.
    src, dst, round_mode, sat_mode, ctrl, policy
        As for `minifloat.ascend.cast`.
    extra : int
        Random patterns after the strata, for sources wider than 16 bits; narrower ones are
        exhaustive.
    seed : int

    Returns
    -------
    Case

    Raises
    ------
    FormatError, OptionError
        As for `minifloat.ascend.cast`.
    OSError
        If a file cannot be written; each is written whole or not at all.
    """
    found = recipe(src, dst, round_mode, sat_mode, ctrl=ctrl, policy=policy)
    pair = found.pair
    words = stimuli(pair, extra=extra, seed=seed)
    expected = found.run(words)
    case = Case(
        pair.src.name,
        pair.dst.name,
        pair.rounding(round_mode).name,
        pair.saturation(sat_mode, ctrl).name,
        ctrl.register,
        found.saturates,
        dataclasses.asdict(policy),
        words.size,
        seed,
    )
    root = Path(folder)
    root.mkdir(parents=True, exist_ok=True)
    (root / _CASE).unlink(missing_ok=True)  # until all files belong together again
    for name, array, dtype in (("input", words, pair.src), ("expected", expected, pair.dst)):
        _write(root / f"{name}.bin", _to_bytes(array, dtype))
        _write(root / f"{name}.npy", _to_npy(array))
    _write(root / _CASE, json.dumps(dataclasses.asdict(case), indent=2).encode() + b"\n")
    return case


def check_vectors(
    folder: str | os.PathLike[str], actual: str | os.PathLike[str], *, first: int = 8
) -> Report:
    """Compare a device's output with the expected one.

    Parameters
    ----------
    folder : path
        Made by `write_vectors`.
    actual : path
        What the device wrote: laid out as ``expected.bin``, or a ``.npy`` file as ``expected.npy``.
    first : int
        How many mismatches to explain.

    Returns
    -------
    Report

    Raises
    ------
    FormatError
        If the folder holds no golden files, or files that do not belong together.
    CodeError
        If the output has another number of elements, or bits outside the type.
    OSError
        If a file cannot be read.
    """
    case = _read_case(Path(folder))
    found = case.recipe()
    pair = found.pair
    words = _read_elements(Path(folder) / "input.bin", pair.src, case.count)
    expected = _read_elements(Path(folder) / "expected.bin", pair.dst, case.count)
    if not np.array_equal(expected, found.run(words)):
        msg = f"{folder}: expected.bin is not what {_CASE} says; write the vectors anew"
        raise FormatError(msg)
    got = _read_elements(Path(actual), pair.dst, case.count)
    wrong = np.flatnonzero(got != expected)
    mode = as_mode(RoundMode, case.round_mode)
    shown = tuple(
        Mismatch(
            int(index),
            show(int(words[index]), pair, source=True),
            show(int(expected[index]), pair, source=False),
            show(int(got[index]), pair, source=False),
            explain(found, mode, int(words[index])),
        )
        for index in wrong[:first]
    )
    agreeing = _agreeing(case, words, got) if wrong.size else ()
    return Report(case, int(wrong.size), shown, agreeing)


def _agreeing(case: Case, words: AnyArray, got: AnyArray) -> tuple[str, ...]:
    readings = other_readings(
        find_pair(case.src, case.dst),
        as_mode(RoundMode, case.round_mode),
        as_mode(SatMode, case.sat_mode),
        Ctrl.of_register(case.ctrl),
        Policy(**case.policy),  # type: ignore[arg-type]
    )
    return tuple(name for name, other in readings if np.array_equal(other.run(words), got))


def _read_case(folder: Path) -> Case:
    path = folder / _CASE
    try:
        fields: dict[str, Any] = json.loads(path.read_text())
        return Case(**fields)
    except FileNotFoundError:
        msg = f"{folder}: no {_CASE}, so no golden files of ascend"
    except (TypeError, ValueError) as error:
        msg = f"{path}: not a case of ascend vectors: {error}"
    raise FormatError(msg)


def _to_bytes(words: AnyArray, dtype: DataType) -> bytes:
    if dtype.is_packed:
        return pack(words, dtype.format).tobytes()
    return words.astype(words.dtype.newbyteorder("<")).tobytes()


def _to_npy(words: AnyArray) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, words, allow_pickle=False)
    return buffer.getvalue()


def _read_elements(path: Path, dtype: DataType, count: int) -> AnyArray:
    if path.suffix == ".npy":
        words = np.load(path, allow_pickle=False)
        if words.dtype.itemsize != dtype.word.itemsize or words.dtype.kind not in "uif":
            msg = f"{path}: {dtype} elements are {dtype.word.name}, got {words.dtype.name}"
            raise CodeError(msg)
        words = np.ascontiguousarray(words, words.dtype.newbyteorder("=")).view(dtype.word).ravel()
        if words.size != count:
            msg = f"{path}: {words.size} elements, expected are {count}"
            raise CodeError(msg)
        return words & np.uint8(0xF) if dtype.is_packed else words
    data = np.frombuffer(path.read_bytes(), np.uint8)
    needed = packed_size(count, dtype.format)
    if data.size != needed:
        msg = f"{path}: {data.size} bytes, but {count} elements of {dtype} are {needed}"
        raise CodeError(msg)
    if dtype.is_packed:
        return unpack(data, dtype.format, count)
    return data.view(dtype.word.newbyteorder("<")).astype(dtype.word)


def _write(path: Path, data: bytes) -> None:
    """Write a file whole or not at all."""
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(8)}.tmp")
    try:
        with temporary.open("xb") as file:
            file.write(data)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
