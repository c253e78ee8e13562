"""Mutated, cut and invented files never crash a reader: they are read, or one clear error."""

from __future__ import annotations

import io
import json
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import safetensors
from hypothesis import example, given, settings
from hypothesis import strategies as st

from minifloat._errors import MinifloatError
from minifloat.interop import open_tensors

from ._files import code_output, entry, random_codes, safetensors_bytes

FUZZ = settings(max_examples=300, deadline=None)


def attempt(suffix: str, content: bytes) -> dict[str, np.ndarray[Any, Any]] | str:
    """Open a file and read everything in it; return the tensors, or the error's text."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"t{suffix}"
        path.write_bytes(content)
        try:
            with open_tensors(path) as file:
                return {name: t.raw(0, t.size) for name, t in file.tensors.items()}
        except MinifloatError as error:
            text = str(error)
    assert "\n" not in text
    assert len(text) < 2000
    return text


def _written(suffix: str) -> bytes:
    from minifloat.interop import write_tensors

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"t{suffix}"
        outputs = [
            code_output("hif", "hifloat8", random_codes("hifloat8", (4, 5))),
            code_output("f4", "e2m1fn", random_codes("e2m1fn", (4, 4))),
            code_output("f32", "float32", random_codes("float32", (3,))),
        ]
        write_tensors(path, outputs[:1] if suffix == ".npy" else outputs)
        return path.read_bytes()


def _compressed() -> bytes:
    buffer = io.BytesIO()
    np.savez_compressed(buffer, a=np.arange(300), b=np.zeros((4, 5), np.float32))
    return buffer.getvalue()


SEEDS = [(s, _written(s)) for s in (".safetensors", ".npy", ".npz")] + [(".npz", _compressed())]


@st.composite
def mutated(draw: st.DrawFn) -> tuple[str, bytes]:
    suffix, good = draw(st.sampled_from(SEEDS))
    content = bytearray(good)
    for _ in range(draw(st.integers(1, 4))):
        where = draw(st.integers(0, len(content)))
        match draw(st.sampled_from(["byte", "cut", "insert", "delete", "repeat", "front"])):
            case "byte" if where < len(content):
                content[where] = draw(st.integers(0, 255))
            case "front" if content:
                content[where % min(len(content), 160)] = draw(st.integers(0, 255))
            case "cut":
                del content[where:]
            case "insert":
                content[where:where] = draw(st.binary(min_size=1, max_size=9))
            case "delete":
                del content[where : where + draw(st.integers(1, 9))]
            case "repeat":
                content[where:where] = content[where : where + draw(st.integers(1, 60))]
    return suffix, bytes(content)


@FUZZ
@given(mutated())
def test_mutated_files_are_read_or_refused(case: tuple[str, bytes]) -> None:
    attempt(*case)


@FUZZ
@given(st.sampled_from([".safetensors", ".npy", ".npz"]), st.binary(max_size=200))
@example(".npy", b"\x93NUMPY\x01\x00\x00\x00")
@example(".npz", b"PK\x05\x06" + bytes(18))
def test_noise_is_read_or_refused(suffix: str, content: bytes) -> None:
    attempt(suffix, content)


small = st.integers(-2, 9)
values = st.recursive(
    st.none() | st.booleans() | small | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)
dtypes = st.sampled_from(
    ["U8", "F32", "BF16", "F4", "F6_E2M3", "I64", "BOOL", "C64", "F9", "u8", ""]
)
entries = st.builds(entry, dtypes, st.lists(small, max_size=3), small, small)
headers = st.dictionaries(
    st.text(max_size=4) | st.just("__metadata__"),
    entries | values | st.dictionaries(st.text(max_size=3), st.text(max_size=3), max_size=2),
    max_size=4,
)


@FUZZ
@given(headers, st.binary(max_size=24))
@example({"a": entry("U8", [2], 0, 2), "b": entry("F4", [4], 2, 4)}, bytes(4))
def test_accepted_headers_are_those_that_the_safetensors_package_accepts(
    header: dict[str, Any], data: bytes
) -> None:
    content = safetensors_bytes(header, data)
    ours = attempt(".safetensors", content)
    try:
        theirs: dict[str, Any] | None = dict(safetensors.deserialize(content))
    except safetensors.SafetensorError:
        theirs = None
    assert (theirs is None) == isinstance(ours, str), ours
    if theirs is not None:
        assert not isinstance(ours, str)
        assert {name: tensor["shape"] for name, tensor in theirs.items()}.keys() == ours.keys()


@st.composite
def tilings(draw: st.DrawFn) -> tuple[dict[str, Any], bytes]:
    """Headers of tensors that cover the data, in a shuffled order."""
    position, fields = 0, {}
    for name in draw(st.lists(st.text(min_size=1, max_size=4), unique=True, max_size=5)):
        dtype, bits = draw(st.sampled_from([("U8", 8), ("F32", 32), ("F4", 4), ("F6_E3M2", 6)]))
        shape = draw(st.lists(st.sampled_from([0, 1, 2, 4, 8]), max_size=3))
        size = int(np.prod(shape)) * bits
        if size % 8 == 0 and name != "__metadata__":
            fields[name] = entry(dtype, shape, position, position + size // 8)
            position += size // 8
    names = draw(st.permutations(list(fields)))
    return {name: fields[name] for name in names}, draw(
        st.binary(min_size=position, max_size=position)
    )


@FUZZ
@given(tilings())
def test_every_tiling_is_read_as_the_safetensors_package_reads_it(
    case: tuple[dict[str, Any], bytes],
) -> None:
    header, data = case
    content = safetensors_bytes(header, data)
    ours = attempt(".safetensors", content)
    assert not isinstance(ours, str), ours
    for name, tensor in safetensors.deserialize(content):
        if tensor["dtype"] in ("U8", "F32"):
            assert ours[name].tobytes() == bytes(tensor["data"])
    assert json.loads(content[8 : 8 + int.from_bytes(content[:8], "little")]).keys() == ours.keys()


@FUZZ
@given(
    st.sampled_from(
        ["|u1", "<f4", ">f8", "|b1", "<U2", "|S0", "<V2", "|O", "f4,f4", "<M8[s]", "<f16", "x", ""]
    ),
    st.booleans(),
    st.lists(st.integers(-1, 5), max_size=4),
    st.integers(1, 3),
    st.binary(max_size=64),
)
def test_npy_headers_that_numpy_could_write_are_read_or_refused(
    descr: str, fortran: bool, shape: list[int], version: int, data: bytes
) -> None:
    fields = {"descr": descr, "fortran_order": fortran, "shape": tuple(shape)}
    text = repr(fields).encode()
    width = 2 if version == 1 else 4
    content = b"\x93NUMPY" + bytes([version, 0]) + len(text).to_bytes(width, "little") + text + data
    ours = attempt(".npy", content)
    if not isinstance(ours, str):
        (array,) = ours.values()
        assert array.size == int(np.prod(shape))
