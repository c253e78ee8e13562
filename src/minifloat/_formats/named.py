"""The named formats as data: one line each."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping
from typing import Any

from minifloat._errors import FormatError
from minifloat._formats.floats import FloatFormat
from minifloat._formats.hifloat8 import HiFloat8Format
from minifloat._formats.integers import IntFormat
from minifloat._formats.types import Format, NanCode, Subnormals
from minifloat._rounding import Overflow

__all__ = ["ALIASES", "FormatTable", "formats", "p3109_format"]

_FN: Any = {"infinities": False, "nan": NanCode.ALL_ONES}
_FNUZ: Any = {"infinities": False, "nan": NanCode.NEGATIVE_ZERO}
_FINITE: Any = {"infinities": False, "nan": NanCode.NONE}

_NAMED: dict[str, Format] = {
    "float64": FloatFormat(11, 52),
    "float32": FloatFormat(8, 23),
    "tfloat32": FloatFormat(8, 10, code_shift=13),
    "bfloat16": FloatFormat(8, 7),
    "float16": FloatFormat(5, 10),
    "dlfloat16": FloatFormat(6, 9, subnormals=Subnormals.NORMAL, **_FN),
    "float8_e3m4": FloatFormat(3, 4),
    "float8_e4m3": FloatFormat(4, 3),
    "float8_e4m3fn": FloatFormat(4, 3, **_FN),
    "float8_e4m3fnuz": FloatFormat(4, 3, 8, **_FNUZ),
    "float8_e4m3b11fnuz": FloatFormat(4, 3, 11, **_FNUZ),
    "float8_e5m2": FloatFormat(5, 2),
    "float8_e5m2fnuz": FloatFormat(5, 2, 16, **_FNUZ),
    "float8_e8m0fnu": FloatFormat(8, 0, 127, signed=False, zero=False, subnormals=False, **_FN),
    "float8_ue4m3": FloatFormat(4, 3, signed=False, **_FN),
    "float8_ue5m3": FloatFormat(5, 3, signed=False, **_FN),
    "hifloat8": HiFloat8Format(),
    "float6_e2m3fn": FloatFormat(2, 3, **_FINITE),
    "float6_e3m2fn": FloatFormat(3, 2, **_FINITE),
    "float4_e2m1fn": FloatFormat(2, 1, **_FINITE),
    "float4_e1m2fn": FloatFormat(1, 2, 1, **_FINITE),
    **{f"int{bits}": IntFormat(bits) for bits in (2, 4, 8, 16, 32, 64)},
    **{f"uint{bits}": IntFormat(bits, signed=False) for bits in (2, 4, 8, 16, 32, 64)},
}

ALIASES: dict[str, str] = {
    **{name.split("_", 1)[1]: name for name in _NAMED if "_" in name},
    **{f"ocp_{fp}": f"float8_{fp}{fn}" for fp, fn in (("e4m3", "fn"), ("e5m2", ""))},
    "ocp_e3m2": "float6_e3m2fn",
    "ocp_e2m3": "float6_e2m3fn",
    "ocp_e2m1": "float4_e2m1fn",
    "ocp_e8m0": "float8_e8m0fnu",
    "e8m0": "float8_e8m0fnu",
    "ue8m0": "float8_e8m0fnu",
    "e2m1": "float4_e2m1fn",
    "e1m2": "float4_e1m2fn",
    "e2m3": "float6_e2m3fn",
    "e3m2": "float6_e3m2fn",
    "tf32": "tfloat32",
    "hif8": "hifloat8",
    "bf16": "bfloat16",
    "fp16": "float16",
    "half": "float16",
    "fp32": "float32",
    "single": "float32",
    "fp64": "float64",
    "double": "float64",
}

_P3109_NAME = re.compile(r"(?:binary|p3109_k)(\d+)p(\d+)([su])([ef])")


def _p3109_fields(name: str) -> tuple[int, int, bool, bool] | None:
    found = _P3109_NAME.fullmatch(name)
    if found is None:
        return None
    return int(found[1]), int(found[2]), found[3] == "s", found[4] == "e"


@functools.cache
def p3109_format(bits: int, precision: int, signed: bool, extended: bool) -> FloatFormat:
    """Build the IEEE P3109 format ``binary{bits}p{precision}{s|u}{e|f}``.

    Parameters
    ----------
    bits : int
        Width K, 3 to 15.
    precision : int
        Precision P, the hidden bit counted: below K when signed, at most K when unsigned.
    signed, extended : bool
        Whether there is a sign; whether there are infinities.

    Returns
    -------
    FloatFormat

    Raises
    ------
    FormatError
        If the parameters are out of range or float64 cannot hold every value.

    References
    ----------
    IEEE P3109 interim report v4.0, format parameters.

    Examples
    --------
    >>> p3109_format(8, 3, True, True).name
    'binary8p3se'
    """
    kind = ("s" if signed else "u") + ("e" if extended else "f")
    name = f"binary{bits}p{precision}{kind}"
    if not (3 <= bits <= 15 and 1 <= precision <= bits - signed):
        msg = f"{name}: P3109 widths here are 3 to 15, precisions 1 to {bits - signed}"
        raise FormatError(msg)
    return FloatFormat(
        bits - precision + (not signed),
        precision - 1,
        2 ** (bits - precision - signed),
        signed=signed,
        infinities=extended,
        nan=NanCode.NEGATIVE_ZERO if signed else NanCode.ALL_ONES,
        default_overflow=Overflow.P3109,
        name=name,
    )


class FormatTable(Mapping[str, Format]):
    """The named formats by canonical name; look-ups also take aliases and P3109 names.

    Examples
    --------
    >>> formats["e4m3fn"].name
    'float8_e4m3fn'
    >>> "binary8p4se" in formats, len(list(formats.p3109())) > 400
    (True, True)
    """

    def __getitem__(self, name: str) -> Format:
        name = ALIASES.get(name, name)
        if name in _NAMED:
            return _NAMED[name]
        fields = _p3109_fields(name)
        if fields is None:
            raise KeyError(name)
        return p3109_format(*fields)

    def __contains__(self, name: object) -> bool:
        if not isinstance(name, str):
            return False
        try:
            self[name]
        except (KeyError, FormatError):
            return False
        return True

    def __iter__(self) -> Iterator[str]:
        return iter(_NAMED)

    def __len__(self) -> int:
        return len(_NAMED)

    def __repr__(self) -> str:
        return f"<{len(self)} named formats: {', '.join(self)}; and .p3109()>"

    def p3109(self) -> Iterator[FloatFormat]:
        """Yield every P3109 format of 3 to 15 bits that float64 can hold, one at a time.

        Yields
        ------
        FloatFormat
        """
        for bits in range(3, 16):
            for signed in (True, False):
                for precision in range(1, bits + (not signed)):
                    for extended in (True, False):
                        try:
                            yield p3109_format(bits, precision, signed, extended)
                        except FormatError:
                            continue


for _name, _format in _NAMED.items():
    object.__setattr__(_format, "name", _name)

formats = FormatTable()
