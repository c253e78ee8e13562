"""The reference rounds as the outside implementations do, wherever they are right."""

from __future__ import annotations

import csv
from pathlib import Path

import en_dtypes
import gfloat
import gfloat.formats
import ml_dtypes
import numpy as np
import numpy.typing as npt
import pytest
from inputs import all_bfloat16, all_float16, edges, random_float32

from minifloat._formats import FloatFormat, Format, formats, get_format
from minifloat._rounding import Overflow, Rounding, Stochastic
from minifloat.reference.bulk import encode_array
from minifloat.reference.grid import decode_table, grid_of
from minifloat.reference.how import How
from minifloat.reference.rounding import encode, round_value
from minifloat.reference.values import Kind, Value, decode, largest

DATA = Path(__file__).parents[1] / "data"
ML_FLOATS = [
    name
    for name in formats
    if hasattr(ml_dtypes, name) and name != "float8_e8m0fnu" and "int" not in name
]
MODES = {
    Rounding.TIES_TO_EVEN: gfloat.RoundMode.TiesToEven,
    Rounding.TIES_TO_AWAY: gfloat.RoundMode.TiesToAway,
    Rounding.TOWARD_ZERO: gfloat.RoundMode.TowardZero,
    Rounding.TOWARD_POSITIVE: gfloat.RoundMode.TowardPositive,
    Rounding.TOWARD_NEGATIVE: gfloat.RoundMode.TowardNegative,
}
VARIANTS = {
    "floor": gfloat.RoundMode.StochasticFastest,
    "centred": gfloat.RoundMode.StochasticFast,
    "nearest": gfloat.RoundMode.Stochastic,
}
GFLOAT = {
    "ocp_e4m3": "float8_e4m3fn",
    "ocp_e5m2": "float8_e5m2",
    "ocp_e2m3": "float6_e2m3fn",
    "ocp_e3m2": "float6_e3m2fn",
    "ocp_e2m1": "float4_e2m1fn",
    "binary16": "float16",
    "bfloat16": "bfloat16",
} | {f.name: f.name for f in gfloat.formats.sample_formats if f.name.startswith("p3109")}


def float32_inputs(fmt: Format) -> npt.NDArray[np.float32]:
    halves = all_float16().astype(np.float32)
    return np.concatenate(
        [edges(fmt, np.float32), all_bfloat16(), halves, random_float32(50_000, 3, fmt)]
    )


def cast(
    x: npt.NDArray[np.floating], dtype: npt.DTypeLike, bits: int
) -> npt.NDArray[np.unsignedinteger]:
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        return x.astype(dtype).view(f"u{bits // 8 or 1}")


def assert_same_codes(
    x: npt.NDArray[np.floating],
    ours: npt.NDArray[np.uint32],
    theirs: npt.NDArray[np.unsignedinteger],
) -> None:
    wrong = np.flatnonzero(ours != theirs)
    sample = [(float(x[i]).hex(), hex(ours[i]), hex(theirs[i])) for i in wrong[:5]]
    assert not wrong.size, f"{wrong.size} differ; input, ours, theirs: {sample}"


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_float16_agrees_with_numpy(dtype: type[np.floating]) -> None:
    fmt = get_format("float16")
    x = np.concatenate([edges(fmt, dtype), random_float32(200_000, 1, fmt).astype(dtype)])
    assert_same_codes(x, encode_array(x, fmt)[0], cast(x, np.float16, 16))


def test_float32_agrees_with_numpy() -> None:
    fmt = get_format("float32")
    rng = np.random.default_rng(5)
    x = rng.normal(size=3000) * 2.0 ** rng.integers(-155, 132, 3000)
    with np.errstate(over="ignore", under="ignore"):
        near = x.astype(np.float32)
    halfway = (near.astype(np.float64) + np.nextafter(near, np.float32(0))) / 2
    x = np.concatenate([x, halfway, np.nextafter(halfway, 0)])
    ours = np.array([encode(float(number), fmt)[0] for number in x], np.uint32)
    assert_same_codes(x, ours, cast(x, np.float32, 32))


@pytest.mark.parametrize("name", ML_FLOATS)
def test_ties_to_even_agrees_with_ml_dtypes(name: str) -> None:
    fmt = get_format(name)
    x = float32_inputs(fmt)
    theirs = cast(x, getattr(ml_dtypes, name), fmt.bits)
    assert_same_codes(x, encode_array(x, fmt)[0], theirs)


def test_e8m0_agrees_with_ml_dtypes_but_for_two_rules_of_its_own() -> None:
    fmt = get_format("float8_e8m0fnu")
    x = float32_inputs(fmt)
    # ml_dtypes sends ties up, not to the even code, and rounds up from 2**-127 to 1.5 * 2**-127.
    ties = np.isin(np.abs(x).astype(np.float64), grid_of(fmt).middles.floor)
    rounds_up = (x > 2.0**-127) & (x < 1.5 * 2.0**-127)
    same = ~ties & ~rounds_up
    assert ties.sum() > 300
    assert rounds_up.sum() > 3
    theirs = cast(x, ml_dtypes.float8_e8m0fnu, 8)
    assert_same_codes(x[same], encode_array(x, fmt)[0][same], theirs[same])
    away = encode_array(x, fmt, How(Rounding.TIES_TO_AWAY))[0]
    assert_same_codes(x[~rounds_up], away[~rounds_up], theirs[~rounds_up])


@pytest.mark.parametrize("name", ["float8_e4m3fn", "float4_e2m1fn", "bfloat16"])
def test_float64_sources_round_once_where_ml_dtypes_rounds_twice(name: str) -> None:
    fmt = get_format(name)
    middles = grid_of(fmt).middles.floor[1:-1]
    above = np.nextafter(middles, np.inf)
    ours = encode_array(above, fmt)[0]
    np.testing.assert_array_equal(ours, grid_of(fmt).codes[2:-1])
    theirs = cast(above, getattr(ml_dtypes, name), fmt.bits)
    # It goes through float32, where the number is the tie itself.
    np.testing.assert_array_equal(theirs % 2, 0)
    assert (ours != theirs).sum() == (ours % 2 == 1).sum() > 0


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("theirs", "ours"), GFLOAT.items())
@pytest.mark.parametrize("saturates", [False, True])
def test_all_modes_agree_with_gfloat(
    theirs: str, ours: str, mode: Rounding, saturates: bool
) -> None:
    info = next(f for f in gfloat.formats.sample_formats if f.name == theirs)
    fmt = get_format(ours)
    x = np.concatenate([edges(fmt), all_float16().astype(np.float64)[::7]])
    if not fmt.signed:
        x = x[~np.signbit(x)]  # gfloat does not round negative numbers into unsigned formats
    policy = Overflow.SATURATE if saturates else Overflow.IEEE
    if not (saturates or fmt.has_infinity or fmt.has_nan):
        policy = Overflow.SATURATE
    with np.errstate(over="ignore"):
        values = gfloat.round_ndarray(info, x, MODES[mode], sat=policy is Overflow.SATURATE)
    codes, _ = encode_array(x, fmt, How(mode, policy))
    np.testing.assert_array_equal(decode_table(fmt)[codes], values)


@pytest.mark.parametrize("bits", [1, 3, 8])
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("name", ["ocp_e4m3", "ocp_e2m1", "p3109_k8p1se", "p3109_k6p3sf"])
def test_stochastic_variants_agree_with_gfloat(name: str, variant: str, bits: int) -> None:
    info = next(f for f in gfloat.formats.sample_formats if f.name == name)
    fmt = get_format(GFLOAT[name])
    x = np.repeat(random_float32(1500, 6, fmt).astype(np.float64), 4)
    x = x[np.isfinite(x)]
    r = np.random.default_rng(7).integers(0, 1 << bits, x.size)
    values = gfloat.round_ndarray(info, x, VARIANTS[variant], sat=True, srbits=r, srnumbits=bits)
    how = How(Stochastic(bits, variant), Overflow.SATURATE)
    codes, _ = encode_array(x, fmt, how, random_bits=r)
    np.testing.assert_array_equal(decode_table(fmt)[codes], values)


def test_hifloat8_ties_to_away_agrees_with_en_dtypes() -> None:
    fmt = get_format("hifloat8")
    x = float32_inputs(fmt)
    ours = encode_array(x, fmt, How(Rounding.TIES_TO_AWAY))[0]
    assert_same_codes(x, ours, cast(x, en_dtypes.hifloat8, 8))


def test_float4_e1m2_agrees_with_en_dtypes() -> None:
    fmt = get_format("float4_e1m2fn")
    x = float32_inputs(fmt)
    assert_same_codes(x, encode_array(x, fmt)[0], cast(x, en_dtypes.float4_e1m2, 4))


P3109_MODES = {
    "TowardZero": Rounding.TOWARD_ZERO,
    "TowardPositive": Rounding.TOWARD_POSITIVE,
    "TowardNegative": Rounding.TOWARD_NEGATIVE,
    "NearestTiesToAway": Rounding.TIES_TO_AWAY,
    "NearestTiesToEven": Rounding.TIES_TO_EVEN,
    "ToOdd": Rounding.TO_ODD,
    "Stochastic": Stochastic(4),
}
P3109_POLICIES = {
    "SatFinite": Overflow.SATURATE,
    "SatPropagate": Overflow.SATURATE_KEEP_INFINITY,
    "SatNone": Overflow.P3109,
}


def saturation_rows() -> list[dict[str, str]]:
    with (DATA / "p3109_saturation.csv").open() as lines:
        return list(csv.DictReader(lines))


def expected_value(result: str, fmt: Format) -> Value:
    match result:
        case "Mhi":
            return largest(fmt)
        case "Mlo":
            return largest(fmt, negative=True) if fmt.signed else Value()
        case "NaN":
            return Value(Kind.NAN)
        case "+inf" | "-inf":
            return Value(Kind.INFINITE, result == "-inf")
    raise AssertionError(result)


@pytest.mark.parametrize("bits_and_precision", ["8p3", "5p1", "4p2"])
@pytest.mark.parametrize("mode", P3109_MODES)
def test_p3109_saturation_table(mode: str, bits_and_precision: str) -> None:
    rows = [row for row in saturation_rows() if row["rounding"].startswith(mode)]
    assert len(rows) == 48
    for row in rows:
        fmt = get_format(f"binary{bits_and_precision}{row['signed']}{row['domain']}")
        assert isinstance(fmt, FloatFormat)
        source = {
            "hi": Value.of(2 * fmt.max),
            "lo": Value.of(-2 * fmt.max),
            "+inf": Value(Kind.INFINITE),
            "-inf": Value(Kind.INFINITE, True),
        }[row["input"]]
        how = How(P3109_MODES[mode], P3109_POLICIES[row["mode"]])
        code, _ = round_value(source, fmt, how)
        assert decode(code, fmt) == expected_value(row["result"], fmt), row
