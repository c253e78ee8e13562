"""Golden files: what they hold, how they are written, and what a comparison says."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest
from ascend_oracle import expected

from minifloat import CodeError, FormatError, OptionError
from minifloat.ascend import (
    PAIRS,
    Ctrl,
    Pair,
    Policy,
    RoundMode,
    SatMode,
    check_vectors,
    find_pair,
    write_vectors,
)
from minifloat.ascend._stimuli import stimuli

EACH = Ctrl.per_instruction()
FILES = {"case.json", "expected.bin", "expected.npy", "input.bin", "input.npy"}


def test_files_hold_all_half_inputs_and_what_they_become(tmp_path: Path) -> None:
    case = write_vectors(
        tmp_path / "new" / "folder",
        src="half",
        dst="hifloat8_t",
        round_mode="CAST_ROUND",
        sat_mode="NO_SAT",
        ctrl=EACH,
    )
    folder = tmp_path / "new" / "folder"
    assert {path.name for path in folder.iterdir()} == FILES
    words = np.fromfile(folder / "input.bin", "<u2")
    assert np.array_equal(words, np.arange(1 << 16))
    right = expected(find_pair("half", "hifloat8_t"), words, RoundMode.CAST_ROUND, SatMode.NO_SAT)
    assert np.array_equal(np.fromfile(folder / "expected.bin", "u1"), right)
    assert np.array_equal(np.load(folder / "expected.npy"), right)
    assert np.array_equal(np.load(folder / "input.npy"), words)
    assert json.loads((folder / "case.json").read_text())["saturating"] is False
    assert (case.count, case.ctrl, case.saturating) == (1 << 16, 0, False)


def test_four_bit_elements_share_bytes_in_bin_files_only(tmp_path: Path) -> None:
    write_vectors(tmp_path, src="bfloat16_t", dst="fp4x2_e2m1_t", round_mode="CAST_RINT")
    single = np.load(tmp_path / "expected.npy")
    packed = np.fromfile(tmp_path / "expected.bin", np.uint8)
    assert single.size == 2 * packed.size == 1 << 16
    assert np.array_equal(single[::2] | single[1::2] << 4, packed)
    assert check_vectors(tmp_path, tmp_path / "expected.bin").mismatches == 0
    assert check_vectors(tmp_path, tmp_path / "expected.npy").mismatches == 0


@pytest.mark.parametrize("pair", PAIRS.values(), ids=str)
def test_every_pair_makes_a_round_trip(pair: Pair, tmp_path: Path) -> None:
    mode, sat = pair.rounds[0], pair.sats[0]
    how = {"round_mode": mode, "sat_mode": sat, "ctrl": EACH, "extra": 0}
    case = write_vectors(tmp_path, src=pair.src, dst=pair.dst, **how)  # type: ignore[arg-type]
    size = case.count * pair.dst.bits // 8
    assert (tmp_path / "expected.bin").stat().st_size == size
    report = check_vectors(tmp_path, tmp_path / "expected.bin")
    assert (report.mismatches, report.first, report.agreeing) == (0, (), ())


def test_stimuli_are_seeded_and_fill_registers() -> None:
    pair = find_pair("float", "hifloat8_t")
    first, again, other = (stimuli(pair, extra=1000, seed=seed) for seed in (1, 1, 2))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)
    assert first.size % 512 == 0
    small = {0x00000000, 0x80000000, 0x7F800000, 0xFF800000, 0x7FC00000, 0x00000001, 0x471FFFFF}
    assert small <= set(first.tolist())


def test_mismatches_are_shown_with_bits_values_and_rule(tmp_path: Path) -> None:
    write_vectors(tmp_path, src="half", dst="int8_t", round_mode="RINT", sat_mode="SAT", ctrl=EACH)
    got = np.fromfile(tmp_path / "expected.bin", np.uint8)
    got[[0x3E00, 0x5C00, 0x7C00, 0x7E00]] = [1, 0, 0, 5]
    got.tofile(tmp_path / "out.bin")
    report = check_vectors(tmp_path, tmp_path / "out.bin", first=3)
    assert report.mismatches == 4
    assert [wrong.index for wrong in report.first] == [0x3E00, 0x5C00, 0x7C00]
    first = report.first[0]
    assert (first.source, first.expected, first.actual) == ("0x3E00 (1.5)", "0x02 (2)", "0x01 (1)")
    rules = [wrong.rule for wrong in report.first]
    assert rules[0] == "between 0x01 (1) and 0x02 (2); CAST_RINT"
    assert rules[1] == "beyond the range; saturating: the extreme value"
    assert rules[2] == "infinity; the extreme value"
    assert report.agreeing == ()


@pytest.mark.parametrize(
    ("change", "reading"),
    [
        ({"round_mode": "CAST_HYBRID", "policy": Policy.alternative("H1")}, "open point H1"),
        ({"round_mode": "CAST_HYBRID", "policy": Policy.alternative("H2")}, "open point H2"),
        ({"round_mode": "CAST_ROUND"}, "RoundMode CAST_ROUND"),
        ({"round_mode": "CAST_HYBRID", "ctrl": Ctrl()}, r"CTRL\[60\] = 1"),
    ],
)
def test_a_reading_under_which_all_agree_is_named(
    change: dict[str, object], reading: str, tmp_path: Path
) -> None:
    how: dict[str, object] = {"src": "float", "dst": "hifloat8_t", "sat_mode": "NO_SAT"}
    how |= {"ctrl": EACH, "extra": 0}
    write_vectors(tmp_path / "ours", round_mode="CAST_HYBRID", **how)  # type: ignore[arg-type]
    write_vectors(tmp_path / "device", **(how | change))  # type: ignore[arg-type]
    report = check_vectors(tmp_path / "ours", tmp_path / "device" / "expected.bin")
    assert report.mismatches > 0
    assert any(name.startswith(reading.replace("\\", "")) for name in report.agreeing)


def test_rules_of_floating_point_results_name_the_case(tmp_path: Path) -> None:
    write_vectors(tmp_path, src="float", dst="half", round_mode="RINT", sat_mode="SAT", ctrl=EACH)
    words = np.fromfile(tmp_path / "input.bin", "<u4")
    rules = {
        0x7FC00000: "NaN; saturating",
        0xFF800000: "infinity; saturating",
        0x7F7FFFFF: "beyond the range; saturating",
        0x00000000: "exactly 0x0000 (0)",
        0x00000001: "between 0x0000 (0) and 0x0001 (5.96046448e-08); CAST_RINT",
    }
    wrong = np.isin(words, np.array(list(rules), np.uint32))
    (np.fromfile(tmp_path / "expected.bin", "<u2") ^ wrong).tofile(tmp_path / "out.bin")
    report = check_vectors(tmp_path, tmp_path / "out.bin", first=words.size)
    assert {int(words[found.index]): found.rule for found in report.first} == rules


def test_files_that_do_not_belong_together_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"no case\.json"):
        check_vectors(tmp_path, tmp_path / "x.bin")
    write_vectors(tmp_path, src="half", dst="uint8_t", round_mode="CAST_RINT")
    (tmp_path / "short.bin").write_bytes(b"123")
    with pytest.raises(CodeError, match="3 bytes, but 65536 elements of uint8_t are 65536"):
        check_vectors(tmp_path, tmp_path / "short.bin")
    np.save(tmp_path / "wide.npy", np.zeros(1 << 16, np.uint16))
    with pytest.raises(CodeError, match="elements are uint8, got uint16"):
        check_vectors(tmp_path, tmp_path / "wide.npy")
    np.save(tmp_path / "short.npy", np.zeros(5, np.uint8))
    with pytest.raises(CodeError, match="5 elements, expected are 65536"):
        check_vectors(tmp_path, tmp_path / "short.npy")
    (tmp_path / "expected.bin").write_bytes(bytes(1 << 16))
    with pytest.raises(FormatError, match="write the vectors anew"):
        check_vectors(tmp_path, tmp_path / "expected.npy")
    (tmp_path / "case.json").write_text("[]")
    with pytest.raises(FormatError, match="not a case of ascend vectors"):
        check_vectors(tmp_path, tmp_path / "expected.npy")


def test_nothing_is_written_for_an_illegal_cast(tmp_path: Path) -> None:
    with pytest.raises(OptionError):
        write_vectors(tmp_path / "out", src="half", dst="hifloat8_t", round_mode="CAST_RINT")
    assert not (tmp_path / "out").exists()


def test_an_interrupted_write_leaves_no_case(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    how = {"src": "half", "dst": "uint8_t", "round_mode": "CAST_RINT"}
    write_vectors(tmp_path, **how)  # type: ignore[arg-type]
    before = (tmp_path / "expected.bin").read_bytes()

    def fail(*paths: object) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(OSError, match="No space"):
        write_vectors(tmp_path, **(how | {"round_mode": "CAST_CEIL"}))  # type: ignore[arg-type]
    assert {path.name for path in tmp_path.iterdir()} == FILES - {"case.json"}
    assert (tmp_path / "expected.bin").read_bytes() == before
