"""Options that several commands share."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from cyclopts import Parameter

from minifloat._errors import OptionError
from minifloat._formats import Format, get_format
from minifloat._rounding import Rounding, Stochastic, as_rounding

__all__ = ["AsJson", "Flag", "NanWord", "Variant", "rounding_of", "split_formats"]

AsJson: TypeAlias = Annotated[bool, Parameter(name="--json", negative=())]
Flag: TypeAlias = Annotated[bool, Parameter(negative=())]
NanWord: TypeAlias = Literal["raise", "max", "zero"]
Variant: TypeAlias = Literal["floor", "nearest", "centred"]


def rounding_of(
    rounding: str, bits: int | None, variant: Variant, seed: int | None
) -> Rounding | Stochastic:
    """Combine the rounding options, refusing combinations that mean nothing.

    Parameters
    ----------
    rounding : str
    bits : int or None
    variant : {"floor", "nearest", "centred"}
    seed : int or None

    Returns
    -------
    Rounding or Stochastic

    Raises
    ------
    OptionError
        If stochastic rounding has no seed, or another mode has stochastic options.
    """
    mode = as_rounding(rounding)
    if seed is not None and seed < 0:
        msg = f"--seed {seed}: seeds are non-negative"
        raise OptionError(msg)
    if isinstance(mode, Stochastic):
        if seed is None:
            msg = "stochastic rounding needs --seed N: equal seeds give equal results"
            raise OptionError(msg)
        return Stochastic(bits, variant)
    if bits is not None or seed is not None or variant != "floor":
        msg = f"--bits, --variant and --seed belong to --rounding stochastic, not to {mode.value}"
        raise OptionError(msg)
    return mode


def split_formats(text: str) -> dict[str, Format]:
    """Read a comma-separated list of formats.

    Commas also separate the keys of spec strings, so a piece that is no format belongs to the one
    before it.

    Parameters
    ----------
    text : str

    Returns
    -------
    dict of str to Format
        By canonical name, in the order given.

    Raises
    ------
    FormatError
        If a format is unknown.

    Examples
    --------
    >>> list(split_formats("e4m3fn,e5m6:bias=9,finite,bf16"))
    ['float8_e4m3fn', 'e5m6:finite,bias=9', 'bfloat16']
    """
    groups: list[str] = []
    for piece in filter(None, (piece.strip() for piece in text.split(","))):
        if groups and ":" in groups[-1] and _is_key(piece):
            groups[-1] += f",{piece}"
        else:
            groups.append(piece)
    found = [get_format(group) for group in groups]
    return {str(fmt): fmt for fmt in found}


def _is_key(piece: str) -> bool:
    words = ("ieee", "fn", "fnuz", "finite", "inf", "nosubnormals", "fullrange", "nozero")
    return piece in (*words, "nonegzero") or "=" in piece.partition(":")[0]
