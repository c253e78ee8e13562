"""Workers, callers in many threads, and forked processes: the same bytes, flags and findings."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import minifloat as mf

SIZE = (1 << 18) * 3 + 12345  # enough for three stretches, and a remainder
X = np.random.default_rng(1).normal(size=SIZE).astype(np.float32) * 200
HOWS: dict[str, dict[str, Any]] = {
    "nearest": {},
    "8 bits": {"rounding": mf.Stochastic(8), "rng": 5},
    "20 bits": {"rounding": mf.Stochastic(20), "rng": mf.Key(5).at(3)},
    "50 bits": {"rounding": mf.Stochastic(50), "rng": 5},
    "density": {"rounding": mf.Stochastic(8, noise=mf.noise.Bernoulli(0.3)), "rng": 5},
    "replayed": {
        "rounding": mf.Stochastic(8),
        "random_bits": np.random.default_rng(2).integers(0, 256, SIZE, np.uint8),
    },
}


@pytest.mark.parametrize("how", HOWS)
def test_any_number_of_workers_gives_the_same(how: str) -> None:
    found = []
    for workers in (1, 2, 3, 7):
        counts, flags = mf.Flags(), np.empty(SIZE, np.uint8)
        codes = mf.encode(X, "e4m3fn", workers=workers, flags=flags, **HOWS[how])
        same = mf.encode(X, "e4m3fn", workers=workers, flags=counts, **HOWS[how])
        np.testing.assert_array_equal(codes, same)
        values = mf.quantize(X, "e4m3fn", workers=workers, **HOWS[how])
        found.append(
            [codes.tobytes(), flags.tobytes(), values.tobytes(), counts.counts, counts.first]
        )
        for flag in mf.Flag:
            assert counts.counts[flag] == np.count_nonzero(flags & flag)
            if counts.counts[flag]:
                assert counts.first[flag] == np.argmax((flags & flag) != 0)
    assert all(item == found[0] for item in found)
    assert found[0][3][mf.Flag.OVERFLOW] > 0


@pytest.mark.parametrize("workers", [1, 2, 3, 5])
def test_the_first_index_is_the_first_of_all_stretches(workers: int) -> None:
    x = X.copy()
    places = [SIZE - 1, SIZE // 2 + 7, SIZE // 3]
    for count, place in enumerate(places, 1):
        x[place] = np.nan
        with pytest.raises(mf.NanError, match=rf"^{count} NaNs, the first at index {place},"):
            mf.encode(x, "int8", workers=workers)
    codes = np.zeros(SIZE, np.uint8)
    for count, place in enumerate(places, 1):
        codes[place] = 0x10 + count
        found = rf"^{count} codes .* {0x10 + count:#x} at index {place}$"
        with pytest.raises(mf.CodeError, match=found):
            mf.cast(codes, "e2m1fn", "float32", workers=workers)


def test_more_workers_than_work() -> None:
    for size in (0, 1, 1000):
        for workers in (1, 50, 10**12):
            codes = mf.encode(X[:size], "e4m3fn", workers=workers)
            np.testing.assert_array_equal(codes, mf.encode(X[:size], "e4m3fn"))


def test_callers_in_many_threads() -> None:
    names = ["e4m3fn", "e5m2", "bf16", "hifloat8", "e2m1fn", "int8", "binary8p3se", "e6m9"]
    x = X[:20_000]
    how: dict[str, Any] = {"rounding": mf.Stochastic(8), "rng": 3}
    expected = {name: (mf.encode(x, name), mf.encode(x, name, **how)) for name in names}
    barrier = threading.Barrier(8)

    def work(number: int) -> bool:
        barrier.wait()
        right = True
        for turn in range(15):
            name = names[(number + turn) % len(names)]
            flags = mf.Flags()
            right &= bool((mf.encode(x, name) == expected[name][0]).all())
            right &= bool(
                (mf.encode(x, name, flags=flags, workers=2, **how) == expected[name][1]).all()
            )
            right &= flags.seen == x.size
        return right

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(8)))


def test_one_generator_shared_by_threads_gives_every_call_its_own_key() -> None:
    generator = np.random.default_rng(4)
    x = np.full(64, 1.0625, np.float32)
    with ThreadPoolExecutor(4) as pool:
        drawn = list(
            pool.map(
                lambda _: mf.encode(
                    x, "e4m3fn", rounding=mf.Stochastic(8), rng=generator
                ).tobytes(),
                range(40),
            )
        )
    assert len(set(drawn)) == 40


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_forked_processes_go_on_casting() -> None:
    script = """
import os, sys
import numpy as np
import minifloat as mf
x = np.linspace(-500, 500, 1 << 20, dtype=np.float32)
expected = mf.encode(x, "e4m3fn", workers=3)
children = []
for _ in range(3):
    child = os.fork()
    if child == 0:
        same = (mf.encode(x, "e4m3fn", workers=3) == expected).all()
        os._exit(0 if same else 1)
    children.append(child)
sys.exit(max(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children))
"""
    done = subprocess.run([sys.executable, "-c", script], timeout=120, check=False)
    assert done.returncode == 0


@pytest.mark.parametrize("workers", ["2", "", "many", "-3"])
def test_the_environment_sets_the_number_of_workers(workers: str) -> None:
    script = """
import os
from minifloat._arrays import default_workers
cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
print(default_workers(), cores)
"""
    environment = os.environ | {"MINIFLOAT_WORKERS": workers}
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True
    )
    found, cores = done.stdout.split()
    assert found == ("2" if workers == "2" else cores)
