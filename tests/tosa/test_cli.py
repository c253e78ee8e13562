from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from minifloat import OptionError, tosa

app = pytest.importorskip("minifloat.cli.tosa", reason="the command line is an extra").app

CONV = (
    *("CONV2D", "--set", "3", "--ifm", "1,12,12,4", "--kernel", "3,3", "--pad", "1,1,1,1"),
    *("--ofm-channels", "8", "--dtype", "fp16", "--acc", "fp32"),
)


def run(*words):
    return app([str(word) for word in words], exit_on_error=False, print_error=False)


def test_generate_then_verify(tmp_path, capsys):
    folder = tmp_path / "test"
    assert run("generate", *CONV, "-o", folder) is None
    assert "CONV2D fp16->fp16 acc fp32 S=3" in capsys.readouterr().out
    details = json.loads((folder / "operation.json").read_text())
    assert details["attributes"]["kernel"] == [3, 3]
    np.save(tmp_path / "good.npy", np.load(folder / "ref-output.npy").astype(np.float16))
    assert run("verify", folder, "--actual", tmp_path / "good.npy") == 0
    assert "pass" in capsys.readouterr().out
    bad = np.load(tmp_path / "good.npy")
    bad[0, 3, 4, 5] = np.nan
    np.save(tmp_path / "bad.npy", bad)
    assert run("verify", folder, "--actual", tmp_path / "bad.npy", "--json") == 2
    verdict = json.loads(capsys.readouterr().out)
    assert verdict["passed"] is False
    assert verdict["outputs"][0]["first_failure"] == [0, 3, 4, 5]


def test_the_files_are_those_of_the_library(tmp_path, capsys):
    run("generate", *CONV, "-o", tmp_path, "--json")
    listed = json.loads(capsys.readouterr().out)["files"]
    assert sorted(listed) == sorted(each.name for each in tmp_path.iterdir())
    attributes = {"ifm": (1, 12, 12, 4), "kernel": (3, 3), "pad": (1,) * 4, "ofm_channels": 8}
    data = tosa.generate("CONV2D", attributes, test_set=3, dtype="fp16", acc="fp32")
    for name, array in data.items():
        np.testing.assert_array_equal(np.load(tmp_path / f"{name}.npy"), array)


def test_two_outputs_as_one_file_or_two(tmp_path, capsys):
    folder = tmp_path / "fft"
    run("generate", "fft2d", "--set", "3", "--ifm", "2,16,32", "--inverse", "-o", folder)
    outputs = {
        name: np.load(folder / f"ref-{name}.npy").astype(np.float32)
        for name in ("output_real", "output_imag")
    }
    np.savez(tmp_path / "both.npz", **outputs)
    assert run("verify", folder, "--actual", tmp_path / "both.npz") == 0
    files = []
    for name, array in outputs.items():
        files.append(tmp_path / f"{name}.npy")
        np.save(files[-1], array)
    assert run("verify", folder, "--actual", *files) == 0
    assert run("verify", folder, "--actual", *files[::-1]) == 2
    with pytest.raises(OptionError, match="but 3 files"):
        run("verify", folder, "--actual", *files, files[0])
    capsys.readouterr()


def test_errors_are_errors(tmp_path):
    with pytest.raises(OptionError, match=r"ifm=\(16, 4, 16\) is enough"):
        run("generate", "MATMUL", "--set", 3, "--ifm", "1,4,16", "--width", 16, "-o", tmp_path)
    with pytest.raises(OptionError, match="no comma-separated list"):
        run("generate", "MATMUL", "--set", 3, "--ifm", "1x4", "--width", 16, "-o", tmp_path)
    (tmp_path / "text.npy").write_text("no array")
    with pytest.raises(OptionError, match=r"text\.npy is no \.npy"):
        run("verify", tmp_path, "--actual", tmp_path / "text.npy")
    assert not (tmp_path / "desc.json").exists()


@pytest.mark.parametrize(("name", "code"), [("numpy_float32", 0), ("bfloat16_accumulator", 2)])
def test_sweep(tmp_path, capsys, monkeypatch, name, code):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "examples"))
    words = ["sweep", "--backend", f"tosa_backends:{name}", "--ops", "matmul,reduce_sum"]
    words += ["--sets", "3,5", "--dtypes", "fp32", "--report", tmp_path / "report.json"]
    assert run(*words, "--plot", tmp_path / "picture.png") == code
    assert ("4 pass" if code == 0 else "4 fail") in capsys.readouterr().out
    report = json.loads((tmp_path / "report.json").read_text())
    assert [each["op"] for each in report["results"]] == ["MATMUL"] * 2 + ["REDUCE_SUM"] * 2
    assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["picture.png", "report.json"]


def test_a_broken_backend_is_an_error_of_the_sweep(capsys):
    assert run("sweep", "--backend", "math:sqrt", "--ops", "MATMUL", "--sets", "0", "--json") == 1
    assert json.loads(capsys.readouterr().out)["counts"] == {"error": 7}
