"""Functions by name, as TestFloat spells them, for any format: ``f16_mulAdd``, ``hifloat8_add``."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from minifloat import _arithmetic, _comparison, _extrema
from minifloat._arrays import AnyArray
from minifloat._context import Context, Tininess, contexts
from minifloat._errors import FormatError, OptionError, nearest
from minifloat._formats import Format, IntFormat, get_format
from minifloat._inspection import is_nan
from minifloat._integers import from_int, to_int
from minifloat._operations import How, Quiet
from minifloat._plans import holds, storage_dtype
from minifloat._rounding import Overflow, Rounding

__all__ = ["OPERATIONS", "Function", "Settings", "get_function"]

_TYPES = {"i": "int", "ui": "uint", "f": "float", "bf": "bfloat"}
_RELATIONS = {
    "eq": ("equal", False),
    "eq_signaling": ("equal", True),
    "le": ("less_equal", True),
    "le_quiet": ("less_equal", False),
    "lt": ("less", True),
    "lt_quiet": ("less", False),
}
_EXTREMA = (
    "minimum",
    "maximum",
    "minimum_number",
    "maximum_number",
    "minimum_magnitude",
    "maximum_magnitude",
    "minimum_magnitude_number",
    "maximum_magnitude_number",
    "min_num",
    "max_num",
    "min_num_magnitude",
    "max_num_magnitude",
)
# name: verb, operands, which of the settings matter
_ROUNDED: dict[str, tuple[Callable[..., Any], int, str]] = {
    "add": (_arithmetic.add, 2, "rounding tininess"),
    "sub": (_arithmetic.sub, 2, "rounding tininess"),
    "mul": (_arithmetic.mul, 2, "rounding tininess"),
    "div": (_arithmetic.div, 2, "rounding tininess"),
    "rem": (_arithmetic.rem, 2, ""),
    "sqrt": (_arithmetic.sqrt, 1, "rounding"),
    "mulAdd": (_arithmetic.fma, 3, "rounding tininess"),
    "roundToInt": (_arithmetic.round_to_integral, 1, "rounding exact"),
    **{name: (getattr(_extrema, name), 2, "") for name in _EXTREMA},
}
_ALIASES = {"fma": "mulAdd", "round_to_integral": "roundToInt"}
OPERATIONS: tuple[str, ...] = (*_ROUNDED, *_RELATIONS)
"""The operations of one format; besides there are the conversions ``X_to_Y``."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How a function is to behave.

    Parameters
    ----------
    rounding : Rounding
    tininess : {"after", "before"}
    exact : bool
        Whether roundings to integers raise INEXACT.
    overflow : Overflow, optional
        The result format's default when omitted.
    context : Context
        NaN rules and what invalid conversions to integers give; its tininess is not used.
    default_nan_on_overflow : bool
        In formats with NaN but without infinity, a NaN that overflow or an infinity gives is the
        context's default one, as machines have it; otherwise it has the sign of the result.
    """

    rounding: Rounding = Rounding.TIES_TO_EVEN
    tininess: Tininess = "after"
    exact: bool = True
    overflow: Overflow | None = None
    context: Context = contexts.IEEE
    default_nan_on_overflow: bool = False

    @property
    def machine(self) -> Context:
        """The context with this tininess."""
        return replace(self.context, tininess=self.tininess)


@dataclass(frozen=True, slots=True)
class Function:
    """A function that vectors are made for.

    Parameters
    ----------
    name : str
        As it was asked for.
    operation : str
        One of `OPERATIONS`, or ``"to"``.
    operands : tuple of Format
    result : Format or None
        None for predicates.
    uses : frozenset of str
        Which of rounding, tininess and exact matter.
    """

    name: str
    operation: str
    operands: tuple[Format, ...]
    result: Format | None
    uses: frozenset[str]

    def compute(self, codes: Sequence[AnyArray], settings: Settings) -> tuple[AnyArray, AnyArray]:
        """Evaluate.

        Parameters
        ----------
        codes : sequence of ndarray, all of one shape
            The operands' codes, each of its format's storage dtype.
        settings : Settings

        Returns
        -------
        tuple of ndarray and ndarray of uint8
            Codes of the result (0 or 1 of predicates), and the flags.
        """
        found, flags = self._compute(codes, settings)
        fmt = self.result
        if settings.default_nan_on_overflow and fmt is not None and not fmt.has_infinity:
            found = self._with_default_nan(np.asarray(found), codes, settings)
        return found, flags

    def _compute(self, codes: Sequence[AnyArray], settings: Settings) -> tuple[AnyArray, AnyArray]:
        flags = np.empty(codes[0].shape, np.uint8)
        quiet: Quiet = {"context": settings.machine, "flags": flags}
        fmt, first = self.operands[0], codes[0]
        if self.operation in _RELATIONS:
            verb, signaling = _RELATIONS[self.operation]
            found = getattr(_comparison, verb)(*codes, fmt, signaling=signaling, **quiet)
            return found.view(np.uint8), flags
        how: How = {
            "context": settings.machine,
            "flags": flags,
            "rounding": settings.rounding,
            "overflow": settings.overflow,
        }
        if self.operation == "to":
            return self._convert(first, settings, how), flags
        if self.operation == "roundToInt":
            return _arithmetic.round_to_integral(first, fmt, exact=settings.exact, **how), flags
        return _ROUNDED[self.operation][0](*codes, fmt, **how), flags

    def _with_default_nan(
        self, found: AnyArray, codes: Sequence[AnyArray], settings: Settings
    ) -> AnyArray:
        """Replace NaN that comes from no operand."""
        fmt = self.result
        if fmt is None or isinstance(fmt, IntFormat) or not fmt.has_nan:
            return found
        fresh = is_nan(found, fmt)
        for column, source in zip(codes, self.operands, strict=True):
            if not isinstance(source, IntFormat):
                fresh = fresh & ~is_nan(column, source)
        how: How = {"out_format": fmt, "context": settings.context}
        default = _arithmetic.div(0, 0, "float32", **how)
        return np.where(fresh, found.dtype.type(default), found)

    def _convert(self, codes: AnyArray, settings: Settings, how: How) -> Any:
        source, target = self.operands[0], self.result
        assert target is not None
        if isinstance(target, IntFormat):
            how["overflow"] = None
            numbers = to_int(codes, source, target, exact=settings.exact, **how)
            words = numbers.view(storage_dtype(target))
            return words & words.dtype.type(2**target.bits - 1)
        if isinstance(source, IntFormat):
            return from_int(_numbers(codes, source), target, source, **how)
        return _arithmetic.convert(codes, source, target, **how)


@functools.lru_cache(maxsize=256)
def get_function(name: str) -> Function:
    """Find a function by name.

    Parameters
    ----------
    name : str
        A format and an operation, or two formats around ``_to_``. Formats are named as TestFloat
        does (``f16``, ``bf16``, ``ui32``) or as `get_format` does.

    Returns
    -------
    Function

    Raises
    ------
    OptionError
        If the name is none.
    FormatError
        For arithmetic on integers, and conversions between them.

    Examples
    --------
    >>> get_function("float8_e4m3fn_to_i32").result.name
    'int32'
    """
    for operation in sorted((*OPERATIONS, *_ALIASES), key=len, reverse=True):
        prefix = name.removesuffix(f"_{operation}")
        fmt = _format(prefix) if prefix != name else None
        if fmt is not None:
            return _of_one_format(name, _ALIASES.get(operation, operation), fmt)
    start = name.find("_to_")
    while start >= 0:
        source, target = _format(name[:start]), _format(name[start + 4 :])
        if source is not None and target is not None:
            return _conversion(name, source, target)
        start = name.find("_to_", start + 1)
    operation = name.rpartition("_")[2]
    hint = nearest(operation, OPERATIONS)
    msg = (
        f"function {name!r}: a format and one of {', '.join(OPERATIONS)}, such as f16_mulAdd, or"
        f" two formats such as f32_to_e4m3fn{hint}"
    )
    raise OptionError(msg)


def _of_one_format(name: str, operation: str, fmt: Format) -> Function:
    if isinstance(fmt, IntFormat):
        msg = f"function {name!r}: {fmt} is an integer format; there is no arithmetic on it"
        raise FormatError(msg)
    if operation in _RELATIONS:
        return Function(name, operation, (fmt, fmt), None, frozenset())
    _, count, uses = _ROUNDED[operation]
    return Function(name, operation, (fmt,) * count, fmt, frozenset(uses.split()))


def _conversion(name: str, source: Format, target: Format) -> Function:
    if isinstance(source, IntFormat) and isinstance(target, IntFormat):
        msg = f"function {name!r}: integers on both sides"
        raise FormatError(msg)
    uses = "rounding tininess"
    if isinstance(target, IntFormat):
        uses = "rounding exact"
    elif isinstance(source, IntFormat):
        uses = "rounding"
    elif holds(target, source):
        uses = ""
    return Function(name, "to", (source,), target, frozenset(uses.split()))


def _format(name: str) -> Format | None:
    letters = name.rstrip("0123456789")
    if letters in _TYPES and letters != name:
        name = _TYPES[letters] + name[len(letters) :]
    try:
        return get_format(name)
    except FormatError:
        return None


def _numbers(codes: AnyArray, fmt: IntFormat) -> AnyArray:
    """Codes of an integer format as numbers."""
    if not fmt.signed:
        return codes
    spare = 8 * codes.itemsize - fmt.bits
    signed = codes.view(f"i{codes.itemsize}")
    return (signed << spare) >> spare if spare else signed
