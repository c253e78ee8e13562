from __future__ import annotations

import builtins
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import minifloat as mf
from minifloat.plot import Curve, compare_formats, positive_values

from .conftest import Run


def test_positive_values_are_the_grid() -> None:
    np.testing.assert_array_equal(positive_values("e2m1fn"), [0.5, 1, 1.5, 2, 3, 4, 6])
    assert positive_values("e4m3fn").size == 126
    assert positive_values("bf16").size == 2**15 - 2**7 - 1
    assert positive_values("float32").size == 0


@pytest.mark.parametrize(
    ("kind", "magic"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")]
)
def test_a_comparison_is_drawn(
    run: Run, weights: Path, tmp_path: Path, kind: str, magic: bytes
) -> None:
    path = tmp_path / f"p.{kind}"
    names = "e4m3fn,e5m2,hif8,int8,e2m1fn,float16,float32,bf16,e8m0"
    assert run("compare", weights, "-f", names, "--plot", path).code == 0
    assert path.read_bytes().startswith(magic)
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted([path.name, weights.name])


def test_the_picture_shows_what_it_is_given() -> None:
    counts = np.zeros(2048, np.int64)
    signal, noise = np.zeros(2048), np.zeros(2048)
    middle = int(np.float32(1.0).view(np.uint32)) >> 20
    counts[middle : middle + 8] = 100
    signal[middle : middle + 8] = 100.0
    noise[middle : middle + 8] = 1.0
    fmt = mf.get_format("e2m1fn")
    curves = [
        Curve("plain", "", fmt, 1.0, noise),
        Curve("scaled", "", fmt, 0.5, noise, scaled=True),
    ]
    figure = compare_formats(counts, signal, curves, title="T")
    grids, errors = figure.axes
    lines = errors.get_lines()[:2]
    for line in lines:
        np.testing.assert_allclose(line.get_ydata(), 10.0)  # percent: sqrt(1 / 100)
        x = np.asarray(line.get_xdata(), float)
        assert (x > 0).all()
        assert (x < 1).all()
    assert {text.get_text() for text in grids.texts} >= {"plain", "scaled"}
    drawn = [
        np.exp2([path.vertices[0, 0] for path in lines.get_paths()])
        for lines in grids.collections
        if type(lines).__name__ == "LineCollection"
    ]
    low, high = errors.get_xlim()
    for values, scale in zip(drawn, (1.0, 0.5), strict=True):
        grid = positive_values(fmt) * scale
        inside = grid[(np.log2(grid) >= low) & (np.log2(grid) <= high)]
        np.testing.assert_allclose(values, inside)


def test_data_that_are_all_zero_are_drawn(run: Run, tmp_path: Path) -> None:
    np.save(tmp_path / "z.npy", np.zeros(10, np.float32))
    assert run("compare", tmp_path / "z.npy", "--plot", tmp_path / "z.png").code == 0


def test_nothing_global_changes(run: Run, weights: Path, tmp_path: Path) -> None:
    import matplotlib as mpl

    before = dict(mpl.rcParams)
    run("compare", weights, "-f", "e4m3fn", "--plot", tmp_path / "p.png")
    assert dict(mpl.rcParams) == before


def test_without_matplotlib_the_extra_is_named(
    fails: Run, weights: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = builtins.__import__

    def refusing(name: str, *rest: Any, **more: Any) -> Any:
        if name.partition(".")[0] == "matplotlib":
            raise ImportError(name)
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", refusing)
    result = fails("compare", weights, "--plot", tmp_path / "p.png")
    assert "pip install 'minifloat[plot]'" in result.err
    assert not (tmp_path / "p.png").exists()
