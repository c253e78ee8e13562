"""The open points: what the documents leave undecided, as switches."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Literal, get_args, get_type_hints

from minifloat._errors import OptionError, nearest

__all__ = ["Policy"]


@dataclass(frozen=True, slots=True)
class Policy:
    """How to read the points on which the documents are silent or contradict each other.

    Every default follows the ``Cast`` page where it speaks. No default was confirmed on a chip.

    Parameters
    ----------
    hybrid_exact : {"round_up", "keep"}
        H1. CAST_HYBRID compares ``frac >= thr``; a float input whose low 14 bits are 0 has the
        threshold 0, so that even values HiFloat8 holds exactly go up where the exponent is 4 or
        more, or -4 or less (16.0 becomes 20.0). The page's pseudo-code and a published codec both
        say so. "keep" leaves exact values alone.
    hybrid_overflow : {"after_rounding", "at_40960"}
        H2. CAST_HYBRID of magnitudes from 40960 up to 49152: the page rounds first, so that some
        become 32768; the published codec gives infinity to all.
    hybrid_saturation : {"always", "not_after_round_up"}
        H3. SAT with CAST_HYBRID: the page saturates last, always. The published codec leaves the
        infinity that a round-up below 40960 produced.
    widening_mask : {"wide_elements", "source_elements"}
        M1. Which mask bit governs a widening result: that of the wide element (the page), or that
        of the narrow source element (later editions). They differ for layouts other than ZERO.
    half_to_bfloat16 : {"ctrl48", "saturate", "keep"}
        C1. half to bfloat16_t has no saturation operand; the documentation of the other
        programming model says that CTRL[48] alone decides.
    ctrl50_per_instruction : {"honoured", "ignored"}
        C2. Whether CTRL[50] also counts while CTRL[60] is 0 and the instruction says SAT.
    e8m0_infinity : {"max", "nan"}
        E1. bfloat16_t infinities to fp8_e8m0_t: the page says 0xFE; the published emulation takes
        the exponent field, 0xFF.
    e8m0_zero_code : {"subnormal", "zero"}
        E2. fp8_e8m0_t code 0x00 to bfloat16_t: the format's value 2**-127 (0x0040), or +0 as in the
        published emulation. The page is silent.
    directed_overflow : {"infinity", "ieee"}
        S1. Finite overflow without saturation in CAST_TRUNC, ODD, FLOOR and CEIL: infinity (the
        documents know nothing else), or the largest finite value where IEEE 754 says so.
    nan_sign : {"drop", "keep"}
        S2. The NaN of casts that keep NaN: one positive quiet pattern (0x7E00, 0x7FC0, 0x7F,
        0x7FC00000), or that with the source's sign. Payloads are dropped either way.
    zero_sign : {"keep", "drop"}
        S3. Negative zeros and negative underflow into half, bfloat16_t, fp8 and fp4: -0, or +0.
        HiFloat8 has no -0.
    int64_overflow : {"modulo", "extreme"}
        S4. float to int64_t without saturation from 2**64 on: the exact integer's low 64 bits, or
        the extreme value.
    subnormal_inputs : {"keep", "flush"}
        S5. Subnormal half, bfloat16_t and float sources: exact, or zeros of their sign. No flushing
        is documented.

    Raises
    ------
    OptionError
        If a reading does not exist.

    Examples
    --------
    >>> Policy(e8m0_infinity="nan").alternatives
    ('E1',)
    """

    hybrid_exact: Literal["round_up", "keep"] = "round_up"
    hybrid_overflow: Literal["after_rounding", "at_40960"] = "after_rounding"
    hybrid_saturation: Literal["always", "not_after_round_up"] = "always"
    widening_mask: Literal["wide_elements", "source_elements"] = "wide_elements"
    half_to_bfloat16: Literal["ctrl48", "saturate", "keep"] = "ctrl48"
    ctrl50_per_instruction: Literal["honoured", "ignored"] = "honoured"
    e8m0_infinity: Literal["max", "nan"] = "max"
    e8m0_zero_code: Literal["subnormal", "zero"] = "subnormal"
    directed_overflow: Literal["infinity", "ieee"] = "infinity"
    nan_sign: Literal["drop", "keep"] = "drop"
    zero_sign: Literal["keep", "drop"] = "keep"
    int64_overflow: Literal["modulo", "extreme"] = "modulo"
    subnormal_inputs: Literal["keep", "flush"] = "keep"

    def __post_init__(self) -> None:
        for name, allowed in _choices().items():
            chosen = getattr(self, name)
            if chosen not in allowed:
                msg = f"Policy({name}={chosen!r}): allowed are {', '.join(allowed)}"
                raise OptionError(msg + nearest(str(chosen), allowed))

    @classmethod
    def alternative(cls, *points: str) -> Policy:
        """Return the default with the other reading of some points.

        Parameters
        ----------
        *points : str
            Out of H1 H2 H3 M1 C1 C2 E1 E2 S1 S2 S3 S4 S5; C1's is "keep".

        Returns
        -------
        Policy

        Raises
        ------
        OptionError
            If a point is unknown.

        Examples
        --------
        >>> Policy.alternative("S2").nan_sign
        'keep'
        """
        choices = _choices()
        changed: dict[str, Any] = {}
        for point in points:
            if point not in _POINTS:
                msg = f"unknown open point {point!r}; there are {', '.join(_POINTS)}"
                raise OptionError(msg + nearest(point, _POINTS))
            changed[_POINTS[point]] = choices[_POINTS[point]][-1]
        return cls(**changed)

    @property
    def alternatives(self) -> tuple[str, ...]:
        """The points that are not read in the default way."""
        default = Policy()
        return tuple(
            point
            for point, name in _POINTS.items()
            if getattr(self, name) != getattr(default, name)
        )


_NUMBERS = ("H1", "H2", "H3", "M1", "C1", "C2", "E1", "E2", "S1", "S2", "S3", "S4", "S5")
_POINTS = {point: field.name for point, field in zip(_NUMBERS, fields(Policy), strict=True)}


def _choices() -> dict[str, tuple[str, ...]]:
    hints = get_type_hints(Policy)
    return {field.name: get_args(hints[field.name]) for field in fields(Policy)}
