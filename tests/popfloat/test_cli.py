"""``minifloat popfloat``: formats, casts of files, noise."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from minifloat.popfloat import FormatConfig, GfloatCast, RoundConfig

main = pytest.importorskip("minifloat.cli").main
WIDTHS = ("-m", "2", "-e", "5")


@pytest.fixture
def x(tmp_path: Path) -> np.ndarray:
    values = np.random.default_rng(1).normal(size=(30, 7)).astype(np.float32)
    np.save(tmp_path / "x.npy", values)
    return values


def run(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    assert main([str(word) for word in ("popfloat", *words)]) == 0
    return capsys.readouterr().out


def record(capsys: pytest.CaptureFixture[str], *words: object) -> Any:
    return json.loads(run(capsys, *words, "--json"))


def test_show_tells_types_and_word(capsys: pytest.CaptureFixture[str]) -> None:
    found = record(capsys, "show", "-m", 3, "-e", 4, "-b", 7, "--no-specials")
    assert found["parameter_word"] == 0x01070403
    assert found["format_type"] == "MIN_NORM_ALIGN_GF8"
    assert (found["largest"], found["smallest"]) == (480, 2.0**-9)
    assert "0x01070403" in run(capsys, "show", "-m", 3, "-e", 4, "-b", 7, "--no-specials")


def test_cast_and_back(capsys: pytest.CaptureFixture[str], tmp_path: Path, x: np.ndarray) -> None:
    words, values = tmp_path / "words.npy", tmp_path / "values.npy"
    found = record(capsys, "cast", tmp_path / "x.npy", words, *WIDTHS, "--round", "SR", "--seed", 3)
    gf = GfloatCast(FormatConfig(2, 5, 15, True, True), RoundConfig("SR"), True)
    expected = gf.cast_native_to_gfloat(x, rng=3)
    np.testing.assert_array_equal(np.load(words), expected)
    assert found["elements"] == x.size
    assert found["dtype"] == "int8"
    assert found["flags"] == {"inexact": x.size}
    run(capsys, "uncast", words, values, "--word", hex(found["parameter_word"]))
    np.testing.assert_array_equal(np.load(values), gf.cast_gfloat_to_native(expected))


def test_cast_takes_every_option(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, x: np.ndarray
) -> None:
    noise = ("--density", "NORMAL", "--offset", 0.1, "--scale", 0.2, "--min", -0.4, "--max", 0.5)
    options = ("-r", "SX", "--bits", 9, *noise, "--seed", 4, "--store", "FP32", "--no-nanoo")
    more = ("--no-denorms", "--compat", "popfloat", "--calculation", "FP32")
    out = tmp_path / "y.npy"
    run(capsys, "cast", tmp_path / "x.npy", out, "-m", 3, "-e", 4, "-b", 5, *options, *more)
    config = FormatConfig(3, 4, 5, False, True, "FP32")
    rounds = RoundConfig("SX", 9, "NORMAL", 0.1, 0.2, 0.5, -0.4)
    gf = GfloatCast(config, rounds, False, "FP32", compat="popfloat")
    np.testing.assert_array_equal(np.load(out), gf.cast_native_to_gfloat(x, rng=4))


@pytest.mark.usefixtures("x")
def test_files_are_replaced_on_request_only(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    out = tmp_path / "y.npy"
    out.write_bytes(b"mine")
    words = ["popfloat", "cast", str(tmp_path / "x.npy"), str(out), *WIDTHS]
    assert main(words) == 1
    assert out.read_bytes() == b"mine"
    assert capsys.readouterr().err.startswith("error: ")
    assert main([*words, "--force"]) == 0
    assert np.load(out).dtype == np.int8


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("show", "-m", 3, "-e", 0), "--bias must be given"),
        (("show", "-m", 30, "-e", 4), "0 to 23"),
        (("cast", "{}/x.npy", "{}/y.npy", *WIDTHS, "-r", "SR"), "no hidden randomness"),
        (("cast", "{}/x.npy", "{}/y.npy", *WIDTHS, "-r", "RX"), "unknown RoundType"),
        (("cast", "{}/bad.npy", "{}/y.npy", *WIDTHS), "is no .npy file"),
        (("uncast", "{}/x.npy", "{}/y.npy", "--word", "zero"), "--word zero"),
        (("noise", "norml"), "did you mean 'normal'"),
        (("noise", "uniform", "--bits", 17), "1 to 16 bits"),
    ],
)
@pytest.mark.usefixtures("x")
def test_mistakes_are_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, words: tuple[object, ...], message: str
) -> None:
    (tmp_path / "bad.npy").write_bytes(b"nothing")
    assert main(["popfloat", *(str(word).format(tmp_path) for word in words)]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert message in captured.err
    assert not (tmp_path / "y.npy").exists()


def test_noise_is_tabled_and_drawn(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    pytest.importorskip("matplotlib").use("Agg")
    picture = tmp_path / "noise.png"
    found = record(capsys, "noise", "uniform:high=0.5", "--bits", 2, "--plot", picture)
    assert found["probability_up"] == [0, 0, 0, 0.5]
    assert found["noise_mass"] == [0.5, 0.5, 0, 0]
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert "P(up)" in run(capsys, "noise", "uniform", "--bits", 2)
