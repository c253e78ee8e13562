"""``minifloat vectors``: files, pipes, exit codes, output."""

from __future__ import annotations

import gzip
import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from minifloat.cli import main

COMMAND = f"{sys.executable} -c 'from minifloat.cli import main; raise SystemExit(main())' vectors"


def generate(tmp_path: Path, name: str, *options: str) -> Path:
    path = tmp_path / name
    function = name.split(".")[0]
    assert main(["vectors", "generate", function, "--output", str(path), *options]) == 0
    return path


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("f16_mulAdd.txt", ["--rounding", "rne", "--tininess", "before"]),
        ("float8_e4m3fn_add.txt.gz", ["--rounding", "rup"]),
        ("tfloat32_mul.txt", []),
        ("hifloat8_add.txt", []),
        ("f32_to_i32.txt", ["--notexact", "--profile", "x86_sse"]),
        ("float8_e4m3fn_mul.txt", ["--overflow", "saturate", "--rounding", "odd"]),
    ],
)
def test_what_is_generated_complies(tmp_path: Path, name: str, options: list[str]) -> None:
    path = generate(tmp_path, name, "--count", "500", "--seed", "1", *options)
    assert main(["vectors", "check", str(path), *options]) == 0
    assert [entry.name for entry in tmp_path.iterdir()] == [name]


def test_annotated_vectors_carry_their_settings(tmp_path: Path) -> None:
    options = ["--rounding", "rtz", "--tininess", "before", "--annotated", "--count", "300"]
    path = generate(tmp_path, "f32_mul.txt", *options)
    assert path.read_text().startswith("RTZ B - ")
    assert main(["vectors", "check", str(path)]) == 0


def test_options_other_than_those_of_the_device_do_not_comply(tmp_path: Path) -> None:
    path = generate(tmp_path, "f16_mul.txt", "--count", "2000", "--rounding", "rtz")
    assert main(["vectors", "check", str(path)]) == 2


def test_mismatches_are_decoded(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "float8_e4m3fn_add.txt"
    path.write_text("38 38 40 00\n7E 7E 7E 05\n")
    assert main(["vectors", "check", str(path)]) == 2
    out = capsys.readouterr().out
    assert "1 of 2 cases do not comply (1 results, 0 flags)" in out
    for part in (
        "line 2: float8_e4m3fn_add [RNE A -]",
        "7E (448.0)",
        "got        7E (448.0); flags inexact, overflow",
        "expected   7F (nan); flags inexact, overflow",
    ):
        assert part in out


def test_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "f16_lt.txt"
    path.write_text("3C00 4000 0 00\n")
    assert main(["vectors", "check", str(path), "--json"]) == 2
    (report,) = json.loads(capsys.readouterr().out).values()
    assert report["mismatches"] == 1
    assert report["first"][0]["expected"] == "true"


def test_errors_exit_with_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "unknown.txt"
    path.write_text("3C00 4000 0 00\n")
    assert main(["vectors", "check", str(path)]) == 1
    assert "--function" in capsys.readouterr().err
    assert main(["vectors", "check", str(path), "--function", "f16_lx"]) == 1
    assert main(["vectors", "check", str(tmp_path / "none.txt")]) == 1
    assert main(["vectors", "generate", "f16_add", "--rounding", "stochastic"]) == 1
    assert main(["vectors", "generate", "f16_add", "--profile", "x86sse"]) == 1
    assert "did you mean 'x86_sse'" in capsys.readouterr().err
    cut = tmp_path / "f16_add.txt.gz"
    cut.write_bytes(gzip.compress(b"3C00 3C00 4000 00\n" * 1000)[:-20])
    assert main(["vectors", "check", str(cut)]) == 1


def test_a_failed_run_leaves_no_file(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    options = ["--overflow", "infinity", "--output", str(path)]
    assert main(["vectors", "generate", "float8_e4m3fn_add", *options]) == 1
    assert list(tmp_path.iterdir()) == []


def test_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stdin: Any = io.TextIOWrapper(io.BytesIO(gzip.compress(b"3C00 3C00 4000 00\n")))
    monkeypatch.setattr(sys, "stdin", stdin)
    assert main(["vectors", "check", "--function", "f16_add"]) == 0
    assert "1 cases, all comply" in capsys.readouterr().out


def test_profiles_decide_nan_to_the_bit(tmp_path: Path) -> None:
    path = tmp_path / "f32_add.txt"
    path.write_text("7FC00123 7F800456 7FC00123 10\n")
    codes = {
        profile: main(["vectors", "check", str(path), "--profile", profile])
        for profile in ("x86_sse", "arm", "riscv")
    }
    assert codes == {"x86_sse": 0, "arm": 2, "riscv": 2}
    assert main(["vectors", "check", str(path)]) == 0


def test_a_pipe_through_a_device_streams() -> None:
    device = f'{sys.executable} -c "import sys; sys.stdout.writelines(sys.stdin)"'
    pipe = (
        f"{COMMAND} generate f16_add --count 40000 --seed 5 | {device}"
        f" | {COMMAND} check --function f16_add"
    )
    done = subprocess.run(pipe, shell=True, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "40000 cases, all comply" in done.stdout


def test_a_reader_that_leaves_ends_the_writer_quietly() -> None:
    pipe = f"{COMMAND} generate f16_add --count 300000 | head -n 1"
    done = subprocess.run(pipe, shell=True, capture_output=True, text=True, check=False)
    assert done.stdout.count("\n") == 1
    assert "Traceback" not in done.stderr
