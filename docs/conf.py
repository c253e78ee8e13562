"""Sphinx: ``pip install ".[docs]" && python -m sphinx -W docs build/html``."""

from __future__ import annotations

project = "minifloat"
extensions = ["myst_parser", "sphinx.ext.autodoc", "numpydoc"]
html_theme = "alabaster"
myst_heading_anchors = 3
autodoc_member_order = "bysource"
numpydoc_show_class_members = False
exclude_patterns = ["_build"]
