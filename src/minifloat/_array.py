"""An ndarray-like face: codes that know their format."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from minifloat import _arithmetic, _comparison, _extrema, _inspection, _matmul, _signs
from minifloat._arrays import AnyArray, as_codes
from minifloat._casting import cast, decode, encode
from minifloat._errors import DtypeError, FormatError
from minifloat._formats import Format, FormatLike, get_format

__all__ = ["Array", "array"]

_HTML_LIMIT = 64
_COLOURS = {"sign": "#c0392b", "exponent": "#27ae60", "trailing": "#2980b9", "code": "#8e44ad"}


class Array:
    """Codes of a format, with arithmetic that rounds once to nearest even.

    Operators are those of the package's verbs with their defaults; the verbs take every option.
    Python and numpy scalars are rounded into the format first; arrays of another kind, and codes of
    another format, are errors.

    Parameters
    ----------
    codes : array_like of int, shape (...)
        Codes of the format.
    fmt : Format, str or dtype

    Attributes
    ----------
    codes : ndarray
        In the format's storage dtype.
    fmt : Format

    Raises
    ------
    CodeError
        If `codes` holds floats, or integers outside the storage word.

    Examples
    --------
    >>> x = Array([0x38, 0x40], "e4m3fn")
    >>> x * 1.5 + x
    Array([2.5, 5. ], float8_e4m3fn)
    """

    __array_priority__ = 100.0
    __hash__ = None  # type: ignore[assignment]
    __slots__ = ("codes", "fmt")

    codes: AnyArray
    fmt: Format

    def __init__(self, codes: Any, fmt: FormatLike) -> None:
        self.fmt = get_format(fmt)
        self.codes = as_codes(codes, self.fmt)

    @property
    def values(self) -> AnyArray:
        """The values, in the smallest of float32 and float64 that holds them all."""
        return np.asarray(decode(self.codes, self.fmt))

    @property
    def shape(self) -> tuple[int, ...]:
        """Length of each axis."""
        return self.codes.shape

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return self.codes.ndim

    @property
    def size(self) -> int:
        """Number of elements."""
        return self.codes.size

    @property
    def T(self) -> Array:  # noqa: N802
        """The transpose."""
        return Array(self.codes.T, self.fmt)

    def reshape(self, *shape: int | tuple[int, ...]) -> Array:
        """Return the same elements in another shape.

        Parameters
        ----------
        *shape : int

        Returns
        -------
        Array
        """
        return Array(self.codes.reshape(*shape), self.fmt)

    def astype(self, fmt: FormatLike, **how: Any) -> Array:
        """Return the values rounded into another format.

        Parameters
        ----------
        fmt : Format, str or dtype
        **how
            As for `cast`.

        Returns
        -------
        Array
        """
        target = get_format(fmt)
        return Array(cast(self.codes, self.fmt, target, **how), target)

    def sum(self, axis: int | None = None, **how: Any) -> Array:
        """Add up along an axis; see `minifloat.sum`.

        Parameters
        ----------
        axis : int, optional
        **how
            As for `minifloat.sum`.

        Returns
        -------
        Array
        """
        target = how.get("out_format") or how.get("accumulator") or self.fmt
        return Array(_matmul.sum(self.codes, self.fmt, axis=axis, **how), target)

    def __len__(self) -> int:
        return len(self.codes)

    def __iter__(self) -> Iterator[Array]:
        return (Array(codes, self.fmt) for codes in self.codes)

    def __getitem__(self, index: Any) -> Array:
        return Array(self.codes[index], self.fmt)

    def __setitem__(self, index: Any, value: Any) -> None:
        self.codes[index] = self._operand(value)

    def __float__(self) -> float:
        return float(self.values)

    def __bool__(self) -> bool:
        return bool(self.values)

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> AnyArray:
        if copy is False:
            msg = "an Array's values are made anew: copy=False cannot be honoured"
            raise DtypeError(msg)
        values = self.values
        return values if dtype is None else values.astype(dtype)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **keywords: Any) -> Any:
        operation = _UFUNCS.get(ufunc)
        if operation is None or method != "__call__" or keywords:
            return NotImplemented
        return operation(*inputs)

    def _operand(self, other: Any) -> AnyArray:
        """Return codes of this format: another Array's, or a scalar's rounded into it."""
        if isinstance(other, Array):
            if other.fmt != self.fmt:
                msg = f"operands of {self.fmt} and {other.fmt}: convert one with astype"
                raise FormatError(msg)
            return other.codes
        if isinstance(other, (bool, np.bool_)) or np.ndim(other) != 0:
            msg = (
                f"{type(other).__name__} beside an Array of {self.fmt}: make it one with"
                f" minifloat.array(x, {str(self.fmt)!r})"
            )
            raise DtypeError(msg)
        return np.asarray(encode(other, self.fmt))

    def _binary(self, verb: Callable[..., Any], other: Any, *, swapped: bool = False) -> Any:
        operands = (self.codes, self._operand(other))
        return verb(*(operands[::-1] if swapped else operands), self.fmt)

    def __add__(self, other: Any) -> Array:
        return Array(self._binary(_arithmetic.add, other), self.fmt)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Array:
        return Array(self._binary(_arithmetic.sub, other), self.fmt)

    def __rsub__(self, other: Any) -> Array:
        return Array(self._binary(_arithmetic.sub, other, swapped=True), self.fmt)

    def __mul__(self, other: Any) -> Array:
        return Array(self._binary(_arithmetic.mul, other), self.fmt)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Array:
        return Array(self._binary(_arithmetic.div, other), self.fmt)

    def __rtruediv__(self, other: Any) -> Array:
        return Array(self._binary(_arithmetic.div, other, swapped=True), self.fmt)

    def __matmul__(self, other: Any) -> Array:
        return Array(self._binary(_matmul.matmul, other), self.fmt)

    def __neg__(self) -> Array:
        return Array(_signs.negate(self.codes, self.fmt), self.fmt)

    def __pos__(self) -> Array:
        return self

    def __abs__(self) -> Array:
        return Array(_signs.abs(self.codes, self.fmt), self.fmt)

    def __eq__(self, other: object) -> Any:
        return self._binary(_comparison.equal, other)

    def __ne__(self, other: object) -> Any:
        return self._binary(_comparison.not_equal, other)

    def __lt__(self, other: Any) -> Any:
        return self._binary(_comparison.less, other)

    def __le__(self, other: Any) -> Any:
        return self._binary(_comparison.less_equal, other)

    def __gt__(self, other: Any) -> Any:
        return self._binary(_comparison.greater, other)

    def __ge__(self, other: Any) -> Any:
        return self._binary(_comparison.greater_equal, other)

    def __repr__(self) -> str:
        with np.printoptions(threshold=12, edgeitems=3):
            text = np.array2string(self.values, separator=", ", floatmode="unique")
        return f"Array({' '.join(text.split())}, {self.fmt})"

    def _repr_html_(self) -> str:
        """Return a table of the first elements with their bits coloured by field."""
        rows = []
        for index, code in enumerate(self.codes.ravel()[:_HTML_LIMIT].tolist()):
            value = decode(code, self.fmt)
            bits = _coloured_bits(code, self.fmt)
            rows.append(f"<tr><td>{index}</td><td><code>{bits}</code></td><td>{value}</td></tr>")
        more = self.size - len(rows)
        if more > 0:
            rows.append(f"<tr><td colspan='3'>{more} more</td></tr>")
        import html  # rarely needed

        title = f"{html.escape(str(self.fmt))} {self.shape}"
        head = f"<tr><th>{title}</th><th>bits</th><th>value</th></tr>"
        return f"<table>{head}{''.join(rows)}</table>"


def array(x: Any, fmt: FormatLike, **how: Any) -> Array:
    """Round numbers into a format and return them as an `Array`.

    Parameters
    ----------
    x : array_like or Array, shape (...)
        Numbers, as `encode` takes them; an `Array` is converted.
    fmt : Format, str or dtype
    **how
        As for `encode`.

    Returns
    -------
    Array, shape (...)

    Raises
    ------
    FormatError, OptionError, DtypeError, NanError
        As for `encode`.

    Examples
    --------
    >>> array([1.0, 2.5], "bf16") @ array([[2.0], [4.0]], "bf16")
    Array([12.], bfloat16)
    """
    target = get_format(fmt)
    if isinstance(x, Array):
        return x.astype(target, **how)
    return Array(encode(x, target, **how), target)


def _coloured_bits(code: int, fmt: Format) -> str:
    content = f"{code >> fmt.code_shift:0{fmt.bits}b}"
    trailing = getattr(fmt, "trailing_bits", None)
    if trailing is None:  # fields of no fixed width
        widths = {"sign": int(fmt.signed), "code": fmt.bits - fmt.signed}
    else:
        exponent = fmt.bits - fmt.signed - trailing
        widths = {"sign": int(fmt.signed), "exponent": exponent, "trailing": trailing}
    spans, at = [], 0
    for field, width in widths.items():
        if width:
            text = content[at : at + width]
            spans.append(f"<span style='color:{_COLOURS[field]}'>{text}</span>")
        at += width
    return "".join(spans)


def _ufunc(verb: Callable[..., Any], *, keeps_format: bool = True) -> Callable[..., Any]:
    """Return what a numpy function does with Arrays and scalars among its operands."""

    def operate(*inputs: Any) -> Any:
        first = next(x for x in inputs if isinstance(x, Array))
        found = verb(*(first._operand(x) for x in inputs), first.fmt)
        return Array(found, first.fmt) if keeps_format else found

    return operate


_UFUNCS: dict[np.ufunc, Callable[..., Any]] = {
    np.add: _ufunc(_arithmetic.add),
    np.subtract: _ufunc(_arithmetic.sub),
    np.multiply: _ufunc(_arithmetic.mul),
    np.divide: _ufunc(_arithmetic.div),
    np.sqrt: _ufunc(_arithmetic.sqrt),
    np.rint: _ufunc(_arithmetic.round_to_integral),
    np.negative: _ufunc(_signs.negate),
    np.absolute: _ufunc(_signs.abs),
    np.copysign: _ufunc(_signs.copysign),
    np.minimum: _ufunc(_extrema.minimum),
    np.maximum: _ufunc(_extrema.maximum),
    np.fmin: _ufunc(_extrema.minimum_number),
    np.fmax: _ufunc(_extrema.maximum_number),
    np.matmul: _ufunc(_matmul.matmul),
    np.equal: _ufunc(_comparison.equal, keeps_format=False),
    np.not_equal: _ufunc(_comparison.not_equal, keeps_format=False),
    np.less: _ufunc(_comparison.less, keeps_format=False),
    np.less_equal: _ufunc(_comparison.less_equal, keeps_format=False),
    np.greater: _ufunc(_comparison.greater, keeps_format=False),
    np.greater_equal: _ufunc(_comparison.greater_equal, keeps_format=False),
    np.isnan: _ufunc(_inspection.is_nan, keeps_format=False),
    np.isinf: _ufunc(_inspection.is_infinite, keeps_format=False),
    np.isfinite: _ufunc(_inspection.is_finite, keeps_format=False),
    np.signbit: _ufunc(_inspection.is_signed, keeps_format=False),
}
