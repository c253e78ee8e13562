"""What a verdict says."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

__all__ = ["ElementReport", "OutputReport", "Report", "WorstElement"]


@dataclass(frozen=True, slots=True)
class WorstElement:
    """An element whose error is among the largest.

    Parameters
    ----------
    index : tuple of int
        Where it is in the output.
    reference, bound, actual : float
        What it should be, the scale its error counts on, and what it is.
    error : float
        The error in half ulps of the bound; infinite where a NaN, an infinity or a value other than
        zero stands in the wrong place.
    """

    index: tuple[int, ...]
    reference: float
    bound: float
    actual: float
    error: float


@dataclass(frozen=True, slots=True)
class OutputReport:
    """The verdict on one output tensor. Errors are in half ulps of the bound.

    Parameters
    ----------
    name, dtype : str
    shape : tuple of int
    failures : int
        Elements whose error exceeds the limit.
    first_failure : tuple of int, optional
        The first of them in C order.
    max_error, max_error_limit : float
        Largest magnitude of an error.
    error_sum, error_sum_limit : float
        Sum of the errors, which shows a bias, and the largest magnitude allowed.
    sum_counts : bool
        Whether the sum takes part in the verdict: in test sets 3 to 5.
    square_sum, square_sum_limit : float
        Sum of the squared errors.
    worst : tuple of WorstElement
        The elements of largest error, the largest first; exact ones are left out.
    """

    name: str
    dtype: str
    shape: tuple[int, ...]
    failures: int
    first_failure: tuple[int, ...] | None
    max_error: float
    max_error_limit: float
    error_sum: float
    error_sum_limit: float
    sum_counts: bool
    square_sum: float
    square_sum_limit: float
    worst: tuple[WorstElement, ...]

    @property
    def unbiased(self) -> bool:
        """Whether the sum of errors is within its limit, or does not count."""
        return not self.sum_counts or abs(self.error_sum) <= self.error_sum_limit

    @property
    def variance_passed(self) -> bool:
        """Whether the sum of squares is within its limit."""
        return self.square_sum <= self.square_sum_limit

    @property
    def passed(self) -> bool:
        """Whether the output complies."""
        return self.failures == 0 and self.unbiased and self.variance_passed

    @property
    def headroom(self) -> float:
        """How many times the errors could grow: the least ratio of a limit to what was measured.

        Infinite for an exact output, below 1 for one that fails. The ratio of squares counts by its
        root, as it grows with the square of the errors.
        """
        ratios = [
            _ratio(self.max_error_limit, self.max_error),
            math.sqrt(_ratio(self.square_sum_limit, self.square_sum)),
        ]
        if self.sum_counts:
            ratios.append(_ratio(self.error_sum_limit, abs(self.error_sum)))
        return min(ratios)

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain data for JSON; infinities and NaN become strings.

        Returns
        -------
        dict
        """
        more = {"passed": self.passed, "headroom": self.headroom, "reasons": self.reasons()}
        cleaned: dict[str, Any] = _finite(asdict(self) | more)
        return cleaned

    def reasons(self) -> list[str]:
        """Return why the output fails, one sentence for each check; empty if it passes.

        Returns
        -------
        list of str
        """
        found = []
        if self.failures:
            found.append(
                f"{self.failures} of {math.prod(self.shape)} elements of {self.name} exceed the"
                f" error limit {self.max_error_limit:g}; the first is at {self.first_failure},"
                f" the largest error is {self.max_error:.4g}"
            )
        if not self.unbiased:
            found.append(
                f"the errors of {self.name} are biased: their sum {self.error_sum:.4g} exceeds"
                f" {self.error_sum_limit:.4g}"
            )
        if not self.variance_passed:
            found.append(
                f"the squared errors of {self.name} sum to {self.square_sum:.4g}, more than"
                f" {self.square_sum_limit:.4g}"
            )
        return found


@dataclass(frozen=True, slots=True)
class ElementReport:
    """The verdict on an output tensor by an interval around each element.

    Parameters
    ----------
    name, dtype : str
    shape : tuple of int
    mode : str
        The rule.
    failures : int
        Elements outside their intervals.
    first_failure : tuple of int, optional
        The first of them in C order.
    largest : float
        The largest finite ratio of an element's difference to its bound.
    worst : tuple of WorstElement
        Failing elements, then those nearest to their bound; their ``error`` is that ratio.
    """

    name: str
    dtype: str
    shape: tuple[int, ...]
    mode: str
    failures: int
    first_failure: tuple[int, ...] | None
    largest: float
    worst: tuple[WorstElement, ...]

    @property
    def passed(self) -> bool:
        """Whether the output complies."""
        return self.failures == 0

    def __bool__(self) -> bool:
        return self.passed

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain data for JSON; infinities and NaN become strings.

        Returns
        -------
        dict
        """
        cleaned: dict[str, Any] = _finite({**asdict(self), "passed": self.passed})
        return cleaned


def _ratio(limit: float, measured: float) -> float:
    if math.isnan(measured) or math.isinf(measured):
        return 0.0
    return math.inf if measured == 0 else limit / measured


@dataclass(frozen=True, slots=True)
class Report:
    """The verdict on an operator. True in a boolean context if it complies.

    Parameters
    ----------
    op, edition : str
    test_set : int, optional
    ks : int
        KS, the products in one dot product.
    outputs : tuple of OutputReport
        One for each output tensor.
    """

    op: str
    edition: str
    test_set: int | None
    ks: int
    outputs: tuple[OutputReport, ...]

    @property
    def passed(self) -> bool:
        """Whether every output complies."""
        return all(output.passed for output in self.outputs)

    @property
    def headroom(self) -> float:
        """The least headroom of the outputs."""
        return min(output.headroom for output in self.outputs)

    def __bool__(self) -> bool:
        return self.passed

    def __str__(self) -> str:
        verdict = "pass" if self.passed else "FAIL"
        heading = f"{self.op} S={self.test_set} KS={self.ks} edition {self.edition}"
        lines = [f"{heading}: {verdict}, headroom {self.headroom:.3g}"]
        for output in self.outputs:
            lines += [f"  {reason}" for reason in output.reasons()]
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain data for JSON; infinities and NaN become strings.

        Returns
        -------
        dict
        """
        plain = {
            "op": self.op,
            "edition": self.edition,
            "test_set": self.test_set,
            "ks": self.ks,
            "passed": self.passed,
            "headroom": self.headroom,
        }
        cleaned: dict[str, Any] = _finite(plain)
        return cleaned | {"outputs": [output.to_dict() for output in self.outputs]}


def _finite(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {key: _finite(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(each) for each in value]
    return value
