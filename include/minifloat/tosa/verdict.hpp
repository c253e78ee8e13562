#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "minifloat/config.hpp"
#include "minifloat/tosa/table.hpp"

/// The dot-product check of the TOSA compliance rules over a block of outputs.

namespace minifloat::tosa {
inline namespace MINIFLOAT_ABI {

/// Writes e of each output and whether it fails. Exempt outputs (NaN or zero bounds, bounds that
/// overflow) have e = 0. A failure without a number for e (a NaN output, an infinite one, a
/// non-zero one where zero is due) has e = infinity.
inline void dot_product_errors(const double* MINIFLOAT_RESTRICT reference,
                               const double* MINIFLOAT_RESTRICT bound,
                               const float* MINIFLOAT_RESTRICT actual,
                               double* MINIFLOAT_RESTRICT error,
                               std::uint8_t* MINIFLOAT_RESTRICT fails, std::size_t n,
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

/// Adds a block's errors to the sums. Eight interleaved partial sums, folded in a fixed order: the
/// same on every machine.
inline void add_errors(DotProductSums& sums, const double* MINIFLOAT_RESTRICT error,
                       const std::uint8_t* MINIFLOAT_RESTRICT fails, std::size_t n,
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

/// Checks `n` outputs: writes e of each into `error` and returns the sums.
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

}  // namespace MINIFLOAT_ABI
}  // namespace minifloat::tosa
