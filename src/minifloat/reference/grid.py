"""A narrow format's whole grid as sorted float64 arrays, derived once with exact arithmetic."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from minifloat._errors import FormatError
from minifloat._formats import Format, IntFormat
from minifloat.reference.exact import power_of_two
from minifloat.reference.spacing import encode_magnitude, place, quantum, unbounded_place
from minifloat.reference.values import decode, smallest_normal

__all__ = ["Bounds", "Grid", "decode_table", "grid_of"]

_WIDEST = 20


@dataclass(frozen=True, eq=False)
class Bounds:
    """Exact numbers made comparable with float64 inputs.

    ``x > exact`` is ``x > floor``, and ``x == exact`` is ``is_exact and x == floor``, for every
    float64 ``x``: so no bound need be a float64 itself.

    Parameters
    ----------
    floor : ndarray of float64
        The largest float64 not above each number (infinity for 2**1024 and beyond).
    is_exact : ndarray of bool
        Whether that is the number itself.
    """

    floor: npt.NDArray[np.float64]
    is_exact: npt.NDArray[np.bool_]

    @classmethod
    def of(cls, numbers: Sequence[Fraction]) -> Bounds:
        """Build the bounds of non-negative numbers.

        Parameters
        ----------
        numbers : sequence of Fraction

        Returns
        -------
        Bounds
        """
        floors = [_float_floor(number) for number in numbers]
        exact = [
            math.isfinite(f) and f == number for f, number in zip(floors, numbers, strict=True)
        ]
        return cls(np.array(floors, np.float64), np.array(exact, np.bool_))

    def compare(self, x: npt.NDArray[np.float64]) -> npt.NDArray[np.int8]:
        """Compare float64 numbers with the exact ones.

        Parameters
        ----------
        x : ndarray of float64, shape (n,)
            Against n numbers, or against a single one.

        Returns
        -------
        ndarray of int8, shape (n,)
            -1, 0 or 1 as x is below, equal to or above the exact number.
        """
        above = x > self.floor
        equal = self.is_exact & (x == self.floor)
        return np.where(equal, 0, np.where(above, 1, -1)).astype(np.int8)


def _float_floor(number: Fraction) -> float:
    if number >= power_of_two(1024):
        return math.inf
    try:
        nearest = float(number)
    except OverflowError:
        nearest = math.inf
    if math.isinf(nearest) or nearest > number:
        return math.nextafter(nearest, 0.0)
    return nearest


@dataclass(frozen=True, eq=False)
class Grid:
    """All non-negative finite values of a format in order, and what lies between them.

    The last point lies beyond the largest value: where the grid would go on. The grid of an integer
    format of n bits goes from 0 to 2**n units, whatever its sign.

    Parameters
    ----------
    fmt : Format
    points : tuple of Fraction
        The magnitudes, the one beyond included.
    codes : ndarray of int64
        The content codes of the points (meaningless for the one beyond).
    values : ndarray of float64
        The points as float64; exact but for the one beyond, which may be infinite.
    middles : Bounds
        The midpoints: entry i lies between points i and i + 1.
    odd : ndarray of bool
        Whether a point's code is odd.
    tiny_below : Bounds, of one number
        The last point below the normal range if the exponent had no lower bound.
    tiny_middle : Bounds, of one number
        The midpoint of that one and the smallest normal value.
    tiny_odd : bool
        Whether that point's code would be odd.
    """

    fmt: Format
    points: tuple[Fraction, ...]
    codes: npt.NDArray[np.int64]
    values: npt.NDArray[np.float64]
    middles: Bounds
    odd: npt.NDArray[np.bool_]
    tiny_below: Bounds
    tiny_middle: Bounds
    tiny_odd: bool

    @property
    def midpoints(self) -> tuple[Fraction, ...]:
        """The exact midpoints of neighbouring points, up to the one beyond the largest value."""
        pairs = zip(self.points, self.points[1:], strict=False)
        return tuple((low + high) / 2 for low, high in pairs)


@functools.cache
def grid_of(fmt: Format) -> Grid:
    """Derive the grid of a format.

    Parameters
    ----------
    fmt : Format
        Of at most 20 bits.

    Returns
    -------
    Grid

    Raises
    ------
    FormatError
        If the format is wider.

    Examples
    --------
    >>> from minifloat._formats import get_format
    >>> grid_of(get_format("float4_e2m1fn")).values.tolist()
    [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0]
    """
    if fmt.bits > _WIDEST:
        msg = f"{fmt} has {fmt.bits} bits; whole grids are for formats of {_WIDEST} bits or fewer"
        raise FormatError(msg)
    known = _magnitudes(fmt)
    beyond = known[-1] + quantum(known[-1], fmt)
    points = (*known, beyond)
    values = Bounds.of(points)
    assert values.is_exact[:-1].all(), f"{fmt} has values that float64 cannot hold"
    middles = Bounds.of([(low + high) / 2 for low, high in itertools.pairwise(points)])
    bound = smallest_normal(fmt)
    last = unbounded_place(bound * (1 - power_of_two(-80)), fmt)
    below = last.below * last.unit
    return Grid(
        fmt,
        points,
        np.array([encode_magnitude(point, fmt) for point in known] + [0], np.int64),
        np.where(values.is_exact, values.floor, np.inf),
        middles,
        np.array([point != 0 and place(point, fmt).odd for point in points], np.bool_),
        Bounds.of([below]),
        Bounds.of([(below + bound) / 2]),
        last.odd,
    )


def _magnitudes(fmt: Format) -> list[Fraction]:
    if isinstance(fmt, IntFormat):
        unit = power_of_two(fmt.scale_exponent)
        return [index * unit for index in range((1 << fmt.bits) + 1)]
    codes = range(1 << (fmt.bits - fmt.signed))
    values = (decode(code << fmt.code_shift, fmt) for code in codes)
    return sorted({value.number for value in values if value.is_finite})


@functools.cache
def decode_table(fmt: Format) -> npt.NDArray[np.float64]:
    """Return the values of all content codes, -0 and the signs of NaNs included.

    Parameters
    ----------
    fmt : Format
        Of at most 20 bits.

    Returns
    -------
    ndarray of float64, shape (2**bits,)
        Read-only.

    Examples
    --------
    >>> from minifloat._formats import get_format
    >>> decode_table(get_format("int2")).tolist()
    [0.0, 1.0, -2.0, -1.0]
    """
    if fmt.bits > _WIDEST:
        msg = f"{fmt} has {fmt.bits} bits; whole tables are for formats of {_WIDEST} bits or fewer"
        raise FormatError(msg)
    codes = range(1 << fmt.bits)
    table = np.array([float(decode(code << fmt.code_shift, fmt)) for code in codes])
    table.flags.writeable = False
    return table
