"""Laws of rounding in every format: idempotence, monotonicity, brackets, symmetry, flags."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st
from strategies import DETERMINISTIC, any_formats, codes, float_formats, fractions_near, hows

from minifloat._flags import Flag
from minifloat._formats import FloatFormat
from minifloat._rounding import Overflow, Rounding
from minifloat.reference.how import How
from minifloat.reference.rounding import encode, round_value
from minifloat.reference.spacing import place
from minifloat.reference.values import Kind, decode, largest, smallest_normal

NONE, INVALID = Flag(0), Flag.INVALID


@given(st.data())
def test_every_value_encodes_to_its_canonical_code(data: st.DataObject) -> None:
    fmt = data.draw(any_formats(32))
    code = data.draw(codes(fmt))
    value = decode(code, fmt)
    how = data.draw(hows(fmt))
    if value.is_infinite or (how.context.flush_outputs and value.magnitude < smallest_normal(fmt)):
        return
    again, flags = round_value(value, fmt, how)
    result = decode(again, fmt)
    assert result.is_nan if value.is_nan else result == value
    assert flags == (INVALID if value.signaling else NONE)
    duplicates = isinstance(fmt, FloatFormat) and (value.is_nan or value.is_zero)
    assert again == code or duplicates


@given(st.data())
def test_rounding_is_monotone_and_brackets(data: st.DataObject) -> None:
    fmt = data.draw(float_formats())
    x, y = sorted([data.draw(fractions_near(fmt)), data.draw(fractions_near(fmt))])
    mode = data.draw(st.sampled_from(DETERMINISTIC))

    def rounded(number: Fraction, how: How) -> float:
        return float(decode(encode(number, fmt, how)[0], fmt))

    if not fmt.signed:
        x, y = sorted([abs(x), abs(y)])
    if not fmt.has_zero and 0 in (x, y):
        return
    how = How(mode, Overflow.SATURATE)
    assert rounded(x, how) <= rounded(y, how)
    top, bottom = fmt.max, fmt.min
    if bottom <= x <= top and (fmt.has_zero or x >= fmt.smallest):
        below = rounded(x, How("rtn", Overflow.SATURATE))
        above = rounded(x, How("rtp", Overflow.SATURATE))
        assert below <= x <= above
        assert below <= rounded(x, how) <= above
        assert above - below in (0, place(abs(x), fmt).unit) if x else above == below == 0


@given(st.data())
def test_rounding_is_symmetric_where_the_mode_is(data: st.DataObject) -> None:
    fmt = data.draw(float_formats().filter(lambda fmt: fmt.signed))
    x = data.draw(fractions_near(fmt))
    mirror = {
        Rounding.TOWARD_POSITIVE: Rounding.TOWARD_NEGATIVE,
        Rounding.TOWARD_NEGATIVE: Rounding.TOWARD_POSITIVE,
    }
    mode = data.draw(st.sampled_from(DETERMINISTIC))
    code, flags = encode(x, fmt, How(mode))
    other, other_flags = encode(-x, fmt, How(mirror.get(mode, mode)))
    value, opposite = decode(code, fmt), decode(other, fmt)
    assert (value.kind, value.magnitude) == (opposite.kind, opposite.magnitude)
    assert flags == other_flags


@given(st.data())
def test_flags_say_what_happened(data: st.DataObject) -> None:
    fmt = data.draw(float_formats())
    x = abs(data.draw(fractions_near(fmt)))
    how = data.draw(hows(fmt, random=True))
    code, flags = encode(x, fmt, how)
    result = decode(code, fmt)
    if x == 0 and not fmt.has_zero:
        assert flags == INVALID
        return
    delivered = result.magnitude if result.is_finite else None
    overflows = Flag.OVERFLOW in flags
    assert (Flag.INEXACT in flags) == (delivered != x)
    assert Flag.UNDERFLOW not in flags or (Flag.INEXACT in flags and x < smallest_normal(fmt))
    assert not overflows or x > largest(fmt).number
    assert overflows or result.is_finite
    assert result.kind is not Kind.NAN or overflows
    assert Flag.INVALID not in flags
