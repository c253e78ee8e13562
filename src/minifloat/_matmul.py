"""Matrix products and sums whose accumulator rounds as stated, step by step."""

from __future__ import annotations

import functools
import math
import re
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, Unpack, cast

import numpy as np

from minifloat import _core
from minifloat._arrays import AnyArray, as_codes, as_output
from minifloat._casting import as_workers
from minifloat._context import Context, contexts
from minifloat._errors import CodeError, DtypeError, FormatError, OptionError, nearest
from minifloat._flags import Flags
from minifloat._formats import Format, FormatLike, formats, get_format
from minifloat._operations import (
    FormatsLike,
    How,
    check_keywords,
    draws,
    operand_formats,
    refuse_integers,
)
from minifloat._options import settle
from minifloat._plans import native, native_context, storage_dtype
from minifloat._rounding import OverflowLike, RoundingLike, Stochastic, as_rounding

__all__ = ["dot", "matmul", "sum"]

Product: TypeAlias = Literal["rounded", "exact"]

_ORDERS = ("sequential", "pairwise", "blocked", "fused")
_ONE_FORMAT, _ONE_CODE = formats["float4_e2m1fn"], 2


@dataclass(frozen=True, slots=True)
class _Plan:
    core: _core.MatmulPlan
    operands: tuple[Format, Format]
    dtype: np.dtype[Any]
    random_bits: int


def matmul(
    a: Any,
    b: Any,
    fmt: FormatsLike,
    *,
    accumulator: FormatLike | None = None,
    product: Product = "rounded",
    order: str = "sequential",
    **how: Unpack[How],
) -> Any:
    """Multiply matrices of codes, each step rounded as stated.

    Accumulation starts at +0. Every partial sum is rounded to the accumulator's format.

    Parameters
    ----------
    a : array_like of int, shape (..., M, K) or (K,)
    b : array_like of int, shape (..., K, N) or (K,)
        Codes. Leading dimensions broadcast; vectors count as a row and a column, as in
        `numpy.matmul`.
    fmt : Format, str or dtype, or a pair
        The format of both factors, or of each; a pair needs `accumulator`.
    accumulator : Format, str or dtype, optional
        Any floating-point format; that of the factors when omitted.
    product : {"rounded", "exact"}
        Whether products are rounded to the accumulator's format before they are added, or enter the
        sum exactly.
    order : str
        ``"sequential"``; ``"pairwise"``: split at the largest power of two below the length;
        ``"blocked:n"``: blocks of n sequentially from +0, then the block sums in order;
        ``"fused"``: one rounding of the exact sum.
    **how
        As for `add`. `out_format` is the format of the result, the accumulator's when omitted.
        Stochastic accumulators need exact products in sequential order and deliver their own
        format; step k of output i draws element ``i * K + k`` (so `random_bits` has shape
        ``(..., M, N, K)``). Flags are those of all steps of an output element.

    Returns
    -------
    ndarray or numpy scalar, shape (..., M, N)
        Codes.

    Raises
    ------
    FormatError, OptionError, DtypeError, CodeError
        As for `add`.

    Examples
    --------
    >>> import minifloat as mf
    >>> row, column = mf.encode([[2048.0, 1, 1]], "float16"), mf.encode([[1], [1], [1]], "float16")
    >>> mf.decode(matmul(row, column, "float16"), "float16")  # 2048 + 1 ties to even, twice
    array([[2048.]], dtype=float32)
    >>> mf.decode(matmul(row, column, "float16", order="fused"), "float16")
    array([[2050.]], dtype=float32)
    """
    left, right = operand_formats(fmt, 2)
    x, y = as_codes(a, left), as_codes(b, right)
    if x.ndim == 0 or y.ndim == 0:
        msg = "matmul takes no scalars: use mul"
        raise DtypeError(msg)
    drop = [axis for axis, array in ((-2, x), (-1, y)) if array.ndim == 1]
    x = x[np.newaxis] if x.ndim == 1 else x
    y = y[:, np.newaxis] if y.ndim == 1 else y
    plan = _plan_of((left, right), accumulator, product, order, has_products=True, how=how)
    return _multiply(plan, x, y, how, tuple(drop))


def dot(
    a: Any,
    b: Any,
    fmt: FormatsLike,
    *,
    accumulator: FormatLike | None = None,
    product: Product = "rounded",
    order: str = "sequential",
    **how: Unpack[How],
) -> Any:
    """Return sums of products over the last axis of `a` and `b`. See `matmul`.

    Parameters
    ----------
    a, b : array_like of int, shape (..., K)
        Codes; leading dimensions broadcast.
    fmt : Format, str or dtype, or a pair
    accumulator, product, order, **how
        As for `matmul`.

    Returns
    -------
    ndarray or numpy scalar, shape (...)

    Raises
    ------
    FormatError, OptionError, DtypeError, CodeError
        As for `add`.

    Examples
    --------
    >>> hex(dot([0x38, 0x40], [0x38, 0x40], "e4m3fn"))  # 1 * 1 + 2 * 2
    '0x4a'
    """
    left, right = operand_formats(fmt, 2)
    x, y = as_codes(a, left), as_codes(b, right)
    if x.ndim == 0 or y.ndim == 0:
        msg = "dot takes no scalars: use mul"
        raise DtypeError(msg)
    plan = _plan_of((left, right), accumulator, product, order, has_products=True, how=how)
    return _multiply(plan, x[..., np.newaxis, :], y[..., np.newaxis], how, (-2, -1))


def sum(
    codes: Any,
    fmt: FormatLike,
    *,
    axis: int | None = None,
    accumulator: FormatLike | None = None,
    order: str = "sequential",
    **how: Unpack[How],
) -> Any:
    """Add codes up along an axis. See `matmul`.

    Parameters
    ----------
    codes : array_like of int, shape (...)
    fmt : Format, str or dtype
    axis : int, optional
        All elements in C order when omitted.
    accumulator, order, **how
        As for `matmul`.

    Returns
    -------
    ndarray or numpy scalar
        Without the axis.

    Raises
    ------
    FormatError, OptionError, DtypeError, CodeError
        As for `add`.

    Examples
    --------
    >>> hex(sum([0x38] * 20, "e4m3fn"))  # stalls at 16, where adding 1 is a tie
    '0x58'
    """
    source = operand_formats(fmt, 1)[0]
    words = as_codes(codes, source)
    if axis is None:
        words, axis = words.reshape(-1), 0
    moved = np.moveaxis(words, axis, 0)
    terms = np.ascontiguousarray(moved.reshape(moved.shape[0], math.prod(moved.shape[1:])))
    ones = np.full((1, terms.shape[0]), _ONE_CODE, np.uint8)
    pair = (_ONE_FORMAT, source)
    plan = _plan_of(pair, accumulator or source, "exact", order, has_products=False, how=how)
    return _multiply(plan, ones, terms, how, (-2,), moved.shape[1:])


def _plan_of(
    operands: tuple[Format, Format],
    accumulator: FormatLike | None,
    product: str,
    order: str,
    *,
    has_products: bool,
    how: How,
) -> _Plan:
    words = cast("dict[str, Any]", how)
    check_keywords(words)
    if accumulator is None:
        if operands[0] != operands[1]:
            msg = f"factors of {operands[0]} and {operands[1]}: give accumulator="
            raise FormatError(msg)
        accumulator = operands[0]
    held = get_format(accumulator)
    out_format = words.get("out_format")
    result = held if out_format is None else get_format(out_format)
    refuse_integers(held)
    refuse_integers(result)
    if product not in ("rounded", "exact"):
        hint = nearest(str(product), ("rounded", "exact"))
        msg = f"product={product!r}: allowed are 'rounded' and 'exact'{hint}"
        raise OptionError(msg)
    rounding = words.get("rounding", "ties_to_even")
    if isinstance(as_rounding(rounding), Stochastic):
        rounded = has_products and product == "rounded"
        if order != "sequential" or rounded or result != held:
            msg = (
                "a stochastic accumulator draws one number a step: sequential order, exact"
                " products, and the result in its own format"
            )
            raise OptionError(msg)
    return _cached_plan(
        operands,
        held,
        result,
        rounding,
        words.get("overflow"),
        words.get("nan", "max"),
        words.get("context"),
        product == "rounded",
        order,
    )


@functools.lru_cache(maxsize=1024)
def _cached_plan(
    operands: tuple[Format, Format],
    held: Format,
    result: Format,
    rounding: RoundingLike,
    overflow: OverflowLike | None,
    nan: str,
    context: Context | None,
    rounds_products: bool,
    order: str,
) -> _Plan:
    kind, block = _parse_order(order)
    options = settle(operands, held, rounding, overflow, nan, context)
    if overflow is None and result.default_overflow is not held.default_overflow:
        msg = (
            f"{held} and {result} overflow differently"
            f" ({held.default_overflow.value}, {result.default_overflow.value}): give overflow="
        )
        raise OptionError(msg)
    try:
        core = _core.MatmulPlan(
            [native(one) for one in (*operands, held, result)],
            context=native_context(context or contexts.IEEE),
            how=options.how,
            table=options.table,
            order=kind,
            block=block,
            rounds_products=rounds_products,
        )
    except ValueError as error:
        msg = f"overflow={options.policy.value!r} cannot be honoured: {error}"
        raise OptionError(msg) from None
    return _Plan(core, operands, storage_dtype(result), options.random_bits)


def _parse_order(order: str) -> tuple[int, int]:
    found = re.fullmatch(r"(sequential|pairwise|fused|blocked:([1-9]\d*))", str(order))
    if found is None:
        hint = nearest(str(order), _ORDERS)
        msg = f"order={order!r}: allowed are sequential, pairwise, blocked:n, fused{hint}"
        raise OptionError(msg)
    return _ORDERS.index(found[1].split(":")[0]), int(found[2] or 1)


def _multiply(
    plan: _Plan,
    x: AnyArray,
    y: AnyArray,
    how: How,
    drop: tuple[int, ...],
    shape: tuple[int, ...] | None = None,
) -> Any:
    """Run a plan on stacks of matrices; `drop` are axes of length 1, `shape` one to give back."""
    (rows, inner), columns = x.shape[-2:], y.shape[-1]
    if y.shape[-2] != inner:
        msg = f"inner dimensions differ: {x.shape} and {y.shape}"
        raise DtypeError(msg)
    try:
        stack = np.broadcast_shapes(x.shape[:-2], y.shape[:-2])
    except ValueError:
        msg = f"stacks of shapes {x.shape[:-2]} and {y.shape[:-2]} do not broadcast"
        raise DtypeError(msg) from None
    shared = y.ndim == 2 or all(size == 1 for size in y.shape[:-2])
    x = np.ascontiguousarray(np.broadcast_to(x, (*stack, rows, inner)))
    right_stack = () if shared else stack
    y = np.ascontiguousarray(np.broadcast_to(y.reshape(y.shape[-2:]) if shared else y,
                                             (*right_stack, inner, columns)))  # fmt: skip
    full = (*stack, rows, columns)
    final = shape if shape is not None else np.squeeze(np.empty(full, np.bool_), drop).shape
    words = cast("dict[str, Any]", how)
    stream, offset, bits = draws(words, plan.random_bits, (*final, inner))
    out, flags = words.get("out"), words.get("flags")
    work = as_output(out, final, plan.dtype, x)
    if work is out and (np.may_share_memory(work, x) or np.may_share_memory(work, y)):
        work = np.empty(final, plan.dtype)
    counts = isinstance(flags, Flags)
    per_element = None if flags is None or counts else np.zeros(final, np.uint8)
    workers = words.get("workers")
    threads = as_workers(workers)
    sizes = (math.prod(stack), rows, inner, columns, math.prod(right_stack))
    found: Any = plan.core.run(
        x, y, work, sizes, stream, offset, bits, per_element, counts, threads
    )
    stray, raised, firsts = found
    if isinstance(flags, Flags):
        flags.accumulate(raised, firsts, work.size)
    elif flags is not None:
        as_output(flags, final, np.dtype(np.uint8), work)
        flags[...] = per_element
    if stray:
        msg = f"{stray} codes have bits outside {plan.operands[0]} or {plan.operands[1]}"
        raise CodeError(msg)
    if out is not None:
        if work is not out:
            out[...] = work
        return out
    return work[()]
