#pragma once

#include "minifloat/arith/wide.hpp"
#include "minifloat/unpacked.hpp"

/// What an operation hands to the rounding: an exact value, and the flags of the operation itself.

namespace minifloat {

struct Exact {
  Unpacked value;
  unsigned flags = 0;
};

inline namespace MINIFLOAT_ABI {
namespace arith {

constexpr Unpacked zero(bool negative) { return {Class::kZero, negative, false, 0, 0}; }
constexpr Unpacked infinity(bool negative) { return {Class::kInfinity, negative, false, 0, 0}; }

/// A NaN made by an invalid operation; which pattern it gets is the context's business.
constexpr Exact invalid() {
  return {{Class::kNan, false, false, 0, std::uint64_t{1} << 63}, kInvalid};
}

constexpr bool is_nan(const Unpacked& x) { return x.kind == Class::kNan; }
constexpr bool is_zero(const Unpacked& x) { return x.kind == Class::kZero; }
constexpr bool is_infinite(const Unpacked& x) { return x.kind == Class::kInfinity; }

constexpr Unpacked negated(Unpacked x) {
  x.negative = !x.negative;
  return x;
}

/// The value significand * 2^(exponent - 127), plus a positive amount below it if `lost`.
constexpr Unpacked from_wide(bool negative, int exponent, Wide significand, bool lost) {
  const int lift = leading_zeros(significand);
  const Wide top = shift_left(significand, lift);
  const std::uint64_t low = top.low | std::uint64_t{lost};
  return {Class::kFinite, negative, low != 0, exponent - lift, top.high, low};
}

}  // namespace arith
}  // namespace MINIFLOAT_ABI
}  // namespace minifloat
