"""One test: an operation with its inputs, its reference and its limits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from minifloat.tosa._editions import Edition
from minifloat.tosa._generate import generate_inputs
from minifloat.tosa._limits import Limits, dot_product_limits
from minifloat.tosa._operators import Operation
from minifloat.tosa._reference import Reference, input_values, reference_of
from minifloat.tosa._signature import Signature

__all__ = ["TestCase", "make_case"]


@dataclass(frozen=True, slots=True)
class TestCase:
    """Everything about one test.

    Parameters
    ----------
    operation : Operation
    types : Signature
    test_set : int
    edition : Edition
    inputs : dict of numpy.ndarray
        Stored tensors by name.
    reference : Reference
    limits : Limits
    """

    __test__ = False  # not a class of tests, whatever its name makes pytest think

    operation: Operation
    types: Signature
    test_set: int
    edition: Edition
    inputs: dict[str, NDArray[Any]]
    reference: Reference
    limits: Limits

    @property
    def name(self) -> str:
        """A short name: operator, types and test set."""
        types = self.types
        inputs = str(types.data) if types.data == types.weight else f"{types.data}x{types.weight}"
        return f"{self.operation.op} {inputs}->{types.out} acc {types.acc} S={self.test_set}"


def make_case(
    known: Operation, types: Signature, test_set: int, edition: Edition, first: int = 0
) -> TestCase:
    """Make a test.

    Parameters
    ----------
    known : Operation
    types : Signature
    test_set : int
    edition : Edition
    first : int
        The kernel index that takes the large elements of sets 2 and 3.

    Returns
    -------
    TestCase

    Raises
    ------
    OptionError
        If the edition has no data for the types.

    Examples
    --------
    >>> from minifloat.tosa import operation, signature
    >>> case = make_case(
    ...     operation("MATMUL", {"ifm": (1, 40, 8), "width": 40}), signature("MATMUL", "fp16"), 3,
    ...     Edition.TOOL)
    >>> case.name
    'MATMUL fp16->fp16 acc fp16 S=3'
    """
    inputs = generate_inputs(known, types, test_set, edition, first)
    expected = reference_of(known, types, input_values(known, types, inputs), edition)
    limits = dot_product_limits(known.ks, types, has_bias=expected.has_bias, edition=edition)
    return TestCase(known, types, test_set, edition, inputs, expected, limits)
