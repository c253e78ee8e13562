"""The sample of Berkeley TestFloat's vectors in the data folder.

Made with the x86-SSE specialisation of SoftFloat 3e. A line is the function, rounding mode (``-``
where nothing rounds), tininess (A after, B before, ``-`` where it does not matter), whether an
integer rounding raises inexact (E or N), the operands, the result, and the flags.
"""

from __future__ import annotations

import functools
import gzip
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from minifloat._context import Context, contexts
from minifloat._flags import Flag
from minifloat._rounding import Rounding

_PATH = Path(__file__).parent / "data" / "testfloat_sample.txt.gz"
_MODES = {
    "RNE": Rounding.TIES_TO_EVEN,
    "RTZ": Rounding.TOWARD_ZERO,
    "RDN": Rounding.TOWARD_NEGATIVE,
    "RUP": Rounding.TOWARD_POSITIVE,
    "RMM": Rounding.TIES_TO_AWAY,
    "ODD": Rounding.TO_ODD,
    "-": Rounding.TIES_TO_EVEN,
}


@dataclass(frozen=True)
class Vector:
    """One line; the flags in it have our order."""

    rounding: Rounding
    context: Context
    raises_inexact: bool
    operands: tuple[int, ...]
    result: int
    flags: Flag


@functools.cache
def vectors() -> dict[str, list[Vector]]:
    """Return all lines by function, for example ``f16_mulAdd`` or ``f32_to_bf16``."""
    found: dict[str, list[Vector]] = defaultdict(list)
    with gzip.open(_PATH, "rt") as lines:
        for line in lines:
            function, mode, tininess, exact, *numbers = line.split()
            *operands, result, flags = (int(number, 16) for number in numbers)
            found[function].append(
                Vector(
                    _MODES[mode],
                    contexts.ARM if tininess == "B" else contexts.IEEE,
                    exact != "N",
                    tuple(operands),
                    result,
                    Flag(flags),
                )
            )
    return dict(found)
