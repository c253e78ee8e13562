"""A backend as a program: reads a test folder, writes the output. MATMUL in float32 only.

minifloat tosa sweep --ops MATMUL --backend "python examples/tosa_command_backend.py {desc} {out}"
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np

UNSUPPORTED = 77


def main() -> int:
    """Run one test."""
    description, out = map(Path, sys.argv[1:])
    folder = description.parent
    operation = json.loads((folder / "operation.json").read_text())
    if operation["op"] != "MATMUL" or operation["dtype"] != "fp32":
        return UNSUPPORTED
    np.save(out, np.load(folder / "A.npy") @ np.load(folder / "B.npy"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
