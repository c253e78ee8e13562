"""Ascend C's ``Cast``, one element at a time, written from its rules alone.

Every source value, destination value and midpoint of the pairs is a whole number of units of
2**-150, half the smallest float32 subnormal; so exact arithmetic is arithmetic of Python integers.
Modes and types go by their Ascend C names. Nothing here is shared with the model under test.
"""

from __future__ import annotations

import functools
import math
import struct
from collections.abc import Collection
from dataclasses import dataclass

__all__ = ["Exact", "cast_code", "decode", "effective_saturation", "keeps_nan"]

_POINT = 150

# Exponent bits, trailing bits, bias, and which codes are no numbers.
_FLOATS = {
    "float": (8, 23, 127, "ieee"),
    "half": (5, 10, 15, "ieee"),
    "bfloat16_t": (8, 7, 127, "ieee"),
    "fp8_e5m2_t": (5, 2, 15, "ieee"),
    "fp8_e4m3fn_t": (4, 3, 7, "all ones"),
    "fp4x2_e2m1_t": (2, 1, 1, "none"),
    "fp4x2_e1m2_t": (1, 2, 1, "none"),
}
_WIDTH = {name: 1 + exponent + trailing for name, (exponent, trailing, *_) in _FLOATS.items()}
_WIDTH |= {"hifloat8_t": 8, "fp8_e8m0_t": 8, "int4x2_t": 4}
_WIDTH |= {f"{sign}int{bits}_t": bits for sign in ("", "u") for bits in (8, 16, 32, 64)}

_NAN = {
    "float": 0x7FC00000,
    "half": 0x7E00,
    "bfloat16_t": 0x7FC0,
    "fp8_e5m2_t": 0x7F,
    "fp8_e4m3fn_t": 0x7F,
    "hifloat8_t": 0x80,
}
_INFINITY = {
    "float": 0x7F800000,
    "half": 0x7C00,
    "bfloat16_t": 0x7F80,
    "fp8_e5m2_t": 0x7C,
    "hifloat8_t": 0x6F,
}
_MAX = {
    "half": 0x7BFF,
    "bfloat16_t": 0x7F7F,
    "float": 0x7F7FFFFF,
    "fp8_e5m2_t": 0x7B,
    "fp8_e4m3fn_t": 0x7E,
    "hifloat8_t": 0x6E,
    "fp4x2_e2m1_t": 0x7,
    "fp4x2_e1m2_t": 0x7,
}


@dataclass(frozen=True, slots=True)
class Exact:
    """An element's exact value.

    Parameters
    ----------
    kind : {"number", "infinity", "nan"}
    negative : bool
    units : int
        The magnitude of a number in units of 2**-150.
    """

    kind: str
    negative: bool
    units: int = 0


@functools.lru_cache(maxsize=1 << 19)
def decode(code: int, dtype: str) -> Exact:
    """Return the exact value of an element.

    Parameters
    ----------
    code : int
        Its bits.
    dtype : str

    Returns
    -------
    Exact

    Examples
    --------
    >>> decode(0x6E, "hifloat8_t").units == 2 ** (150 + 15)
    True
    """
    if dtype == "hifloat8_t":
        return _decode_hifloat8(code)
    if dtype == "fp8_e8m0_t":
        # The exponent alone, bias 127; all ones is NaN.
        if code == 0xFF:
            return Exact("nan", negative=False)
        return Exact("number", negative=False, units=1 << (code - 127 + _POINT))
    if dtype not in _FLOATS:
        width = _WIDTH[dtype]
        signed = not dtype.startswith("u")
        number = code - (1 << width) if signed and code >> (width - 1) else code
        return Exact("number", number < 0, abs(number) << _POINT)
    exponent_bits, trailing_bits, bias, specials = _FLOATS[dtype]
    negative = bool(code >> (exponent_bits + trailing_bits))
    exponent = code >> trailing_bits & ((1 << exponent_bits) - 1)
    trailing = code & ((1 << trailing_bits) - 1)
    top = exponent == (1 << exponent_bits) - 1
    if specials == "ieee" and top:
        return Exact("nan" if trailing else "infinity", negative)
    if specials == "all ones" and top and trailing == (1 << trailing_bits) - 1:
        return Exact("nan", negative)
    significand = trailing if exponent == 0 else trailing + (1 << trailing_bits)
    power = max(exponent, 1) - bias - trailing_bits
    return Exact("number", negative, significand << (power + _POINT))


# The prefix of the low seven bits, and the width of the exponent field that it announces.
_HIFLOAT8_DOTS = {"11": 4, "10": 3, "01": 2, "001": 1, "0001": 0}


def _decode_hifloat8(code: int) -> Exact:
    negative, low = bool(code & 0x80), code & 0x7F
    if low == 0:
        return Exact("nan" if negative else "number", negative=False)
    if low == 0x6F:
        return Exact("infinity", negative)
    bits = f"{low:07b}"
    dot = next((dot for dot in _HIFLOAT8_DOTS if bits.startswith(dot)), None)
    if dot is None:
        return Exact("number", negative, 1 << (low - 23 + _POINT))
    exponent_width = _HIFLOAT8_DOTS[dot]
    field = bits[len(dot) :][:exponent_width]
    tail = bits[len(dot) + exponent_width :]
    exponent = 0
    if field:
        # The first bit is the sign; the magnitude has a leading 1 that is not stored.
        exponent = int("1" + field[1:], 2) * (-1 if field[0] == "1" else 1)
    significand = (1 << len(tail)) + int(tail, 2)
    return Exact("number", negative, significand << (exponent - len(tail) + _POINT))


def effective_saturation(
    src: str, dst: str, sat: str, ctrl: Collection[int], other: Collection[str] = ()
) -> bool:
    """Tell whether a cast saturates.

    Parameters
    ----------
    src, dst : str
    sat : {"SAT", "NO_SAT", "UNKNOWN"}
        The instruction's mode.
    ctrl : collection of int
        The bits of CTRL that are set; {60} after a reset.
    other : collection of str
        The open points that are not read in the default way.

    Returns
    -------
    bool

    Examples
    --------
    >>> effective_saturation("float", "half", "NO_SAT", {60})
    True
    """
    integer = "int" in dst
    if (src, dst) == ("half", "bfloat16_t"):
        return "C1" not in other and 48 not in ctrl
    if (src, dst) in (("half", "int32_t"), ("int16_t", "uint32_t")) or "fp4" in dst:
        return True
    if sat == "UNKNOWN":
        return False
    if 60 in ctrl:
        return (59 if integer else 48) not in ctrl
    return sat == "SAT"


def keeps_nan(
    dst: str, saturating: bool, ctrl: Collection[int], other: Collection[str] = ()
) -> bool:
    """Tell whether NaN stays NaN in a floating-point destination.

    Parameters
    ----------
    dst : str
    saturating : bool
        The effective mode.
    ctrl : collection of int
    other : collection of str

    Returns
    -------
    bool
    """
    if not saturating:
        return True
    by_ctrl = 50 in ctrl and (60 in ctrl or "C2" not in other)
    return by_ctrl and dst in ("fp8_e5m2_t", "fp8_e4m3fn_t")


def cast_code(
    code: int,
    src: str,
    dst: str,
    round_mode: str,
    *,
    saturating: bool,
    keep_nan: bool,
    other: Collection[str] = (),
) -> int:
    """Cast the bits of one element.

    Parameters
    ----------
    code : int
    src, dst : str
    round_mode : str
        ``"CAST_RINT"`` and so on; ``"UNKNOWN"`` where nothing is rounded.
    saturating, keep_nan : bool
        See `effective_saturation` and `keeps_nan`.
    other : collection of str
        The open points that are not read in the default way.

    Returns
    -------
    int

    Examples
    --------
    >>> how = {"saturating": False, "keep_nan": True}
    >>> hex(cast_code(0x5C04, "half", "uint8_t", "CAST_RINT", **how))  # 257
    '0x1'
    """
    if dst == "fp8_e8m0_t":
        return _exponent_of_bfloat16(code, other)
    value = decode(code, src)
    if "S5" in other and _is_subnormal(value, src):
        value = Exact("number", value.negative)
    if "int" in dst:
        return _into_integer(value, src, dst, round_mode, saturating, other)
    return _into_float(value, code, src, dst, round_mode, saturating, keep_nan, other)


def _exponent_of_bfloat16(code: int, other: Collection[str]) -> int:
    value = decode(code, "bfloat16_t")
    if value.kind == "infinity":
        return 0xFF if "E1" in other else 0xFE
    return (code & 0x7FFF) >> 7


def _is_subnormal(value: Exact, src: str) -> bool:
    if src not in ("float", "half", "bfloat16_t") or value.kind != "number":
        return False
    return value.units < 1 << (1 - _FLOATS[src][2] + _POINT)


def _into_integer(
    value: Exact, src: str, dst: str, mode: str, saturating: bool, other: Collection[str]
) -> int:
    if value.kind == "nan":
        return 0
    width = _WIDTH[dst]
    signed = not dst.startswith("u")
    high = (1 << (width - signed)) - 1
    low = -high - 1 if signed else 0
    extreme = low if value.negative else high
    if value.kind == "infinity":
        return extreme % (1 << width)
    quantum = 1 << _POINT
    whole, rest = divmod(value.units, quantum)
    whole += _goes_up(mode, value.negative, whole, rest, quantum)
    number = -whole if value.negative else whole
    if not low <= number <= high:
        far = dst == "int64_t" and src == "float" and "S4" in other and whole >= 1 << 64
        if saturating or far:
            number = extreme
    return number % (1 << width)


def _into_float(
    value: Exact,
    code: int,
    src: str,
    dst: str,
    mode: str,
    saturating: bool,
    keep_nan: bool,
    other: Collection[str],
) -> int:
    sign = 1 << (_WIDTH[dst] - 1)
    if value.kind == "nan":
        if dst not in _NAN or not keep_nan:
            return 0
        keeps_sign = value.negative and "S2" in other and dst != "hifloat8_t"
        return _NAN[dst] | (sign if keeps_sign else 0)
    signed = sign if value.negative else 0
    if value.kind == "infinity":
        return _beyond(dst, saturating, signed, other)
    quantum = _quantum(value.units, dst)
    below, rest = divmod(value.units, quantum)
    if mode == "CAST_HYBRID":
        up = _hybrid_goes_up(code, src, value.units, below, rest, quantum, other)
    else:
        up = _goes_up(mode, value.negative, below, rest, quantum)
    if mode == "CAST_HYBRID" and "H2" in other and value.units >= 40960 << _POINT:
        return _beyond(dst, saturating, signed, other)
    rounded = (below + up) * quantum
    if rounded > decode(_MAX[dst], dst).units:
        late = mode == "CAST_HYBRID" and "H3" in other and value.units < 40960 << _POINT
        if "S1" in other and not saturating and _ieee_keeps_finite(mode, value.negative):
            return _MAX[dst] | signed
        return _beyond(dst, saturating and not late, signed, other)
    if rounded == 0:
        drops = dst == "hifloat8_t" or ("S3" in other and _WIDTH[dst] <= _WIDTH[src])
        return 0 if drops else signed
    if src == "fp8_e8m0_t" and "E2" in other and code == 0:
        return 0
    return _encode(rounded, dst) | signed


def _beyond(dst: str, saturating: bool, sign: int, other: Collection[str]) -> int:
    """Deliver overflow or an infinity."""
    if saturating:
        return _MAX[dst] | sign
    if dst in _INFINITY:
        return _INFINITY[dst] | sign
    return _NAN[dst] | (sign if "S2" in other else 0)


def _ieee_keeps_finite(mode: str, negative: bool) -> bool:
    if mode in ("CAST_TRUNC", "CAST_ODD"):
        return True
    return mode == ("CAST_CEIL" if negative else "CAST_FLOOR")


def _goes_up(mode: str, negative: bool, below: int, rest: int, quantum: int) -> bool:
    """Whether the magnitude moves up from ``below * quantum``, ``rest`` being left."""
    match mode:
        case "CAST_RINT":
            return 2 * rest > quantum or (2 * rest == quantum and below % 2 == 1)
        case "CAST_ROUND":
            return 2 * rest >= quantum
        case "CAST_FLOOR":
            return negative and rest != 0
        case "CAST_CEIL":
            return not negative and rest != 0
        case "CAST_TRUNC":
            return False
        case "CAST_ODD":
            return rest != 0 and below % 2 == 0
    if rest:
        msg = f"{mode} rounds nothing, and there is something to round"
        raise ValueError(msg)
    return False


def _exponent(units: int) -> int:
    return units.bit_length() - 1 - _POINT


def _quantum(units: int, dst: str) -> int:
    exponent = _exponent(units) if units else -_POINT
    if dst != "hifloat8_t":
        _, trailing_bits, bias, _ = _FLOATS[dst]
        return 1 << (max(exponent, 1 - bias) - trailing_bits + _POINT)
    size = abs(exponent)
    if exponent <= -16:
        return 1 << (max(exponent, -22) + _POINT)
    trailing_bits = 3 if size <= 3 else 2 if size <= 7 else 1
    return 1 << (exponent - trailing_bits + _POINT)


def _hybrid_goes_up(
    code: int, src: str, units: int, below: int, rest: int, quantum: int, other: Collection[str]
) -> bool:
    """Tables 9 and 10 of the page: the source's low bits are the threshold."""
    if units == 0:
        return False
    exponent = _exponent(units)
    size = abs(exponent)
    if size <= 3 or exponent > 15:
        return _goes_up("CAST_ROUND", False, below, rest, quantum)
    if exponent < -23 or ("H1" in other and rest == 0):
        return False
    trailing_bits, width = (23, 14) if src == "float" else (10, 2)
    # The normalised fraction: a half subnormal has its leading 1 taken off first.
    fraction = ((units << trailing_bits) >> (exponent + _POINT)) - (1 << trailing_bits)
    threshold = code & 0x3FFF if src == "float" else (code & 1) << 1 | 1
    if exponent == -23:
        compared = 1 << (width - 1) | fraction >> (trailing_bits - width + 1)
    else:
        kept = 2 if 4 <= size <= 7 else 1 if 8 <= size <= 15 else 0
        compared = fraction >> (trailing_bits - kept - width) & ((1 << width) - 1)
    return compared >= threshold


def _encode(units: int, dst: str) -> int:
    if dst == "float":
        packed = struct.pack("<f", math.ldexp(units, -_POINT))
        return int.from_bytes(packed, "little")
    return _codes(dst)[units]


@functools.cache
def _codes(dst: str) -> dict[int, int]:
    """Map every positive number of a type to its code, by looking at all codes."""
    found = {}
    for code in range(1 << (_WIDTH[dst] - 1)):
        value = decode(code, dst)
        if value.kind == "number":
            found[value.units] = code
    return found
