"""The compiled core of minifloat: formats and kernels over arrays."""

from collections.abc import Sequence

from minifloat._core import tosa as tosa


class Format:
    """A format's fields as the core sees them."""

    def __init__(self, *, grid: int, nan: int, subnormals: int, is_signed: bool, infinities: bool, negative_zero: bool, zero: bool, exponent_bits: int, trailing_bits: int, bias: int, code_shift: int, integer_bits: int, scale_exponent: int) -> None: ...

def isa_levels() -> list[str]:
    """
    Names of the instruction-set levels that this processor and build offer, best last.
    """

def isa() -> str:
    """Name of the level in use."""

def set_isa(name: str) -> None:
    """Use the level of this name from now on."""

def set_scalar_arithmetic(on: bool) -> None:
    """
    Run every operation element by element through the scalar core, or stop doing so.
    """

class Context:
    """What a machine fixes, as the core sees it."""

    def __init__(self, *, tininess_before: bool, flush_before: bool, flush_inputs: bool, flush_outputs: bool, narrow_nans_quiet: bool, no_signaling_nans: bool, snan_bit_is_one: bool, nan_rules: Sequence[int], default_nan: int, integer_failure: Sequence[int]) -> None: ...

class ArithPlan:
    """An operation with everything but its operands."""

    def __init__(self, op: int, operands: Sequence[Format], result: Format, *, context: Context, how: Sequence[int], table: object | None, switches: Sequence[int], scale: int) -> None: ...

    def run(self, operands: list, target: object, key: object | None, offset: int, random_bits: object | None, flags: object | None, counts_flags: bool, workers: int) -> object:
        """Operate on arrays of codes; returns what was found, or None."""

    @property
    def path(self) -> str:
        """How the plan computes long arrays."""

class MatmulPlan:
    """A matrix product with everything but its operands."""

    def __init__(self, formats: Sequence[Format], *, context: Context, how: Sequence[int], table: object | None, order: int, block: int, rounds_products: bool) -> None: ...

    def run(self, left: object, right: object, target: object, shape: Sequence[int], key: object | None, offset: int, random_bits: object | None, flags: object | None, counts_flags: bool, workers: int) -> object:
        """
        Multiply; returns the number of stray codes, and counts and firsts of flags.
        """

class CastPlan:
    """Everything about a cast that does not depend on its data."""

    def __init__(self, source: Format, target: Format, *, rounding: int, overflow: int, nan: int, context: Context, variant: int, random_bits: int, table: object | None, jam: bool) -> None: ...

    def run(self, source: object, target: object, key: object | None, offset: int, random_bits: object | None, flags: object | None, counts_flags: bool, workers: int) -> object:
        """Cast source into target; returns what was found, or None."""

    def quantize(self, back: CastPlan, source: object, target: object, key: object | None, offset: int, random_bits: object | None, flags: object | None, counts_flags: bool, workers: int) -> object:
        """Round source onto the target format's grid, in the source's own type."""

    def run_quick(self, back: object | None, source: object, target: object, workers: int) -> object:
        """Run without noise and flags; there and back if back is given."""

    def round_exact(self, negative: bool, exponent: int, significand: int, sticky: bool, random_bits: int = 0, low: int = 0) -> tuple[int, int]:
        """Round one exact value; returns its code and flags."""

    @property
    def raises_nan(self) -> bool:
        """Whether a NaN that the target lacks is an error."""

    @property
    def carrier(self) -> str:
        """Which carrier holds the values: float32, float64, or the scalar core."""
