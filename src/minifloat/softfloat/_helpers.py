"""QEMU's functions on a status: one for each field."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minifloat.softfloat._status import FloatStatus

__all__ = ["GETTERS", "SETTERS", "getter", "raiser", "setter"]

_FIELDS = (
    ("float_rounding_mode", "rounding_mode", "RoundMode"),
    ("float_exception_flags", "exception_flags", "ExceptionFlag"),
    ("float_detect_tininess", "tininess_before_rounding", "bool"),
    ("flush_to_zero", "flush_to_zero", "bool"),
    ("float_ftz_detection", "ftz_detection", "FtzDetection"),
    ("flush_inputs_to_zero", "flush_inputs_to_zero", "bool"),
    ("default_nan_mode", "default_nan_mode", "bool"),
    ("float_default_nan_pattern", "default_nan_pattern", "int"),
    ("float_2nan_prop_rule", "two_nan_rule", "TwoNanRule"),
    ("float_3nan_prop_rule", "three_nan_rule", "ThreeNanRule"),
    ("float_infzeronan_rule", "inf_zero_nan_rule", "InfZeroNanRule"),
    ("snan_bit_is_one", "snan_bit_is_one", "bool"),
    ("no_signaling_nans", "no_signaling_nans", "bool"),
    ("float_rebias_overflow", "rebias_overflow", "bool"),
    ("float_rebias_underflow", "rebias_underflow", "bool"),
)
SETTERS = tuple((f"set_{name}", field, kind) for name, field, kind in _FIELDS)
"""Name, field and type of each."""
GETTERS = tuple((f"get_{name}", field, kind) for name, field, kind in _FIELDS)
"""Name, field and type of each."""


def setter(field: str) -> Callable[[Any, FloatStatus], None]:
    """Build a function that sets a field.

    Parameters
    ----------
    field : str

    Returns
    -------
    callable
    """

    def function(value: Any, status: FloatStatus) -> None:
        setattr(status, field, value)

    return function


def getter(field: str) -> Callable[[FloatStatus], Any]:
    """Build a function that returns a field.

    Parameters
    ----------
    field : str

    Returns
    -------
    callable
    """

    def function(status: FloatStatus) -> Any:
        return getattr(status, field)

    return function


def raiser() -> Callable[[int, FloatStatus], None]:
    """Build the function that raises flags.

    Returns
    -------
    callable
    """

    def function(flags: int, status: FloatStatus) -> None:
        status.raise_flags(flags)

    return function
