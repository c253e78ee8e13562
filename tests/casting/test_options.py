"""Options by name and by value: what is allowed, what is refused, and how the refusal helps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import minifloat as mf

X = np.array([0.3, -1.7, 1e9, 448.0, 3e-4], np.float32)

Encode = Callable[..., Any]


def encode(**how: Any) -> Any:
    return mf.encode(X, "e4m3fn", **how)


SHORT = {
    "rne": "ties_to_even",
    "rna": "ties_to_away",
    "rnz": "ties_to_zero",
    "rtz": "toward_zero",
    "rtp": "toward_positive",
    "rtn": "toward_negative",
    "raz": "away_from_zero",
    "rto": "to_odd",
}


@pytest.mark.parametrize("short", SHORT)
def test_roundings_have_long_short_and_enum_names(short: str) -> None:
    mode = mf.Rounding(SHORT[short])
    expected = encode(rounding=mode)
    for name in (short, short.upper(), mode.value, mode.name):
        np.testing.assert_array_equal(encode(rounding=name), expected)


def test_stochastic_rounding_has_names() -> None:
    expected = encode(rounding=mf.Stochastic(), rng=5)
    for name in ("sr", "stochastic", "SR"):
        np.testing.assert_array_equal(encode(rounding=name, rng=5), expected)


@pytest.mark.parametrize("policy", ["ieee", "saturate", "saturate_keep_infinity", "nan"])
def test_overflow_policies_have_names(policy: str) -> None:
    expected = encode(overflow=mf.Overflow(policy))
    np.testing.assert_array_equal(encode(overflow=policy), expected)
    np.testing.assert_array_equal(encode(overflow=policy.upper()), expected)


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "rounding, nearly": ({"rounding": "toward_zer"}, r"did you mean 'toward_zero'\?"),
    "rounding, short": ({"rounding": "rnee"}, r"did you mean 'rne'\?"),
    "rounding, list": ({"rounding": "?"}, r"allowed are ties_to_even, .*, rto, sr, stochastic$"),
    "rounding, None": ({"rounding": None}, "unknown rounding None"),
    "rounding, number": ({"rounding": 0}, "unknown rounding 0"),
    "rounding, class": ({"rounding": mf.Stochastic}, "unknown rounding"),
    "rounding, unhashable": ({"rounding": ["rne"]}, r"rounding=\['rne'\]: one option is needed"),
    "overflow, nearly": ({"overflow": "saturated"}, r"did you mean 'saturate'\?"),
    "overflow, list": ({"overflow": "?"}, "allowed are ieee, saturate, saturate_keep_infinity"),
    "overflow, bool": ({"overflow": True}, "unknown overflow policy True"),
    "overflow, unhashable": ({"overflow": {}}, "overflow={}: one option is needed, not a dict"),
    "nan, nearly": ({"nan": "zeros"}, r"did you mean 'zero'\?"),
    "nan, list": ({"nan": "?"}, "allowed are raise, max, zero, propagate$"),
    "nan, None": ({"nan": None}, "nan=None: allowed are"),
    "nan, unhashable": ({"nan": []}, r"nan=\[\]: one option is needed"),
    "nan, propagate": ({"nan": "propagate"}, "is for quantize"),
    "context, text": (
        {"context": "ARM"},
        "give a minifloat.Context, such as minifloat.contexts.ARM",
    ),
    "context, class": ({"context": mf.Context}, "give a minifloat.Context"),
    "context, unhashable": ({"context": {}}, "context={}: one option is needed"),
    "workers, zero": ({"workers": 0}, "workers=0: give a positive integer"),
    "workers, negative": ({"workers": -1}, "workers=-1"),
    "workers, float": ({"workers": 1.0}, "workers=1.0"),
    "workers, bool": ({"workers": True}, "workers=True"),
    "workers, text": ({"workers": "2"}, "workers='2'"),
    "wrap": ({"overflow": "wrap"}, "'wrap' cannot be honoured by float8_e4m3fn"),
    "infinity": ({"overflow": "infinity"}, "'infinity' cannot be honoured by float8_e4m3fn"),
    "hybrid": ({"rounding": "hybrid"}, "only float16 or float32 to hifloat8"),
    "random_bits, deterministic": ({"random_bits": 3}, "random_bits= is for stochastic rounding"),
}


@pytest.mark.parametrize("kind", WRONG)
@pytest.mark.parametrize("verb", ["encode", "quantize", "cast", "large integers"])
def test_wrong_options_say_what_is_allowed(verb: str, kind: str) -> None:
    how, message = WRONG[kind]
    calls: dict[str, Encode] = {
        "encode": lambda **how: mf.encode(X, "e4m3fn", **how),
        "quantize": lambda **how: mf.quantize(X, "e4m3fn", **how),
        "cast": lambda **how: mf.cast(X.view(np.uint32), "float32", "e4m3fn", **how),
        "large integers": lambda **how: mf.encode([2**70, 1], "e4m3fn", **how),
    }
    if verb == "quantize" and kind == "nan, propagate":
        return  # the one verb that takes it: test_quantize
    with pytest.raises(mf.OptionError, match=message):
        calls[verb](**how)


def test_unknown_keywords_are_type_errors() -> None:
    for verb in (encode, lambda **how: mf.decode([1], "e4m3fn", **how)):
        with pytest.raises(TypeError, match="unexpected keyword argument"):
            verb(roundin="rtz")
    with pytest.raises(TypeError, match="positional"):
        mf.encode(X, "e4m3fn", "rtz")  # type: ignore[misc]


@pytest.mark.parametrize(
    "fmt",
    [None, 3.5, 7, "", "e4m3fnn", [], {}, X, ("e4m3fn",), bool, object(), "float8", b"e4m3fn"],
)
def test_what_is_no_format_is_refused_everywhere(fmt: Any) -> None:
    codes = np.array([1, 2], np.uint8)
    for verb in (
        lambda: mf.encode(X, fmt),
        lambda: mf.quantize(X, fmt),
        lambda: mf.decode(codes, fmt),
        lambda: mf.cast(codes, fmt, "e4m3fn"),
        lambda: mf.cast(codes, "e4m3fn", fmt),
        lambda: mf.pack(codes, fmt),
        lambda: mf.unpack(codes, fmt, 2),
        lambda: mf.get_format(fmt),
        lambda: mf.finfo(fmt),
    ):
        with pytest.raises(mf.FormatError):
            verb()


def test_unknown_formats_name_the_nearest() -> None:
    with pytest.raises(mf.FormatError, match=r"did you mean 'e4m3fnuz'\?"):
        mf.encode(X, "e4m3fnu")


@pytest.mark.parametrize("name", ["e2m1fn", "e2m3fn", "e3m2fn", "e1m2fn"])
@pytest.mark.parametrize("policy", ["ieee", "nan", "infinity", "nan_keep_infinity", "wrap"])
def test_policies_without_a_result_raise_at_call_time(name: str, policy: str) -> None:
    harmless = np.zeros(0, np.float32)
    for verb in (mf.encode, mf.quantize):
        with pytest.raises(mf.OptionError, match=f"'{policy}' cannot be honoured by float"):
            verb(harmless, name, overflow=policy)


@pytest.mark.parametrize("policy", ["ieee", "nan", "infinity", "nan_keep_infinity", "p3109"])
def test_integers_saturate_or_wrap_only(policy: str) -> None:
    with pytest.raises(mf.OptionError, match="use saturate or wrap"):
        mf.encode(X, "int8", overflow=policy)


def test_hybrid_goes_from_float16_and_float32_to_hifloat8_only() -> None:
    for dtype in (np.float16, np.float32):
        assert mf.encode(X[:2].astype(dtype), "hifloat8", rounding="hybrid").shape == (2,)
    codes = X[:2].view(np.uint32)
    assert mf.cast(codes, "float32", "hif8", rounding="hybrid").shape == (2,)
    for x in (X.astype(np.float64), X[:2].astype(ml_dtypes.bfloat16), np.arange(3), 0.5):
        with pytest.raises(mf.OptionError, match="hybrid"):
            mf.encode(x, "hifloat8", rounding="hybrid")
    for name in ("e4m3fn", "float16", "int8"):
        with pytest.raises(mf.OptionError, match="hybrid"):
            mf.encode(X, name, rounding="hybrid")


def test_contexts_are_frozen_and_checked() -> None:
    with pytest.raises(AttributeError):
        mf.contexts.ARM.tininess = "after"  # type: ignore[misc]
    for fields, message in (
        ({"tininess": "befor"}, r"did you mean 'before'\?"),
        ({"nan_rule": []}, "nan_rule"),
        ({"default_nan": "a"}, "default_nan"),
        ({"default_nan": 0}, "default_nan"),
        ({"integer_failure": 3}, "integer_failure"),
        ({"integer_failure": ("max", "min")}, "three words"),
        ({"integer_failure": ("max", "min", "none")}, "integer_failure"),
    ):
        with pytest.raises(mf.OptionError, match=message):
            mf.Context(**fields)  # type: ignore[arg-type]


@pytest.mark.parametrize("bits", [0, -1, 65, 8.0, 1.5, "8", True])
def test_stochastic_bits_are_integers_from_1_to_64(bits: Any) -> None:
    with pytest.raises(mf.OptionError, match=r"Stochastic\(bits="):
        mf.Stochastic(bits)


def test_stochastic_arguments_are_checked() -> None:
    assert mf.Stochastic(np.int64(8)) == mf.Stochastic(8)  # type: ignore[arg-type]
    assert type(mf.Stochastic(np.int64(8)).bits) is int  # type: ignore[arg-type]
    with pytest.raises(mf.OptionError, match=r"did you mean 'centred'\?"):
        mf.Stochastic(8, "centered")  # type: ignore[arg-type]
    with pytest.raises(mf.OptionError, match=r"give a minifloat\.noise\.Noise"):
        mf.Stochastic(8, noise=3)  # type: ignore[arg-type]
    for arguments in ({}, {"bits": 17}, {"bits": 8, "variant": "nearest"}):
        with pytest.raises(mf.OptionError, match="needs bits of 16 or fewer and variant='floor'"):
            mf.Stochastic(noise=mf.noise.Uniform(), **arguments)  # type: ignore[arg-type]


def test_errors_form_one_tree() -> None:
    for error in (mf.FormatError, mf.OptionError, mf.CodeError, mf.NanError, mf.DtypeError):
        assert issubclass(error, mf.MinifloatError)
    assert issubclass(mf.MinifloatError, ValueError)
    assert issubclass(mf.DtypeError, TypeError)
