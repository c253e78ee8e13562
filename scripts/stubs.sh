#!/usr/bin/env bash
# Write the stubs of the compiled core from the installed package: into the source tree, or with
# --check only compare them with the committed ones.
set -euo pipefail
cd "$(dirname "$0")/.."
fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
python -m nanobind.stubgen -q -r -m minifloat._core -O "$fresh"
if [ "${1:-}" = "--check" ]; then
  diff -r "$fresh/_core" src/minifloat/_core
else
  mkdir -p src/minifloat/_core
  cp "$fresh"/_core/*.pyi src/minifloat/_core/
fi
