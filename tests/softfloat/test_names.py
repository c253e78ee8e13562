"""The names: all there, all from the table, and what is generated from it is up to date."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

from minifloat import softfloat as sf
from minifloat.softfloat._stubs import names_text, stub_text
from minifloat.softfloat._table import ENTRIES

FORMATS = (
    *("float16", "bfloat16", "tfloat32", "float32", "float64"),
    *("float8e4m3", "float8e5m2", "float4e2m1"),
)
INTEGERS = tuple(f"{kind}{bits}" for kind in ("int", "uint") for bits in (8, 16, 32, 64))
OPERATIONS = (
    *("add", "sub", "mul", "div", "sqrt", "rem", "muladd", "muladd_scalbn", "scalbn"),
    *("round_to_int", "min", "max", "minnum", "maxnum", "minnummag", "maxnummag"),
    *("minimum_number", "maximum_number", "compare", "compare_quiet"),
    *(f"{name}{quiet}" for name in ("eq", "le", "lt", "unordered") for quiet in ("", "_quiet")),
    *(f"to_{i}{how}" for i in INTEGERS for how in ("", "_round_to_zero", "_scalbn")),
    *(f"to_{i}_modulo" for i in INTEGERS if i.startswith("int")),
    *("is_any_nan", "is_quiet_nan", "is_signaling_nan", "is_infinity", "is_zero", "is_neg"),
    *("is_normal", "is_denormal", "is_zero_or_denormal", "is_zero_or_normal"),
    *("abs", "chs", "set_sign", "squash_input_denormal", "silence_nan"),
    *("zero", "half", "one", "one_point_five", "two", "three"),
)


@pytest.mark.parametrize("prefix", FORMATS)
def test_every_format_has_the_whole_list(prefix: str) -> None:
    wanted = {f"{prefix}_{name}" for name in OPERATIONS}
    wanted |= {f"{i}_to_{prefix}{how}" for i in INTEGERS for how in ("", "_scalbn")}
    wanted |= {f"{prefix}_to_{other}" for other in FORMATS if other != prefix}
    if prefix != "float4e2m1":  # no NaN
        wanted.add(f"{prefix}_default_nan")
    if prefix not in ("float8e4m3", "float4e2m1"):
        wanted.add(f"{prefix}_infinity")
    assert wanted <= set(dir(sf))
    own = {name for name in ENTRIES if name.startswith(f"{prefix}_")}
    own |= {name for name in ENTRIES if f"_to_{prefix}" in name and "int" in name.split("_")[0]}
    assert own == wanted


def test_every_name_is_made_and_documented() -> None:
    for name, entry in ENTRIES.items():
        found = getattr(sf, name)
        assert getattr(sf, name) is found
        if entry.is_constant:
            assert isinstance(found, int)
            continue
        assert found.__name__ == name
        assert "Parameters" in inspect.getdoc(found)  # type: ignore[operator]
        signature = inspect.signature(found)
        assert tuple(signature.parameters) == tuple(p for p, _ in entry.parameters)
        assert found.__code__.co_argcount == len(entry.parameters), name


def test_dir_lists_the_names_and_nothing_private() -> None:
    assert set(ENTRIES) <= set(dir(sf))
    assert not [name for name in dir(sf) if name.startswith("_")]
    assert set(sf.__all__) == set(dir(sf))


def test_the_stub_is_up_to_date() -> None:
    stub = Path(inspect.getfile(sf)).with_suffix(".pyi")
    assert stub.read_text() == stub_text()


def test_the_list_in_the_documentation_is_up_to_date() -> None:
    names = Path(__file__).parents[2] / "docs" / "softfloat_names.md"
    assert names.read_text() == names_text()


def test_unknown_names_get_a_hint() -> None:
    with pytest.raises(AttributeError, match="did you mean 'float32_muladd'"):
        sf.float32_mulad  # noqa: B018


def test_constants_have_the_values_of_c() -> None:
    assert (sf.float_round_to_odd_inf, sf.float_round_nearest_even_max) == (6, 7)
    assert (sf.float_flag_inexact, sf.float_flag_invalid_snan) == (0x10, 0x2000)
    assert sf.float_flag_input_denormal_used == 0x4000
    assert (sf.float_relation_less, sf.float_relation_unordered) == (-1, 2)
    assert (sf.float_3nan_prop_s_cab, sf.float_infzeronan_suppress_invalid) == (0x52, 0x80)
    assert (sf.float_muladd_negate_result, sf.float_muladd_suppress_add_product_zero) == (4, 8)
    assert sf.float_tininess_before_rounding == 1


def test_constants_of_formats() -> None:
    assert (sf.float32_one_point_five, sf.float32_infinity) == (0x3FC00000, 0x7F800000)
    assert (sf.float8e4m3_three, sf.float4e2m1_half) == (0x44, 0x1)
    assert (sf.float64_half, sf.bfloat16_two) == (0x3FE0000000000000, 0x4000)
    assert (sf.tfloat32_infinity, sf.float8e5m2_infinity) == (0x7F800000, 0x7C)
