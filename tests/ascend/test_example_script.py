"""The example script shows what a narrowing cast leaves in a register and in memory."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "examples" / "ascend_register_cast.py"


def test_the_script_shows_interleaved_zeros(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(SCRIPT), run_name="__main__")
    lines = capsys.readouterr().out.splitlines()
    assert "repeat 0: 64 elements, 36 left" in lines
    assert "repeat 1: 36 elements, 0 left" in lines
    assert "   0: FFFC 0000 FFFD 0000 FFFF 0000 9C40 0000 | -4 0 -3 0 -1 0 -25536 0" in lines
    memory = [line for line in lines if line.startswith("memory: ")]
    assert memory == [
        "memory: [-4, -4370, -3, -4370, -1, -4370, -25536, -4370]",
        "memory: [-4, -3, -1, -25536, 2, 3, 5, 6]",
        "memory: [-4, -3, -1, 32767, 2, 3, 5, 6]",
    ]
