"""What tfloat32 operands and results become: the input policies, and the article's scheme."""

from __future__ import annotations

import numpy as np

from minifloat._arithmetic import convert
from minifloat._arrays import AnyArray
from minifloat._context import Context
from minifloat._errors import CodeError, OptionError
from minifloat.softfloat._layouts import LAYOUTS, Layout
from minifloat.softfloat._status import FloatStatus

__all__ = ["admit", "chopped", "working_layout"]

_LOW = 0x1FFF
_LOWEST_KEPT = 0x2000
_QUIET_CONTEXT = Context(nan_rule="ab")


def working_layout(layout: Layout, status: FloatStatus) -> Layout:
    """Return the layout that a format is computed in: float32 for tfloat32 in the article's scheme.

    Parameters
    ----------
    layout : Layout
    status : FloatStatus

    Returns
    -------
    Layout
    """
    article = layout.prefix == "tfloat32" and status.tfloat32_scheme == "article"
    return LAYOUTS["float32"] if article else layout


def admit(codes: AnyArray, status: FloatStatus) -> AnyArray:
    """Apply the input policy to tfloat32 operands.

    Parameters
    ----------
    codes : ndarray of uint32
    status : FloatStatus

    Returns
    -------
    ndarray of uint32
        With the low 13 bits zero, unless the policy keeps them.

    Raises
    ------
    CodeError
        If the policy rejects them.
    OptionError
        For the policy ``"keep"`` outside the article's scheme.
    """
    policy = status.tfloat32_input
    if policy == "keep":
        if status.tfloat32_scheme == "article":
            return codes
        msg = "tfloat32_input='keep' belongs to tfloat32_scheme='article'"
        raise OptionError(msg)
    low = codes & _LOW != 0
    if not low.any():
        return codes
    if policy == "reject":
        first = int(np.argmax(low.ravel()))
        msg = (
            f"{int(low.sum())} tfloat32 operands have low bits set, the first"
            f" {int(codes.flat[first]):#x} at index {first};"
            " tfloat32_input= 'chop', 'round' or 'round_away' takes them"
        )
        raise CodeError(msg)
    layout = LAYOUTS["float32"]
    nan = layout.is_nan(codes)
    kept = chopped(codes)
    # A payload of dropped bits alone must not turn a NaN into an infinity.
    kept = np.where(nan & ~layout.is_nan(kept), kept | np.uint32(_LOWEST_KEPT), kept)
    if policy == "chop":
        return kept
    mode = "ties_to_even" if policy == "round" else "ties_to_away"
    rounded = convert(codes, "float32", "tfloat32", rounding=mode, context=_QUIET_CONTEXT)
    return np.where(nan, kept, rounded)


def chopped(codes: AnyArray) -> AnyArray:
    """Clear the low 13 bits.

    Parameters
    ----------
    codes : ndarray of uint32

    Returns
    -------
    ndarray of uint32
    """
    return codes & np.uint32(0xFFFFFFFF ^ _LOW)
