#pragma once

#include "minifloat/arith/exact.hpp"

/// Division: 128 quotient bits, and whether a remainder is left.

namespace minifloat {
inline namespace MINIFLOAT_ABI {
namespace arith {

/// x / y. Where zero has no sign (`unsigned_zero`, as in P3109) every x / 0 is NaN.
constexpr Exact divide(const Unpacked& x, const Unpacked& y, bool unsigned_zero = false) {
  const bool negative = x.negative != y.negative;
  if (is_zero(y) && unsigned_zero) return invalid();
  if ((is_zero(x) && is_zero(y)) || (is_infinite(x) && is_infinite(y))) return invalid();
  if (is_infinite(x)) return {infinity(negative)};
  if (is_zero(y)) return {infinity(negative), kDivideByZero};
  if (is_zero(x) || is_infinite(y)) return {zero(negative)};
  const bool below_one = x.significand < y.significand;
  const Wide dividend =
      below_one ? Wide{x.significand, 0} : Wide{x.significand >> 1, x.significand << 63};
  const Division first = divide(dividend, y.significand);
  const Division second = divide(Wide{first.remainder, 0}, y.significand);
  return {from_wide(negative, x.exponent - y.exponent - below_one,
                    {first.quotient, second.quotient}, second.remainder != 0)};
}

}  // namespace arith
}  // namespace MINIFLOAT_ABI
}  // namespace minifloat
