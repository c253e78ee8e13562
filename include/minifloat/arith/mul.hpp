#pragma once

#include "minifloat/arith/exact.hpp"

/// Multiplication: the exact product of two significands fits 128 bits.

namespace minifloat {
inline namespace MINIFLOAT_ABI {
namespace arith {

constexpr Exact multiply(const Unpacked& x, const Unpacked& y) {
  const bool negative = x.negative != y.negative;
  if (is_infinite(x) || is_infinite(y)) {
    if (is_zero(x) || is_zero(y)) return invalid();
    return {infinity(negative)};
  }
  if (is_zero(x) || is_zero(y)) return {zero(negative)};
  return {from_wide(negative, x.exponent + y.exponent + 1, multiply(x.significand, y.significand),
                    false)};
}

}  // namespace arith
}  // namespace MINIFLOAT_ABI
}  // namespace minifloat
