#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <string_view>
#include <tuple>
#include <vector>

#include "bindings.hpp"
#include "buffer.hpp"
#include "minifloat/tosa/digits.hpp"
#include "minifloat/tosa/table.hpp"
#include "parallel.hpp"

// The TOSA test-data generator and the sums of its dot-product check. Python hands over contiguous
// arrays; which rule a test set follows in which edition is decided there.

namespace minifloat::tosa {

#if defined(MINIFLOAT_HAS_BASELINE)
const Kernels& kernels_baseline();
#endif
#if defined(MINIFLOAT_HAS_V3)
const Kernels& kernels_v3();
#endif
#if defined(MINIFLOAT_HAS_V4)
const Kernels& kernels_v4();
#endif

}  // namespace minifloat::tosa

namespace minifloat::bindings {
namespace {

using AxisTuple = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>;

/// The kernels of the level in use.
const tosa::Kernels& tosa_kernels() {
  const std::string_view level = active_kernels().name;
#if defined(MINIFLOAT_HAS_V4)
  if (level == "v4") return tosa::kernels_v4();
#endif
#if defined(MINIFLOAT_HAS_V3)
  if (level == "v3") return tosa::kernels_v3();
#endif
  static_cast<void>(level);
  return tosa::kernels_baseline();
}

/// Runs work() without the GIL and in the default floating-point environment.
template <class Work>
void run_released(const Work& work) {
  const nb::gil_scoped_release release;
  const DefaultFloatEnvironment environment;
  work();
}

void set_data_run(nb::handle out, std::uint32_t set, std::uint32_t first, std::uint32_t step) {
  const Buffer target(out, true);
  target.expect(sizeof(float), target.size(), "out");
  auto* data = static_cast<float*>(target.data());
  run_released([&] { tosa_kernels().fill_draws(data, target.size(), set, first, step); });
}

void set_data_at(nb::handle out, std::uint32_t set, nb::handle indices) {
  const Buffer target(out, true), source(indices, false);
  target.expect(sizeof(float), target.size(), "out");
  source.expect(sizeof(std::uint32_t), target.size(), "indices");
  auto* data = static_cast<float*>(target.data());
  const auto* index = static_cast<const std::uint32_t*>(source.data());
  run_released([&] { tosa_kernels().draws_at(data, index, target.size(), set); });
}

void exp_float(nb::handle out, nb::handle x) {
  const Buffer target(out, true), source(x, false);
  target.expect(sizeof(float), target.size(), "out");
  source.expect(sizeof(float), target.size(), "x");
  auto* data = static_cast<float*>(target.data());
  const auto* values = static_cast<const float*>(source.data());
  run_released([&] { tosa_kernels().exp(data, values, target.size()); });
}

std::vector<tosa::DigitAxis> as_axes(const std::vector<AxisTuple>& axes) {
  if (axes.size() > tosa::DigitWalk::kMaxAxes) throw nb::value_error("too many axes");
  std::vector<tosa::DigitAxis> result;
  for (const auto& [size, modulus, digit] : axes) {
    if (size == 0 || modulus == 0) throw nb::value_error("an axis of size or modulus zero");
    result.push_back({size, modulus, digit});
  }
  return result;
}

void fill(nb::handle out, std::uint64_t begin, std::uint64_t draw_offset, int rule,
          std::uint32_t first, std::uint32_t second, bool when_negative, double scale,
          bool special_signed, float special_value, const std::vector<AxisTuple>& special_axes) {
  if (rule < 0 || rule > static_cast<int>(tosa::Rule::kExponential))
    throw nb::value_error("unknown rule");
  const tosa::ElementRule element{
      static_cast<tosa::Rule>(rule),
      first,
      second,
      when_negative,
      scale,
      special_signed ? tosa::Special::kSigned : tosa::Special::kConstant,
      special_value};
  const std::vector<tosa::DigitAxis> axes = as_axes(special_axes);
  const Buffer target(out, true);
  target.expect(sizeof(float), target.size(), "out");
  auto* data = static_cast<float*>(target.data());
  run_released(
      [&] { tosa_kernels().fill(data, target.size(), begin, draw_offset, element, axes); });
}

auto dot_product_errors(nb::handle reference, nb::handle bound, nb::handle actual, nb::handle error,
                        double max_error, double half_ulp, double floor, double overflow,
                        bool growth) {
  const Buffer ref(reference, false), bnd(bound, false), imp(actual, false), e(error, true);
  ref.expect(sizeof(double), imp.size(), "reference");
  bnd.expect(sizeof(double), imp.size(), "bound");
  imp.expect(sizeof(float), imp.size(), "actual");
  e.expect(sizeof(double), imp.size(), "error");
  const tosa::DotProductLimits limits{max_error, half_ulp, floor, overflow,
                                      growth ? 1.0 + max_error * half_ulp : 1.0};
  tosa::DotProductSums sums;
  run_released([&] {
    sums = tosa_kernels().check_dot_products(
        static_cast<const double*>(ref.data()), static_cast<const double*>(bnd.data()),
        static_cast<const float*>(imp.data()), static_cast<double*>(e.data()), imp.size(), limits);
  });
  const std::int64_t first =
      sums.failures != 0 ? static_cast<std::int64_t>(sums.first_failure) : -1;
  return std::make_tuple(sums.failures, first, sums.sum, sums.sum_of_squares, sums.largest);
}

}  // namespace

void register_tosa(nb::module_& parent) {
  nb::module_ m =
      parent.def_submodule("tosa", "Test data and dot-product sums of TOSA conformance.");
  m.def("set_data_run", &set_data_run, nb::arg("out"), nb::arg("set"), nb::arg("first"),
        nb::arg("step"),
        "Write draws first, first + step, ... of stream `set` into the float32 array `out`.");
  m.def("set_data_at", &set_data_at, nb::arg("out"), nb::arg("set"), nb::arg("indices"),
        "Write the draws of stream `set` at the uint32 `indices` into the float32 array `out`.");
  m.def("exp_float", &exp_float, nb::arg("out"), nb::arg("x"),
        "Write exp of the float32 array `x` (each |x| <= 64) into `out`, as glibc's expf.");
  m.def("fill", &fill, nb::arg("out"), nb::arg("begin"), nb::arg("draw_offset"), nb::arg("rule"),
        nb::arg("first"), nb::arg("second"), nb::arg("when_negative"), nb::arg("scale"),
        nb::arg("special_signed"), nb::arg("special_value"), nb::arg("special_axes"),
        "Write elements begin, begin + 1, ... of a test tensor into the float32 array `out`.");
  m.def("dot_product_errors", &dot_product_errors, nb::arg("reference"), nb::arg("bound"),
        nb::arg("actual"), nb::arg("error"), nb::arg("max_error"), nb::arg("half_ulp"),
        nb::arg("floor"), nb::arg("overflow"), nb::arg("growth"),
        "Write normalised errors into `error`; return failures, the first one's index or -1, and "
        "the sum, the sum of squares and the largest magnitude of the errors.");
}

}  // namespace minifloat::bindings
