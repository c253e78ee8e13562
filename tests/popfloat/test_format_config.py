"""Formats: value ranges, uniform grids, equality, and what is refused."""

from __future__ import annotations

from fractions import Fraction

import pytest

from minifloat import FormatError, get_format
from minifloat.popfloat import FormatConfig, GfloatFormatOptions

TWO = Fraction(2)
SMALL = [
    (m, e, bias, denorms, specials)
    for m in range(5)
    for e in range(5)
    for bias in (-3, 0, 7)
    for denorms in (False, True)
    for specials in (False, True)
]


def largest(m: int, e: int, bias: int, specials: bool) -> Fraction:
    """The largest value by the closed forms."""
    step = TWO ** (1 - bias - m)
    if e == 0:
        return (2**m - 1) * step
    if e == 1:
        return (2**m - 1) * step if specials else (2 ** (m + 1) - 1) * step
    return (2 - TWO**-m) * TWO ** (2**e - 1 - specials - bias)


@pytest.mark.parametrize("arguments", SMALL)
def test_range_of_small_formats(arguments: tuple[int, int, int, bool, bool]) -> None:
    m, e, bias, denorms, specials = arguments
    config = FormatConfig(*arguments)
    top = largest(m, e, bias, specials)
    only_denormals = e == 0 or (e == 1 and specials)
    if top == 0 or (e == 1 and specials and not denorms):
        with pytest.raises(FormatError):
            config.to_format()
        return
    fmt = config.to_format()
    assert fmt.max == top
    has_denormals = (denorms and m > 0) or only_denormals
    assert fmt.smallest == TWO ** (1 - bias - m * has_denormals)
    assert fmt.has_infinity == (specials and e > 0)
    assert fmt.has_nan == (specials and e > 0 and m > 0)
    assert fmt.bits == config.bits == 1 + e + m


@pytest.mark.parametrize(
    ("arguments", "top", "smallest"),
    [
        ((3, 4, 7, True, False), Fraction(480), Fraction(1, 512)),
        ((3, 4, 7, True, True), Fraction(240), Fraction(1, 512)),
        ((15, 0, -1, True, True), 4 - Fraction(1, 2**13), Fraction(1, 2**13)),
        ((14, 1, 0, True, False), 4 - Fraction(1, 2**13), Fraction(1, 2**13)),
    ],
)
def test_known_ranges(
    arguments: tuple[int, int, int, bool, bool], top: Fraction, smallest: Fraction
) -> None:
    fmt = FormatConfig(*arguments).to_format()
    assert (fmt.max, fmt.smallest) == (top, smallest)


def test_formats_that_have_names_elsewhere() -> None:
    assert FormatConfig(10, 5, 15, True, True).to_format() == get_format("float16")
    assert FormatConfig(7, 8, 127, True, True).to_format() == get_format("bfloat16")
    assert FormatConfig(2, 5, 15, True, True).to_format() == get_format("e5m2")


@pytest.mark.parametrize("arguments", SMALL)
def test_uniform_grids(arguments: tuple[int, int, int, bool, bool]) -> None:
    config = FormatConfig(*arguments)
    try:
        fmt = config.to_format()
    except FormatError:
        return
    values = {fmt.magnitude(code) for code in range(fmt.max_code + 1)}
    uniform = values == {k * fmt.smallest for k in range(len(values))}
    # Few values may be evenly spaced by chance: one non-zero value always is.
    if len(values) > 2 + (config.exponent_bits > 1):
        assert config.is_uniform_grid == uniform
    assert config.is_block_float == (config.is_uniform_grid and not config.enable_infs_and_nans)


def test_switches_have_no_effect_without_exponent_bits_but_stay_in_the_word() -> None:
    one = FormatConfig(7, 0, 3, False, True)
    other = FormatConfig(7, 0, 3, True, False)
    assert one == other
    assert (one.enable_denorms, one.enable_infs_and_nans) == (True, False)
    assert one.packed_float_parameters >> 24 == 2
    assert other.packed_float_parameters >> 24 == 1


def test_equality_looks_at_widths_bias_switches_and_calculation_type() -> None:
    config = FormatConfig(3, 4, 7, True, True)
    assert config == FormatConfig.with_calculation_type(3, 4, 7, True, True, "HALF")
    single = FormatConfig.with_calculation_type(3, 4, 7, True, True, "FLOAT")
    assert single == FormatConfig(3, 4, 7, True, True, "FP32")  # format types differ
    assert single.format_type is not FormatConfig(3, 4, 7, True, True, "FP32").format_type
    assert config != single
    assert config != FormatConfig(3, 4, 8, True, True)
    assert hash(config) == hash(FormatConfig(3, 4, 7, True, True, "FP16"))


def test_options_give_the_same_format() -> None:
    options = GfloatFormatOptions(3, 4, -2, enable_denorms=False)
    assert FormatConfig.from_options(options, "FLOAT") == FormatConfig(
        3, 4, -2, False, True, "FP32"
    )


@pytest.mark.parametrize("widths", [(24, 4), (3, 9), (-1, 4), (3, -1)])
def test_widths_out_of_range_are_refused(widths: tuple[int, int]) -> None:
    with pytest.raises(FormatError, match="0 to 8 exponent and 0 to 23 mantissa"):
        FormatConfig(*widths, 7, True, True)


def test_a_bias_beyond_a_byte_has_no_word() -> None:
    config = FormatConfig(3, 4, 128, True, True)
    with pytest.raises(FormatError, match="-128 to 127"):
        _ = config.packed_float_parameters


@pytest.mark.parametrize("word", [1 << 26, -1, 0x0307FF03, 0x03070418])
def test_words_that_describe_no_format_are_refused(word: int) -> None:
    with pytest.raises(FormatError):
        FormatConfig.from_packed_parameters(word)


@pytest.mark.parametrize("spec", ["BF16", "INT8"])
def test_calculation_types_are_ieee(spec: str) -> None:
    with pytest.raises(FormatError, match="allowed are AUTO, FP32, FP16"):
        FormatConfig(3, 4, 7, True, True, spec)


def test_unknown_words_name_the_nearest() -> None:
    with pytest.raises(ValueError, match="did you mean 'FP16'"):
        FormatConfig(3, 4, 7, True, True, "FP6")
