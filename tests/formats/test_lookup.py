"""Formats by name, alias and dtype; the table of names; what makes two formats equal."""

from __future__ import annotations

import copy
import dataclasses
import pickle

import ml_dtypes
import numpy as np
import pytest

from minifloat._errors import FormatError, MinifloatError
from minifloat._formats import FloatFormat, IntFormat, NanCode, formats, get_format
from minifloat._formats.named import ALIASES
from minifloat._rounding import Overflow


@pytest.mark.parametrize(
    ("alias", "name"),
    [
        ("e4m3fn", "float8_e4m3fn"),
        ("e4m3", "float8_e4m3"),
        ("ocp_e4m3", "float8_e4m3fn"),
        ("ocp_e5m2", "float8_e5m2"),
        ("ocp_e2m1", "float4_e2m1fn"),
        ("e2m1fn", "float4_e2m1fn"),
        ("e2m1", "float4_e2m1fn"),
        ("e8m0", "float8_e8m0fnu"),
        ("ue8m0", "float8_e8m0fnu"),
        ("ue4m3", "float8_ue4m3"),
        ("tf32", "tfloat32"),
        ("hif8", "hifloat8"),
        ("bf16", "bfloat16"),
        ("fp16", "float16"),
        ("half", "float16"),
        ("double", "float64"),
        ("BF16", "bfloat16"),
        (" float16 ", "float16"),
    ],
)
def test_aliases_resolve(alias: str, name: str) -> None:
    assert get_format(alias) is formats[name]
    assert get_format(alias).name == name


def test_every_alias_names_a_format() -> None:
    assert all(formats[alias] is formats[name] for alias, name in ALIASES.items())
    assert not set(ALIASES) & set(formats)


DTYPES = [
    *(np.dtype(f"{kind}{bits}") for kind in ("int", "uint") for bits in (8, 16, 32, 64)),
    *(np.dtype(f"float{bits}") for bits in (16, 32, 64)),
    *(np.dtype(getattr(ml_dtypes, name)) for name in formats if hasattr(ml_dtypes, name)),
]


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_dtypes_name_their_formats(dtype: np.dtype) -> None:
    fmt = get_format(dtype)
    assert fmt is formats[dtype.name]
    assert get_format(dtype.type) is fmt
    assert get_format(dtype.newbyteorder(">")) is fmt


def test_python_types_are_numpys() -> None:
    assert get_format(float) is formats["float64"]
    assert get_format(int) is formats[np.dtype(int).name]


class TorchDtype:
    """Prints as torch's dtypes do."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"torch.{self.name}"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("float8_e4m3fn", "float8_e4m3fn"),
        ("float8_e5m2fnuz", "float8_e5m2fnuz"),
        ("float8_e8m0fnu", "float8_e8m0fnu"),
        ("bfloat16", "bfloat16"),
        ("float32", "float32"),
        ("uint8", "uint8"),
        ("float4_e2m1fn_x2", "float4_e2m1fn"),
    ],
)
def test_torch_dtypes_and_their_names(name: str, expected: str) -> None:
    assert get_format(TorchDtype(name)) is formats[expected]
    assert get_format(f"torch.{name}") is formats[expected]


@pytest.mark.parametrize(
    "other", [np.complex64, bool, np.longdouble, np.dtype("U3"), object, None, 3, [], {}]
)
def test_other_dtypes_are_refused(other: object) -> None:
    with pytest.raises(FormatError):
        get_format(other)


def test_a_format_is_its_own_lookup() -> None:
    fmt = FloatFormat(3, 3, 2)
    assert get_format(fmt) is fmt


def test_the_table_is_a_mapping() -> None:
    assert len(formats) == len(list(formats)) == len(set(formats)) >= 33
    assert dict(formats)["float16"] is formats["float16"]
    assert "e4m3fn" in formats
    assert "binary8p3se" in formats
    assert "binary8p9se" not in formats
    assert 8 not in formats
    assert formats.get("nonsense") is None
    with pytest.raises(KeyError):
        formats["nonsense"]
    assert f"{len(formats)} named formats" in repr(formats)


def test_every_required_format_exists() -> None:
    required = [
        "float64",
        "float32",
        "float16",
        "bfloat16",
        "tfloat32",
        "float8_e4m3fn",
        "float8_e4m3",
        "float8_e5m2",
        "float8_e3m4",
        "float8_e4m3fnuz",
        "float8_e5m2fnuz",
        "float8_e4m3b11fnuz",
        "float8_e8m0fnu",
        "float6_e2m3fn",
        "float6_e3m2fn",
        "float4_e2m1fn",
        "float4_e1m2fn",
        "float8_ue4m3",
        "float8_ue5m3",
        "dlfloat16",
        "hifloat8",
    ]
    required += [f"{sign}int{bits}" for sign in ("", "u") for bits in (2, 4, 8, 16, 32, 64)]
    assert set(required) <= set(formats)


def test_equality_compares_fields_not_names() -> None:
    same = FloatFormat(4, 3, 7, infinities=False, nan=NanCode.ALL_ONES, name="mine")
    assert same == formats["float8_e4m3fn"]
    assert hash(same) == hash(formats["float8_e4m3fn"])
    assert same != FloatFormat(4, 3, 7)
    assert formats["float8_e4m3fnuz"] != formats["binary8p4sf"]
    assert dataclasses.replace(same, default_overflow=Overflow.SATURATE) != same
    assert IntFormat(8) == formats["int8"]
    assert IntFormat(8) != IntFormat(8, signed=False)
    assert IntFormat(8) != formats["float8_e4m3"]


def test_equal_formats_with_another_default_print_another_text() -> None:
    texts = {str(formats["float8_e4m3fnuz"]), formats["binary8p4sf"].spec, str(IntFormat(8))}
    wrapping = IntFormat(8, default_overflow=Overflow.WRAP)
    assert str(wrapping) not in texts
    assert formats["binary8p4sf"].spec == "e4m3:fnuz,overflow=p3109"


@pytest.mark.parametrize("name", ["float8_e4m3fn", "hifloat8", "int8", "binary8p3se"])
def test_formats_can_be_pickled_and_copied(name: str) -> None:
    fmt = formats[name]
    for twin in (pickle.loads(pickle.dumps(fmt)), copy.deepcopy(fmt)):
        assert twin == fmt
        assert twin.name == name


def test_formats_are_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        formats["float16"].bias = 3  # type: ignore[attr-defined]


def test_errors_belong_to_one_tree() -> None:
    assert issubclass(FormatError, MinifloatError)
    assert issubclass(MinifloatError, ValueError)
