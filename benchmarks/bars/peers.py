"""Other packages as runs over the same arrays; `MissingPeerError` where one is not installed."""

from __future__ import annotations

import ctypes
import functools
import importlib
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from bars import data
from bars.measure import MissingPeerError, Run

SLOW_SIZE = 1 << 20
"""Elements for peers that need tens of nanoseconds for each."""

_SOFTFLOAT_LOOP = """
#include <stddef.h>
#include <stdint.h>
#define LOOPS(bits, word) \\
  void loop2_##bits(word (*op)(word, word), const word *a, const word *b, word *out, size_t n) { \\
    for (size_t i = 0; i < n; ++i) out[i] = op(a[i], b[i]); \\
  } \\
  void loop3_##bits(word (*op)(word, word, word), const word *a, const word *b, word *out, \\
                    size_t n) { \\
    for (size_t i = 0; i < n; ++i) out[i] = op(a[i], b[i], a[i]); \\
  }
LOOPS(16, uint16_t)
LOOPS(32, uint32_t)
LOOPS(64, uint64_t)
"""

_CPFLOAT_LOOP = """
#include "cpfloat_binary32.h"
void *prepare(int precision, int emin, int emax, int stochastic) {
  optstruct *o = init_optstruct();
  o->precision = precision;
  o->emin = emin;
  o->emax = emax;
  o->explim = CPFLOAT_EXPRANGE_TARG;
  o->infinity = CPFLOAT_INF_USE;
  o->subnormal = CPFLOAT_SUBN_USE;
  o->saturation = CPFLOAT_SAT_NO;
  o->flip = CPFLOAT_SOFTERR_NO;
  o->round = stochastic ? CPFLOAT_RND_SP : CPFLOAT_RND_NE;
  return o;
}
int round_all(float *out, const float *in, size_t n, void *o) { return cpfloatf(out, in, n, o); }
"""


def need(name: str) -> Any:
    """Import a peer."""
    try:
        return importlib.import_module(name)
    except ImportError:
        msg = f"{name} is not installed"
        raise MissingPeerError(msg) from None


@functools.cache
def _compiled(source: str, *options: str) -> ctypes.CDLL:
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        msg = "no C compiler"
        raise MissingPeerError(msg)
    folder = Path(tempfile.mkdtemp())
    (folder / "loop.c").write_text(source)
    command = [compiler, "-O3", "-march=native", "-w", "-shared", "-fPIC", *options]
    done = subprocess.run(
        [*command, str(folder / "loop.c"), "-o", str(folder / "loop.so"), "-lm"],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        msg = f"the C loop does not compile: {done.stderr.strip().splitlines()[-1]}"
        raise MissingPeerError(msg)
    loaded = ctypes.CDLL(str(folder / "loop.so"))
    shutil.rmtree(folder)
    return loaded


def softfloat(operation: str, bits: int, operands: int = 2, size: int = SLOW_SIZE) -> Run:
    """Berkeley SoftFloat's C function, out of softfloatpy's library, in a C loop."""
    package = need("softfloatpy")
    library = ctypes.CDLL(next(str(p) for p in Path(package.__file__).parent.glob("_core*")))
    function = ctypes.cast(getattr(library, f"f{bits}_{operation}"), ctypes.c_void_p)
    loop = getattr(_compiled(_SOFTFLOAT_LOOP), f"loop{operands}_{bits}")
    name = {16: "float16", 32: "float32", 64: "float64"}[bits]
    a, b = (data.codes(name, seed)[:size] for seed in (0, 1))
    out = np.empty_like(a)
    pointers = [ctypes.c_void_p(array.ctypes.data) for array in (a, b, out)]
    keep = (a, b, out, library)

    def run() -> object:
        loop(function, *pointers, ctypes.c_size_t(size))
        return keep

    return run


def cpfloat(precision: int, emin: int, emax: int, *, stochastic: bool) -> Run:
    """CPFloat's rounding of float32 numbers on one thread."""
    if data.CPFLOAT is None:
        msg = "--cpfloat does not say where it is"
        raise MissingPeerError(msg)
    root = data.CPFLOAT.resolve()
    pcg = root / "deps" / "pcg-c"
    generator = pcg / "include" / "pcg_variants.h"
    options = [f"-I{root / 'src'}"]
    if generator.exists():
        options += [f"-I{generator.parent}", "-include", str(generator)]
        options += [str(path) for path in (pcg / "src").glob("pcg-*.c")]
    loop = _compiled(_CPFLOAT_LOOP, *options)
    loop.prepare.restype = ctypes.c_void_p
    how = ctypes.c_void_p(loop.prepare(precision, emin, emax, int(stochastic)))
    x, out = data.floats(), data.scratch("float32", 2)
    source, target = (ctypes.c_void_p(array.ctypes.data) for array in (x, out))
    return lambda: loop.round_all(target, source, ctypes.c_size_t(x.size), how)


def ml_dtypes_cast(name: str) -> Run:
    """``x.astype`` to a type of ml_dtypes."""
    dtype = getattr(need("ml_dtypes"), name)
    x = data.floats()
    return lambda: x.astype(dtype)


def ml_dtypes_values(name: str) -> Run:
    """``codes.astype(float32)`` from a type of ml_dtypes."""
    codes = data.codes(name).view(getattr(need("ml_dtypes"), name))
    return lambda: codes.astype(np.float32)


def _torch() -> Any:
    torch = need("torch")
    torch.set_num_threads(1)
    return torch


def torch_cast(name: str) -> Run:
    """``tensor.to`` on one thread."""
    torch = _torch()
    x = torch.from_numpy(data.floats())
    out = torch.empty(x.shape, dtype=getattr(torch, name))
    return lambda: out.copy_(x)


def torch_values(name: str) -> Run:
    """``tensor.to(float32)`` on one thread."""
    torch = _torch()
    codes = torch.from_numpy(data.codes(name)).view(getattr(torch, name))
    out = torch.empty(codes.shape, dtype=torch.float32)
    return lambda: out.copy_(codes)


def gfloat_round() -> Run:
    """``round_ndarray`` to OCP e4m3."""
    gfloat, formats = need("gfloat"), need("gfloat.formats")
    x = data.floats()[:SLOW_SIZE]
    return lambda: gfloat.round_ndarray(formats.format_info_ocp_e4m3, x)


def apytypes_cast(*, stochastic: bool) -> Run:
    """``APyFloatArray.cast`` of (8, 23) to (4, 3)."""
    apytypes = need("apytypes")
    x = apytypes.APyFloatArray.from_float(data.floats()[:SLOW_SIZE], 8, 23)
    modes = apytypes.QuantizationMode
    mode = modes.STOCH_WEIGHTED if stochastic else modes.TIES_EVEN
    return lambda: x.cast(4, 3, quantization=mode)


def apytypes_matmul(side: int) -> Run:
    """``A @ B`` in (5, 10), every product and sum rounded."""
    apytypes = need("apytypes")
    a, b = (
        apytypes.APyFloatArray.from_float(
            data.floats("float32", seed)[: side * side].reshape(side, side), 5, 10
        )
        for seed in (0, 1)
    )
    return lambda: a @ b


def pychop_round() -> Run:
    """``Chop(4, 3)`` on numpy arrays."""
    pychop = need("pychop")
    pychop.backend("numpy")
    x = data.floats()[:SLOW_SIZE]
    chop = pychop.Chop(4, 3)
    return lambda: chop(x)


def qtorch_round() -> Run:
    """``float_quantize`` to (4, 3)."""
    torch, qtorch = _torch(), need("qtorch.quant")
    x = torch.from_numpy(data.floats()[:SLOW_SIZE])
    return lambda: qtorch.float_quantize(x, exp=4, man=3, rounding="nearest")
