#pragma once

#include "minifloat/arith/exact.hpp"

/// IEEE 754's remainder: x - n * y with n the integer nearest x / y, ties to even. Always exact.

namespace minifloat {
inline namespace MINIFLOAT_ABI {
namespace arith {

constexpr Exact remainder(const Unpacked& x, const Unpacked& y) {
  if (is_infinite(x) || is_zero(y)) return invalid();
  if (is_infinite(y) || is_zero(x)) return {x};
  int distance = x.exponent - y.exponent;
  if (distance < -1) return {x};
  const std::uint64_t divisor = y.significand;
  if (distance == -1) {  // |x| lies in (|y| / 4, |y|); n is 1 above the half, else 0
    if (x.significand <= divisor) return {x};
    const Wide twice = subtract(shift_left({0, divisor}, 1), {0, x.significand});
    return {from_wide(!x.negative, x.exponent + 64, twice, false)};
  }
  bool odd = x.significand >= divisor;
  std::uint64_t rest = x.significand - (odd ? divisor : 0);
  while (distance > 0) {
    const int step = smaller(distance, 63);
    const Division part = divide({rest >> (64 - step), rest << step}, divisor);
    rest = part.remainder;
    odd = (part.quotient & 1) != 0;
    distance -= step;
  }
  if (rest == 0) return {zero(x.negative)};
  const std::uint64_t other = divisor - rest;
  const bool above_half = rest > other || (rest == other && odd);
  return {make_unpacked(x.negative != above_half, y.exponent - 63, above_half ? other : rest)};
}

}  // namespace arith
}  // namespace MINIFLOAT_ABI
}  // namespace minifloat
