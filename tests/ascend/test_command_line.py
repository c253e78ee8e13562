"""``minifloat ascend``."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from minifloat import OptionError
from minifloat.cli import main
from minifloat.cli.ascend import app

HIFLOAT8 = ["vectors", "--src", "half", "--dst", "hifloat8_t"]
HIFLOAT8 += ["--round", "CAST_ROUND", "--sat", "NO_SAT"]


def run(*words: object) -> int:
    code = app([str(word) for word in words], exit_on_error=False, print_error=False)
    assert isinstance(code, int)
    return code


def test_vectors_then_check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(*HIFLOAT8, "--clear", 60, "-o", tmp_path) == 0
    captured = capsys.readouterr()
    assert captured.out.endswith("65536 elements, half -> hifloat8_t, CAST_ROUND, not saturating\n")
    assert captured.err == ""
    assert run("check", tmp_path, "--actual", tmp_path / "expected.bin") == 0
    assert "all agree" in capsys.readouterr().out


def test_no_sat_after_a_reset_is_noted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(*HIFLOAT8, "-o", tmp_path) == 0
    captured = capsys.readouterr()
    assert "saturating" in captured.out
    assert captured.err.startswith("note: CTRL[60] is 1")
    assert "CTRL[48] decides" in captured.err
    assert run(*HIFLOAT8, "--set", 48, "-o", tmp_path) == 0
    assert capsys.readouterr().err == ""


def test_mismatches_end_with_code_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(*HIFLOAT8, "--clear", 60, "-o", tmp_path)
    got = np.fromfile(tmp_path / "expected.bin", np.uint8)
    got[0x4C40] = 0x41
    got.tofile(tmp_path / "out.bin")
    capsys.readouterr()
    assert run("check", tmp_path, "--actual", tmp_path / "out.bin") == 2
    out = capsys.readouterr().out
    assert "[19520] 0x4C40 (17): expected 0x40 (16), got 0x41 (20)" in out
    assert "between 0x40 (16) and 0x41 (20); CAST_ROUND" in out
    assert run("check", tmp_path, "--actual", tmp_path / "out.bin", "--json") == 2
    report = json.loads(capsys.readouterr().out)
    assert report["mismatches"] == 1
    assert report["first"][0]["index"] == 0x4C40


def test_open_points_are_chosen_by_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["vectors", "--src", "bfloat16_t", "--dst", "fp8_e8m0_t", "--json"]
    assert run(*words, "--other", "E1", "--other", "S2", "-o", tmp_path) == 0
    assert json.loads(capsys.readouterr().out)["policy"]["e8m0_infinity"] == "nan"
    assert np.fromfile(tmp_path / "expected.bin", np.uint8)[0x7F80] == 0xFF


def test_pairs_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("pairs") == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 57
    assert run("pairs", "--src", "half", "--dst", "hifloat8_t", "--json") == 0
    assert json.loads(capsys.readouterr().out) == [
        {
            "src": "half",
            "dst": "hifloat8_t",
            "round": ["CAST_ROUND", "CAST_HYBRID"],
            "sat": ["NO_SAT", "SAT"],
            "layout": ["ZERO", "ONE"],
        }
    ]


def test_exit_codes_of_the_whole_program(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def code(*words: object) -> int:
        return main(["ascend", *(str(word) for word in words)])

    assert code(*HIFLOAT8, "--set", 48, "-o", tmp_path) == 0
    (tmp_path / "zeros.bin").write_bytes(bytes(1 << 16))
    assert code("check", tmp_path, "--actual", tmp_path / "expected.bin") == 0
    assert code("check", tmp_path, "--actual", tmp_path / "zeros.bin") == 2
    capsys.readouterr()
    assert code("check", tmp_path, "--actual", tmp_path / "case.json") == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("error: ")
    assert captured.err.count("\n") == 1
    assert code("pairs", "--src", "hifloat8") == 1
    assert "did you mean 'hifloat8_t'?" in capsys.readouterr().err


def test_errors_are_of_the_package(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="legal: CAST_ROUND, CAST_HYBRID"):
        run("vectors", "--src", "half", "--dst", "hifloat8_t", "--round", "RINT", "-o", tmp_path)
    with pytest.raises(OptionError, match=r"CTRL\[47\]"):
        run(*HIFLOAT8, "--set", 47, "-o", tmp_path)
