"""IEEE 754 status flags: what was raised, how often, and where first."""

from __future__ import annotations

from enum import IntFlag

__all__ = ["FLAG_COUNT", "Flag", "Flags"]

FLAG_COUNT = 5


class Flag(IntFlag):
    """The IEEE 754 exceptions, in SoftFloat's order."""

    INEXACT = 1
    UNDERFLOW = 2
    OVERFLOW = 4
    DIVIDE_BY_ZERO = 8
    INVALID = 16


class Flags:
    """Sticky flags with counts, accumulated over the operations that are given this object.

    Attributes
    ----------
    counts : dict of Flag to int
        How many elements raised each flag, over all operations so far.
    first : dict of Flag to int
        Index (C order of the output, counted over all operations) of the first element to raise it.
    seen : int
        Number of elements seen so far.

    Examples
    --------
    >>> flags = Flags()
    >>> flags.raised
    <Flag: 0>
    >>> flags
    Flags(none in 0 elements)
    """

    INEXACT = Flag.INEXACT
    UNDERFLOW = Flag.UNDERFLOW
    OVERFLOW = Flag.OVERFLOW
    DIVIDE_BY_ZERO = Flag.DIVIDE_BY_ZERO
    INVALID = Flag.INVALID

    __slots__ = ("counts", "first", "seen")

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Forget everything."""
        self.counts: dict[Flag, int] = dict.fromkeys(Flag, 0)
        self.first: dict[Flag, int] = {}
        self.seen = 0

    @property
    def raised(self) -> Flag:
        """The flags raised so far."""
        return Flag(sum(flag for flag, count in self.counts.items() if count))

    def accumulate(self, counts: list[int], first: list[int], size: int) -> None:
        """Add the flags of one operation.

        Parameters
        ----------
        counts, first : list of int, length 5
            How many elements raised each flag, in bit order, and the index of the first (any
            value where the count is 0).
        size : int
            Number of elements of the operation.
        """
        for flag, count, index in zip(Flag, counts, first, strict=True):
            if count:
                self.counts[flag] += count
                self.first.setdefault(flag, self.seen + index)
        self.seen += size

    def __bool__(self) -> bool:
        return any(self.counts.values())

    def __contains__(self, flag: Flag) -> bool:
        return flag in self.raised

    def __int__(self) -> int:
        return int(self.raised)

    def __repr__(self) -> str:
        parts = [
            f"{flag.name}: {count}, first at {self.first[flag]}"
            for flag, count in self.counts.items()
            if count
        ]
        return f"Flags({'; '.join(parts) or 'none'} in {self.seen} elements)"
