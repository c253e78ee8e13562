"""Exhaustive runs of minutes: ``pytest -m sweep -n 0 -s tests/casting/test_sweeps.py``."""

from __future__ import annotations

import sys
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from inputs import all_float16

import minifloat as mf
from minifloat.reference.bulk import encode_array
from minifloat.reference.grid import decode_table
from minifloat.reference.how import How

pytestmark = pytest.mark.sweep

CHUNK = 1 << 24


def show(text: str) -> None:
    sys.stdout.write(f"\r{text} ")
    sys.stdout.flush()


@pytest.mark.parametrize("name", ["float8_e4m3fn", "float8_e5m2", "bfloat16", "float16"])
def test_every_float32(name: str) -> None:
    dtype: Any = getattr(ml_dtypes, name, name)
    word = f"u{np.dtype(dtype).itemsize}"
    chunks = (1 << 32) // CHUNK
    for chunk in range(chunks):
        words = np.arange(chunk * CHUNK, (chunk + 1) * CHUNK, dtype=np.uint64).astype(np.uint32)
        x = words.view(np.float32)
        ours = mf.encode(x, name)
        with np.errstate(all="ignore"):
            theirs = x.astype(dtype).view(word)
        wrong = ours != theirs
        if name == "float16":  # numpy keeps payloads
            wrong &= ~np.isnan(x)
            canonical = np.where(np.signbit(x), 0xFE00, 0x7E00)
            wrong |= np.isnan(x) & (ours != canonical)
        first = int(np.argmax(wrong))
        assert not wrong.any(), f"{words[first]:#x}: {ours[first]:#x}, not {theirs[first]:#x}"
        show(f"{name}: {chunk + 1} of {chunks} chunks")


@pytest.mark.parametrize("bits", range(3, 16))
def test_every_p3109_format(bits: int) -> None:
    chosen = [fmt for fmt in mf.formats.p3109() if fmt.bits == bits]
    x = all_float16()
    for number, fmt in enumerate(chosen):
        codes = np.arange(1 << fmt.bits, dtype=np.uint16)
        values, expected = mf.decode(codes, fmt, dtype=np.float64), decode_table(fmt)
        np.testing.assert_array_equal(values, expected)
        np.testing.assert_array_equal(np.signbit(values), np.signbit(expected))
        for rounding in ("ties_to_even", "toward_positive", "to_odd"):
            flags = np.empty(x.shape, np.uint8)
            ours = mf.encode(x, fmt, rounding=rounding, flags=flags)
            theirs, their_flags = encode_array(x, fmt, How(rounding))
            np.testing.assert_array_equal(ours, theirs)
            np.testing.assert_array_equal(flags, their_flags)
        show(f"K = {bits}: {number + 1} of {len(chosen)} formats")
