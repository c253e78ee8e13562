// The dot-product check of the TOSA compliance rules over a block of outputs.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace minifloat::tosa {

// What the check needs to know of the output type and of the test.
struct DotProductLimits {
  double max_error;     // largest permitted |e|
  double half_ulp;      // 2^(-1 - trailing bits)
  double floor;         // least unit of e: the smallest normal number
  double overflow;      // magnitudes from here on round to infinity (NaN if the type has none)
  double bound_growth;  // what a bound is enlarged by before it is compared with that
};

// Statistics of the normalised errors e of a block.
struct DotProductSums {
  std::uint64_t failures = 0;
  std::uint64_t first_failure = std::numeric_limits<std::uint64_t>::max();
  double sum = 0.0;
  double sum_of_squares = 0.0;
  double largest = 0.0;  // of |e|
};

// Writes e of each output and whether it fails. Exempt outputs (NaN or zero bounds, bounds that
// overflow) have e = 0. A failure without a number for e (a NaN output, an infinite one, a non-zero
// one where zero is due) has e = infinity.
inline void dot_product_errors(const double* __restrict reference, const double* __restrict bound,
                               const float* __restrict actual, double* __restrict error,
                               std::uint8_t* __restrict fails, std::size_t n,
                               const DotProductLimits& limits) noexcept {
  const double max_error = limits.max_error, half_ulp = limits.half_ulp, floor = limits.floor;
  const double overflow = limits.overflow, growth = limits.bound_growth;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < n; ++i) {
    const double ref = reference[i], bnd = bound[i], imp = static_cast<double>(actual[i]);
    const double unit_of_bound = bnd * half_ulp;
    const double unit = unit_of_bound > floor ? unit_of_bound : floor;
    const double e = (imp - ref) / unit;
    const bool ref_nan = ref != ref, imp_nan = imp != imp;
    const bool exempt = (bnd != bnd) | (std::fabs(bnd * growth) >= overflow);
    const bool zero = bnd == 0.0;
    const bool zero_ok = (ref == 0.0) & (imp == 0.0);
    const bool within = std::fabs(e) <= max_error;
    const bool ok_number = exempt | (zero & zero_ok) | (!zero & within);
    const bool ok = (ref_nan & imp_nan) | (!ref_nan & ok_number);
    const bool silent = ref_nan | exempt | zero;
    const double shown = silent ? 0.0 : e;
    const bool unbounded = !(std::fabs(e) < kInfinity);
    const bool hollow = (ok == false) & (silent | unbounded);
    error[i] = hollow ? kInfinity : shown;
    fails[i] = static_cast<std::uint8_t>(!ok);
  }
}

// Adds a block's errors to the sums. Eight interleaved partial sums, folded in a fixed order: the
// same on every machine.
inline void add_errors(DotProductSums& sums, const double* __restrict error,
                       const std::uint8_t* __restrict fails, std::size_t n,
                       std::uint64_t position) noexcept {
  std::array<double, 8> sum{}, square{}, largest{};
  std::size_t i = 0;
  for (; i + 8 <= n; i += 8) {
    for (std::size_t j = 0; j < 8; ++j) {
      const double e = error[i + j], magnitude = std::fabs(e);
      sum[j] += e;
      square[j] += e * e;
      largest[j] = magnitude > largest[j] ? magnitude : largest[j];
    }
  }
  for (std::size_t j = 0; i + j < n; ++j) {
    const double e = error[i + j], magnitude = std::fabs(e);
    sum[j] += e;
    square[j] += e * e;
    largest[j] = magnitude > largest[j] ? magnitude : largest[j];
  }
  for (std::size_t j = 0; j < 8; ++j) {
    sums.sum += sum[j];
    sums.sum_of_squares += square[j];
    sums.largest = largest[j] > sums.largest ? largest[j] : sums.largest;
  }
  std::uint64_t failures = 0;
  for (std::size_t k = 0; k < n; ++k) failures += fails[k];
  if (failures != 0 && sums.failures == 0) {
    std::size_t first = 0;
    while (fails[first] == 0) ++first;
    sums.first_failure = position + first;
  }
  sums.failures += failures;
}

// Checks `n` outputs: writes e of each into `error` and returns the sums.
inline DotProductSums check_dot_products(const double* reference, const double* bound,
                                         const float* actual, double* error, std::size_t n,
                                         const DotProductLimits& limits) noexcept {
  constexpr std::size_t kBlock = 2048;
  std::array<std::uint8_t, kBlock> fails;
  DotProductSums sums;
  for (std::size_t done = 0; done < n; done += kBlock) {
    const std::size_t count = n - done < kBlock ? n - done : kBlock;
    dot_product_errors(reference + done, bound + done, actual + done, error + done, fails.data(),
                       count, limits);
    add_errors(sums, error + done, fails.data(), count, done);
  }
  return sums;
}

}  // namespace minifloat::tosa
