"""Operands in strata: edges, runs of ones, random codes, and operands that belong together.

The last kind is made for the function: sums that cancel or just miss, products and quotients
near both ends of the range, fused multiply-adds whose addend almost cancels the product,
conversions and integer roundings of midpoints, square roots of exact squares, comparisons of
neighbours. All randomness is the raw stream of a Philox generator, so that a seed always gives the
same vectors.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from minifloat import _arithmetic
from minifloat._arrays import AnyArray
from minifloat._errors import OptionError
from minifloat._formats import FloatFormat, Format, IntFormat, formats
from minifloat._inspection import next_up
from minifloat._integers import from_int, to_int
from minifloat._plans import storage_dtype
from minifloat._signs import negate
from minifloat.conformance.vectors.edges import edge_codes, threshold_codes
from minifloat.conformance.vectors.functions import Function

__all__ = ["exhaustive_operands", "stratified_operands"]

_BLOCK = 1 << 14
_U64 = np.uint64
_LIMIT = 40


def exhaustive_operands(function: Function) -> Iterator[tuple[AnyArray, ...]]:
    """Yield every combination of operands, the last one running fastest.

    Parameters
    ----------
    function : Function

    Yields
    ------
    tuple of ndarray, shape (n,)

    Raises
    ------
    OptionError
        If there are more than 2**40 combinations.
    """
    bits = [fmt.bits for fmt in function.operands]
    if sum(bits) > _LIMIT:
        msg = f"{function.name} has 2**{sum(bits)} cases, too many to list; give a count instead"
        raise OptionError(msg)
    for start in range(0, 1 << sum(bits), _BLOCK):
        index = np.arange(start, min(start + _BLOCK, 1 << sum(bits)), dtype=_U64)
        columns = []
        below = sum(bits)
        for fmt, width in zip(function.operands, bits, strict=True):
            below -= width
            columns.append(_content(index >> _U64(below), fmt))
        yield tuple(columns)


def stratified_operands(
    function: Function, count: int, seed: int
) -> Iterator[tuple[AnyArray, ...]]:
    """Yield stratified operands.

    Parameters
    ----------
    function : Function
    count : int
    seed : int

    Yields
    ------
    tuple of ndarray, shape (n,)

    Raises
    ------
    OptionError
        For a negative count or seed.
    """
    if count < 0 or seed < 0:
        msg = f"count={count}, seed={seed}: both are non-negative"
        raise OptionError(msg)
    stream = np.random.Philox(seed)
    for start in range(0, count, _BLOCK):
        columns = [_mixed(fmt, stream) for fmt in function.operands]
        _relate(function, columns, stream)
        size = min(_BLOCK, count - start)
        yield tuple(column[:size] for column in columns)


def _words(stream: np.random.Philox) -> AnyArray:
    return np.asarray(stream.random_raw(_BLOCK), _U64)


def _content(words: AnyArray, fmt: Format) -> AnyArray:
    """Return the low bits of words as codes."""
    kept = words & _U64(2**fmt.bits - 1) if fmt.bits < 64 else words
    return (kept << _U64(fmt.code_shift)).astype(storage_dtype(fmt))


def _pick(choices: AnyArray, stream: np.random.Philox) -> AnyArray:
    return choices[_words(stream) % _U64(len(choices))]


def _mixed(fmt: Format, stream: np.random.Philox) -> AnyArray:
    """Edges, runs of ones under a random head, and random codes, a third of each."""
    kind = _words(stream) % _U64(3)
    random = _content(_words(stream), fmt)
    runs = _runs(fmt, stream)
    return np.select([kind == 0, kind == 1], [_pick(edge_codes(fmt), stream), runs], random)


def _runs(fmt: Format, stream: np.random.Philox) -> AnyArray:
    """Codes whose trailing bits are ones from some place to another, or the complement."""
    words = _words(stream)
    trailing = fmt.trailing_bits if isinstance(fmt, FloatFormat) else fmt.bits
    width, every = _U64(max(trailing, 1)), _U64((1 << max(trailing, 1)) - 1)
    first, second = words % width, (words >> _U64(8)) % width
    ones = (every >> first) ^ (every >> second)
    flip = np.where(words >> _U64(16) & _U64(1), every, _U64(0))
    return _content((words & ~every) | (ones ^ flip), fmt)


def _nudged(codes: AnyArray, fmt: Format, stream: np.random.Philox) -> AnyArray:
    """Codes moved by -2 to 2 places, often not at all."""
    moves = np.array([0, 0, 0, 0, 1, 1, 2, -1, -1, -2], np.int64)
    step = _pick(moves, stream).astype(_U64)
    return _content((codes.astype(_U64) >> _U64(fmt.code_shift)) + step, fmt)


def _relate(function: Function, columns: list[AnyArray], stream: np.random.Philox) -> None:
    """Replace half of the cases by operands that belong together."""
    related = _related(function, columns, stream)
    chosen = _words(stream) & _U64(1) == 1
    for column, better in zip(columns, related, strict=True):
        np.copyto(column, better, where=chosen)


def _related(
    function: Function, columns: list[AnyArray], stream: np.random.Philox
) -> list[AnyArray]:
    fmt, operation = function.operands[0], function.operation
    a = columns[0]
    if operation == "to":
        return [_at_midpoints(function, stream)]
    if operation == "roundToInt":
        return [_near_integers(fmt, stream)]
    if operation == "sqrt":
        square = _arithmetic.mul(a, a, fmt, rounding="rtz")
        return [_nudged(square, fmt, stream)]
    if operation in ("mul", "div"):
        return [a, _toward_the_ends(a, fmt, operation, stream)]
    if operation == "mulAdd":
        b = _toward_the_ends(a, fmt, "mul", stream)
        near = _words(stream) & _U64(1) == 1
        b = np.where(near, columns[1], b)
        product = _arithmetic.mul(a, b, fmt, rounding="rtz", overflow="saturate")
        return [a, b, _nudged(_flipped(product, fmt, stream), fmt, stream)]
    return [a, _neighbours(a, columns[1], fmt, stream)]


def _flipped(codes: AnyArray, fmt: Format, stream: np.random.Philox) -> AnyArray:
    """Three quarters with the sign changed."""
    changes = _words(stream) % _U64(4) != 0
    return np.where(changes, negate(codes, fmt), codes) if fmt.signed else codes


def _neighbours(a: AnyArray, b: AnyArray, fmt: Format, stream: np.random.Philox) -> AnyArray:
    """Second operands a few places from the first, or with its exponent a few binades off."""
    close = _nudged(_flipped(a, fmt, stream), fmt, stream)
    if not isinstance(fmt, FloatFormat):
        return close
    reach = 2 * fmt.precision + 5
    counts = (_words(stream) % _U64(reach)).astype(np.int64) - fmt.precision - 2
    field = _exponent_field(a, fmt) + counts
    moved = _with_exponent(b, np.clip(field, 0, 2**fmt.exponent_bits - 1), fmt)
    return np.where(_words(stream) & _U64(1) == 1, close, moved)


def _toward_the_ends(
    a: AnyArray, fmt: Format, operation: str, stream: np.random.Philox
) -> AnyArray:
    """Second factors, or divisors, that bring results near the ends of the range."""
    random = _content(_words(stream), fmt)
    if not isinstance(fmt, FloatFormat):
        return random
    top = 2**fmt.exponent_bits - 1
    spread = (_words(stream) % _U64(fmt.precision + 6)).astype(np.int64)
    low = -spread + 3  # results from a little above the smallest normal to below the smallest
    high = top - 3 + spread % 6
    wanted = np.where(_words(stream) & _U64(1) == 1, low, high)
    own = _exponent_field(a, fmt)
    field = wanted - own + fmt.bias if operation == "mul" else own - wanted + fmt.bias
    edges = _pick(edge_codes(fmt), stream)
    fractions = np.where(_words(stream) & _U64(1) == 1, edges, random)
    return _with_exponent(fractions, np.clip(field, 0, top), fmt)


def _exponent_field(codes: AnyArray, fmt: FloatFormat) -> AnyArray:
    shift = _U64(fmt.trailing_bits + fmt.code_shift)
    return (codes.astype(_U64) >> shift & _U64(2**fmt.exponent_bits - 1)).astype(np.int64)


def _with_exponent(codes: AnyArray, field: AnyArray, fmt: FloatFormat) -> AnyArray:
    shift = _U64(fmt.trailing_bits + fmt.code_shift)
    cleared = codes.astype(_U64) & ~(_U64(2**fmt.exponent_bits - 1) << shift)
    return (cleared | field.astype(_U64) << shift).astype(storage_dtype(fmt))


def _near_integers(fmt: Format, stream: np.random.Philox) -> AnyArray:
    """Integers and halves within the format's precision, and their neighbours."""
    words = _words(stream)
    size = (words >> _U64(8)) >> (words % _U64(54))
    halves = size.astype(np.int64) & (2 ** min(fmt.precision + 2, 52) - 1)
    signed = np.where(words & _U64(64) != 0, -halves, halves) if fmt.signed else halves
    codes = from_int(signed, fmt, exponent=-1, rounding="rtz", overflow="saturate")
    return _nudged(codes, fmt, stream)


def _at_midpoints(function: Function, stream: np.random.Philox) -> AnyArray:
    """Return sources at the target's values, midpoints and ends, and their neighbours."""
    (source,), target = function.operands, function.result
    assert target is not None
    if isinstance(target, IntFormat):
        middle = _near_integers(source, stream)
    else:
        middle = _between(_mixed(target, stream), target, source)
    ends = _pick(threshold_codes(source, target), stream)
    chosen = np.where(_words(stream) % _U64(4) == 0, ends, middle)
    return _nudged(chosen, source, stream)


def _between(codes: AnyArray, target: Format, source: Format) -> AnyArray:
    """Midpoints of codes and those above them, as codes of the source."""
    wide = formats["float64"]
    how: dict[str, Any] = {"rounding": "rtz"}
    low = _arithmetic.convert(codes, target, wide, **how)
    high = _arithmetic.convert(next_up(codes, target), target, wide, **how)
    middle = _arithmetic.scalbn(_arithmetic.add(low, high, wide, **how), -1, wide, **how)
    if isinstance(source, IntFormat):
        numbers = to_int(middle, wide, source, **how)
        return _content(np.asarray(numbers).astype(_U64), source)
    return np.asarray(_arithmetic.convert(middle, wide, source, **how))
