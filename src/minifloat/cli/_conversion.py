"""Cast a tensor piece by piece."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from numpy.typing import NDArray

from minifloat._casting import cast
from minifloat._errors import MinifloatError
from minifloat._flags import Flags
from minifloat._formats import Format
from minifloat._rounding import Stochastic
from minifloat.cli._console import printable
from minifloat.interop import Tensor, TensorFile, TensorOutput, tensor_key

__all__ = ["Conversion", "convert"]

_RELEASE_EVERY = 16


@dataclass(frozen=True, slots=True)
class Conversion:
    """What to convert to, and how: the keywords of `minifloat.cast`, and a seed."""

    fmt: Format
    how: dict[str, Any] = field(default_factory=dict)
    seed: int | None = None


def convert(
    file: TensorFile,
    tensor: Tensor,
    conversion: Conversion,
    flags: Flags,
    advance: Callable[[int], None],
) -> TensorOutput:
    """Describe the converted tensor; the work is done when it is written.

    Parameters
    ----------
    file : TensorFile
        Where the tensor is; its pages are dropped as they are passed.
    tensor : Tensor
    conversion : Conversion
    flags : Flags
        Accumulates what is raised.
    advance : callable
        Called with the number of elements done since the last call.

    Returns
    -------
    TensorOutput
    """

    def pieces() -> Iterator[NDArray[Any]]:
        for index, (start, stop) in enumerate(tensor.chunks()):
            yield _convert_piece(tensor, start, stop, conversion, flags)
            advance(stop - start)
            if index % _RELEASE_EVERY == _RELEASE_EVERY - 1:
                file.release()
        file.release()

    return TensorOutput.from_codes(tensor.name, tensor.shape, conversion.fmt, pieces)


def _convert_piece(
    tensor: Tensor, start: int, stop: int, conversion: Conversion, flags: Flags
) -> NDArray[Any]:
    how = dict(conversion.how)
    if isinstance(how.get("rounding"), Stochastic) and conversion.seed is not None:
        how["rng"] = tensor_key(conversion.seed, tensor.name).at(start)
    codes: NDArray[Any]
    try:
        codes = cast(tensor.codes(start, stop), tensor.fmt, conversion.fmt, flags=flags, **how)
    except MinifloatError as error:
        msg = f"tensor {printable(tensor.name)}, elements {start} to {stop}: {error}"
        raise type(error)(msg) from error
    return codes
