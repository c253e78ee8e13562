"""Make the case lists importable: this folder's, and those of the script that records the tool."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parent
for folder in (HERE, HERE.parents[1] / "scripts"):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
