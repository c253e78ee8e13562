"""What infinities and NaN become in a Gfloat format without them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from minifloat._errors import OptionError, nearest

__all__ = ["InfinityWord", "NanWord", "Specials"]

InfinityWord: TypeAlias = Literal["saturate", "raise", "propagate"]
NanWord: TypeAlias = Literal["propagate", "raise", "max", "zero"]


@dataclass(frozen=True, slots=True)
class Specials:
    """What infinities and NaN become in a format without them.

    Parameters
    ----------
    infinity : {"saturate", "raise", "propagate"}
        The largest value; an error; or infinity as it is (values only, no packed words).
    nan : {"propagate", "raise", "max", "zero"}, optional
        When omitted NaN stays NaN in values, and is an error for packed words.

    Raises
    ------
    OptionError
        If a word is unknown.
    """

    infinity: InfinityWord = "saturate"
    nan: NanWord | None = None

    def __post_init__(self) -> None:
        words = get_args(InfinityWord)
        if self.infinity not in words:
            msg = f"infinity={self.infinity!r}: allowed are {', '.join(words)}"
            raise OptionError(msg + nearest(str(self.infinity), words))
