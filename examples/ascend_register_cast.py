"""A vector function of the Cast page, register by register: float to int16_t, 100 elements.

A narrowing cast leaves its results in every second lane of the destination, zeros between them.
The page's loop stores registers as they are; the pack mode of StoreAlign gathers the results.

Run: python examples/ascend_register_cast.py
"""

from __future__ import annotations

import numpy as np

from minifloat.ascend import (
    CastTrait,
    Ctrl,
    RegTensor,
    cast_register,
    load_align,
    store_align,
    update_mask,
)

COUNT = 100
REGISTER = 256  # bytes
TRAIT = CastTrait("ZERO", "NO_SAT", "ZEROING", "CAST_RINT")


def cast_all(memory: np.ndarray, count: int, ctrl: Ctrl, dist: str) -> np.ndarray:
    """Run the loop of the page: LoadAlign, UpdateMask, Cast, StoreAlign, once per register."""
    repeats = -(-count // 64)
    step = REGISTER if dist == "NORM" else REGISTER // 2
    out = np.full(repeats * step, 0xEE, np.uint8)
    dst_reg = RegTensor.zeros("int16_t")
    for repeat in range(repeats):
        src_reg = load_align(memory, "float", repeat * REGISTER)
        mask, count = update_mask(count, "float")
        cast_register(dst_reg, src_reg, mask, TRAIT, ctrl=ctrl)
        store_align(out, dst_reg, mask, repeat * step, dist=dist)
        if dist == "NORM":
            print(f"repeat {repeat}: {int(mask.bits.sum())} elements, {count} left")
            print(dst_reg.dump(rows=2))
    return out.view(np.int16)


def main() -> None:
    values = np.zeros(128, np.float32)
    values[:COUNT] = np.arange(COUNT) * 1.5 - 4.25
    values[3] = 40000.0
    memory = values.view(np.uint8)

    print("== stored as they are: every second lane (-4370 is 0xEEEE, not written)")
    out = cast_all(memory, COUNT, Ctrl.per_instruction(), "NORM")
    print("memory:", out[:8].tolist())

    print("== stored with PACK_B32: the results side by side")
    packed = cast_all(memory, COUNT, Ctrl.per_instruction(), "PACK_B32")
    print("memory:", packed[:8].tolist())
    assert np.array_equal(out[::2][:COUNT], packed[:COUNT])

    print("== the same after a reset: CTRL[60] is 1, so NO_SAT has no effect on the 40000")
    reset = cast_all(memory, COUNT, Ctrl(), "PACK_B32")
    print("memory:", reset[:8].tolist())


if __name__ == "__main__":
    main()
