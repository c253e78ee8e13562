from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from minifloat import get_format
from minifloat._errors import FileFormatError
from minifloat.interop import TensorOutput, open_tensors, write_tensors
from minifloat.interop._tensor import Tensor

from ._files import code_output, random_codes

KINDS = ["safetensors", "npy", "npz"]


def failing() -> Iterator[Any]:
    yield np.zeros(8, np.uint8)
    msg = "the source broke"
    raise RuntimeError(msg)


@pytest.mark.parametrize("kind", KINDS)
def test_an_error_while_writing_leaves_nothing(tmp_path: Path, kind: str) -> None:
    output = TensorOutput.from_codes("w", (16,), get_format("e4m3fn"), failing)
    with pytest.raises(RuntimeError, match="broke"):
        write_tensors(tmp_path / f"t.{kind}", [output])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", KINDS)
def test_an_error_while_replacing_keeps_the_old_file(tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"t.{kind}"
    path.write_bytes(b"old")
    output = TensorOutput.from_codes("w", (16,), get_format("e4m3fn"), failing)
    with pytest.raises(RuntimeError, match="broke"):
        write_tensors(path, [output], force=True)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("kind", KINDS)
def test_an_existing_file_is_replaced_only_by_force(tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"t.{kind}"
    path.write_bytes(b"old")
    outputs = [code_output("w", "e4m3fn", random_codes("e4m3fn", (20,)))]
    with pytest.raises(FileFormatError, match="exists already"):
        write_tensors(path, outputs)
    assert path.read_bytes() == b"old"
    write_tensors(path, outputs, force=True)
    with open_tensors(path) as file:
        assert len(file.tensors) == 1


def test_a_new_file_has_the_usual_permissions(tmp_path: Path) -> None:
    (tmp_path / "plain").touch()
    write_tensors(tmp_path / "t.npz", [code_output("w", "e4m3fn", np.zeros(1, np.uint8))])
    assert (tmp_path / "t.npz").stat().st_mode == (tmp_path / "plain").stat().st_mode


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("missing.npy", "no such file"),
        ("folder.npz", "not a regular file"),
        ("weights.pt", "unknown kind of file"),
        ("weights.safetensor", "did you mean '.safetensors'"),
    ],
)
def test_what_cannot_be_opened_says_why(tmp_path: Path, name: str, reason: str) -> None:
    (tmp_path / "folder.npz").mkdir()
    with pytest.raises(FileFormatError, match=reason):
        open_tensors(tmp_path / name)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("folder.npz", "not a regular file"),
        ("nowhere/t.npz", "there is no folder"),
        ("t.pt", "unknown kind of file"),
    ],
)
def test_what_cannot_be_written_says_why(tmp_path: Path, name: str, reason: str) -> None:
    (tmp_path / "folder.npz").mkdir()
    output = code_output("w", "e4m3fn", np.zeros(1, np.uint8))
    with pytest.raises(FileFormatError, match=reason):
        write_tensors(tmp_path / name, [output], force=True)


def test_a_chain_of_kinds_restores_the_codes(tmp_path: Path) -> None:
    codes = random_codes("hifloat8", (5, 7))
    write_tensors(tmp_path / "0.npy", [code_output("w", "hifloat8", codes)])
    for index, kind in enumerate(["npz", "safetensors", "npy", "safetensors", "npz", "npy"]):
        before = next(tmp_path.glob(f"{index}.*"))
        with open_tensors(before) as file:
            outputs = [TensorOutput.copy_of(tensor) for tensor in file.tensors.values()]
            write_tensors(tmp_path / f"{index + 1}.{kind}", outputs)
    np.testing.assert_array_equal(np.load(tmp_path / "6.npy"), codes)
    assert (tmp_path / "6.npy").read_bytes() == (tmp_path / "0.npy").read_bytes()


@pytest.mark.parametrize("kind", ["npy", "npz"])
@pytest.mark.parametrize("dtype", ["?", "<c16", "<U3", "<M8[s]"])
def test_what_is_no_number_is_copied_as_it_is(tmp_path: Path, kind: str, dtype: str) -> None:
    array = np.arange(5).astype(dtype)
    np.save(tmp_path / "a.npy", array)
    with open_tensors(tmp_path / "a.npy") as file:
        assert file.tensors["arr_0"].fmt is None
        write_tensors(tmp_path / f"b.{kind}", [TensorOutput.copy_of(file.tensors["arr_0"])])
    loaded = np.load(tmp_path / f"b.{kind}")
    np.testing.assert_array_equal(loaded if kind == "npy" else loaded["arr_0"], array)


def test_safetensors_has_no_type_for_text(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.array(["x"]))
    with open_tensors(tmp_path / "a.npy") as file, pytest.raises(FileFormatError, match="no type"):
        write_tensors(tmp_path / "b.safetensors", [TensorOutput.copy_of(file.tensors["arr_0"])])


def test_pages_can_be_dropped_while_arrays_are_in_use(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.arange(100_000, dtype=np.float32))
    with open_tensors(tmp_path / "a.npy") as file:
        values = file.tensors["arr_0"].values(0, 100_000)
        file.release()
        np.testing.assert_array_equal(values, np.arange(100_000, dtype=np.float32))
    np.testing.assert_array_equal(values[-3:], np.float32([99_997, 99_998, 99_999]))


def test_chunks_cover_the_tensor() -> None:
    tensor = Tensor("w", (7, 3), np.dtype("u1"), None, "U8", lambda: np.zeros(21, np.uint8))
    assert list(tensor.chunks(8)) == [(0, 8), (8, 16), (16, 21)]
