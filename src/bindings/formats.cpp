#include "bindings.hpp"
#include "minifloat/format.hpp"

// Formats as the core sees them, built from the fields of the Python dataclasses.

namespace minifloat::bindings {

void register_formats(nb::module_& m) {
  nb::class_<Format>(m, "Format", "A format's fields as the core sees them.")
      .def(
          "__init__",
          [](Format* self, int grid, int nan, int subnormals, bool is_signed, bool infinities,
             bool negative_zero, bool zero, int exponent_bits, int trailing_bits, int bias,
             int code_shift, int integer_bits, int scale_exponent) {
            new (self) Format{static_cast<Grid>(grid),
                              static_cast<NanCode>(nan),
                              static_cast<Subnormals>(subnormals),
                              is_signed,
                              infinities,
                              negative_zero,
                              zero,
                              exponent_bits,
                              trailing_bits,
                              bias,
                              code_shift,
                              integer_bits,
                              scale_exponent};
          },
          nb::kw_only(), nb::arg("grid"), nb::arg("nan"), nb::arg("subnormals"),
          nb::arg("is_signed"), nb::arg("infinities"), nb::arg("negative_zero"), nb::arg("zero"),
          nb::arg("exponent_bits"), nb::arg("trailing_bits"), nb::arg("bias"),
          nb::arg("code_shift"), nb::arg("integer_bits"), nb::arg("scale_exponent"));
}

}  // namespace minifloat::bindings
