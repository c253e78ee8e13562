#include "bindings.hpp"

NB_MODULE(_core, m) {
  // Plans live in Python's caches until the interpreter ends: that is no leak to report.
  nb::set_leak_warnings(false);
  m.doc() = "The compiled core of minifloat: formats and kernels over arrays.";
  minifloat::bindings::register_formats(m);
  minifloat::bindings::register_dispatch(m);
  minifloat::bindings::register_arithmetic(m);
  minifloat::bindings::register_matmul(m);
  minifloat::bindings::register_casting(m);
  minifloat::bindings::register_tosa(m);
}
