#pragma once

#include "minifloat/arith/exact.hpp"

/// Scaling by a power of two.

namespace minifloat {
inline namespace MINIFLOAT_ABI {
namespace arith {

/// x * 2^count. Beyond every format's range all counts act alike.
constexpr Unpacked scaled(Unpacked x, std::int64_t count) {
  constexpr std::int64_t kFar = 100000;
  if (x.kind == Class::kFinite)
    x.exponent += static_cast<std::int32_t>(larger(smaller(count, kFar), -kFar));
  return x;
}

/// The value of an integer operand, clamped to what `scaled` tells apart.
constexpr std::int64_t integer_value(const Unpacked& x) {
  if (x.kind != Class::kFinite) return 0;
  if (x.exponent > 32) return x.negative ? -(std::int64_t{1} << 33) : std::int64_t{1} << 33;
  const std::int64_t size =
      x.exponent < 0 ? 0 : static_cast<std::int64_t>(x.significand >> (63 - x.exponent));
  return x.negative ? -size : size;
}

}  // namespace arith
}  // namespace MINIFLOAT_ABI
}  // namespace minifloat
