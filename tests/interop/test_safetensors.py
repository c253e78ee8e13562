from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import safetensors
import safetensors.numpy

from minifloat import get_format
from minifloat._errors import FileFormatError
from minifloat.interop import open_tensors, write_tensors
from minifloat.interop._safetensors import native_dtype

from ._files import all_codes, code_output, entry, random_codes, safetensors_bytes, write

NATIVE = {
    "float64": "F64",
    "float32": "F32",
    "float16": "F16",
    "bfloat16": "BF16",
    "float8_e4m3fn": "F8_E4M3",
    "float8_e5m2": "F8_E5M2",
    "float8_e8m0fnu": "F8_E8M0",
    "float8_e4m3fnuz": "F8_E4M3FNUZ",
    "float8_e5m2fnuz": "F8_E5M2FNUZ",
    "float6_e2m3fn": "F6_E2M3",
    "float6_e3m2fn": "F6_E3M2",
    "float4_e2m1fn": "F4",
    "int8": "I8",
    "uint16": "U16",
    "int64": "I64",
}
BY_CODES = [
    "hifloat8",
    "float8_e4m3",
    "float4_e1m2fn",
    "tfloat32",
    "int4",
    "e5m6:bias=9",
    "binary8p3se",
]


@pytest.mark.parametrize("name", [*NATIVE, *BY_CODES])
@pytest.mark.parametrize("shape", [(), (0, 3), (3,), (4, 6)])
def test_codes_and_format_survive(tmp_path: Path, name: str, shape: tuple[int, ...]) -> None:
    codes = random_codes(name, shape)
    path = tmp_path / "t.safetensors"
    write_tensors(path, [code_output("w", name, codes)], metadata={"note": "kept"})
    with open_tensors(path) as file:
        assert file.metadata == {"note": "kept"}
        assert file.tensors["w"].fmt == get_format(name)
        np.testing.assert_array_equal(all_codes(file.tensors["w"]), codes)


@pytest.mark.parametrize("name", NATIVE)
def test_the_safetensors_package_reads_what_is_written(tmp_path: Path, name: str) -> None:
    codes = random_codes(name, (4, 6))
    path = tmp_path / "t.safetensors"
    write_tensors(path, [code_output("w", name, codes), code_output("v", name, codes[:2])])
    read = dict(safetensors.deserialize(path.read_bytes()))
    assert {name: (t["dtype"], t["shape"]) for name, t in read.items()} == {
        "w": (NATIVE[name], [4, 6]),
        "v": (NATIVE[name], [2, 6]),
    }
    if get_format(name).bits >= 8:
        assert bytes(read["w"]["data"]) == codes.tobytes()
    else:
        assert len(read["w"]["data"]) == 24 * get_format(name).bits // 8


def test_two_four_bit_codes_share_a_byte_first_one_low(tmp_path: Path) -> None:
    path = tmp_path / "t.safetensors"
    write_tensors(path, [code_output("w", "e2m1fn", np.array([1, 2, 3, 15], np.uint8))])
    (_, tensor), *_ = safetensors.deserialize(path.read_bytes())
    assert bytes(tensor["data"]) == bytes([0x21, 0xF3])


def test_a_dense_tensor_reads_from_any_element(tmp_path: Path) -> None:
    codes = random_codes("float6_e3m2fn", (64,))
    path = tmp_path / "t.safetensors"
    write_tensors(path, [code_output("w", "float6_e3m2fn", codes)])
    with open_tensors(path) as file:
        for start in range(20):
            np.testing.assert_array_equal(file.tensors["w"].codes(start, 64), codes[start:])


def test_what_the_safetensors_package_writes_is_read(tmp_path: Path) -> None:
    arrays = {
        "f": np.arange(6, dtype=np.float32).reshape(2, 3),
        "h": np.float16([1.5, -2]),
        "i": np.arange(3),
        "b": np.array([True, False]),
        "c": np.complex64([1j]),
    }
    path = tmp_path / "t.safetensors"
    safetensors.numpy.save_file(arrays, path, {"by": "them"})
    with open_tensors(path) as file:
        assert file.metadata == {"by": "them"}
        for name, array in arrays.items():
            tensor = file.tensors[name]
            np.testing.assert_array_equal(tensor.raw(0, tensor.size), array.reshape(-1))


def test_native_names_are_those_of_the_format_they_claim() -> None:
    assert native_dtype(get_format("e4m3fn")) == "F8_E4M3"
    assert native_dtype(get_format("float8_e4m3")) is None


GOOD = {"w": entry("U8", [2], 0, 2)}
BAD = {
    "empty": b"",
    "short": b"\0\0\0",
    "huge header": (2**63).to_bytes(8, "little") + b"{}",
    "header beyond the end": (100).to_bytes(8, "little") + b"{}",
    "not utf-8": safetensors_bytes(b"{\xff}"),
    "not json": safetensors_bytes(b"{nope"),
    "an array": safetensors_bytes(b"[]"),
    "leading space": safetensors_bytes(b" {}"),
    "deep nesting": safetensors_bytes(b'{"a":' + b"[" * 100_000),
    "huge number": safetensors_bytes(b'{"a":' + b"9" * 5000 + b"}"),
    "nan": safetensors_bytes(b'{"a":NaN}'),
    "duplicate": safetensors_bytes(
        b'{"w":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},'
        b'"w":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}',
        b"\0",
    ),
    "half a surrogate pair": safetensors_bytes(
        b'{"\\ud800":' + json.dumps(GOOD["w"]).encode() + b"}"
    ),
    "tensor is a number": safetensors_bytes({"w": 3}),
    "unknown dtype": safetensors_bytes({"w": entry("F9", [2], 0, 2)}, b"\0\0"),
    "missing dtype": safetensors_bytes({"w": {"shape": [2], "data_offsets": [0, 2]}}, b"\0\0"),
    "negative shape": safetensors_bytes({"w": entry("U8", [-2], 0, 2)}, b"\0\0"),
    "boolean shape": safetensors_bytes({"w": {**GOOD["w"], "shape": [True]}}, b"\0\0"),
    "float shape": safetensors_bytes({"w": {**GOOD["w"], "shape": [2.0]}}, b"\0\0"),
    "too many elements": safetensors_bytes({"w": entry("U8", [2**62, 2**62, 0], 0, 0)}),
    "too many dimensions": safetensors_bytes({"w": entry("U8", [1] * 65, 0, 1)}, b"\0"),
    "backwards": safetensors_bytes({"w": entry("U8", [2], 2, 0)}, b"\0\0"),
    "shape does not fit": safetensors_bytes({"w": entry("F32", [2], 0, 2)}, b"\0\0"),
    "half a byte": safetensors_bytes({"w": entry("F4", [3], 0, 2)}, b"\0\0"),
    "three offsets": safetensors_bytes({"w": {**GOOD["w"], "data_offsets": [0, 2, 2]}}, b"\0\0"),
    "beyond the data": safetensors_bytes(GOOD, b"\0"),
    "data left over": safetensors_bytes(GOOD, b"\0\0\0"),
    "overlap": safetensors_bytes({**GOOD, "v": entry("U8", [2], 1, 3)}, b"\0\0\0"),
    "hole": safetensors_bytes({**GOOD, "v": entry("U8", [2], 3, 5)}, b"\0" * 5),
    "metadata no text": safetensors_bytes({"__metadata__": {"a": 1}}),
    "metadata no map": safetensors_bytes({"__metadata__": []}),
    "bad record": safetensors_bytes({"__metadata__": {"minifloat": "{"}}),
    "record of the future": safetensors_bytes({"__metadata__": {"minifloat": '{"version":9}'}}),
    "record of nonsense": safetensors_bytes(
        {"__metadata__": {"minifloat": '{"version":1,"formats":{"w":"float9"}}'}, **GOOD}, b"\0\0"
    ),
    "record too wide": safetensors_bytes(
        {"__metadata__": {"minifloat": '{"version":1,"formats":{"w":"e5m6"}}'}, **GOOD}, b"\0\0"
    ),
}


@pytest.mark.parametrize("content", BAD.values(), ids=BAD.keys())
def test_a_corrupt_file_is_one_clear_line(tmp_path: Path, content: bytes) -> None:
    path = write(tmp_path / "t.safetensors", content)
    with pytest.raises(FileFormatError, match=r"t\.safetensors") as caught:
        open_tensors(path)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 600


def test_the_good_file_that_the_corrupt_ones_are_made_of_is_read(tmp_path: Path) -> None:
    path = write(tmp_path / "t.safetensors", safetensors_bytes(GOOD, b"\1\2"))
    with open_tensors(path) as file:
        np.testing.assert_array_equal(file.tensors["w"].codes(0, 2), [1, 2])


def test_plain_codes_take_the_format_that_the_caller_states(tmp_path: Path) -> None:
    path = write(tmp_path / "t.safetensors", safetensors_bytes(GOOD, b"\x38\xb8"))
    with open_tensors(path, source="e4m3fn") as file:
        np.testing.assert_array_equal(file.tensors["w"].values(0, 2), np.float32([1, -1]))
    with pytest.raises(ValueError, match="nothing in it can be codes of float16"):
        open_tensors(path, source="float16")


def test_stated_formats_do_not_overrule_the_file(tmp_path: Path) -> None:
    header = {"w": entry("F8_E5M2", [2], 0, 2), "v": entry("U8", [1], 2, 3)}
    path = write(tmp_path / "t.safetensors", safetensors_bytes(header, b"\0\0\0"))
    with open_tensors(path, source="e4m3fn") as file:
        assert file.tensors["w"].fmt == get_format("e5m2")
        assert file.tensors["v"].fmt == get_format("e4m3fn")


def test_the_record_is_plain_json(tmp_path: Path) -> None:
    path = tmp_path / "t.safetensors"
    write_tensors(path, [code_output("w", "hifloat8", np.uint8([1]))])
    with safetensors.safe_open(path, "np") as file:
        record = json.loads(file.metadata()["minifloat"])
    assert record == {"version": 1, "formats": {"w": "hifloat8"}}
