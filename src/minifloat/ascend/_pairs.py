"""The legal pairs of ``Cast``, as data, and what a call may ask of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from minifloat._errors import FormatError, OptionError, nearest
from minifloat.ascend._control import Ctrl
from minifloat.ascend._modes import RegLayout, RoundMode, SatMode, as_mode
from minifloat.ascend._types import DataType, data_type

__all__ = ["PAIRS", "Pair", "find_pair"]


@dataclass(frozen=True, slots=True)
class Pair:
    """A legal pair of types, with the modes that it takes.

    Parameters
    ----------
    src, dst : DataType
    rounds : tuple of RoundMode
        ``(UNKNOWN,)`` where nothing is to be rounded.
    sats : tuple of SatMode
        ``(UNKNOWN,)`` where the pair has no saturation operand.
    layouts : tuple of RegLayout
        ``(UNKNOWN,)`` between types of one width.
    """

    src: DataType
    dst: DataType
    rounds: tuple[RoundMode, ...]
    sats: tuple[SatMode, ...]
    layouts: tuple[RegLayout, ...]

    def __str__(self) -> str:
        return f"{self.src} -> {self.dst}"

    def rounding(self, mode: RoundMode | str | None) -> RoundMode:
        """Check a rounding mode.

        Parameters
        ----------
        mode : RoundMode, str or None
            None where the pair takes just one.

        Returns
        -------
        RoundMode

        Raises
        ------
        OptionError
            If the pair does not take it; the legal ones are listed.
        """
        if mode is None:
            if len(self.rounds) > 1:
                msg = f"{self} needs a RoundMode: {_names(self.rounds)}"
                raise OptionError(msg)
            return self.rounds[0]
        found = as_mode(RoundMode, mode)
        if found is RoundMode.CAST_NONE and (self.src.name, self.dst.name) in _NONE_IS_RINT:
            return RoundMode.CAST_RINT
        if found not in self.rounds:
            msg = f"{self} does not take RoundMode {found.name}; legal: {_names(self.rounds)}"
            raise OptionError(msg)
        return found

    def saturation(self, mode: SatMode | str | None, ctrl: Ctrl) -> SatMode:
        """Check a saturation mode.

        Parameters
        ----------
        mode : SatMode, str or None
            None where the pair has no such operand, or where `ctrl` overrules it.
        ctrl : Ctrl

        Returns
        -------
        SatMode

        Raises
        ------
        OptionError
            If the pair does not take it; the legal ones are listed.
        """
        if mode is None:
            if len(self.sats) > 1 and not ctrl.bit60:
                msg = f"{self} needs a SatMode while CTRL[60] is 0: {_names(self.sats)}"
                raise OptionError(msg)
            return self.sats[-1]
        found = as_mode(SatMode, mode)
        if found not in self.sats and (self.src.name, self.dst.name) not in _SAT_IGNORED:
            msg = f"{self} does not take SatMode {found.name}; legal: {_names(self.sats)}"
            raise OptionError(msg)
        return found

    def layout(self, mode: RegLayout | str) -> RegLayout:
        """Check a register layout.

        Parameters
        ----------
        mode : RegLayout or str

        Returns
        -------
        RegLayout

        Raises
        ------
        OptionError
            If the pair does not take it; the legal ones are listed.
        """
        found = as_mode(RegLayout, mode)
        if found not in self.layouts:
            msg = f"{self} does not take RegLayout {found.name}; legal: {_names(self.layouts)}"
            raise OptionError(msg)
        return found


def _names(modes: tuple[RoundMode, ...] | tuple[SatMode, ...] | tuple[RegLayout, ...]) -> str:
    return ", ".join(mode.name for mode in modes)


# What the columns below stand for.
_ROUNDS = {
    "-": (RoundMode.UNKNOWN,),
    "rint": (RoundMode.CAST_RINT,),
    "five": tuple(
        RoundMode[f"CAST_{name}"] for name in ("RINT", "ROUND", "FLOOR", "CEIL", "TRUNC")
    ),
    "odd": tuple(
        RoundMode[f"CAST_{name}"] for name in ("ODD", "RINT", "ROUND", "FLOOR", "CEIL", "TRUNC")
    ),
    "hif8": (RoundMode.CAST_ROUND, RoundMode.CAST_HYBRID),
}
_SATS = {"-": (SatMode.UNKNOWN,), "sat": (SatMode.NO_SAT, SatMode.SAT)}
_LAYOUTS = {
    "1": (RegLayout.UNKNOWN,),
    "2": tuple(RegLayout(part) for part in range(2)),
    "4": tuple(RegLayout(part) for part in range(4)),
}

# Source, destination, rounding modes, saturation modes, lanes of the narrow type in a wide one.
# Where editions differ (fp4 layouts, int16_t -> int4x2_t saturation, bfloat16_t -> int32_t) the
# later one is followed: its tables are unmerged, and the device headers agree with it.
_TABLE = """
half          int4x2_t      five  sat  4
float         int16_t       five  sat  2
half          int8_t        five  sat  2
half          uint8_t       five  sat  2
float         int64_t       five  sat  2
float         int32_t       five  sat  1
half          int16_t       five  sat  1
half          int32_t       five  -    2
bfloat16_t    int32_t       five  sat  2
half          float         -     -    2
bfloat16_t    float         -     -    2
hifloat8_t    half          -     -    2
float         bfloat16_t    five  sat  2
float         half          odd   sat  2
half          hifloat8_t    hif8  sat  2
float         hifloat8_t    hif8  sat  4
float         fp8_e5m2_t    rint  sat  4
float         fp8_e4m3fn_t  rint  sat  4
hifloat8_t    float         -     -    4
fp8_e4m3fn_t  float         -     -    4
fp8_e5m2_t    float         -     -    4
bfloat16_t    fp4x2_e2m1_t  five  -    4
bfloat16_t    fp4x2_e1m2_t  five  -    4
fp4x2_e2m1_t  bfloat16_t    -     -    4
fp4x2_e1m2_t  bfloat16_t    -     -    4
bfloat16_t    half          five  sat  1
half          bfloat16_t    five  -    1
bfloat16_t    fp8_e8m0_t    -     -    2
fp8_e8m0_t    bfloat16_t    -     -    2
int4x2_t      half          -     -    4
int4x2_t      bfloat16_t    -     -    4
uint8_t       half          -     -    2
int8_t        half          -     -    2
int16_t       float         -     -    2
int64_t       float         five  -    2
int16_t       half          five  -    1
int32_t       float         five  -    1
uint32_t      uint8_t       -     sat  4
int32_t       uint8_t       -     sat  4
uint16_t      uint8_t       -     sat  2
int16_t       uint8_t       -     sat  2
uint32_t      uint16_t      -     sat  2
uint32_t      int16_t       -     sat  2
int32_t       uint16_t      -     sat  2
int32_t       int16_t       -     sat  2
int64_t       int32_t       -     sat  2
uint8_t       uint16_t      -     -    2
int8_t        int16_t       -     -    2
uint16_t      uint32_t      -     -    2
int16_t       uint32_t      -     -    2
int16_t       int32_t       -     -    2
int32_t       int64_t       -     -    2
uint8_t       uint32_t      -     -    4
int8_t        int32_t       -     -    4
int16_t       int4x2_t      -     sat  4
int4x2_t      int16_t       -     -    4
"""

# The device headers take CAST_NONE for CAST_RINT here, and refuse it for float -> bfloat16_t.
_NONE_IS_RINT = {
    ("float", "half"),
    ("half", "int8_t"),
    ("half", "uint8_t"),
    ("half", "int4x2_t"),
    ("int16_t", "half"),
    ("int32_t", "float"),
}

# The instruction has no saturation operand, but published kernels name a mode; it has no effect.
_SAT_IGNORED = {("half", "int32_t")}


def _read() -> dict[tuple[str, str], Pair]:
    pairs = {}
    for line in _TABLE.split("\n"):
        if line:
            src, dst, rounds, sats, layouts = line.split()
            types = data_type(src), data_type(dst)
            pairs[src, dst] = Pair(*types, _ROUNDS[rounds], _SATS[sats], _LAYOUTS[layouts])
    return pairs


PAIRS: Mapping[tuple[str, str], Pair] = MappingProxyType(_read())
"""The pairs by the names of source and destination."""


def find_pair(src: str | DataType, dst: str | DataType) -> Pair:
    """Look a pair up.

    Parameters
    ----------
    src, dst : str or DataType

    Returns
    -------
    Pair

    Raises
    ------
    FormatError
        If a type is unknown, or the pair is none of the unit's; the source's are listed.

    Examples
    --------
    >>> [mode.name for mode in find_pair("half", "hifloat8_t").rounds]
    ['CAST_ROUND', 'CAST_HYBRID']
    """
    names = data_type(src).name, data_type(dst).name
    try:
        return PAIRS[names]
    except KeyError:
        reached = [there for here, there in PAIRS if here == names[0]]
        msg = f"no cast {names[0]} -> {names[1]}; {names[0]} goes to {', '.join(reached)}"
        raise FormatError(msg + nearest(names[1], reached)) from None
