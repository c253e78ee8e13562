"""Judging results: what formats do to data, and whether devices comply."""

from __future__ import annotations
