from __future__ import annotations

import importlib.util
import os
import re
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from minifloat.cli._app import _APPLICATIONS, _COMMANDS

from .conftest import Run

COMMANDS = ["formats", "show", "inspect", "cast", "compare"]


def child(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "minifloat.cli", *arguments]
    clean = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "NO_COLOR", "FORCE_COLOR")}
    return subprocess.run(
        command, capture_output=True, text=True, env=clean | environment, check=False
    )


def test_help_lists_every_command(run: Run) -> None:
    result = run("--help")
    assert result.code == 0
    assert all(f" {command} " in result.out for command in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_made_of_its_docstring(run: Run, command: str) -> None:
    result = run(command, "--help")
    assert result.code == 0
    assert "--json" in result.out
    assert f"Usage: minifloat {command}" in result.out
    assert _COMMANDS[command][1].rstrip(".").partition(":")[0].split()[0] in result.out


def test_help_takes_less_than_half_a_second_of_processor_time() -> None:
    best = 9.0
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert child("--help").returncode == 0
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        best = min(best, used)
    assert best < 0.5


def test_help_loads_no_command() -> None:
    code = (
        "import sys; from minifloat.cli import main; main(['--help']);"
        "loaded = [m for m in sys.modules if m.startswith('minifloat.cli.')];"
        "assert loaded == ['minifloat.cli._app'], loaded;"
        "assert 'matplotlib' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)


@pytest.mark.parametrize("name", _APPLICATIONS)
def test_applications_are_there_if_their_module_is(run: Run, name: str) -> None:
    there = importlib.util.find_spec(f"minifloat.cli.{name}") is not None
    assert (f" {name} " in run("--help").out) == there
    if there:
        assert f"Usage: minifloat {name}" in run(name, "--help").out


def test_the_version_is_the_packages(run: Run) -> None:
    assert re.fullmatch(r"\d+\.\d+.*\n", run("--version").out)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["nonsense"], "nonsense"),
        (["show"], "requires an argument"),
        (["show", "e4m3fm"], "did you mean 'e4m3fn'"),
        (["show", "e99m3"], "impossible format"),
        (["inspect", "0.3"], "--format"),
        (["inspect", "0.3", "--format", "e4m3fn", "--overflow", "sat"], "did you mean 'saturate'"),
        (["inspect", "0.3", "--format", "e4m3fn", "--bits", "x"], "x"),
        (["inspect", "0.3", "--format", "e4m3fn", "--bits", "33"], "1 to 32"),
        (["inspect", "three", "--format", "e4m3fn"], "no number"),
        (["inspect", "1e99999", "--format", "e4m3fn"], "beyond what is computed"),
        (["inspect", "9" * 5000, "--format", "e4m3fn"], "beyond what is computed"),
        (["inspect", "1/0", "--format", "e4m3fn"], "no number"),
        (["inspect", "0x1ff", "--format", "e4m3fn"], "not a code"),
        (["cast", "missing.npy", "out.npy", "--to", "e4m3fn"], "no such file"),
        (["compare", "missing.npy"], "no such file"),
        (["compare"], "give a file or --demo"),
    ],
)
def test_an_error_is_one_line_and_exit_code_1(
    fails: Run, arguments: list[str], reason: str
) -> None:
    assert reason in fails(*arguments).err


def test_colours_go_to_terminals_only() -> None:
    assert "\x1b" not in child("show", "e4m3fn").stdout
    forced = child("show", "e4m3fn", FORCE_COLOR="1").stdout
    assert "\x1b[1;31m" in forced
    assert "\x1b[1;31m" not in child("show", "e4m3fn", FORCE_COLOR="1", NO_COLOR="1").stdout


def test_a_pipe_gets_whole_lines() -> None:
    assert "…" not in child("formats").stdout
    assert max(map(len, child("formats").stdout.splitlines())) > 100


def test_a_reader_that_leaves_early_causes_no_traceback() -> None:
    command = f"{sys.executable} -m minifloat.cli formats --p3109 --json | head -1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert done.stdout == "[\n"
    assert done.stderr == ""


def test_a_missing_extra_is_named(tmp_path: Path) -> None:
    (tmp_path / "cyclopts.py").write_text("raise ModuleNotFoundError('gone', name='cyclopts')")
    done = child("formats", PYTHONPATH=str(tmp_path))
    assert done.returncode == 1
    assert done.stderr == "error: the command line needs cyclopts: pip install 'minifloat[cli]'\n"
