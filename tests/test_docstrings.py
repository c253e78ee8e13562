"""Every example in a docstring runs, and every public name has a docstring."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil

import pytest

import minifloat

MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(minifloat.__path__, "minifloat.")
    if "_core" not in module.name
)


@pytest.mark.parametrize("name", ["minifloat", *MODULES])
def test_examples_run(name: str) -> None:
    module = importlib.import_module(name)
    result = doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert result.failed == 0


@pytest.mark.parametrize("name", ["minifloat", *MODULES])
def test_public_names_exist_and_are_documented(name: str) -> None:
    module = importlib.import_module(name)
    assert module.__doc__
    for public in getattr(module, "__all__", []):
        found = getattr(module, public)
        if inspect.isroutine(found) or inspect.isclass(found):
            assert inspect.getdoc(found), f"{name}.{public} has no docstring"
