"""``python -m minifloat.cli``."""

from __future__ import annotations

import sys

from minifloat.cli import main

if __name__ == "__main__":
    sys.exit(main())
