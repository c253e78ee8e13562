"""Every pair of codes of the narrow formats, in every mode, with flags, against the reference."""

from __future__ import annotations

import numpy as np
import pytest
from bytes_oracle import expected
from inputs import CUSTOM

import minifloat as mf
from minifloat._rounding import Overflow, Rounding
from minifloat.reference.how import How, overflow_policy

OPERATIONS = ("add", "sub", "mul", "div")
MODES = tuple(mode for mode in Rounding if mode is not Rounding.HYBRID)
BYTES = (
    "float8_e4m3fn",
    "float8_e4m3",
    "float8_e5m2",
    "float8_e3m4",
    "float8_e4m3fnuz",
    "float8_e5m2fnuz",
    "float8_e4m3b11fnuz",
    "float8_ue4m3",
    "float8_ue5m3",
    "float8_e8m0fnu",
    "hifloat8",
    "binary8p3se",
    "binary8p4sf",
    "binary8p1se",
    "binary8p4ue",
)
SMALL = ("float6_e2m3fn", "float6_e3m2fn", "float4_e2m1fn", "float4_e1m2fn", "binary5p5uf")


def all_pairs(fmt: mf.Format) -> tuple[np.ndarray, np.ndarray]:
    codes = np.arange(1 << fmt.bits, dtype=np.uint16) << fmt.code_shift
    a, b = np.meshgrid(codes, codes, indexing="ij")
    return a.ravel(), b.ravel()


def check(operation: str, fmt: mf.Format, how: How) -> None:
    a, b = all_pairs(fmt)
    codes, flags = expected(operation, a, b, (fmt, fmt), fmt, how)
    raised = np.empty(a.shape, np.uint8)
    found = getattr(mf, operation)(
        a,
        b,
        fmt,
        rounding=how.rounding,
        overflow=how.overflow,
        nan=how.nan,
        context=how.context,
        flags=raised,
    )
    wrong = np.flatnonzero((found != codes) | (raised != flags))
    assert not wrong.size, [
        f"{operation} {a[i]:#x} {b[i]:#x}: {found[i]:#x}/{raised[i]} not {codes[i]:#x}/{flags[i]}"
        for i in wrong[:3]
    ]


@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("name", BYTES)
def test_pairs_of_bytes_in_every_mode(name: str, operation: str) -> None:
    for mode in MODES:
        check(operation, mf.get_format(name), How(mode, nan="max"))


@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("name", SMALL + tuple(c for c in CUSTOM if mf.get_format(c).bits <= 10))
def test_pairs_of_small_codes_in_every_mode(name: str, operation: str) -> None:
    fmt = mf.get_format(name)
    for mode in MODES:
        for context in (mf.contexts.IEEE, mf.Context(tininess="before", flush_outputs=True)):
            check(operation, fmt, How(mode, nan="zero", context=context))


@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("name", ["float8_e4m3fn", "float8_e5m2", "hifloat8", "binary8p3se"])
def test_pairs_under_every_policy_and_flushing(name: str, operation: str) -> None:
    fmt = mf.get_format(name)
    context = mf.Context(flush_inputs=True, narrow_nans_quiet=True)
    for policy in Overflow:
        how = How(Rounding.TOWARD_POSITIVE, policy, "max", context)
        try:
            overflow_policy(fmt, how)
        except mf.OptionError:
            with pytest.raises(mf.OptionError):
                mf.add(0, 0, fmt, overflow=policy)
            continue
        check(operation, fmt, how)


@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("out", ["bfloat16", "float16", "hifloat8"])
def test_pairs_of_two_formats_into_a_third(out: str, operation: str) -> None:
    formats = (mf.get_format("float8_e4m3fn"), mf.get_format("float8_e5m2"))
    a, b = all_pairs(formats[0])
    result = mf.get_format(out)
    for mode in (Rounding.TIES_TO_EVEN, Rounding.TOWARD_NEGATIVE, Rounding.TO_ODD):
        codes, flags = expected(operation, a, b, formats, result, How(mode, nan="max"))
        raised = np.zeros(a.shape, np.uint8)
        how = {"rounding": mode, "flags": raised, "out_format": result}
        np.testing.assert_array_equal(getattr(mf, operation)(a, b, formats, **how), codes)
        np.testing.assert_array_equal(raised, flags)
