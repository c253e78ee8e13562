"""The headers install, are found by CMake, and serve a program of their own."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

import minifloat as mf

ROOT = Path(__file__).parents[2]
CMAKE = shutil.which("cmake")
COMPILER = shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")

pytestmark = pytest.mark.skipif(
    CMAKE is None or COMPILER is None, reason="needs cmake and a C++ compiler on the path"
)


def run(*words: str | Path) -> str:
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cpp")
    prefix = folder / "prefix"
    assert CMAKE is not None
    run(CMAKE, "-S", ROOT, "-B", folder / "headers", "-DMINIFLOAT_PYTHON=OFF")
    run(CMAKE, "--install", folder / "headers", "--prefix", prefix)
    example = ROOT / "examples" / "cpp"
    run(CMAKE, "-S", example, "-B", folder / "example", f"-DCMAKE_PREFIX_PATH={prefix}")
    run(CMAKE, "--build", folder / "example", "--config", "Release")
    found = [p for p in (folder / "example").rglob("add_e4m3fn*") if p.suffix in ("", ".exe")]
    return next(p for p in found if p.is_file())


def test_example_agrees_with_the_package(program: Path) -> None:
    for a, b in ((0x38, 0x18), (0x7E, 0x7E), (0x7F, 0x38), (0x01, 0x81), (0x08, 0x83)):
        flags = mf.Flags()
        code = mf.add(a, b, "e4m3fn", flags=flags)
        assert run(program, f"{a:x}", f"{b:x}").split() == [f"{code:02x}", f"{int(flags):02x}"]


def test_headers_need_no_python_and_no_exceptions(tmp_path: Path) -> None:
    source = tmp_path / "all.cpp"
    headers = sorted((ROOT / "include" / "minifloat" / "arith").glob("*.hpp"))
    lines = [f'#include "minifloat/arith/{header.name}"' for header in headers]
    source.write_text("\n".join([*lines, "int main() { return 0; }", ""]))
    include = f"-I{ROOT / 'include'}"
    flags = ("-std=c++20", "-fno-exceptions", "-fno-rtti", "-Wall", "-Wextra", "-Werror")
    assert COMPILER is not None
    run(COMPILER, *flags, include, "-c", source, "-o", tmp_path / "all.o")
