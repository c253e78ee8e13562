"""``LoadAlign`` and ``StoreAlign``, as far as kernels need them around casts."""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt

from minifloat._errors import DtypeError, OptionError
from minifloat.ascend._masks import VECTOR_BYTES, MaskReg
from minifloat.ascend._registers import RegTensor
from minifloat.ascend._types import DataType, data_type

__all__ = ["load_align", "store_align"]

_PACKS = {"PACK_B16": (2, 1), "PACK_B32": (4, 2), "PACK_B64": (8, 4), "PACK4_B32": (4, 1)}


def load_align(memory: npt.NDArray[np.uint8], dtype: str | DataType, offset: int = 0) -> RegTensor:
    """Load a register, as ``LoadAlign`` does in its normal mode.

    Parameters
    ----------
    memory : ndarray of uint8, shape (n,)
    dtype : str or DataType
    offset : int
        In bytes, a multiple of 32.

    Returns
    -------
    RegTensor

    Raises
    ------
    DtypeError, OptionError
        If `memory` is no such array, or the register does not lie in it, aligned.
    """
    _check(memory, offset, VECTOR_BYTES)
    return RegTensor(data_type(dtype), memory[offset : offset + VECTOR_BYTES].copy())


def store_align(
    memory: npt.NDArray[np.uint8],
    reg: RegTensor,
    mask: MaskReg,
    offset: int = 0,
    *,
    dist: Literal["NORM", "PACK_B16", "PACK_B32", "PACK_B64", "PACK4_B32"] = "NORM",
) -> None:
    """Store a register, as ``StoreAlign`` does.

    Parameters
    ----------
    memory : ndarray of uint8, shape (n,)
        Written where the mask selects.
    reg : RegTensor
        One register.
    mask : MaskReg
        One mask. NORM looks at the lowest bit of each element; so a mask built for the wide source
        of a narrowing cast stores just the lanes of layout ZERO.
    offset : int
        In bytes, a multiple of 32.
    dist : {"NORM", "PACK_B16", "PACK_B32", "PACK_B64", "PACK4_B32"}
        PACK keeps the lower half (PACK4: the lowest byte) of each selected element of that width,
        side by side: what gathers the results of a narrowing cast with layout ZERO.

    Raises
    ------
    DtypeError
        If `memory` is no such array, or there are several registers.
    OptionError
        If the register does not lie in memory, aligned; if `dist` is unknown; or if a PACK mask
        selects others than the first n elements, of which the documents do not say where they go.

    Examples
    --------
    >>> from minifloat.ascend._masks import create_mask
    >>> memory = np.full(64, 0xEE, np.uint8)
    >>> reg = RegTensor.of("int16_t", np.arange(128, dtype=np.int16))
    >>> store_align(memory, reg, create_mask("float", "VL2"), dist="PACK_B32")
    >>> [hex(byte) for byte in memory[:6]]
    ['0x0', '0x0', '0x2', '0x0', '0xee', '0xee']
    """
    if reg.shape or mask.shape:
        msg = f"one register and one mask are stored at a time, got {reg.shape} and {mask.shape}"
        raise DtypeError(msg)
    if dist == "NORM":
        stored = np.repeat(mask.elements(reg.dtype), reg.dtype.word.itemsize)
        needed = int(np.max(np.flatnonzero(stored), initial=-1)) + 1
        _check(memory, offset, needed)
        chosen = stored[:needed]
        memory[offset : offset + needed][chosen] = reg.data[:needed][chosen]
        return
    if dist not in _PACKS:
        msg = f"unknown dist {dist!r}; allowed are NORM, {', '.join(_PACKS)}"
        raise OptionError(msg)
    wide, kept = _PACKS[dist]
    selected = mask.bits[::wide]
    count = int(selected.sum())
    if not selected[:count].all():
        msg = f"{dist}: the mask must select the first elements, without gaps"
        raise OptionError(msg)
    _check(memory, offset, count * kept)
    packed = reg.data.reshape(-1, wide)[:count, :kept].ravel()
    memory[offset : offset + packed.size] = packed


def _check(memory: npt.NDArray[np.uint8], offset: int, size: int) -> None:
    if not isinstance(memory, np.ndarray) or memory.dtype != np.uint8 or memory.ndim != 1:
        msg = "memory is a one-dimensional array of uint8"
        raise DtypeError(msg)
    if offset % 32 or not 0 <= offset <= memory.size - size:
        msg = f"offset {offset}: a multiple of 32 with {size} bytes left in {memory.size}"
        raise OptionError(msg)
