// Bindings of the TOSA test-data generator and of the sums of its dot-product check.
//
// Arrays arrive contiguous and of the exact dtype; the Python layer sees to that and to the sizes'
// agreement is checked here.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "minifloat/tosa/expf.hpp"
#include "minifloat/tosa/generator.hpp"
#include "minifloat/tosa/lcg.hpp"
#include "minifloat/tosa/verdict.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

namespace tosa = minifloat::tosa;

template <typename T>
using Vector = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

using AxisTuple = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>;

void set_data_run(Vector<float> out, std::uint32_t set, std::uint32_t first, std::uint32_t step) {
  float* data = out.data();
  const std::size_t count = out.shape(0);
  nb::gil_scoped_release release;
  tosa::fill_draws(data, count, set, first, step);
}

void set_data_at(Vector<float> out, std::uint32_t set, Vector<const std::uint32_t> indices) {
  if (indices.shape(0) != out.shape(0))
    throw std::invalid_argument("indices and out differ in size");
  float* data = out.data();
  const std::uint32_t* index = indices.data();
  const std::size_t count = out.shape(0);
  nb::gil_scoped_release release;
  tosa::draws_at(data, index, count, set);
}

void exp_float(Vector<float> out, Vector<const float> x) {
  if (x.shape(0) != out.shape(0)) throw std::invalid_argument("x and out differ in size");
  float* data = out.data();
  const float* source = x.data();
  const std::size_t count = out.shape(0);
  nb::gil_scoped_release release;
  for (std::size_t i = 0; i < count; ++i) data[i] = tosa::exp_float(source[i]);
}

std::vector<tosa::DigitAxis> as_axes(const std::vector<AxisTuple>& axes) {
  if (axes.size() > tosa::DigitWalk::kMaxAxes) throw std::invalid_argument("too many axes");
  std::vector<tosa::DigitAxis> result;
  for (const auto& [size, modulus, digit] : axes) {
    if (size == 0 || modulus == 0) throw std::invalid_argument("axis of size or modulus zero");
    result.push_back({size, modulus, digit});
  }
  return result;
}

void fill(Vector<float> out, std::uint64_t begin, std::uint64_t draw_offset, int rule,
          std::uint32_t first, std::uint32_t second, bool when_negative, double scale,
          bool special_signed, float special_value, const std::vector<AxisTuple>& special_axes) {
  if (rule < 0 || rule > static_cast<int>(tosa::Rule::kExponential)) {
    throw std::invalid_argument("unknown rule");
  }
  const tosa::ElementRule element{
      static_cast<tosa::Rule>(rule),
      first,
      second,
      when_negative,
      scale,
      special_signed ? tosa::Special::kSigned : tosa::Special::kConstant,
      special_value};
  const std::vector<tosa::DigitAxis> axes = as_axes(special_axes);
  float* data = out.data();
  const std::size_t count = out.shape(0);
  nb::gil_scoped_release release;
  tosa::Generator(element, begin + draw_offset).fill(data, count, begin, axes);
}

auto dot_product_errors(Vector<const double> reference, Vector<const double> bound,
                        Vector<const float> actual, Vector<double> error, double max_error,
                        double half_ulp, double floor, double overflow, bool growth) {
  const std::size_t count = actual.shape(0);
  if (reference.shape(0) != count || bound.shape(0) != count || error.shape(0) != count) {
    throw std::invalid_argument("reference, bound, actual and error differ in size");
  }
  const double* ref = reference.data();
  const double* bnd = bound.data();
  const float* imp = actual.data();
  double* e = error.data();
  const tosa::DotProductLimits limits{max_error, half_ulp, floor, overflow,
                                      growth ? 1.0 + max_error * half_ulp : 1.0};
  tosa::DotProductSums sums;
  {
    nb::gil_scoped_release release;
    sums = tosa::check_dot_products(ref, bnd, imp, e, count, limits);
  }
  const bool any = sums.failures != 0;
  return std::make_tuple(sums.failures, any ? static_cast<std::int64_t>(sums.first_failure) : -1,
                         sums.sum, sums.sum_of_squares, sums.largest);
}

}  // namespace

void register_tosa(nb::module_& parent) {
  nb::module_ m =
      parent.def_submodule("tosa", "Test data and dot-product sums of TOSA conformance.");
  m.def("set_data_run", &set_data_run, "out"_a.noconvert(), "set"_a, "first"_a, "step"_a,
        "Write draws first, first + step, ... of stream `set` into the float32 vector `out`.");
  m.def("set_data_at", &set_data_at, "out"_a.noconvert(), "set"_a, "indices"_a.noconvert(),
        "Write the draws of stream `set` at the uint32 `indices` into the float32 vector `out`.");
  m.def("exp_float", &exp_float, "out"_a.noconvert(), "x"_a.noconvert(),
        "Write exp of the float32 vector `x` (each |x| <= 64) into `out`, as glibc's expf.");
  m.def("fill", &fill, "out"_a.noconvert(), "begin"_a, "draw_offset"_a, "rule"_a, "first"_a,
        "second"_a, "when_negative"_a, "scale"_a, "special_signed"_a, "special_value"_a,
        "special_axes"_a,
        "Write elements begin, begin + 1, ... of a test tensor into the float32 vector `out`.");
  m.def("dot_product_errors", &dot_product_errors, "reference"_a.noconvert(), "bound"_a.noconvert(),
        "actual"_a.noconvert(), "error"_a.noconvert(), "max_error"_a, "half_ulp"_a, "floor"_a,
        "overflow"_a, "growth"_a,
        "Write normalised errors into `error`; return failures, the first one's index or -1, and "
        "the sum, the sum of squares and the largest magnitude of the errors.");
}
