"""Limits of a format in the manner of `numpy.finfo`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NoReturn

from minifloat._errors import FormatError
from minifloat._formats.floats import FloatFormat
from minifloat._formats.hifloat8 import HiFloat8Format
from minifloat._formats.lookup import FormatLike, get_format

__all__ = ["finfo"]


@dataclass(frozen=True, slots=True)
class FloatInfo:
    """Limits of a floating-point format; every number is an exact float64.

    The names are those of `numpy.finfo`: `bits`, `nexp` (exponent bits), `nmant` (trailing bits),
    `eps` (spacing above 1), `epsneg` (spacing below 1), `max`, `min`, `smallest_normal` (also
    `tiny`), `smallest_subnormal`, `maxexp`, `minexp`, `precision` (decimal digits), `resolution`.
    """

    dtype: str
    bits: int
    nexp: int
    nmant: int
    eps: float
    epsneg: float
    max: float
    min: float
    smallest_normal: float
    smallest_subnormal: float
    maxexp: int
    minexp: int
    precision: int
    resolution: float

    @property
    def tiny(self) -> float:
        """The smallest normal value."""
        return self.smallest_normal


def finfo(fmt: FormatLike) -> FloatInfo:
    """Return the limits of a floating-point format.

    Parameters
    ----------
    fmt : Format, str or dtype
        What `minifloat.get_format` takes.

    Returns
    -------
    FloatInfo

    Raises
    ------
    FormatError
        If the format is unknown or an integer format.

    Examples
    --------
    >>> info = finfo("e4m3fn")
    >>> info.max, info.eps, info.smallest_subnormal
    (448.0, 0.125, 0.001953125)
    """
    found = get_format(fmt)
    if isinstance(found, HiFloat8Format):
        nexp, nmant = 4, 3
    elif isinstance(found, FloatFormat):
        nexp, nmant = found.exponent_bits, found.trailing_bits
    else:
        _refuse(str(found))
    digits = int(nmant * 0.30103)
    return FloatInfo(
        dtype=str(found),
        bits=found.bits,
        nexp=nexp,
        nmant=nmant,
        eps=_spacing(found, above=True),
        epsneg=_spacing(found, above=False),
        max=float(found.max),
        min=float(found.min),
        smallest_normal=float(found.smallest_normal),
        smallest_subnormal=float(found.smallest),
        maxexp=_exponent(float(found.max)) + 1,
        minexp=_exponent(float(found.smallest_normal)),
        precision=digits,
        resolution=float(f"1e-{digits}"),
    )


def _spacing(fmt: FloatFormat | HiFloat8Format, *, above: bool) -> float:
    """Return the distance of 1 from the next value above or below it, in the binade there."""
    exponent = 0 if above else -1
    if isinstance(fmt, FloatFormat):
        exponent = max(exponent, fmt.emin)
    return 2.0 ** (exponent - (fmt.precision - 1))


def _exponent(value: float) -> int:
    text = value.hex()
    return int(text[text.index("p") + 1 :]) if value >= 2.0**-1022 else -1074


def _refuse(name: str) -> NoReturn:
    msg = f"finfo({name!r}): an integer format has no floating-point limits; see its .min and .max"
    raise FormatError(msg)
