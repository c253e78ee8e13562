"""Popfloat's vocabulary: its enumerations, and its tensor types as numpy dtypes."""

from __future__ import annotations

from enum import Enum
from typing import Any, TypeAlias, TypeVar

import numpy as np

from minifloat._errors import OptionError, nearest

__all__ = [
    "FLOAT",
    "HALF",
    "SHORT",
    "SIGNED_CHAR",
    "FormatType",
    "RoundType",
    "SRDensityType",
    "SpecType",
    "TypeLike",
    "as_member",
    "as_type",
    "type_of_spec",
]

HALF: np.dtype[Any] = np.dtype(np.float16)
FLOAT: np.dtype[Any] = np.dtype(np.float32)
SIGNED_CHAR: np.dtype[Any] = np.dtype(np.int8)
SHORT: np.dtype[Any] = np.dtype(np.int16)


class RoundType(Enum):
    """How a cast rounds."""

    INV = "INV"
    """No mode: what the options hold until one is chosen."""
    RZ = "RZ"
    """Towards zero."""
    RN = "RN"
    """To nearest, ties to even."""
    RA = "RA"
    """To nearest, ties away from zero."""
    RU = "RU"
    """Towards positive infinity."""
    RD = "RD"
    """Towards negative infinity."""
    SR = "SR"
    """Stochastic, with as many random bits as are discarded."""
    SX = "SX"
    """Stochastic, with a limited number of random bits or a noise density."""


class SRDensityType(Enum):
    """Density of the noise of `RoundType.SX`."""

    INVALID = "INVALID"
    """No density: plain stochastic rounding."""
    UNIFORM = "UNIFORM"
    NORMAL = "NORMAL"
    TRUNCATED_NORMAL = "TRUNCATED_NORMAL"
    BERNOULLI = "BERNOULLI"
    LOGISTIC = "LOGISTIC"
    TRUNCATED_LOGISTIC = "TRUNCATED_LOGISTIC"
    LAPLACE = "LAPLACE"
    TRUNCATED_LAPLACE = "TRUNCATED_LAPLACE"
    LOGIT_NORMAL = "LOGIT_NORMAL"
    TRUNCATED_LOGIT_NORMAL = "TRUNCATED_LOGIT_NORMAL"


class SpecType(Enum):
    """A requested type; AUTO leaves the choice to the format."""

    FP32 = "FP32"
    BF16 = "BF16"
    FP16 = "FP16"
    INT8 = "INT8"
    INT16 = "INT16"
    INT32 = "INT32"
    AUTO = "AUTO"


class FormatType(Enum):
    """How a Gfloat format is calculated and stored."""

    IEEE_FP16 = "IEEE_FP16"
    """Exactly IEEE half, rounded in modes that the hardware lacks."""
    QUANTISED_FP32 = "QUANTISED_FP32"
    """Values on the format's grid, stored as IEEE single."""
    QUANTISED_FP16 = "QUANTISED_FP16"
    """Values on the format's grid, stored as IEEE half."""
    MIN_NORM_ALIGN_GF8 = "MIN_NORM_ALIGN_GF8"
    """8 bits or fewer, fewer than 5 exponent bits."""
    ONE_FIVE_TWO_GF8 = "ONE_FIVE_TWO_GF8"
    """8 bits or fewer, 5 exponent bits, with infinities and NaN."""
    MAX_NORM_ALIGN_GF8 = "MAX_NORM_ALIGN_GF8"
    """8 bits or fewer, 5 exponent bits, without infinities and NaN."""
    BFLOAT16 = "BFLOAT16"
    """9 to 16 bits with 8 exponent bits."""
    NO_DENORM_GF16 = "NO_DENORM_GF16"
    """9 to 16 bits without denormals."""
    ENABLE_DENORM_GF16 = "ENABLE_DENORM_GF16"
    """9 to 16 bits with denormals; also 8 bits or fewer when calculated in single."""


TypeLike: TypeAlias = str | type | np.dtype[Any]

_TYPES: dict[str, np.dtype[Any]] = {
    "HALF": HALF,
    "FP16": HALF,
    "FLOAT": FLOAT,
    "FP32": FLOAT,
    "CHAR": SIGNED_CHAR,
    "SIGNED_CHAR": SIGNED_CHAR,
    "INT8": SIGNED_CHAR,
    "SHORT": SHORT,
    "INT16": SHORT,
}
_SPECS = {
    SpecType.FP32: FLOAT,
    SpecType.BF16: FLOAT,
    SpecType.FP16: HALF,
    SpecType.INT8: SIGNED_CHAR,
    SpecType.INT16: SHORT,
}
_Member = TypeVar("_Member", bound=Enum)


def as_member(kind: type[_Member], word: _Member | str) -> _Member:
    """Turn a name into a member of an enumeration.

    Parameters
    ----------
    kind : type of Enum
    word : Enum or str
        Case does not matter.

    Returns
    -------
    Enum

    Raises
    ------
    OptionError
        If the name is unknown.

    Examples
    --------
    >>> as_member(RoundType, "rz")
    <RoundType.RZ: 'RZ'>
    """
    if isinstance(word, kind):
        return word
    try:
        return kind[str(word).upper()]
    except KeyError:
        names = [member.name for member in kind]
        msg = (
            f"unknown {kind.__name__} {word!r}; allowed are {', '.join(names)}"
            f"{nearest(str(word).upper(), names)}"
        )
        raise OptionError(msg) from None


def as_type(word: TypeLike) -> np.dtype[Any]:
    """Turn a name or a dtype into one of the four tensor types.

    Parameters
    ----------
    word : str, type or numpy.dtype
        ``"HALF"``, ``"FLOAT"``, ``"SIGNED_CHAR"``, ``"SHORT"``, or the like of ``np.float16``.

    Returns
    -------
    numpy.dtype
        float16, float32, int8 or int16.

    Raises
    ------
    OptionError
        If it is none of them.

    Examples
    --------
    >>> as_type("HALF").name, as_type(np.int8).name
    ('float16', 'int8')
    """
    if isinstance(word, str) and word.upper() in _TYPES:
        return _TYPES[word.upper()]
    try:
        found = np.dtype(word)
    except TypeError:
        found = None
    if found in (HALF, FLOAT, SIGNED_CHAR, SHORT):
        return found
    msg = f"unknown type {word!r}; allowed are HALF, FLOAT, SIGNED_CHAR, SHORT{_near(word)}"
    raise OptionError(msg)


def type_of_spec(spec: SpecType | str, default: np.dtype[Any], what: str) -> np.dtype[Any]:
    """Return the type that a `SpecType` asks for.

    Parameters
    ----------
    spec : SpecType or str
    default : numpy.dtype
        For AUTO.
    what : str
        The option's name, for messages.

    Returns
    -------
    numpy.dtype

    Raises
    ------
    OptionError
        For INT32, which stores no Gfloat.
    """
    member = as_member(SpecType, spec)
    if member is SpecType.AUTO:
        return default
    if member not in _SPECS:
        msg = f"{what}={member.name}: no Gfloat format is stored so; allowed are AUTO, "
        raise OptionError(msg + ", ".join(found.name for found in _SPECS))
    return _SPECS[member]


def _near(word: TypeLike) -> str:
    return nearest(word.upper(), _TYPES) if isinstance(word, str) else ""
