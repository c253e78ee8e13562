from __future__ import annotations

from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
import safetensors
import safetensors.numpy

import minifloat as mf
from minifloat.interop import open_tensors, tensor_key

from .conftest import Run

KINDS = ["safetensors", "npz"]


def values_of(path: Path) -> dict[str, np.ndarray]:  # type: ignore[type-arg]
    with open_tensors(path) as file:
        return {n: t.raw(0, t.size).reshape(t.shape) for n, t in file.tensors.items()}


def test_safetensors_gets_its_own_types(run: Run, weights: Path, tmp_path: Path) -> None:
    out = tmp_path / "o.safetensors"
    assert run("cast", weights, out, "--to", "e4m3fn").code == 0
    tensors = dict(safetensors.deserialize(out.read_bytes()))
    source = np.load(weights)["layer.weight"]
    assert tensors["layer.weight"]["dtype"] == "F8_E4M3"
    expected = source.astype(ml_dtypes.float8_e4m3fn)
    assert bytes(tensors["layer.weight"]["data"]) == expected.tobytes()
    assert (tensors["ids"]["dtype"], tensors["mask"]["dtype"]) == ("I64", "BOOL")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "fmt", ["e4m3fn", "hif8", "e2m1fn", "e5m6:bias=20", "bf16", "tf32", "int8"]
)
def test_casting_back_to_float32_restores_the_values(
    run: Run, weights: Path, tmp_path: Path, kind: str, fmt: str
) -> None:
    there, back = tmp_path / f"there.{kind}", tmp_path / f"back.{kind}"
    assert run("cast", weights, there, "--to", fmt, "--integers").code == 0
    options = ["--integers"] if fmt == "int8" else []
    assert run("cast", there, back, "--to", "float32", *options).code == 0
    found = values_of(back)
    for name, source in np.load(weights).items():
        if name == "mask":
            np.testing.assert_array_equal(found[name], source)
        else:
            expected = mf.decode(mf.encode(source, fmt), fmt, dtype=np.float32)
            np.testing.assert_array_equal(found[name], expected)


def test_an_npy_file_keeps_its_format(run: Run, tmp_path: Path) -> None:
    array = np.float32([[0.3, -1.7], [1e-3, 9.0]])
    np.save(tmp_path / "a.npy", array)
    assert run("cast", tmp_path / "a.npy", tmp_path / "b.npy", "--to", "hif8").code == 0
    codes = np.load(tmp_path / "b.npy")
    np.testing.assert_array_equal(codes, mf.encode(array, "hif8"))
    assert run("cast", tmp_path / "b.npy", tmp_path / "c.npy", "--to", "float64").code == 0
    expected = mf.decode(codes, "hif8", dtype=np.float64)
    np.testing.assert_array_equal(np.load(tmp_path / "c.npy"), expected)


@pytest.mark.parametrize("rounding", ["ties_to_away", "rtz", "toward_positive", "to_odd"])
@pytest.mark.parametrize("overflow", ["saturate", "nan"])
def test_rounding_and_overflow_are_passed_on(
    run: Run, tmp_path: Path, rounding: str, overflow: str
) -> None:
    array = np.random.default_rng(0).standard_normal(1000) * 300
    np.save(tmp_path / "a.npy", array)
    options = ["--to", "e4m3fn", "--rounding", rounding, "--overflow", overflow]
    assert run("cast", tmp_path / "a.npy", tmp_path / "b.npy", *options).code == 0
    expected = mf.encode(array, "e4m3fn", rounding=rounding, overflow=overflow)
    np.testing.assert_array_equal(np.load(tmp_path / "b.npy"), expected)


def test_each_tensor_has_a_stream_of_its_own(run: Run, tmp_path: Path) -> None:
    array = np.random.default_rng(0).standard_normal((2000, 600)).astype(np.float32)
    np.savez(tmp_path / "a.npz", one=array, two=array)
    options = ["--to", "e4m3fn", "--rounding", "stochastic", "--bits", 8, "--seed", 5]
    assert run("cast", tmp_path / "a.npz", tmp_path / "b.npz", *options).code == 0
    found = values_of(tmp_path / "b.npz")
    how = {"rounding": mf.Stochastic(8)}
    for name in ("one", "two"):
        expected = mf.encode(array, "e4m3fn", rng=tensor_key(5, name), **how)
        np.testing.assert_array_equal(found[name], expected)
    assert (found["one"] != found["two"]).any()


def test_the_key_of_a_tensor_is_documented_arithmetic() -> None:
    import hashlib

    digest = hashlib.sha256(b"7:encoder.\xc3\xa9").digest()
    expected = mf.Key(sum(byte << 8 * index for index, byte in enumerate(digest[:16])))
    assert tensor_key(7, "encoder.é") == expected


def test_flags_are_summed_up(run: Run, tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.float32([1.0, 0.3, 1000.0, 1e-6, np.inf, np.nan]))
    done = run("cast", tmp_path / "a.npy", tmp_path / "b.npy", "--to", "e4m3fn", "--json")
    (tensor,) = done.json["converted"]
    assert tensor["flags"] == {"inexact": 3, "underflow": 1, "overflow": 1}
    out = run("cast", tmp_path / "a.npy", tmp_path / "c.npy", "--to", "e4m3fn").out
    assert [line.split() for line in out.splitlines()[2:]] == [
        ["inexact", "3", "1"],
        ["underflow", "1", "1"],
        ["overflow", "1", "1"],
    ]
    assert (
        "every value is exact"
        in run("cast", tmp_path / "a.npy", tmp_path / "d.npy", "--to", "float64").out
    )


def test_patterns_choose_tensors(run: Run, weights: Path, tmp_path: Path) -> None:
    out = tmp_path / "o.safetensors"
    done = run("cast", weights, out, "--to", "e5m2", "--only", "*.bias", "--json")
    assert [tensor["name"] for tensor in done.json["converted"]] == ["layer.bias"]
    assert done.json["copied"] == ["layer.weight", "ids", "mask"]
    tensors = dict(safetensors.deserialize(out.read_bytes()))
    assert tensors["layer.weight"]["dtype"] == "F32"
    assert bytes(tensors["layer.weight"]["data"]) == np.load(weights)["layer.weight"].tobytes()


def test_metadata_of_safetensors_is_kept(run: Run, tmp_path: Path) -> None:
    safetensors.numpy.save_file(
        {"w": np.ones(3, np.float32)}, tmp_path / "a.safetensors", {"k": "v"}
    )
    run("cast", tmp_path / "a.safetensors", tmp_path / "b.safetensors", "--to", "hif8")
    with safetensors.safe_open(tmp_path / "b.safetensors", "np") as file:
        assert file.metadata()["k"] == "v"


def test_plain_codes_need_their_format_named(run: Run, fails: Run, tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.uint8([0x38, 0xB8]))
    message = fails("cast", tmp_path / "a.npy", tmp_path / "b.npy", "--to", "float32").err
    assert "nothing to convert, only uint8" in message
    options = ["--to", "float32", "--source", "e4m3fn"]
    assert run("cast", tmp_path / "a.npy", tmp_path / "b.npy", *options).code == 0
    np.testing.assert_array_equal(np.load(tmp_path / "b.npy"), np.float32([1, -1]))


def test_an_existing_output_needs_force(
    run: Run, fails: Run, weights: Path, tmp_path: Path
) -> None:
    out = tmp_path / "o.npz"
    out.write_bytes(b"precious")
    assert "exists already" in fails("cast", weights, out, "--to", "e4m3fn").err
    assert out.read_bytes() == b"precious"
    assert run("cast", weights, out, "--to", "e4m3fn", "--force").code == 0


def test_a_file_can_be_cast_onto_itself(run: Run, weights: Path) -> None:
    source = np.load(weights)["layer.weight"]
    assert run("cast", weights, weights, "--to", "e4m3fn", "--force").code == 0
    np.testing.assert_array_equal(values_of(weights)["layer.weight"], mf.encode(source, "e4m3fn"))


def test_nan_into_a_format_without_one_names_the_tensor_and_leaves_nothing(
    run: Run, fails: Run, tmp_path: Path
) -> None:
    np.savez(tmp_path / "a.npz", good=np.ones(3), bad=np.array([1.0, np.nan]))
    out = tmp_path / "b.safetensors"
    assert "tensor bad" in fails("cast", tmp_path / "a.npz", out, "--to", "e2m1fn").err
    assert [path.name for path in tmp_path.iterdir()] == ["a.npz"]
    assert run("cast", tmp_path / "a.npz", out, "--to", "e2m1fn", "--nan", "max").code == 0


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--rounding", "stochastic"], "needs --seed"),
        (["--seed", "3"], "belong to --rounding stochastic"),
        (["--bits", "3"], "belong to --rounding stochastic"),
        (["--rounding", "stochastic", "--seed", "-1"], "non-negative"),
        (["--rounding", "stochastic", "--seed", "1", "--bits", "99"], "1 to 64"),
        (["--rounding", "hybrid"], "ybrid"),
        (["--only", "nothing.*"], "no tensor matches"),
        (["--only", "mask"], "nothing to convert, only bool"),
        (["--source", "float16"], "nothing in it can be codes"),
        (["--overflow", "infinity"], "infinity"),
    ],
)
def test_options_that_make_no_sense_say_why(
    fails: Run, weights: Path, tmp_path: Path, options: list[str], reason: str
) -> None:
    before = sorted(tmp_path.iterdir())
    result = fails("cast", weights, tmp_path / "o.npz", "--to", "e4m3fn", *options)
    assert reason in result.err
    assert sorted(tmp_path.iterdir()) == before


def test_names_from_files_cannot_drive_the_terminal(run: Run, fails: Run, tmp_path: Path) -> None:
    name = "w\x1b[31m[bold]"
    safetensors.numpy.save_file({name: np.float32([np.nan])}, tmp_path / "a.safetensors")
    message = fails("cast", tmp_path / "a.safetensors", tmp_path / "b.npz", "--to", "e2m1fn").err
    assert "\x1b" not in message
    assert "w\\x1b[31m[bold]" in message
    out = run("compare", tmp_path / "a.safetensors").out
    assert "\x1b" not in out
    assert "w\\x1b[31m[bold]" in out


@pytest.mark.parametrize("dtype", ["<f4", ">f4", ">f8", "<f2"])
@pytest.mark.parametrize("shape", [(), (0, 3), (5,), (3, 4, 5)])
@pytest.mark.parametrize("order", ["C", "F"])
def test_every_layout_of_an_array_is_cast(
    run: Run, tmp_path: Path, dtype: str, shape: tuple[int, ...], order: str
) -> None:
    numbers = np.asarray(np.random.default_rng(2).standard_normal(shape))
    array = np.asarray(numbers, dtype=dtype, order=order)  # type: ignore[call-overload]
    np.save(tmp_path / "a.npy", array)
    assert run("cast", tmp_path / "a.npy", tmp_path / "b.npy", "--to", "e5m2").code == 0
    found = np.load(tmp_path / "b.npy")
    assert found.shape == shape
    np.testing.assert_array_equal(found, mf.encode(array, "e5m2"))


def test_hybrid_rounding_casts_float32_to_hifloat8(run: Run, tmp_path: Path) -> None:
    array = np.random.default_rng(2).standard_normal(999).astype(np.float32)
    np.save(tmp_path / "a.npy", array)
    options = ["--to", "hif8", "--rounding", "hybrid"]
    assert run("cast", tmp_path / "a.npy", tmp_path / "b.npy", *options).code == 0
    expected = mf.encode(array, "hif8", rounding="hybrid")
    np.testing.assert_array_equal(np.load(tmp_path / "b.npy"), expected)
