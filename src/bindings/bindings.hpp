#pragma once

#include <nanobind/nanobind.h>

#include "minifloat/kernels/table.hpp"

/// What the binding files share.

namespace nb = nanobind;

namespace minifloat::bindings {

void register_formats(nb::module_& m);
void register_casting(nb::module_& m);
void register_dispatch(nb::module_& m);
void register_tosa(nb::module_& parent);
void register_arithmetic(nb::module_& m);
void register_matmul(nb::module_& m);

/// The kernels in use: the best this processor runs, or what MINIFLOAT_ISA names.
const Kernels& active_kernels();

}  // namespace minifloat::bindings
