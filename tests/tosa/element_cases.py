"""Single elements near the ends of their intervals, by the modes of the tool's verifier."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from minifloat import tosa
from minifloat.tosa._numbers import from_values

MODES: dict[str, list[dict[str, Any]]] = {
    "EXACT": [{}],
    "FP_SPECIAL": [{}],
    "ULP": [
        {"ulp": 0.5},
        {"ulp": 1.0},
        {"ulp": 5.0, "ulp_lower": 0.0},
        {"ulp": 0.5, "ulp_lower": 1.0},
    ],
    "REDUCE_PRODUCT": [{"n": 1}, {"n": 4}, {"n": 20}],
    "MAX_RELATIVE": [
        {"max": 2.0, "scale": 0.006, "ulp_bound": 20.0},
        {"max": 0.0, "scale": 0.006, "ulp_bound": 0.0},
        {"max": 3.0, "scale": 0.0, "ulp_bound": 4.0},
    ],
    "ABS_ERROR": [
        {
            "lower_bound": lower,
            "normal_divisor": divisor,
            "bound_as_magnitude": magnitude,
            "max_compare": least,
            "base_bound": base,
        }
        for lower, divisor, magnitude, least, base in (
            *itertools.product((0.0, 0.5), (1.0, 2.0), (False, True), (0.0,), (2.0,)),
            (0.5, 1.0, False, 0.01, 1.0),
        )
    ],
}
BOUNDS = (0.0, 1.0, 7.5, math.inf, math.nan)


@dataclass(frozen=True)
class Case:
    """One element."""

    info: dict[str, Any]
    reference: np.ndarray
    bound: np.ndarray | None
    actual: np.ndarray


def cases(mode: str, data_type: str) -> Iterator[Case]:
    """Yield the cases of a mode and type, always in the same order."""
    kind = tosa.as_type(data_type)
    least, most = kind.smallest_normal, kind.largest
    references = (
        *(0.0, -0.0, 1.0, -1.5, 3.14159, -0.001, 0.7, math.inf, -math.inf, math.nan),
        *(least, least / 2, -least / 4, least * 1.25, most, -most, most * 1.01, most * 4),
    )
    bounds = BOUNDS if mode in ("ABS_ERROR", "FP_SPECIAL") else (None,)
    for info, reference, bound in itertools.product(MODES[mode], references, bounds):
        finite = math.isfinite(reference) and reference != 0
        power = 2.0 ** math.floor(math.log2(abs(reference))) if finite else 1.0
        unit = max(power, least) * 2.0**-kind.trailing_bits
        steps = (0, 0.5, 1, -1, 3, -5, -20)
        values = [reference + step * unit for step in steps]
        values += [0.0, -0.0, math.nan, math.inf, -math.inf, -reference, most, least]
        with np.errstate(over="ignore"):
            stored = from_values(np.array(values), kind)
        for each in stored:
            yield Case(
                info,
                np.array([reference]),
                None if bound is None else np.array([bound]),
                np.array([each]),
            )
