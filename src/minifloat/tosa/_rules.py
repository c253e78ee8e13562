"""The test sets of each edition as rules of the core's element generator."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import IntEnum

import numpy as np

from minifloat._errors import OptionError
from minifloat.tosa._editions import Edition

__all__ = ["ElementRule", "RuleKind", "check_test_set", "element_rule"]


class RuleKind(IntEnum):
    """How an element follows from draws; the numbers are those of the core's ``Rule``.

    a is draw i of the first stream and b draw i of the second; c and d are draws 2i and 2i + 1 of
    the first.
    """

    ZERO = 0
    SELECT = 1
    """``scale * b`` on one sign of a, +0 on the other."""
    SCALED = 2
    """``scale * a``."""
    DIVIDED = 3
    """``a / scale``."""
    OFFSET = 4
    """``scale * (0.75 + 0.25 a)``."""
    SIGNED_OFFSET = 5
    """``scale * (sign(c) 0.75 + 0.25 d)``."""
    EXPONENTIAL = 6
    """``exp(2 c) * d``."""


@dataclass(frozen=True, slots=True)
class ElementRule:
    """What the elements of one tensor are.

    Parameters
    ----------
    kind : RuleKind
    first, second : int
        Numbers of the streams.
    when_negative : bool
        For ``SELECT``: keep b where a is negative rather than where it is not.
    scale : float
    special_k : int, optional
        The kernel index whose elements have the special value.
    special_value : float
    special_signed : bool
        Whether the special value takes the sign of a (of c in ``EXPONENTIAL``).
    """

    kind: RuleKind
    first: int = 0
    second: int = 0
    when_negative: bool = False
    scale: float = 1.0
    special_k: int | None = None
    special_value: float = 0.0
    special_signed: bool = False

    def at_kernel_index(self, k: int) -> ElementRule:
        """Return the rule with its special value, if it has one, moved to kernel index `k`."""
        return self if self.special_k is None else replace(self, special_k=k)


def check_test_set(test_set: int) -> int:
    """Return `test_set` if the appendix defines it.

    Parameters
    ----------
    test_set : int

    Returns
    -------
    int

    Raises
    ------
    OptionError
        If it is not in 0..5.

    Examples
    --------
    >>> check_test_set(3)
    3
    """
    if not 0 <= test_set <= 5:
        msg = f"test set {test_set} does not exist; the appendix defines sets 0 to 5"
        raise OptionError(msg)
    return int(test_set)


def element_rule(
    edition: Edition, test_set: int, ks: int, parameter: int, scale: float
) -> ElementRule:
    """Return the rule of a tensor.

    Roots and quotients are in double precision, as in Arm's tool; see the page on TOSA for where
    each edition differs.

    Parameters
    ----------
    edition : Edition
    test_set : int
        S, 0 to 5.
    ks : int
        KS, the number of products in one dot product.
    parameter : int
        p: 0 data, 1 weights, 2 bias.
    scale : float
        B.

    Returns
    -------
    ElementRule

    Examples
    --------
    >>> rule = element_rule(Edition.V1_1, 2, 16, 1, 1.0)
    >>> rule.kind.name, rule.first, rule.scale, rule.special_value
    ('DIVIDED', 7, 4.0, 1.0)
    """
    seed = edition is Edition.SEED
    # The seed text reuses streams between sets 0, 2, 3 and 4; later texts give each set its own.
    base = 2 * test_set if seed and test_set in (0, 2, 3, 4) else 3 * test_set
    own = base + parameter
    if test_set == 1:
        kind = RuleKind.OFFSET if seed else RuleKind.SIGNED_OFFSET
        if parameter == 2:
            return ElementRule(kind, own, scale=_bias_scale(edition, ks, scale))
        return ElementRule(kind, own, scale=scale / math.sqrt(ks + 1))
    if parameter == 2:
        return ElementRule(RuleKind.ZERO)
    negative = parameter == 1
    if test_set == 0:
        return ElementRule(RuleKind.SELECT, base, base + 1, negative)
    if test_set == 2:
        return ElementRule(
            RuleKind.DIVIDED, own, scale=math.sqrt(ks), special_k=0, special_value=1.0
        )
    if test_set == 3:
        return ElementRule(
            RuleKind.EXPONENTIAL, own, special_k=0, special_value=16.0, special_signed=not seed
        )
    if test_set == 4:
        return ElementRule(
            RuleKind.SELECT,
            base,
            base + 1,
            negative,
            scale / math.sqrt(ks),
            special_k=ks // 2,
            special_value=-0.5 if negative else 0.5,
            special_signed=True,
        )
    root = math.sqrt(ks + 1 if edition is Edition.TOOL else ks)
    return ElementRule(RuleKind.SCALED, own, scale=scale / root)


def _bias_scale(edition: Edition, ks: int, scale: float) -> float:
    """Return B^2 / (KS + 1): in double by the texts, step by step in float32 by the tool."""
    if edition is not Edition.TOOL:
        return scale * scale / (ks + 1)
    square = np.float32(scale) * np.float32(scale)
    return float(square / np.float32(ks + 1))
