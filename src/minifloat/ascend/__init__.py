"""Ascend C's register ``Cast`` (Atlas 350, Ascend 950) as a bit-exact model."""

from __future__ import annotations

from minifloat.ascend._cast import cast, cast_bits
from minifloat.ascend._control import Ctrl
from minifloat.ascend._lanes import cast_register
from minifloat.ascend._masks import MASK_PATTERNS, MaskReg, create_mask, update_mask
from minifloat.ascend._memory import load_align, store_align
from minifloat.ascend._modes import CastTrait, MaskMergeMode, RegLayout, RoundMode, SatMode
from minifloat.ascend._pairs import PAIRS, Pair, find_pair
from minifloat.ascend._policy import Policy
from minifloat.ascend._registers import RegTensor
from minifloat.ascend._types import TYPES, DataType, data_type
from minifloat.ascend._vectors import Case, Mismatch, Report, check_vectors, write_vectors

__all__ = [
    "MASK_PATTERNS",
    "PAIRS",
    "TYPES",
    "Case",
    "CastTrait",
    "Ctrl",
    "DataType",
    "MaskMergeMode",
    "MaskReg",
    "Mismatch",
    "Pair",
    "Policy",
    "RegLayout",
    "RegTensor",
    "Report",
    "RoundMode",
    "SatMode",
    "cast",
    "cast_bits",
    "cast_register",
    "check_vectors",
    "create_mask",
    "data_type",
    "find_pair",
    "load_align",
    "store_align",
    "update_mask",
    "write_vectors",
]
