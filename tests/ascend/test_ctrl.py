"""The CTRL register: reset values and what each bit decides."""

from __future__ import annotations

import numpy as np
import pytest

from minifloat import OptionError
from minifloat.ascend import Ctrl, cast_bits

INTO_FLOAT = {"src": "float", "dst": "half", "round_mode": "CAST_RINT"}
INTO_INT = {"src": "float", "dst": "int16_t", "round_mode": "CAST_RINT"}
BIG = np.float32([100000.0]).view(np.uint32)


def saturates(ctrl: Ctrl, sat: str, how: dict[str, str]) -> bool:
    out = int(cast_bits(BIG, sat_mode=sat, ctrl=ctrl, **how)[0])
    assert out in (0x7BFF, 0x7C00) if how is INTO_FLOAT else out in (0x7FFF, 100000 & 0xFFFF)
    return out in (0x7BFF, 0x7FFF)


@pytest.mark.parametrize("sat", ["SAT", "NO_SAT"])
@pytest.mark.parametrize("how", [INTO_FLOAT, INTO_INT], ids=["float", "int"])
@pytest.mark.parametrize("bit48", [False, True])
@pytest.mark.parametrize("bit59", [False, True])
def test_bit_60_decides_who_decides(
    sat: str, how: dict[str, str], bit48: bool, bit59: bool
) -> None:
    each = Ctrl(bit60=False, bit48=bit48, bit59=bit59)
    assert saturates(each, sat, how) == (sat == "SAT")
    together = Ctrl(bit60=True, bit48=bit48, bit59=bit59)
    assert saturates(together, sat, how) == (not (bit48 if how is INTO_FLOAT else bit59))


def test_after_a_reset_no_sat_has_no_effect() -> None:
    assert Ctrl().register == 1 << 60
    assert saturates(Ctrl(), "NO_SAT", INTO_FLOAT)
    assert saturates(Ctrl(), "NO_SAT", INTO_INT)


def test_bit_53_is_not_for_casts() -> None:
    for ctrl in (Ctrl(), Ctrl.per_instruction()):
        for sat in ("SAT", "NO_SAT"):
            with_bit = saturates(ctrl.set(53), sat, INTO_INT)
            assert with_bit == saturates(ctrl, sat, INTO_INT)


def test_registers_are_read_and_written() -> None:
    ctrl = Ctrl().set(48, 50).clear(60)
    assert ctrl.register == 1 << 48 | 1 << 50
    assert Ctrl.of_register(ctrl.register | 0xFF) == ctrl
    assert Ctrl.per_instruction() == Ctrl.of_register(0)


def test_other_bits_are_refused() -> None:
    with pytest.raises(OptionError, match=r"CTRL\[47\] is not modelled; allowed are 60, 59"):
        Ctrl().set(47)
    with pytest.raises(OptionError, match="a 64-bit register"):
        Ctrl.of_register(1 << 64)
