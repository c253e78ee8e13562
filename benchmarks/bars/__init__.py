"""What the package promises about speed, measured against a copy, numpy and its peers."""

from __future__ import annotations

from bars import arithmetic, casting, startup, stochastic
from bars.measure import Bar, Figure

GROUPS: dict[str, list[Bar | Figure]] = {
    "casting": casting.BARS,
    "stochastic": stochastic.BARS,
    "arithmetic": arithmetic.BARS,
    "matmul": arithmetic.MATMUL_BARS,
    "startup": startup.BARS,
    "install": startup.INSTALL_BARS,
}
"""Bars by group; "install" is measured only when it is asked for."""

__all__ = ["GROUPS"]
