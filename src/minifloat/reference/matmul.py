"""Matrix products with an accumulator that rounds, step by step as stated."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from minifloat._errors import OptionError
from minifloat._flags import Flag
from minifloat._formats import Format
from minifloat._rounding import Rounding, Stochastic
from minifloat.reference import operations
from minifloat.reference.arithmetic import (
    ARITHMETIC,
    Formats,
    decode_operands,
    result_format,
)
from minifloat.reference.how import How
from minifloat.reference.nans import choose_nan, default_nan, deliver
from minifloat.reference.values import Value, decode

__all__ = ["SEQUENTIAL", "Accumulation", "dot", "matmul", "total"]

Product: TypeAlias = Literal["rounded", "exact"]


@dataclasses.dataclass(frozen=True)
class Accumulation:
    """How the terms of a sum are added up.

    Parameters
    ----------
    accumulator : Format, optional
        The format of every partial sum; that of the operands when omitted.
    product : {"rounded", "exact"}
        Whether products are rounded to the accumulator's format before they are added.
    order : str
        ``"sequential"``; ``"pairwise"``: split at the largest power of two below the length;
        ``"blocked:n"``: blocks of n sequentially, then the block sums in order; ``"fused"``: one
        rounding of the exact sum.
    out : Format, optional
        The format of the result, the accumulator's when omitted.
    random_bits : sequence of int, optional
        For stochastic modes: the random number of step k, k < K.
    """

    accumulator: Format | None = None
    product: Product = "rounded"
    order: str = "sequential"
    out: Format | None = None
    random_bits: Sequence[int] | None = None

    def step_random(self, step: int) -> int:
        """Return the random number of a step, 0 for deterministic modes.

        Parameters
        ----------
        step : int

        Returns
        -------
        int
        """
        return 0 if self.random_bits is None else self.random_bits[step]


SEQUENTIAL = Accumulation()
"""Rounded products, added one by one in the operands' own format."""


class _Register:
    """An accumulator register: every sum that enters it is rounded to its format."""

    def __init__(self, fmt: Format, how: How, plan: Accumulation) -> None:
        self.fmt = fmt
        self.how = how
        self.plan = plan
        self.flags = Flag(0)

    def hold(self, value: Value, step: int) -> Value:
        """Round a value to the register's format."""
        how = dataclasses.replace(self.how, random_bits=self.plan.step_random(step))
        code, flags = deliver(value, self.fmt, how)
        self.flags |= flags
        return decode(code, self.fmt, self.how.context)

    def exact_sum(self, x: Value, y: Value) -> Value:
        """Add without rounding."""
        if x.is_nan or y.is_nan:
            if x.signaling or y.signaling:
                self.flags |= Flag.INVALID
            return choose_nan((x, y), self.how.context)
        toward_negative = self.how.mode is Rounding.TOWARD_NEGATIVE
        return self._made(operations.add(x, y, toward_negative=toward_negative))

    def exact_product(self, x: Value, y: Value) -> Value:
        """Multiply without rounding."""
        if x.is_nan or y.is_nan:
            if x.signaling or y.signaling:
                self.flags |= Flag.INVALID
            return choose_nan((x, y), self.how.context)
        return self._made(operations.multiply(x, y))

    def _made(self, exact: operations.Exact) -> Value:
        value, flags = exact
        self.flags |= flags
        return default_nan(self.how.context) if value.is_nan else value

    def sequential(self, terms: Sequence[Value], start: int = 0) -> Value:
        """Add terms one by one, from +0."""
        held = Value()
        for step, term in enumerate(terms, start):
            held = self.hold(self.exact_sum(held, term), step)
        return held

    def pairwise(self, terms: Sequence[Value]) -> Value:
        """Add the sums of a part of 2**k terms, the largest below the length, and of the rest."""
        if len(terms) <= 1:
            return self.sequential(terms)
        half = 1 << ((len(terms) - 1).bit_length() - 1)
        left, right = self.pairwise(terms[:half]), self.pairwise(terms[half:])
        return self.hold(self.exact_sum(left, right), 0)

    def blocked(self, terms: Sequence[Value], size: int) -> Value:
        """Add blocks one by one, then their sums."""
        starts = range(0, len(terms), size)
        return self.sequential([self.sequential(terms[k : k + size]) for k in starts])

    def fused(self, terms: Sequence[Value]) -> Value:
        """Round the exact sum once."""
        held = Value()
        for term in terms:
            held = self.exact_sum(held, term)
        return self.hold(held, 0)

    def accumulate(self, terms: Sequence[Value]) -> Value:
        """Add terms in the plan's order."""
        match self.plan.order.split(":"):
            case ["sequential"]:
                return self.sequential(terms)
            case ["pairwise"]:
                return self.pairwise(terms)
            case ["fused"]:
                return self.fused(terms)
            case ["blocked", size] if size.isdecimal() and int(size) > 0:
                return self.blocked(terms, int(size))
        allowed = "sequential, pairwise, blocked:n, fused"
        msg = f"unknown order {self.plan.order!r}; allowed are {allowed}"
        raise OptionError(msg)


def _check(plan: Accumulation, how: How, *, has_products: bool) -> None:
    if plan.product not in ("rounded", "exact"):
        msg = f"product={plan.product!r}; allowed are 'rounded' and 'exact'"
        raise OptionError(msg)
    if not isinstance(how.mode, Stochastic):
        return
    if plan.order != "sequential" or (has_products and plan.product == "rounded"):
        msg = "a stochastic accumulator has one number a step: sequential order, exact products"
        raise OptionError(msg)
    if plan.random_bits is None:
        msg = "a stochastic accumulator needs random_bits="
        raise OptionError(msg)


def _register(fmt: Formats, how: How, plan: Accumulation) -> _Register:
    return _Register(result_format(fmt, plan.accumulator), how, plan)


def _deliver(register: _Register, held: Value) -> tuple[int, Flag]:
    out = register.plan.out or register.fmt
    how = register.how
    if isinstance(how.mode, Stochastic) and out != register.fmt:
        msg = "a stochastic accumulator delivers its own format"
        raise OptionError(msg)
    code, flags = deliver(held, out, how)
    return code, register.flags | flags


def total(
    codes: Sequence[int], fmt: Format, how: How = ARITHMETIC, plan: Accumulation = SEQUENTIAL
) -> tuple[int, Flag]:
    """Add codes up.

    Parameters
    ----------
    codes : sequence of int, length K
    fmt : Format
    how : How
    plan : Accumulation

    Returns
    -------
    code : int
        In the plan's output format; +0 for no codes.
    flags : Flag
        All flags that any step raised.

    Examples
    --------
    >>> from minifloat._formats import get_format
    >>> total([0x48] * 40, get_format("e4m3fn"))[0] == total([0x48] * 20, get_format("e4m3fn"))[0]
    True
    """
    _check(plan, how, has_products=False)
    register = _register(fmt, how, plan)
    terms = decode_operands(codes, fmt, how)
    return _deliver(register, register.accumulate(terms))


def dot(
    a: Sequence[int],
    b: Sequence[int],
    fmt: Formats,
    how: How = ARITHMETIC,
    plan: Accumulation = SEQUENTIAL,
) -> tuple[int, Flag]:
    """Return the sum of products of codes.

    Parameters
    ----------
    a, b : sequence of int, length K
    fmt : Format or pair of Format
        Of a and b; a pair needs the plan's `accumulator`.
    how : How
        For every rounding.
    plan : Accumulation

    Returns
    -------
    code : int
    flags : Flag
        All flags that any step raised.

    Raises
    ------
    FormatError, OptionError
        For what is not defined.
    """
    _check(plan, how, has_products=True)
    register = _register(fmt, how, plan)
    terms = []
    for step, pair in enumerate(zip(a, b, strict=True)):
        term = register.exact_product(*decode_operands(pair, fmt, how))
        terms.append(register.hold(term, step) if plan.product == "rounded" else term)
    return _deliver(register, register.accumulate(terms))


def matmul(
    a: npt.ArrayLike,
    b: npt.ArrayLike,
    fmt: Formats,
    how: How = ARITHMETIC,
    plan: Accumulation = SEQUENTIAL,
) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint8]]:
    """Multiply two matrices of codes; every element is a `dot`.

    Parameters
    ----------
    a : array_like of int, shape (M, K)
    b : array_like of int, shape (K, N)
    fmt : Format or pair of Format
    how : How
    plan : Accumulation
        Its `random_bits`, if any, are those of element ``(i * N + j) * K + k`` of the product.

    Returns
    -------
    codes : ndarray of uint64, shape (M, N)
    flags : ndarray of uint8, shape (M, N)
    """
    a, b = np.asarray(a), np.asarray(b)
    (rows, depth), columns = a.shape, b.shape[1]
    codes, flags = np.zeros((rows, columns), np.uint64), np.zeros((rows, columns), np.uint8)
    for i, j in np.ndindex(rows, columns):
        chosen = plan
        if plan.random_bits is not None:
            first = (i * columns + j) * depth
            chosen = dataclasses.replace(plan, random_bits=plan.random_bits[first : first + depth])
        codes[i, j], flags[i, j] = dot(a[i].tolist(), b[:, j].tolist(), fmt, how, chosen)
    return codes, flags
