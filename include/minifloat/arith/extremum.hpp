#pragma once

#include "minifloat/arith/compare.hpp"

/// The minimum and maximum families.

namespace minifloat {

/// What a NaN operand does.
enum class NumberRule : std::uint8_t {
  kNanWins,        ///< IEEE 754-2019 minimum, maximum
  kNumberWins,     ///< IEEE 754-2019 minimumNumber, maximumNumber
  kQuietNanLoses,  ///< IEEE 754-2008 minNum, maxNum: a signalling NaN wins
};

inline namespace MINIFLOAT_ABI {
namespace arith {

/// Whether the result is the one operand that is no NaN.
constexpr bool number_wins(NumberRule rule, const Unpacked& x, const Unpacked& y) {
  if (is_nan(x) == is_nan(y)) return false;
  const bool signals = is_signaling(x) || is_signaling(y);
  return rule == NumberRule::kNumberWins || (rule == NumberRule::kQuietNanLoses && !signals);
}

/// Whether x lies above y, where -0 is below +0; by magnitude first if asked.
constexpr bool is_above(const Unpacked& x, const Unpacked& y, bool by_magnitude) {
  const int sizes = by_magnitude ? compare_magnitudes(x, y) : 0;
  if (sizes != 0) return sizes > 0;
  const int order = compare_numbers(x, y);
  return order != 0 ? order > 0 : y.negative && !x.negative;
}

/// The larger or smaller of two values that are not NaN.
constexpr Unpacked extremum(const Unpacked& x, const Unpacked& y, bool wants_larger,
                            bool by_magnitude) {
  return is_above(y, x, by_magnitude) == wants_larger ? y : x;
}

}  // namespace arith
}  // namespace MINIFLOAT_ABI
}  // namespace minifloat
