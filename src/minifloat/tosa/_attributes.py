"""What a user says about an operator: the attributes each takes, their defaults and checks."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from minifloat._errors import OptionError, nearest

__all__ = ["ATTRIBUTES", "Attributes", "check_attributes"]

Attributes: TypeAlias = dict[str, Any]
"""Attributes of an operator, complete and checked: tuples of int, ints and bools."""


@dataclass(frozen=True, slots=True)
class Attribute:
    """One attribute of an operator.

    Parameters
    ----------
    count : int
        Number of values: 0 a single int, -1 any number, -2 a bool.
    default : object
        Taken when the attribute is not given; `None` makes it obligatory unless `optional`.
    least : int
        Smallest value allowed.
    optional : bool
        Whether `None` may stay.
    """

    count: int
    default: Any = None
    least: int = 1
    optional: bool = False


_IFM3, _IFM4, _IFM5 = Attribute(3), Attribute(4), Attribute(5)
_PLANE = {
    "kernel": Attribute(2),
    "stride": Attribute(2, (1, 1)),
    "pad": Attribute(4, (0, 0, 0, 0), 0),
}
_CHANNELS = {"ofm_channels": Attribute(0), "bias_channels": Attribute(0, None, 1, optional=True)}
_LOCAL = {"local_bound": Attribute(-2, False)}

ATTRIBUTES: dict[str, dict[str, Attribute]] = {
    "CONV2D": {"ifm": _IFM4, **_PLANE, "dilation": Attribute(2, (1, 1)), **_CHANNELS, **_LOCAL},
    "CONV3D": {
        "ifm": _IFM5,
        "kernel": Attribute(3),
        "stride": Attribute(3, (1, 1, 1)),
        "pad": Attribute(6, (0, 0, 0, 0, 0, 0), 0),
        "dilation": Attribute(3, (1, 1, 1)),
        **_CHANNELS,
        **_LOCAL,
    },
    "DEPTHWISE_CONV2D": {
        "ifm": _IFM4,
        **_PLANE,
        "dilation": Attribute(2, (1, 1)),
        "multiplier": Attribute(0, 1),
        "bias_channels": _CHANNELS["bias_channels"],
        **_LOCAL,
    },
    "FULLY_CONNECTED": {"ifm": Attribute(2), **_CHANNELS},
    "MATMUL": {"ifm": _IFM3, "width": Attribute(0)},
    "MATMUL_T": {
        "ifm": _IFM3,
        "width": Attribute(0),
        "weight_batch": Attribute(0, None, 1, optional=True),
    },
    "TRANSPOSE_CONV2D": {
        "ifm": _IFM4,
        "kernel": Attribute(2),
        "stride": Attribute(2, (1, 1)),
        "out_pad": Attribute(4, (0, 0, 0, 0), -(1 << 31)),
        **_CHANNELS,
        **_LOCAL,
    },
    "FFT2D": {"ifm": _IFM3, "inverse": Attribute(-2, False), **_LOCAL},
    "RFFT2D": {"ifm": _IFM3, **_LOCAL},
    "REDUCE_SUM": {"ifm": Attribute(-1), "axis": Attribute(0, None, 0)},
    "AVG_POOL2D": {"ifm": _IFM4, **_PLANE},
}
"""The attributes of every operator with dot products. Pads are (before, after) of each axis in
turn, the outermost first."""


def check_attributes(op: str, attributes: Mapping[str, Any]) -> Attributes:
    """Return attributes completed with defaults.

    Parameters
    ----------
    op : str
        A TOSA operator.
    attributes : mapping
        ``ifm`` is the shape of the data; see the page on TOSA for the others.

    Returns
    -------
    dict
        All attributes of the operator: tuples of int, ints and bools.

    Raises
    ------
    OptionError
        If the operator or an attribute is unknown, missing or out of range.

    Examples
    --------
    >>> check_attributes("MATMUL", {"ifm": [1, 2, 3], "width": 4})
    {'ifm': (1, 2, 3), 'width': 4}
    """
    if op not in ATTRIBUTES:
        msg = f"unknown operator {op!r}{nearest(op, ATTRIBUTES)}; allowed are {list(ATTRIBUTES)}"
        raise OptionError(msg)
    known = ATTRIBUTES[op]
    for key in attributes:
        if key not in known:
            msg = f"{op} has no attribute {key!r}{nearest(key, known)}; it has {list(known)}"
            raise OptionError(msg)
    return {key: _value(op, key, known[key], attributes.get(key)) for key in known}


def _value(op: str, key: str, rule: Attribute, value: Any) -> Any:
    if value is None:
        if rule.default is None and not rule.optional:
            msg = f"{op} needs attribute {key!r}"
            raise OptionError(msg)
        return rule.default
    if rule.count == -2:
        return bool(value)
    scalar = rule.count == 0
    try:
        values = [operator.index(x) for x in ((value,) if scalar else value)]
    except TypeError:
        wanted = "an integer" if scalar else "a sequence of integers"
        msg = f"{op} attribute {key!r} must be {wanted}, not {value!r}"
        raise OptionError(msg) from None
    _check_values(op, key, rule, values)
    return values[0] if scalar else tuple(values)


def _check_values(op: str, key: str, rule: Attribute, values: Sequence[int]) -> None:
    if rule.count > 0 and len(values) != rule.count:
        msg = f"{op} attribute {key!r} needs {rule.count} values, not {len(values)}"
        raise OptionError(msg)
    if rule.count == -1 and not values:
        msg = f"{op} attribute {key!r} needs one value or more"
        raise OptionError(msg)
    if any(value < rule.least for value in values):
        msg = f"{op} attribute {key!r} must be {rule.least} or more, not {tuple(values)}"
        raise OptionError(msg)
