"""Both sides of every bar as benchmarks of one group: ``pytest benchmarks/test_bars.py -n 0``.

`ratios.py` takes them in interleaved pairs, which is what holds on a busy machine; these give the
spread of each, and pytest-benchmark's histories and comparisons.
"""

from __future__ import annotations

from typing import Any

import pytest
from bars import GROUPS
from bars.measure import Bar, MissingPeerError

LINES = [
    line
    for group in ("casting", "stochastic", "arithmetic", "matmul")
    for line in GROUPS[group]
    if isinstance(line, Bar)
]


@pytest.mark.parametrize("side", ["minifloat", "beside"])
@pytest.mark.parametrize("line", LINES, ids=lambda line: f"{line.what} | {line.beside}")
def test_bar(benchmark: Any, monkeypatch: pytest.MonkeyPatch, line: Bar, side: str) -> None:
    monkeypatch.setenv("MINIFLOAT_WORKERS", "1")
    try:
        runs = line.make()
    except MissingPeerError as missing:
        pytest.skip(str(missing))
    benchmark.group = f"{line.what} | {line.beside}"
    benchmark.pedantic(runs[side == "beside"], rounds=5, warmup_rounds=1)
