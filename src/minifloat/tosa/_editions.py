"""The editions of the conformance appendix, and the scale B that each gives to a pair of types."""

from __future__ import annotations

from enum import Enum
from typing import TypeAlias

from minifloat._errors import OptionError, nearest
from minifloat.tosa._types import TensorType

__all__ = ["Edition", "EditionLike", "as_edition", "data_scale", "has_scale"]


class Edition(Enum):
    """Which text, or which tool, the test data and the verdict follow."""

    SEED = "seed"
    """The appendix of early 2024 (between 0.90 and 1.0), with one-sided data in sets 1 and 3."""
    V1_1 = "1.1"
    """The text of TOSA 1.1 as of its 2026 drafts."""
    TOOL = "tool"
    """What Arm's released conformance tool (tosa-tools 2026.8) makes and accepts."""


EditionLike: TypeAlias = Edition | str
"""An `Edition` or its value."""


def as_edition(edition: EditionLike) -> Edition:
    """Look up an edition.

    Parameters
    ----------
    edition : Edition or str
        ``"seed"``, ``"1.1"`` or ``"tool"``.

    Returns
    -------
    Edition

    Raises
    ------
    OptionError
        If there is no such edition.

    Examples
    --------
    >>> as_edition("1.1")
    <Edition.V1_1: '1.1'>
    """
    try:
        return Edition(edition)
    except ValueError:
        words = [known.value for known in Edition]
        msg = f"unknown edition {edition!r}{nearest(str(edition), words)}; allowed are {words}"
        raise OptionError(msg) from None


# For each output type, the largest value of each input type whose square does not exceed the
# largest output. A pair of input types takes the smaller of its two values, which is exact in both.
_ROOTS: dict[str, dict[str, float]] = {
    "fp32": {
        "fp32": 2.0**64 - 2.0**40,
        "bf16": 2.0**64 - 2.0**56,
        "fp16": 65504.0,
        "fp8e4m3": 448.0,
        "fp8e5m2": 57344.0,
    },
    "fp16": {"fp32": 255.875, "bf16": 255.0, "fp16": 255.875, "fp8e4m3": 240.0, "fp8e5m2": 224.0},
    "fp8e4m3": dict.fromkeys(("fp32", "bf16", "fp16", "fp8e4m3", "fp8e5m2"), 20.0),
    "fp8e5m2": dict.fromkeys(("fp32", "bf16", "fp16", "fp8e4m3", "fp8e5m2"), 224.0),
}
_ROOTS["bf16"] = {**_ROOTS["fp32"], "fp32": 2.0**64 - 2.0**56}

# Of a mixed pair the tool narrows the fp16 tensor's 65504 to what bf16 holds, but not the other's.
_TOOL_PAIRS: dict[tuple[str, str, str], float] = {
    ("fp16", "bf16", result): 65280.0 for result in ("fp32", "bf16")
}

# The rows that each text prints: (input, other input, result), the result being the accumulator
# type in the seed edition and the output type in 1.1.
_SEED_ROWS = {("fp16", "fp16"), ("fp16", "fp32"), ("bf16", "fp32"), ("fp32", "fp32")}
_V1_1_ROWS = {
    *_SEED_ROWS,
    ("bf16", "bf16"),
    ("fp8e4m3", "fp16"),
    ("fp8e4m3", "fp32"),
    ("fp8e4m3", "fp8e4m3"),
    ("fp8e5m2", "fp16"),
    ("fp8e5m2", "fp32"),
    ("fp8e5m2", "fp8e5m2"),
}


def has_scale(edition: Edition, first: TensorType, second: TensorType, result: TensorType) -> bool:
    """Return whether an edition defines test data for types; see `data_scale`.

    Parameters
    ----------
    edition : Edition
    first, second, result : TensorType

    Returns
    -------
    bool

    Examples
    --------
    >>> from minifloat.tosa import as_type
    >>> has_scale(Edition.SEED, as_type("bf16"), as_type("bf16"), as_type("bf16"))
    False
    """
    if edition is Edition.TOOL:
        return True
    if edition is Edition.SEED:
        return first == second and (first.name, result.name) in _SEED_ROWS
    if first.is_fp8 and second.is_fp8 and result.name in ("fp16", "fp32"):
        return True
    return first == second and (first.name, result.name) in _V1_1_ROWS


def data_scale(
    edition: Edition, first: TensorType, second: TensorType, result: TensorType
) -> float:
    """Return the scale B of the test data.

    Parameters
    ----------
    edition : Edition
    first, second : TensorType
        The types of the tensor itself and of the other input.
    result : TensorType
        The accumulator type in the seed edition, the output type in the others.

    Returns
    -------
    float
        The largest value exact in both input types whose square fits `result`.

    Raises
    ------
    OptionError
        If the table of a text has no such row. The tool accepts all pairs.

    Examples
    --------
    >>> from minifloat.tosa import as_type
    >>> data_scale(Edition.TOOL, as_type("fp8e4m3"), as_type("fp8e5m2"), as_type("fp16"))
    224.0
    """
    if not has_scale(edition, first, second, result):
        role = "accumulator" if edition is Edition.SEED else "output"
        rows = _SEED_ROWS if edition is Edition.SEED else _V1_1_ROWS
        listed = ", ".join(f"{source}->{target}" for source, target in sorted(rows))
        pair = first.name if first == second else f"{first}x{second}"
        msg = (
            f"edition {edition.value!r} defines no test data for {pair} inputs with {role} type"
            f" {result}; its rows are {listed}; edition 'tool' takes every pair"
        )
        raise OptionError(msg)
    special = _TOOL_PAIRS.get((first.name, second.name, result.name))
    if special is not None:
        return special
    return min(_ROOTS[result.name][first.name], _ROOTS[result.name][second.name])
