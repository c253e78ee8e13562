"""The pseudo-random draws of the appendix, and single elements made from them."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from minifloat import _core
from minifloat._errors import OptionError
from minifloat.tosa._editions import Edition, EditionLike, as_edition, data_scale
from minifloat.tosa._rules import ElementRule, RuleKind, check_test_set, element_rule
from minifloat.tosa._types import TypeLike, as_type

__all__ = ["mi_data", "set_data"]

_WORD = 1 << 32


def set_data(data_set: int, index: int | range | ArrayLike) -> Any:
    """Return draws of a stream: pseudo-random values in [-1, 1].

    A linear congruential generator modulo 2^32 whose multiplier depends on the stream. Any index is
    reached in O(log index).

    Parameters
    ----------
    data_set : int
        Number of the stream, 0 to 2^32 - 1.
    index : int, range or array_like of int
        0 to 2^32 - 1 each. A range is the fastest for many.

    Returns
    -------
    numpy.float32 or numpy.ndarray
        float32, of the shape of `index`.

    Raises
    ------
    OptionError
        If a number is outside 32 bits or no integer.

    References
    ----------
    TOSA specification, appendix A, "Random data generation".

    Examples
    --------
    >>> set_data(0, range(3))
    array([ 0.87775785,  0.73023987, -0.00836876], dtype=float32)
    >>> set_data(0, 4_000_000_000)
    np.float32(0.08217507)
    """
    stream = _word(data_set, "data_set")
    if isinstance(index, range):
        if len(index):
            _word(min(index[0], index[-1]), "index")
            _word(max(index[0], index[-1]), "index")
        draws = np.empty(len(index), np.float32)
        _core.tosa.set_data_run(draws, stream, index.start % _WORD, index.step % _WORD)
        return draws
    indices = np.asarray(index)
    if indices.dtype.kind not in "iu":
        msg = f"index must be integers, not {indices.dtype}"
        raise OptionError(msg)
    if indices.size:
        _word(int(indices.min()), "index")
        _word(int(indices.max()), "index")
    return _draws_at(stream, indices)[()]


def _word(value: int, what: str) -> int:
    number = operator.index(value)
    if not 0 <= number < _WORD:
        msg = f"{what} must be in 0..2^32 - 1, not {number}"
        raise OptionError(msg)
    return number


def _draws_at(stream: int, indices: NDArray[Any]) -> NDArray[np.float32]:
    """Return draws at indices taken modulo 2^32."""
    flat = np.ascontiguousarray(indices, np.uint32).reshape(-1)
    draws = np.empty(flat.size, np.float32)
    _core.tosa.set_data_at(draws, stream, flat)
    return draws.reshape(indices.shape)


def mi_data(
    test_set: int,
    ks: int,
    parameter: int,
    k: ArrayLike,
    i: ArrayLike,
    *,
    dtype: TypeLike = "fp32",
    other_dtype: TypeLike | None = None,
    result: TypeLike = "fp32",
    edition: EditionLike = Edition.TOOL,
) -> Any:
    """Return elements of test data by kernel index and tensor index.

    This is the appendix's ``tosa_mi_data(S, KS, p, k, i)``, called ``tosa_pro_fp_data`` in later
    texts. `generate` makes whole tensors, much faster.

    Parameters
    ----------
    test_set : int
        S, 0 to 5.
    ks : int
        KS, the kernel size.
    parameter : int
        p: 0 data, 1 weights, 2 bias.
    k, i : array_like of int
        Index within the kernel and within the tensor; they broadcast.
    dtype, other_dtype : TensorType or str
        Types of this input and of the other one (the same when omitted); they set the scale B.
    result : TensorType or str
        The accumulator type in edition ``"seed"``, the output type in the others.
    edition : Edition or str

    Returns
    -------
    numpy.float32 or numpy.ndarray
        float32, of the broadcast shape, before rounding to the tensor's type.

    Raises
    ------
    OptionError
        If an argument is out of range or the edition has no such pair of types.

    References
    ----------
    TOSA specification, appendix A, "Main Inference test data generator".

    Examples
    --------
    >>> mi_data(2, 4, 0, [0, 1, 2], [0, 1, 2], edition="seed")
    array([ 1.        ,  0.15946297, -0.21857095], dtype=float32)
    """
    law = as_edition(edition)
    if parameter not in (0, 1, 2):
        msg = f"parameter must be 0 (data), 1 (weights) or 2 (bias), not {parameter}"
        raise OptionError(msg)
    if ks < 1:
        msg = f"ks must be 1 or more, not {ks}"
        raise OptionError(msg)
    own = as_type(dtype)
    other = own if other_dtype is None else as_type(other_dtype)
    scale = data_scale(law, own, other, as_type(result))
    rule = element_rule(law, check_test_set(test_set), ks, parameter, scale)
    kernel_indices, indices = np.broadcast_arrays(np.asarray(k), np.asarray(i))
    if kernel_indices.dtype.kind not in "iu" or indices.dtype.kind not in "iu":
        msg = f"k and i must be integers, not {kernel_indices.dtype} and {indices.dtype}"
        raise OptionError(msg)
    return _elements(rule, kernel_indices, indices.astype(np.int64))[()]


def _elements(rule: ElementRule, k: NDArray[Any], i: NDArray[np.int64]) -> NDArray[np.float32]:
    """Evaluate a rule element by element, in the core's order of roundings."""
    paired = rule.kind in (RuleKind.SIGNED_OFFSET, RuleKind.EXPONENTIAL)
    a = _draws_at(rule.first, 2 * i if paired else i)
    quarter, base = np.float32(0.25), np.float32(0.75)
    if rule.kind is RuleKind.ZERO:
        values = np.zeros(i.shape, np.float32)
    elif rule.kind is RuleKind.SELECT:
        b = rule.scale * _draws_at(rule.second, i).astype(np.float64)
        values = np.where((a < 0) == rule.when_negative, b, 0.0).astype(np.float32)
    elif rule.kind is RuleKind.SCALED:
        values = (rule.scale * a.astype(np.float64)).astype(np.float32)
    elif rule.kind is RuleKind.DIVIDED:
        values = (a.astype(np.float64) / rule.scale).astype(np.float32)
    elif rule.kind is RuleKind.EXPONENTIAL:
        power = np.empty(a.size, np.float32)
        _core.tosa.exp_float(power, (2 * a).reshape(-1))
        values = power.reshape(i.shape) * _draws_at(rule.first, 2 * i + 1)
    else:
        signed = np.where(a < 0, -base, base)
        offset = (
            signed + quarter * _draws_at(rule.first, 2 * i + 1) if paired else base + quarter * a
        )
        values = (rule.scale * offset.astype(np.float64)).astype(np.float32)
    if rule.special_k is None:
        return values
    special = np.float32(rule.special_value)
    flipped = np.where(a < 0, -special, special) if rule.special_signed else special
    return np.where(k == rule.special_k, flipped, values)
