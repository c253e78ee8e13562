from __future__ import annotations

from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

from minifloat import get_format
from minifloat._errors import FileFormatError
from minifloat.interop import TensorOutput, open_tensors, write_tensors

from ._files import all_codes, code_output, random_codes, write

NUMPY = ["float16", "float32", "float64", "int8", "uint8", "int16", "uint32", "int64"]
BY_CODES = ["bfloat16", "float8_e4m3fn", "hifloat8", "tfloat32", "int4", "e5m6:bias=9"]


@pytest.mark.parametrize("name", [*NUMPY, *BY_CODES])
@pytest.mark.parametrize("shape", [(), (0, 3), (4, 6)])
def test_codes_and_format_survive(tmp_path: Path, name: str, shape: tuple[int, ...]) -> None:
    codes = random_codes(name, shape)
    path = tmp_path / "t.npy"
    write_tensors(path, [code_output("w", name, codes)])
    with open_tensors(path) as file:
        assert file.tensors["arr_0"].fmt == get_format(name)
        np.testing.assert_array_equal(all_codes(file.tensors["arr_0"]), codes)
    loaded = np.load(path)
    assert loaded.dtype == (name if name in NUMPY else codes.dtype)
    np.testing.assert_array_equal(loaded.reshape(-1).view(codes.dtype), codes.reshape(-1))


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", ["<f4", ">f4", "<f8", ">i2", "?", "<c16", "<U3", "<f2"])
def test_what_numpy_writes_is_read(tmp_path: Path, dtype: str, order: str) -> None:
    array = np.asarray(np.arange(24).reshape(2, 3, 4) % 7, dtype=dtype, order=order)  # type: ignore[call-overload]
    np.save(tmp_path / "t.npy", array)
    with open_tensors(tmp_path / "t.npy") as file:
        tensor = file.tensors["arr_0"]
        read = tensor.raw(0, tensor.size)
    assert read.dtype.isnative
    np.testing.assert_array_equal(read.reshape(array.shape), array)


@pytest.mark.parametrize("name", ["float8_e4m3fn", "float8_e5m2", "bfloat16"])
def test_ml_dtypes_arrays_need_their_format_named(tmp_path: Path, name: str) -> None:
    array = np.float32([1, -2, 0.5]).astype(getattr(ml_dtypes, name))
    np.save(tmp_path / "t.npy", array)
    with open_tensors(tmp_path / "t.npy") as file, pytest.raises(FileFormatError, match="unknown"):
        file.tensors["arr_0"].values(0, 3)
    with open_tensors(tmp_path / "t.npy", source=name) as file:
        np.testing.assert_array_equal(file.tensors["arr_0"].values(0, 3), np.float32(array))


def test_longdouble_is_carried_as_it_is(tmp_path: Path) -> None:
    array = np.array([1, 2], np.longdouble)
    np.save(tmp_path / "t.npy", array)
    with open_tensors(tmp_path / "t.npy") as file:
        assert file.tensors["arr_0"].fmt is None
        write_tensors(tmp_path / "u.npy", [TensorOutput.copy_of(file.tensors["arr_0"])])
    np.testing.assert_array_equal(np.load(tmp_path / "u.npy"), array)


def test_two_tensors_do_not_fit(tmp_path: Path) -> None:
    outputs = [code_output(name, "e4m3fn", np.zeros(3, np.uint8)) for name in "ab"]
    with pytest.raises(FileFormatError, match="one array, not 2"):
        write_tensors(tmp_path / "t.npy", outputs)
    assert list(tmp_path.iterdir()) == []


def npy(header: str, data: bytes = b"", version: int = 1) -> bytes:
    text = header.encode("latin-1")
    return b"\x93NUMPY" + bytes([version, 0]) + len(text).to_bytes(2, "little") + text + data


def fields(descr: str = "'|u1'", order: str = "False", shape: str = "(2,)") -> str:
    return f"{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}\n"


BAD = {
    "empty": b"",
    "short": b"\x93NUMPY",
    "another magic": b"\x89PNG\r\n\x1a\n" + bytes(20),
    "version 9": npy(fields(), b"\0\0", 9),
    "header beyond the end": npy(fields())[:30],
    "data cut": npy(fields(), b"\0"),
    "no literal": npy("{'descr': open('x')}"),
    "unbalanced": npy("{'descr': ("),
    "nested": npy("(" * 5000),
    "not a dict": npy("[1, 2]"),
    "missing key": npy("{'descr': '|u1', 'shape': (2,)}"),
    "extra key": npy("{'descr': '|u1', 'shape': (2,), 'fortran_order': False, 'x': 1}"),
    "negative shape": npy(fields(shape="(-2,)"), b"\0\0"),
    "list shape": npy(fields(shape="[2]"), b"\0\0"),
    "boolean shape": npy(fields(shape="(True,)"), b"\0\0"),
    "too many dimensions": npy(fields(shape=str((1,) * 65)), b"\0"),
    "too many elements": npy(fields(shape="(2**62,)".replace("2**62", str(2**62))), b"\0"),
    "overflow hidden by a zero": npy(fields("'<f8'", shape=f"(0, {2**62})")),
    "order is a number": npy(fields(order="1"), b"\0\0"),
    "objects": npy(fields("'|O'"), bytes(16)),
    "structure": npy(fields("[('a', '<f4')]"), bytes(8)),
    "hidden structure": npy(fields("'i4,i4'"), bytes(16)),
    "no dtype": npy(fields("'float9'"), b"\0\0"),
    "void": npy(fields("'|V7'"), bytes(14)),
    "record of no Unicode": npy(fields(), b"\0\0")
    + npy("{'descr': '<U1', 'fortran_order': False, 'shape': (), }", b"\0\0\xd8\xff"),
    "bad record": npy(fields(), b"\0\0")
    + npy("{'descr': '<U1', 'fortran_order': False, 'shape': (), }", "{".encode("utf-32-le")),
}


@pytest.mark.parametrize("content", BAD.values(), ids=BAD.keys())
def test_a_corrupt_file_is_one_clear_line(tmp_path: Path, content: bytes) -> None:
    path = write(tmp_path / "t.npy", content)
    with pytest.raises(FileFormatError, match=r"t\.npy") as caught:
        open_tensors(path)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 600


def test_bytes_after_the_array_that_are_no_record_do_not_matter(tmp_path: Path) -> None:
    for tail in (b"", b"rubbish", npy(fields(), b"\1\2"), npy(fields("'<U9'", shape="()"))):
        path = write(tmp_path / "t.npy", npy(fields(), b"\1\2") + tail)
        with open_tensors(path) as file:
            np.testing.assert_array_equal(file.tensors["arr_0"].codes(0, 2), [1, 2])
