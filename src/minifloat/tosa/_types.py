"""The floating-point tensor types of TOSA, and the words users call them by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from minifloat._errors import FormatError, nearest

__all__ = ["TYPES", "TensorType", "TypeLike", "as_type"]


@dataclass(frozen=True, slots=True)
class TensorType:
    """A floating-point tensor type of TOSA.

    Parameters
    ----------
    name : str
        The name in this package, ``"fp16"``.
    format_name : str
        The `minifloat` format of its elements.
    trailing_bits : int
        Stored significand bits.
    min_exponent : int
        Exponent of the smallest normal number.
    largest : float
        Largest finite value.
    overflow : float
        Least magnitude that rounds to infinity, ties to even; NaN for a type without infinity.
    dtype : numpy.dtype
        What tensors of the type are stored as: values for fp32 and fp16, codes for the others.

    Examples
    --------
    >>> as_type("BF16").half_ulp
    0.00390625
    """

    name: str
    format_name: str
    trailing_bits: int
    min_exponent: int
    largest: float
    overflow: float
    dtype: np.dtype[Any]

    @property
    def tosa_name(self) -> str:
        """The name in TOSA's files, ``"FP16"``."""
        return self.name.upper()

    @property
    def smallest_normal(self) -> float:
        """Smallest positive normal number."""
        return 2.0**self.min_exponent

    @property
    def half_ulp(self) -> float:
        """Half a unit in the last place of 1."""
        return 2.0 ** (-1 - self.trailing_bits)

    @property
    def is_fp8(self) -> bool:
        """Whether elements have 8 bits; subnormals are mandatory for these types only."""
        return self.dtype.itemsize == 1

    def __str__(self) -> str:
        return self.name


TypeLike: TypeAlias = TensorType | str
"""A `TensorType`, its name in either case, or the name of its format."""

_NAN = float("nan")
TYPES: dict[str, TensorType] = {
    kind.name: kind
    for kind in (
        TensorType("fp32", "float32", 23, -126, (2 - 2.0**-23) * 2.0**127, 2.0**128 - 2.0**103,
                   np.dtype(np.float32)),
        TensorType("fp16", "float16", 10, -14, 65504.0, 65520.0, np.dtype(np.float16)),
        TensorType("bf16", "bfloat16", 7, -126, (2 - 2.0**-7) * 2.0**127, 2.0**128 - 2.0**119,
                   np.dtype(np.uint16)),
        TensorType("fp8e4m3", "float8_e4m3fn", 3, -6, 448.0, _NAN, np.dtype(np.uint8)),
        TensorType("fp8e5m2", "float8_e5m2", 2, -14, 57344.0, 61440.0, np.dtype(np.uint8)),
    )
}  # fmt: skip

_ALIASES: dict[str, str] = {
    **{kind.format_name: kind.name for kind in TYPES.values()},
    "f32": "fp32",
    "f16": "fp16",
    "e4m3": "fp8e4m3",
    "e4m3fn": "fp8e4m3",
    "e5m2": "fp8e5m2",
}


def as_type(kind: TypeLike) -> TensorType:
    """Look up a tensor type.

    Parameters
    ----------
    kind : TensorType or str
        ``"fp32"``, ``"FP16"``, ``"bfloat16"``, ``"e4m3"`` (which in TOSA is OCP's E4M3), ...

    Returns
    -------
    TensorType

    Raises
    ------
    FormatError
        If TOSA's floating-point profile has no such type.

    Examples
    --------
    >>> as_type("float8_e4m3fn").tosa_name
    'FP8E4M3'
    """
    if isinstance(kind, TensorType):
        return kind
    word = str(kind).strip().lower()
    word = _ALIASES.get(word, word)
    try:
        return TYPES[word]
    except KeyError:
        hint = nearest(word, [*TYPES, *_ALIASES])
        msg = f"unknown TOSA floating-point type {kind!r}{hint}; allowed are {', '.join(TYPES)}"
        raise FormatError(msg) from None
