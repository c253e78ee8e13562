from __future__ import annotations

import io
import zipfile
from pathlib import Path

import numpy as np
import pytest

from minifloat import get_format
from minifloat._errors import FileFormatError
from minifloat.interop import TensorFile, open_tensors, write_tensors
from minifloat.interop._npz import RECORD

from ._files import all_codes, code_output, random_codes, write

NAMES = ["float32", "bfloat16", "hifloat8", "int4", "tfloat32", "e5m6:bias=9"]


def test_codes_and_formats_survive(tmp_path: Path) -> None:
    codes = {name: random_codes(name, (3, 5)) for name in NAMES}
    path = tmp_path / "t.npz"
    write_tensors(path, [code_output(f"w {name}", name, codes[name]) for name in NAMES])
    with open_tensors(path) as file:
        assert list(file.tensors) == [f"w {name}" for name in NAMES]
        for name in NAMES:
            assert file.tensors[f"w {name}"].fmt == get_format(name)
            np.testing.assert_array_equal(all_codes(file.tensors[f"w {name}"]), codes[name])
    with np.load(path) as loaded:
        np.testing.assert_array_equal(loaded["w hifloat8"], codes["hifloat8"])
        assert loaded["w float32"].dtype == np.float32


def test_plain_arrays_need_no_record(tmp_path: Path) -> None:
    write_tensors(tmp_path / "t.npz", [code_output("w", "float32", random_codes("float32", (3,)))])
    with np.load(tmp_path / "t.npz") as loaded:
        assert list(loaded) == ["w"]


def test_equal_content_gives_equal_bytes(tmp_path: Path) -> None:
    outputs = [code_output("w", "hifloat8", random_codes("hifloat8", (30,)))]
    for name in ("a.npz", "b.npz"):
        write_tensors(tmp_path / name, outputs)
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_what_numpy_writes_is_read(tmp_path: Path, save: object) -> None:
    rng = np.random.default_rng(0)
    arrays = {
        "w": rng.standard_normal((50, 30)).astype(np.float32),
        "f": np.asfortranarray(rng.standard_normal((5, 3))),
        "s": np.float64(3),
        "n": np.zeros((0, 2)),
    }
    save(tmp_path / "t.npz", **arrays)  # type: ignore[operator]
    with open_tensors(tmp_path / "t.npz") as file:
        for name, array in arrays.items():
            tensor = file.tensors[name]
            np.testing.assert_array_equal(
                tensor.values(0, tensor.size).reshape(tensor.shape), array
            )


@pytest.mark.parametrize("name", [RECORD, "a\0b"])
def test_names_that_an_archive_cannot_hold_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(FileFormatError, match="cannot be called"):
        write_tensors(tmp_path / "t.npz", [code_output(name, "e4m3fn", np.zeros(1, np.uint8))])
    assert list(tmp_path.iterdir()) == []


def archive(compressed: bool) -> bytes:
    buffer = io.BytesIO()
    array = np.arange(1000, dtype=np.float32)
    (np.savez_compressed if compressed else np.savez)(buffer, w=array)
    return buffer.getvalue()


def read_all(file: TensorFile) -> None:
    for tensor in file.tensors.values():
        tensor.raw(0, tensor.size)


@pytest.mark.parametrize("compressed", [False, True])
def test_a_flipped_byte_of_the_data_is_found(tmp_path: Path, compressed: bool) -> None:
    content = bytearray(archive(compressed))
    content[len(content) // 2] ^= 0x40
    path = write(tmp_path / "t.npz", bytes(content))
    with pytest.raises(FileFormatError, match=r"t\.npz.*corrupt"):
        read_all(open_tensors(path))


@pytest.mark.parametrize("compressed", [False, True])
@pytest.mark.parametrize("length", [0, 1, 30, 200, -30, -1])
def test_a_cut_archive_is_refused(tmp_path: Path, compressed: bool, length: int) -> None:
    path = write(tmp_path / "t.npz", archive(compressed)[:length])
    with pytest.raises(FileFormatError, match=r"t\.npz"):
        read_all(open_tensors(path))


def zipped(**members: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        for name, content in members.items():
            file.writestr(f"{name}.npy", content)
    return buffer.getvalue()


def array_bytes(array: np.ndarray) -> bytes:  # type: ignore[type-arg]
    buffer = io.BytesIO()
    np.save(buffer, array)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("members", "reason"),
    [
        ({"w": b"no array"}, "magic"),
        ({"w": array_bytes(np.zeros(4))[:-1]}, "truncated"),
        ({RECORD: array_bytes(np.zeros(4))}, "is not one text"),
        ({RECORD: array_bytes(np.array("{}"))}, "version"),
        (
            {
                RECORD: array_bytes(np.array('{"version":1,"formats":{"w":"e5m6"}}')),
                "w": array_bytes(np.zeros(4, np.uint8)),
            },
            "cannot hold",
        ),
    ],
)
def test_members_that_are_no_arrays_are_refused(
    tmp_path: Path, members: dict[str, bytes], reason: str
) -> None:
    path = write(tmp_path / "t.npz", zipped(**members))
    with pytest.raises(FileFormatError, match=reason):
        read_all(open_tensors(path))


def test_two_members_of_one_name_are_refused(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        file.writestr("w.npy", array_bytes(np.zeros(2)))
        file.writestr("w", array_bytes(np.ones(2)))
    with pytest.raises(FileFormatError, match="twice"):
        open_tensors(write(tmp_path / "t.npz", buffer.getvalue()))
