"""The minimum and maximum families of both IEEE 754 revisions, from one table."""

from __future__ import annotations

from typing import Any, Protocol, Unpack

from minifloat._operations import FormatsLike, How, Op, Switches, operand_formats, operate

__all__ = [
    "max_num",
    "max_num_magnitude",
    "maximum",
    "maximum_magnitude",
    "maximum_magnitude_number",
    "maximum_number",
    "min_num",
    "min_num_magnitude",
    "minimum",
    "minimum_magnitude",
    "minimum_magnitude_number",
    "minimum_number",
]

_NAN_WINS, _NUMBER_WINS, _QUIET_NAN_LOSES = 0, 1, 2

_RULES = {
    _NAN_WINS: ("A NaN operand gives NaN", "IEEE 754-2019 §9.6"),
    _NUMBER_WINS: ("A NaN operand loses to a number", "IEEE 754-2019 §9.6"),
    _QUIET_NAN_LOSES: (
        "A quiet NaN operand loses to a number, a signalling one gives NaN",
        "IEEE 754-2008 §5.3.1",
    ),
}

_DOCUMENTATION = """Return the {side} of two codes{by}; -0 is below +0.

    {rule}; a signalling NaN raises INVALID.

    Parameters
    ----------
    a, b : array_like of int, shapes that broadcast
        Codes.
    fmt : Format, str or dtype, or a pair
        The format of both operands, or of each.
    **how
        As for `add`.

    Returns
    -------
    ndarray or numpy scalar, broadcast shape
        Codes; always the canonical one of their value.

    Raises
    ------
    FormatError, OptionError, DtypeError, CodeError, NanError
        As for `add`.

    References
    ----------
    {reference}.
    """


class _Extremum(Protocol):
    __name__: str

    def __call__(self, a: Any, b: Any, fmt: FormatsLike, **how: Unpack[How]) -> Any: ...


def _extremum(name: str, number_rule: int) -> _Extremum:
    wants_larger, by_magnitude = name.startswith("max"), "magnitude" in name
    switches = Switches(
        wants_larger=wants_larger, by_magnitude=by_magnitude, number_rule=number_rule
    )

    def extremum(a: Any, b: Any, fmt: FormatsLike, **how: Unpack[How]) -> Any:
        return operate(Op.EXTREMUM, (a, b), operand_formats(fmt, 2), how, switches=switches)

    rule, reference = _RULES[number_rule]
    extremum.__doc__ = _DOCUMENTATION.format(
        side="larger" if wants_larger else "smaller",
        by=" by magnitude (by value where those are equal)" if by_magnitude else "",
        rule=rule,
        reference=reference,
    )
    extremum.__name__ = extremum.__qualname__ = name
    return extremum


minimum = _extremum("minimum", _NAN_WINS)
maximum = _extremum("maximum", _NAN_WINS)
minimum_number = _extremum("minimum_number", _NUMBER_WINS)
maximum_number = _extremum("maximum_number", _NUMBER_WINS)
minimum_magnitude = _extremum("minimum_magnitude", _NAN_WINS)
maximum_magnitude = _extremum("maximum_magnitude", _NAN_WINS)
minimum_magnitude_number = _extremum("minimum_magnitude_number", _NUMBER_WINS)
maximum_magnitude_number = _extremum("maximum_magnitude_number", _NUMBER_WINS)
min_num = _extremum("min_num", _QUIET_NAN_LOSES)
max_num = _extremum("max_num", _QUIET_NAN_LOSES)
min_num_magnitude = _extremum("min_num_magnitude", _QUIET_NAN_LOSES)
max_num_magnitude = _extremum("max_num_magnitude", _QUIET_NAN_LOSES)
