"""A device under test: an fp8 unit that reads operands and writes results with flags.

It is what an emulator's instruction does: set the status from the control register, call one
function, translate the exception flags. Between a generator and a checker it makes a pipe:

    minifloat vectors generate float8_e4m3fn_mulAdd --operands-only --count 1000 \
      | python examples/softfloat_device.py float8e4m3_muladd \
      | minifloat vectors check --function float8_e4m3fn_mulAdd --profile riscv
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator

from minifloat import softfloat as sf

# RISC-V's fflags, which TestFloat's flags are, too.
FFLAGS = {
    sf.float_flag_inexact: 1,
    sf.float_flag_underflow: 2,
    sf.float_flag_overflow: 4,
    sf.float_flag_divbyzero: 8,
    sf.float_flag_invalid: 16,
}
ROUNDING = {"rne": 0, "rtz": 3, "rdn": 1, "rup": 2, "rmm": 4}  # frm to QEMU's modes


def unit(name: str, rounding: str) -> Callable[..., tuple[int, int]]:
    """Return an instruction: operands in, result and fflags out."""
    function = getattr(sf, name)
    status = sf.FloatStatus.profile("riscv", rounding_mode=ROUNDING[rounding])

    def execute(*operands: int) -> tuple[int, int]:
        status.exception_flags = 0
        extra = [0] if name.endswith("_muladd") else []  # no negations
        result = function(*operands, *extra, status)
        return result, sum(bit for flag, bit in FFLAGS.items() if status.exception_flags & flag)

    return execute


def answer(lines: Iterable[str], execute: Callable[..., tuple[int, int]]) -> Iterator[str]:
    """Add result and flags to each line of operands."""
    for line in lines:
        words = line.split()
        result, flags = execute(*(int(word, 16) for word in words))
        yield f"{' '.join(words)} {result:0{len(words[0])}X} {flags:02X}\n"


if __name__ == "__main__":
    name, rounding = [*sys.argv[1:], "rne"][:2]
    sys.stdout.writelines(answer(sys.stdin, unit(name, rounding)))
