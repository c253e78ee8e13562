"""The bits of the CTRL register that steer ``Cast``."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

from minifloat._errors import OptionError

__all__ = ["Ctrl"]


@dataclass(frozen=True, slots=True)
class Ctrl:
    """The saturation state of a core, as ``SetCtrlSpr`` leaves it; by default as a reset does.

    With the reset values ``SatMode::NO_SAT`` has no effect: bit 60 is set, so bits 48 and 59 decide
    for every instruction, and both say saturate. `per_instruction` is the state in which the
    instruction's own mode counts.

    Parameters
    ----------
    bit60 : bool
        Set (reset): saturation is chosen for all instructions by bits 48 and 59. Clear: by each
        instruction's ``SatMode``.
    bit59 : bool
        Used while bit 60 is set, by casts into integers. Clear (reset): saturate. Set: keep the low
        bits.
    bit53 : bool
        Integer *arithmetic* overflow; ``Cast`` does not look at it.
    bit50 : bool
        Used by saturating casts into fp8_e5m2_t and fp8_e4m3fn_t. Clear (reset): NaN becomes 0.
        Set: NaN stays.
    bit48 : bool
        Used while bit 60 is set, by casts into floating-point types narrower than the source. Clear
        (reset): saturate, NaN becomes 0. Set: infinities and NaN stay.

    References
    ----------
    CANN, ``SetCtrlSpr``: CTRL[48], CTRL[50], CTRL[53], CTRL[59], CTRL[60].

    Examples
    --------
    >>> Ctrl().set(48).clear(60)
    Ctrl(bit60=False, bit59=False, bit53=False, bit50=False, bit48=True)
    >>> hex(Ctrl().register)
    '0x1000000000000000'
    """

    bit60: bool = True
    bit59: bool = False
    bit53: bool = False
    bit50: bool = False
    bit48: bool = False

    @classmethod
    def per_instruction(cls) -> Ctrl:
        """Return the reset state with bit 60 clear: each instruction's ``SatMode`` counts.

        Returns
        -------
        Ctrl
        """
        return cls(bit60=False)

    @classmethod
    def of_register(cls, value: int) -> Ctrl:
        """Read the bits out of a 64-bit register value; other bits are ignored.

        Parameters
        ----------
        value : int

        Returns
        -------
        Ctrl

        Raises
        ------
        OptionError
            If the value does not fit 64 bits.
        """
        if not 0 <= value < 1 << 64:
            msg = f"CTRL={value:#x}: a 64-bit register"
            raise OptionError(msg)
        return cls(**{f"bit{bit}": bool(value >> bit & 1) for bit in _BITS})

    @property
    def register(self) -> int:
        """The 64-bit register value, all other bits 0."""
        return sum(1 << bit for bit in _BITS if getattr(self, f"bit{bit}"))

    def set(self, *bits: int) -> Ctrl:
        """Return the state with bits set.

        Parameters
        ----------
        *bits : int
            Out of 48, 50, 53, 59, 60.

        Returns
        -------
        Ctrl

        Raises
        ------
        OptionError
            For a bit that is not modelled.
        """
        return self._with(bits, on=True)

    def clear(self, *bits: int) -> Ctrl:
        """Return the state with bits cleared; see `set`.

        Parameters
        ----------
        *bits : int

        Returns
        -------
        Ctrl

        Raises
        ------
        OptionError
            For a bit that is not modelled.
        """
        return self._with(bits, on=False)

    def _with(self, bits: tuple[int, ...], *, on: bool) -> Ctrl:
        unknown = [bit for bit in bits if bit not in _BITS]
        if unknown:
            msg = f"CTRL[{unknown[0]}] is not modelled; allowed are {', '.join(map(str, _BITS))}"
            raise OptionError(msg)
        return replace(self, **{f"bit{bit}": on for bit in bits})


_BITS = tuple(int(field.name.removeprefix("bit")) for field in fields(Ctrl))
