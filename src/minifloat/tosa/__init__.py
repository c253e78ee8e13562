"""Conformance of TOSA's floating-point operators: test data, references, verdicts.

`generate` makes the test data of the specification's appendix, `verify` judges what a backend makes
of it. The page on TOSA tells how the editions differ.
"""

from __future__ import annotations

from minifloat.tosa._attributes import ATTRIBUTES
from minifloat.tosa._case import TestCase, make_case
from minifloat.tosa._draws import mi_data, set_data
from minifloat.tosa._editions import Edition
from minifloat.tosa._elements import MODES, verify_elements
from minifloat.tosa._elementwise import ELEMENTWISE, verify_cast, verify_elementwise
from minifloat.tosa._files import verify_folder, write_case
from minifloat.tosa._generate import generate
from minifloat.tosa._operators import MIN_DOT_PRODUCTS, Operation, operation
from minifloat.tosa._plot import plot_sweep
from minifloat.tosa._reference import Reference, reference
from minifloat.tosa._report import ElementReport, OutputReport, Report, WorstElement
from minifloat.tosa._rescale import verify_rescale
from minifloat.tosa._run import run
from minifloat.tosa._signature import Signature, signature
from minifloat.tosa._sweep import SweepResult, UnsupportedError, load_backend, sweep, sweep_cases
from minifloat.tosa._tensors import generate_tensor
from minifloat.tosa._types import TYPES, TensorType, as_type
from minifloat.tosa._verify import judge, verify, verify_dot_products

__all__ = [
    "ATTRIBUTES",
    "ELEMENTWISE",
    "MIN_DOT_PRODUCTS",
    "MODES",
    "TYPES",
    "Edition",
    "ElementReport",
    "Operation",
    "OutputReport",
    "Reference",
    "Report",
    "Signature",
    "SweepResult",
    "TensorType",
    "TestCase",
    "UnsupportedError",
    "WorstElement",
    "as_type",
    "generate",
    "generate_tensor",
    "judge",
    "load_backend",
    "make_case",
    "mi_data",
    "operation",
    "plot_sweep",
    "reference",
    "run",
    "set_data",
    "signature",
    "sweep",
    "sweep_cases",
    "verify",
    "verify_cast",
    "verify_dot_products",
    "verify_elements",
    "verify_elementwise",
    "verify_folder",
    "verify_rescale",
    "write_case",
]
