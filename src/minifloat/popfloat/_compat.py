"""Where popfloat's own host code departs from its documentation or IEEE 754, switch by switch."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TypeAlias

from minifloat._errors import OptionError, nearest

__all__ = ["Compat", "CompatLike", "as_compat"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Compat:
    """Named departures from the default semantics, all off unless asked for.

    ``compat="popfloat"`` stands for `Compat.popfloat`: all that the library's host code, which its
    own tests compare the hardware with, does.

    Parameters
    ----------
    positive_zero : bool
        Every zero is +0.
    tiny_to_zero : bool
        RU and RD send what lies below half the smallest value to zero.
    flush_after_rounding : bool
        Without denormals, values below the smallest normal round on the denormal grid first; what
        is below the smallest normal then becomes zero, in every mode.
    round_through_half : bool
        A half calculation rounds the input to half first, ties to even: twice in all.
    infinities_overflow : bool
        An infinite input is an overflow like any other: NaN under NaNOO, else the largest value.
    half_top_truncates : bool
        A half calculation with 5 exponent bits truncates what lies less than one quantum above the
        largest value, in every mode, so that it does not overflow.
    ties_by_significand : bool
        Without mantissa bits RN sends the tie between two powers of two up, since the significand
        below it is 1 and odd; by default the parity of the code decides, as everywhere.
    nan_pattern : bool
        NaN is 0x7FD9C07E with the sign where it is calculated and stored in single, else half's
        0x7ECE without a sign; packed words have the top bits of them.
    extra_sx_bit : bool
        SX takes min(N + 1, T) random bits, as the hardware code does; not in `Compat.popfloat`.

    Examples
    --------
    >>> Compat.popfloat().positive_zero, Compat.popfloat().extra_sx_bit
    (True, False)
    """

    positive_zero: bool = False
    tiny_to_zero: bool = False
    flush_after_rounding: bool = False
    round_through_half: bool = False
    half_top_truncates: bool = False
    ties_by_significand: bool = False
    infinities_overflow: bool = False
    nan_pattern: bool = False
    extra_sx_bit: bool = False

    @classmethod
    def popfloat(cls) -> Compat:
        """Return the switches of popfloat's host code.

        Returns
        -------
        Compat
        """
        names = {found.name for found in fields(cls)} - {"extra_sx_bit"}
        return cls(**dict.fromkeys(names, True))


CompatLike: TypeAlias = Compat | str | None


def as_compat(compat: CompatLike) -> Compat:
    """Turn ``"popfloat"``, None or switches into switches.

    Parameters
    ----------
    compat : Compat, str or None

    Returns
    -------
    Compat

    Raises
    ------
    OptionError
        For any other word.
    """
    if compat is None:
        return Compat()
    if isinstance(compat, Compat):
        return compat
    if compat == "popfloat":
        return Compat.popfloat()
    hint = nearest(str(compat), ["popfloat"])
    msg = f"compat={compat!r}: allowed are None, 'popfloat' and a Compat{hint}"
    raise OptionError(msg)
