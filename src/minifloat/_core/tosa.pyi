"""Test data and dot-product sums of TOSA conformance."""

from collections.abc import Sequence


def set_data_run(out: object, set: int, first: int, step: int) -> None:
    """
    Write draws first, first + step, ... of stream `set` into the float32 array `out`.
    """

def set_data_at(out: object, set: int, indices: object) -> None:
    """
    Write the draws of stream `set` at the uint32 `indices` into the float32 array `out`.
    """

def exp_float(out: object, x: object) -> None:
    """
    Write exp of the float32 array `x` (each |x| <= 64) into `out`, as glibc's expf.
    """

def fill(out: object, begin: int, draw_offset: int, rule: int, first: int, second: int, when_negative: bool, scale: float, special_signed: bool, special_value: float, special_axes: Sequence[tuple[int, int, int]]) -> None:
    """
    Write elements begin, begin + 1, ... of a test tensor into the float32 array `out`.
    """

def dot_product_errors(reference: object, bound: object, actual: object, error: object, max_error: float, half_ulp: float, floor: float, overflow: float, growth: bool) -> tuple[int, int, float, float, float]:
    """
    Write normalised errors into `error`; return failures, the first one's index or -1, and the sum, the sum of squares and the largest magnitude of the errors.
    """
