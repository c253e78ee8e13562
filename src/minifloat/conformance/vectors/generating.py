"""Generating vectors as lines of text."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from minifloat.conformance.vectors.functions import Function, Settings
from minifloat.conformance.vectors.operands import exhaustive_operands, stratified_operands
from minifloat.conformance.vectors.text import annotation, digits, lines

__all__ = ["case_count", "generate"]


def case_count(function: Function, count: int, exhaustive: bool) -> int:
    """Return how many cases will be generated.

    Parameters
    ----------
    function : Function
    count : int
    exhaustive : bool

    Returns
    -------
    int
    """
    return 1 << sum(fmt.bits for fmt in function.operands) if exhaustive else count


def generate(
    function: Function,
    settings: Settings,
    *,
    count: int = 10_000,
    seed: int = 0,
    exhaustive: bool = False,
    operands_only: bool = False,
    annotated: bool = False,
) -> Iterator[tuple[int, bytes]]:
    r"""Generate vectors.

    Parameters
    ----------
    function : Function
    settings : Settings
    count : int
        How many cases.
    seed : int
    exhaustive : bool
        Every combination of operands instead.
    operands_only : bool
        Leave out results and flags, for a device that adds them.
    annotated : bool
        Begin each line with the settings.

    Yields
    ------
    tuple of int and bytes
        How many lines, and their text.

    Raises
    ------
    OptionError
        For a function with too many cases, negative counts and seeds, and policies that the result
        cannot honour.

    Examples
    --------
    >>> from minifloat.conformance.vectors.functions import get_function
    >>> vectors = generate(get_function("float4_e2m1fn_mul"), Settings(), exhaustive=True)
    >>> next(vectors)[1].splitlines()[20]
    b'1 4 2 00'
    """
    prefix = annotation(function, settings) if annotated else ""
    widths = [digits(fmt) for fmt in function.operands]
    cases = (
        exhaustive_operands(function) if exhaustive else stratified_operands(function, count, seed)
    )
    for operands in cases:
        columns = list(zip(operands, widths, strict=True))
        if not operands_only:
            result, flags = function.compute(operands, settings)
            columns += [(np.asarray(result), digits(function.result)), (flags, 2)]
        yield len(operands[0]), lines(columns, prefix)
