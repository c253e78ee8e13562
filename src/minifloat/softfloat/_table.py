"""The one table that every name of this package comes from."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from minifloat._operations import Op
from minifloat.softfloat import _arithmetic, _conversions, _helpers, _inspection
from minifloat.softfloat._layouts import LAYOUTS, Layout
from minifloat.softfloat._words import CONSTANTS, Relation

__all__ = ["ENTRIES", "Entry", "build"]

_CODES, _INT, _BOOL, _STATUS = "Codes", "int", "bool", "FloatStatus"
_S = ("status", _STATUS)
_A, _B, _C = ("a", _CODES), ("b", _CODES), ("c", _CODES)


@dataclass(frozen=True, slots=True)
class Entry:
    """One name.

    Parameters
    ----------
    name : str
    family : str
        What the name is called without its formats, for the documentation.
    parameters : tuple of (str, str)
        Names and types; empty for constants.
    returns : str
        The type.
    summary : str
        The first line of the docstring.
    make : callable
        Makes the function, or the constant.
    """

    name: str
    family: str
    parameters: tuple[tuple[str, str], ...]
    returns: str
    summary: str
    make: Callable[[], Any]

    @property
    def is_constant(self) -> bool:
        """Whether the name is that of a number."""
        return self.returns == "constant"


# name: operation, what it computes
_BINARY = {
    "add": (Op.ADD, "a + b, rounded once"),
    "sub": (Op.SUBTRACT, "a - b, rounded once"),
    "mul": (Op.MULTIPLY, "a * b, rounded once"),
    "div": (Op.DIVIDE, "a / b, rounded once"),
    "rem": (Op.REMAINDER, "a - n * b with n the integer nearest a / b, ties to even; exact"),
}
_UNARY = {
    "sqrt": (Op.SQUARE_ROOT, "The square root of a, rounded once"),
    "round_to_int": (Op.ROUND_TO_INTEGRAL, "a rounded to an integer of the same format"),
}
# name: by magnitude, what NaN does (0 wins, 1 loses to a number, 2 loses if quiet), how it is told
_EXTREMA = {
    "{}": (False, 0, "a NaN wins"),
    "{}num": (False, 2, "a quiet NaN loses to a number"),
    "{}nummag": (True, 2, "by magnitude first; a quiet NaN loses to a number"),
    "{}imum_number": (False, 1, "any NaN loses to a number"),
}
_RELATIONS = {
    "eq": ((Relation.EQUAL,), "a equals b"),
    "le": ((Relation.LESS, Relation.EQUAL), "a is less than or equal to b"),
    "lt": ((Relation.LESS,), "a is less than b"),
    "unordered": ((Relation.UNORDERED,), "a or b is NaN"),
}
_PREDICATES = {
    "is_any_nan": "a is NaN",
    "is_infinity": "a is infinite",
    "is_zero": "a is zero",
    "is_neg": "the sign bit is set",
    "is_normal": "a is normal",
    "is_denormal": "a is subnormal",
    "is_zero_or_denormal": "a is zero or subnormal",
    "is_zero_or_normal": "a is zero or normal",
}
_INTEGERS = tuple(f"{kind}{bits}" for kind in ("int", "uint") for bits in (8, 16, 32, 64))
_SATURATING = ("float8e4m3", "float8e5m2", "float4e2m1")


def _arithmetic_entries(one: Layout) -> Iterator[Entry]:
    p, make = one.prefix, functools.partial
    for name, (op, text) in _BINARY.items():
        build = make(_arithmetic.binary, one, op)
        yield Entry(f"{p}_{name}", name, (_A, _B, _S), _CODES, text, build)
    for name, (op, text) in _UNARY.items():
        yield Entry(f"{p}_{name}", name, (_A, _S), _CODES, text, make(_arithmetic.unary, one, op))
    flags = ("flags", _INT)
    text = "a * b + c, rounded once; flags are MuladdFlag's"
    build = make(_arithmetic.muladd, one)
    yield Entry(f"{p}_muladd", "muladd", (_A, _B, _C, flags, _S), _CODES, text, build)
    text = "(a * b + c) * 2**scale, rounded once; flags are MuladdFlag's"
    build = make(_arithmetic.muladd_scalbn, one)
    parameters = (_A, _B, _C, ("scale", _INT), flags, _S)
    yield Entry(f"{p}_muladd_scalbn", "muladd_scalbn", parameters, _CODES, text, build)
    text, build = "a * 2**n, rounded once", make(_arithmetic.scalbn, one)
    yield Entry(f"{p}_scalbn", "scalbn", (_A, ("n", "Integers"), _S), _CODES, text, build)
    for pattern, (magnitude, rule, nan) in _EXTREMA.items():
        for larger, side in ((False, "min"), (True, "max")):
            name = pattern.format(side)
            text = f"The {'larger' if larger else 'smaller'} of a and b; {nan}"
            build = make(_arithmetic.extremum, one, larger, magnitude, rule)
            yield Entry(f"{p}_{name}", name, (_A, _B, _S), _CODES, text, build)


def _order_entries(one: Layout) -> Iterator[Entry]:
    p, make = one.prefix, functools.partial
    for quiet, suffix, nan in ((False, "", "any NaN"), (True, "_quiet", "a signalling NaN")):
        text = f"-1, 0, 1, or 2 if unordered; {nan} is invalid"
        build: Callable[[], Any] = make(_inspection.compare, one, quiet)
        yield Entry(
            f"{p}_compare{suffix}", f"compare{suffix}", (_A, _B, _S), "Relation", text, build
        )
        for name, (holds, what) in _RELATIONS.items():
            text = f"Whether {what}; {nan} is invalid"
            build = make(_inspection.relation, one, quiet, *holds)
            yield Entry(f"{p}_{name}{suffix}", f"{name}{suffix}", (_A, _B, _S), _BOOL, text, build)
    for name, what in _PREDICATES.items():
        build = make(_inspection.predicate, one, name)
        yield Entry(f"{p}_{name}", name, (_A,), _BOOL, f"Whether {what}", build)
    for name, what in (("is_quiet_nan", "quiet"), ("is_signaling_nan", "signalling")):
        build = make(_inspection.status_predicate, one, name)
        yield Entry(f"{p}_{name}", name, (_A, _S), _BOOL, f"Whether a is a {what} NaN", build)


def _bit_entries(one: Layout) -> Iterator[Entry]:
    p, make = one.prefix, functools.partial
    build: Callable[[], Any] = make(_inspection.absolute, one)
    yield Entry(f"{p}_abs", "abs", (_A,), _CODES, "a with its sign bit cleared", build)
    build = make(_inspection.changed_sign, one)
    yield Entry(f"{p}_chs", "chs", (_A,), _CODES, "a with its sign bit flipped", build)
    build = make(_inspection.set_sign, one)
    text = "a with the sign bit given"
    yield Entry(f"{p}_set_sign", "set_sign", (_A, ("sign", _INT)), _CODES, text, build)
    text, build = "a, or a zero of its sign", make(_inspection.squash_input_denormal, one)
    name = "squash_input_denormal"
    yield Entry(f"{p}_{name}", name, (_A, _S), _CODES, text, build)
    text, build = "a, made quiet if it is a signalling NaN", make(_inspection.silence_nan, one)
    yield Entry(f"{p}_silence_nan", "silence_nan", (_A, _S), _CODES, text, build)
    if one.fmt.has_nan:
        text, build = "The default NaN", make(_inspection.default_nan, one)
        yield Entry(f"{p}_default_nan", "default_nan", (_S,), _INT, text, build)
    for name in (*_inspection.VALUES, *(["infinity"] if one.fmt.has_infinity else [])):
        build = make(_inspection.constant, one, name)
        yield Entry(f"{p}_{name}", name, (), "constant", f"The code of {name}", build)


def _integer_entries(one: Layout) -> Iterator[Entry]:
    p, make = one.prefix, functools.partial
    mode, scale = ("mode", _INT), ("scale", _INT)
    for integer in _INTEGERS:
        to, text = f"{p}_to_{integer}", f"a as {integer}"
        build = make(_conversions.to_integer, one, integer)
        yield Entry(to, f"to_{integer}", (_A, _S), "Integers", text, build)
        build = make(_conversions.to_integer_to_zero, one, integer)
        name = f"to_{integer}_round_to_zero"
        yield Entry(f"{p}_{name}", name, (_A, _S), "Integers", f"{text}, truncated", build)
        build = make(_conversions.to_integer_scalbn, one, integer)
        name, scaled = (
            f"to_{integer}_scalbn",
            f"a * 2**scale as {integer}, in a rounding mode given",
        )
        yield Entry(f"{p}_{name}", name, (_A, mode, scale, _S), "Integers", scaled, build)
        if integer.startswith("int"):
            build = make(_conversions.to_integer_modulo, one, integer)
            name, low = (
                f"to_{integer}_modulo",
                f"The low bits of a rounded to an integer, as {integer}",
            )
            yield Entry(f"{p}_{name}", name, (_A, mode, _S), "Integers", low, build)
        number = ("a", "Integers")
        build = make(_conversions.from_integer, one, integer)
        name, text = f"{integer}_to_{p}", f"{integer} a, rounded once"
        yield Entry(name, f"from_{integer}", (number, _S), _CODES, text, build)
        build = make(_conversions.from_integer_scalbn, one, integer)
        text = f"{integer} a * 2**scale, rounded once"
        parameters = (number, scale, _S)
        yield Entry(f"{name}_scalbn", f"from_{integer}_scalbn", parameters, _CODES, text, build)


def _conversion_entries(source: Layout) -> Iterator[Entry]:
    for target in LAYOUTS.values():
        if target is source:
            continue
        half = "float16" in (source.prefix, target.prefix)
        saturates = target.prefix in _SATURATING
        parameters = [_A]
        if half:
            parameters.append(("ieee", _BOOL))
        if saturates:
            parameters.append(("saturate", _BOOL))
        builders = {
            (False, False): _conversions.plain,
            (False, True): _conversions.narrowing,
            (True, False): _conversions.with_half,
            (True, True): _conversions.with_half_narrowing,
        }
        build = functools.partial(builders[half, saturates], source, target)
        name = f"{source.prefix}_to_{target.prefix}"
        text = f"a as {target.prefix}, rounded once"
        yield Entry(name, f"to_{target.prefix}", (*parameters, _S), _CODES, text, build)


def _helper_entries() -> Iterator[Entry]:
    for name, field, kind in _helpers.SETTERS:
        build: Callable[[], Any] = functools.partial(_helpers.setter, field)
        parameters = (("value", kind), _S)
        yield Entry(name, "status", parameters, "None", f"Set {field}", build)
    for name, field, kind in _helpers.GETTERS:
        build = functools.partial(_helpers.getter, field)
        yield Entry(name, "status", (_S,), kind, f"Return {field}", build)
    build = functools.partial(_helpers.raiser)
    parameters = (("flags", _INT), _S)
    yield Entry("float_raise", "status", parameters, "None", "Raise flags", build)
    for name, value in CONSTANTS.items():
        build = functools.partial(_constant_value, value)
        yield Entry(name, "status", (), "constant", f"{value!r}", build)


def _constant_value(value: int) -> int:
    return value


def _all_entries() -> Iterator[Entry]:
    for one in LAYOUTS.values():
        yield from _arithmetic_entries(one)
        yield from _order_entries(one)
        yield from _bit_entries(one)
        yield from _integer_entries(one)
        yield from _conversion_entries(one)
    yield from _helper_entries()


ENTRIES: dict[str, Entry] = {entry.name: entry for entry in _all_entries()}
"""Every name, in the order of the documentation."""


def build(name: str) -> Any:
    """Make the function or constant of a name.

    Parameters
    ----------
    name : str
        A key of `ENTRIES`.

    Returns
    -------
    callable or int
    """
    entry = ENTRIES[name]
    made = entry.make()
    if entry.is_constant:
        return made
    made.__name__ = made.__qualname__ = name
    made.__module__ = "minifloat.softfloat"
    made.__doc__ = _document(entry)
    made.__signature__ = inspect.Signature(
        [inspect.Parameter(p, inspect.Parameter.POSITIONAL_OR_KEYWORD) for p, _ in entry.parameters]
    )
    return made


_MEANINGS = {
    "a": "int or array_like of int, shapes that broadcast",
    "n": "int or array_like of int\n    Clamped to -65536 to 65536.",
    "scale": "int",
    "flags": "int",
    "mode": "int or RoundMode",
    "saturate": "bool\n    Whether what lies beyond the range, infinity too, becomes the largest.",
    "ieee": "bool\n    Whether float16 is IEEE's, else Arm's alternative (no infinity, no NaN).",
    "sign": "{0, 1}",
    "status": "FloatStatus\n    Says how, and receives the flags.",
    "value": "the field's type",
}


def _document(entry: Entry) -> str:
    lines = [f"{entry.summary}.", "", "Parameters", "----------"]
    for name, _ in entry.parameters:
        meaning = _MEANINGS.get(name, _MEANINGS["a"])
        lines.append(f"{name} : {meaning}")
    if entry.returns != "None":
        arrays = (
            "" if entry.returns == _INT or entry.family == "status" else ", or an array of them"
        )
        kind = "int" if entry.returns in (_CODES, "Integers") else entry.returns
        lines += ["", "Returns", "-------", f"{kind}{arrays}"]
    return "\n".join(lines) + "\n"
