#!/usr/bin/env bash
# Build the core with the address and undefined-behaviour sanitizers in a virtual environment of its
# own, and run tests under them: those of casts and arithmetic, or the paths and options given.
#   bash scripts/sanitize.sh [PYTEST ARGUMENT ...]
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
. "$work/venv/bin/activate"
export PIP_DISABLE_PIP_VERSION_CHECK=1

pip install --quiet ".[test]" -Ccmake.define.MINIFLOAT_SANITIZE=ON -Cbuild-dir="$work/build"

compiler=${CXX:-c++}
# Python itself is not instrumented, so the run-time libraries have to be there before it starts;
# libstdc++ among them, or the first exception finds no handler to intercept.
preload="$("$compiler" -print-file-name=libasan.so) $("$compiler" -print-file-name=libstdc++.so)"
# Python never frees some objects on purpose: leaks are not looked for.
options="detect_leaks=0:detect_stack_use_after_return=1:allocator_may_return_null=1"
if [ $# -eq 0 ]; then
  set -- tests/casting tests/arithmetic
fi
LD_PRELOAD="$preload" ASAN_OPTIONS="$options" UBSAN_OPTIONS="print_stacktrace=1" \
  python -m pytest -n "${WORKERS:-2}" "$@"
