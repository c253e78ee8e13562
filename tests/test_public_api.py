"""What the package shows: names, signatures, and small value types."""

from __future__ import annotations

import copy
import inspect
import pickle
import subprocess
import sys
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import minifloat as mf

MODULES = [mf, mf.noise]

HOW = ["rounding", "overflow", "nan", "context", "rng", "random_bits", "flags", "out", "workers"]


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_all_names_exactly_the_public_names(module: ModuleType) -> None:
    assert {name for name in dir(module) if not name.startswith("_")} >= set(module.__all__)
    assert all(hasattr(module, name) for name in module.__all__)
    ours = {
        name
        for name, value in vars(module).items()
        if not name.startswith("_") and getattr(value, "__module__", "").startswith("minifloat")
    }
    assert ours <= set(module.__all__)
    assert list(module.__all__) == sorted(module.__all__)


@pytest.mark.parametrize("verb", [mf.encode, mf.quantize, mf.cast], ids=lambda verb: verb.__name__)
def test_everything_that_rounds_takes_the_same_keywords(verb: Any) -> None:
    parameters = inspect.signature(verb).parameters
    keywords = [p for p in parameters.values() if p.kind is p.KEYWORD_ONLY]
    assert [p.name for p in keywords] == HOW
    defaults = {p.name: p.default for p in keywords}
    assert defaults == dict.fromkeys(HOW, None) | {"rounding": "ties_to_even", "nan": "raise"}


def test_positional_arguments() -> None:
    def positional(verb: Any) -> list[str]:
        kinds = inspect.signature(verb).parameters.values()
        return [p.name for p in kinds if p.kind is not p.KEYWORD_ONLY]

    assert positional(mf.encode) == positional(mf.quantize) == ["x", "fmt"]
    assert positional(mf.decode) == positional(mf.pack) == ["codes", "fmt"]
    assert positional(mf.cast) == ["codes", "src", "dst"]
    assert positional(mf.unpack) == ["packed", "fmt", "shape"]


def test_importing_takes_numpy_alone() -> None:
    script = """
import sys
import minifloat
heavy = {"ml_dtypes", "matplotlib", "cyclopts", "rich", "pyarrow", "torch", "safetensors", "gfloat"}
print(sorted(heavy & set(sys.modules)), [m for m in sys.modules if "minifloat.ref" in m])
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[] []"


FORMATS = [*(mf.formats[name] for name in mf.formats), mf.get_format("binary8p3se")]
FORMATS += [
    mf.get_format(spec) for spec in ("e6m9:bias=40,finite", "uint7:scale=3", "e3m2:nosubnormals")
]


@pytest.mark.parametrize("fmt", FORMATS, ids=str)
def test_formats_are_values(fmt: mf.Format) -> None:
    for twin in (copy.copy(fmt), copy.deepcopy(fmt), pickle.loads(pickle.dumps(fmt))):
        assert twin == fmt
        assert hash(twin) == hash(fmt)
        assert (str(twin), repr(twin)) == (str(fmt), repr(fmt))
        assert twin == fmt
        np.testing.assert_array_equal(
            mf.encode([0.7, 3.0], twin, nan="zero"), mf.encode([0.7, 3.0], fmt, nan="zero")
        )
    assert mf.get_format(str(fmt)) == fmt
    assert mf.get_format(fmt.spec) == fmt
    assert mf.get_format(fmt) is fmt
    assert sum(fmt == other for other in FORMATS) == 1
    assert fmt != str(fmt)
    text = repr(fmt)
    assert str(fmt) in text
    assert "\n" not in text
    with pytest.raises(AttributeError):
        fmt.signed = False  # type: ignore[misc]


def test_equality_compares_fields_and_not_names() -> None:
    plain = mf.FloatFormat(4, 3, infinities=False, nan=mf.NanCode.ALL_ONES)
    named = mf.get_format("float8_e4m3fn")
    assert plain == named
    assert hash(plain) == hash(named)
    saturating = mf.get_format("e4m3:fn,overflow=saturate")
    assert saturating != named
    assert mf.encode(1e9, saturating) == 0x7E
    assert mf.encode(1e9, named) == 0x7F
    assert mf.get_format("e2m1fn") == mf.get_format("e2m1:finite")


VALUES = [
    mf.Stochastic(8, "nearest"),
    mf.Stochastic(8, noise=mf.noise.Normal(0.0, 0.1)),
    mf.Rounding.TO_ODD,
    mf.Overflow.WRAP,
    mf.contexts.ARM,
    mf.Context(flush_inputs=True),
    mf.Key(7).at(3),
    mf.Flag.INEXACT | mf.Flag.OVERFLOW,
    mf.noise.Uniform(0.25, 0.75),
]


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_options_are_values(value: Any) -> None:
    for twin in (copy.deepcopy(value), pickle.loads(pickle.dumps(value))):
        assert twin == value
        assert hash(twin) == hash(value)
        assert repr(twin) == repr(value)
    assert sum(value == other for other in VALUES) == 1


def test_reprs_read_well() -> None:
    assert repr(mf.Stochastic(8)) == "Stochastic(bits=8, variant='floor', noise=None)"
    assert repr(mf.contexts.ARM_DEFAULT_NAN).startswith("Context(tininess='before'")
    assert repr(mf.Context()) == "Context()"
    assert repr(mf.Flags()) == "Flags(none in 0 elements)"
    assert repr(mf.formats).startswith(f"<{len(mf.formats)} named formats: float64, float32,")


def test_errors_survive_pickling() -> None:
    with pytest.raises(mf.NanError) as caught:
        mf.encode(np.nan, "int8")
    twin = pickle.loads(pickle.dumps(caught.value))
    assert type(twin) is mf.NanError
    assert str(twin) == str(caught.value)


def test_the_order_of_calls_changes_nothing() -> None:
    """Plans are remembered by their options: like-looking options must not be mistaken."""
    x = np.array([1.0625, 1e9, -1e9], np.float32)
    plain = mf.encode(x, "e4m3fn").tolist()
    for _ in range(2):
        assert mf.encode(x, "e4m3fn").tolist() == plain
        assert mf.encode(x, mf.get_format("e4m3fn")).tolist() == plain
        assert mf.encode(x, "e4m3:fn,overflow=saturate").tolist() == [0x38, 0x7E, 0xFE]
        assert mf.encode(x, "e4m3fn", overflow="saturate").tolist() == [0x38, 0x7E, 0xFE]
        assert mf.encode(x, "e4m3fn", rounding="rtp").tolist() == [0x39, 0x7F, 0xFE]
        assert mf.encode(x.astype(np.float64), "e4m3fn").tolist() == plain
        assert mf.encode(x.view(np.int32), "float32").tolist() != plain
        assert mf.encode(x.astype(">f4"), "e4m3fn").tolist() == plain
        assert mf.quantize(x, "e4m3fn", overflow="saturate").tolist() == [1.0, 448.0, -448.0]
        words = x.view(np.uint32)
        assert mf.decode(words, "float32").tolist() == x.tolist()
        assert mf.decode(words, "float32", dtype=np.float16).dtype == np.float16
        assert mf.decode(words, "uint32").tolist() == words.tolist()
        assert mf.decode(words, "float32", dtype=">f4").dtype == ">f4"
