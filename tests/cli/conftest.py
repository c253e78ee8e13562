from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from minifloat.cli import main


@dataclass
class Result:
    """What a command line did."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        def refuse(word: str) -> None:
            raise AssertionError(word)

        return json.loads(self.out, parse_constant=refuse)


Run = Callable[..., Result]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    for name in ("COLUMNS", "NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)

    def run(*arguments: object) -> Result:
        code = main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return Result(code, captured.out, captured.err)

    return run


@pytest.fixture
def fails(run: Run) -> Run:
    """Run what must fail: exit code 1, one line on standard error, nothing on standard output."""

    def fails(*arguments: object) -> Result:
        result = run(*arguments)
        assert result.code == 1
        assert result.out == ""
        assert result.err.startswith("error: ")
        assert result.err.count("\n") == 1
        return result

    return fails


@pytest.fixture
def weights(tmp_path: Path) -> Path:
    """Return an ``.npz`` of two float tensors, some integers and some booleans."""
    rng = np.random.default_rng(1)
    path = tmp_path / "w.npz"
    np.savez(
        path,
        **{
            "layer.weight": rng.standard_normal((40, 60)).astype(np.float32),
            "layer.bias": (rng.integers(-999, 999, 50) / 128).astype(np.float32),
            "ids": np.arange(7),
            "mask": np.array([True, False]),
        },
    )
    return path
