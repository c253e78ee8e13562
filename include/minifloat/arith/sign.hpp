#pragma once

#include "minifloat/arith/exact.hpp"

/// Sign operations: they move bits, never raise flags, and leave NaNs otherwise alone.

namespace minifloat {
inline namespace MINIFLOAT_ABI {
namespace arith {

/// Whether the code has its sign bit set. A NaN that is the sign bit alone has no sign.
constexpr bool sign_of(const Format& f, std::uint64_t code) {
  const std::uint64_t position = position_of_code(f, code);
  const bool lone_nan =
      (is_hifloat8(f) || f.nan == NanCode::kNegativeZero) && position == nan_position(f);
  return (position & sign_bit(f)) != 0 && !lone_nan;
}

/// The code with its sign replaced; zeros and NaNs that have no sign stay.
constexpr std::uint64_t with_sign(const Format& f, std::uint64_t code, bool negative) {
  const std::uint64_t position = position_of_code(f, code);
  const std::uint64_t magnitude = position & top_position(f);
  const bool sign_is_nan = is_hifloat8(f) || f.nan == NanCode::kNegativeZero;
  const bool signless_zero = magnitude == 0 && (sign_is_nan || (f.zero && !f.negative_zero));
  if (signless_zero) return code;
  return code_of_position(f, magnitude | (negative ? sign_bit(f) : 0));
}

}  // namespace arith
}  // namespace MINIFLOAT_ABI
}  // namespace minifloat
