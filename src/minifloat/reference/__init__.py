"""The slow, obvious, exact oracle: every operation on `fractions.Fraction`, from the standards.

It shares no code with the compiled core and imports only what says *what* formats, roundings and
flags are. Tests compare the core with it; readers find every rule spelt out once, without tricks.
"""

from __future__ import annotations
