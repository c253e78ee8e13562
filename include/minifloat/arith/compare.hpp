#pragma once

#include "minifloat/arith/exact.hpp"

/// Order: the four relations of IEEE 754-2019 §5.11, and the total order of §5.10.

namespace minifloat {

enum class Relation : std::int8_t { kLess = -1, kEqual = 0, kGreater = 1, kUnordered = 2 };

inline namespace MINIFLOAT_ABI {
namespace arith {

/// -1, 0 or 1 by magnitude, of values that are not NaN.
constexpr int compare_magnitudes(const Unpacked& x, const Unpacked& y) {
  if (x.kind != y.kind) return x.kind < y.kind ? -1 : 1;  // zero, finite, infinite
  if (x.kind != Class::kFinite) return 0;
  if (x.exponent != y.exponent) return x.exponent < y.exponent ? -1 : 1;
  if (x.significand != y.significand) return x.significand < y.significand ? -1 : 1;
  return 0;
}

/// -1, 0 or 1 of values that are not NaN; zeros are equal.
constexpr int compare_numbers(const Unpacked& x, const Unpacked& y) {
  if (is_zero(x) && is_zero(y)) return 0;
  const bool negative = is_zero(x) ? y.negative : x.negative;
  const bool both = is_zero(x) || is_zero(y) || x.negative == y.negative;
  if (!both) return x.negative ? -1 : 1;
  const int order = compare_magnitudes(x, y);
  return negative ? -order : order;
}

/// The relation of two values; INVALID for a NaN that signals, or for any if `signaling`.
struct Compared {
  Relation relation;
  unsigned flags;
};

constexpr Compared compare(const Unpacked& x, const Unpacked& y, bool signaling) {
  if (is_nan(x) || is_nan(y)) {
    const bool raises = signaling || is_signaling(x) || is_signaling(y);
    return {Relation::kUnordered, raises ? kInvalid : 0};
  }
  return {static_cast<Relation>(compare_numbers(x, y)), 0};
}

/// Whether x comes before y or is the same in the total order: negative NaNs, numbers with -0 below
/// +0, positive NaNs; signalling NaNs nearer to the numbers, then by payload.
constexpr bool totally_ordered(const Unpacked& x, const Unpacked& y) {
  if (is_nan(x) || is_nan(y)) {
    if (x.negative != y.negative && is_nan(x) == is_nan(y)) return x.negative;
    if (!is_nan(x)) return !y.negative;
    if (!is_nan(y)) return x.negative;
    return x.negative ? x.significand >= y.significand : x.significand <= y.significand;
  }
  const int order = compare_numbers(x, y);
  if (order != 0) return order < 0;
  return x.negative || !y.negative;
}

}  // namespace arith
}  // namespace MINIFLOAT_ABI
}  // namespace minifloat
