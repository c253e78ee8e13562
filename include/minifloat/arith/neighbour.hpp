#pragma once

#include "minifloat/arith/nan.hpp"

/// The neighbours of a value on its format's grid (IEEE 754-2019 §5.3.1).

namespace minifloat {
inline namespace MINIFLOAT_ABI {
namespace arith {
namespace detail {

/// A position with its sign, or nothing (`exists` false) beyond the end of the range.
struct Neighbour {
  bool exists;
  bool negative;
  std::uint64_t position;
};

/// The next magnitude up. Beyond the largest comes infinity; beyond that only P3109 goes on to NaN.
constexpr Neighbour away_from_zero(const Format& f, const Unpacked& x, std::uint64_t position,
                                   bool negative) {
  if (negative && !f.is_signed) return {false, negative, 0};
  if (is_zero(x)) {
    const bool has_zero = is_hifloat8(f) || f.zero;
    return {true, negative, has_zero ? smallest_position(f) : position};
  }
  if (position < max_position(f)) return {true, negative, position + 1};
  return {has_infinity(f), negative, has_infinity(f) ? infinity_position(f) : 0};
}

constexpr Neighbour toward_zero(const Format& f, const Unpacked& x, std::uint64_t position) {
  if (is_infinite(x)) return {true, x.negative, max_position(f)};
  const bool has_zero = is_hifloat8(f) || f.zero;
  if (position > smallest_position(f)) return {true, x.negative, position - 1};
  if (has_zero) return {true, x.negative, 0};
  // Without a zero the smallest values of both signs are neighbours.
  return {f.is_signed, !x.negative, position};
}

}  // namespace detail

/// The least value above x, or the greatest below it. `ends_in_nan`: P3109's rule beyond infinity.
constexpr Packed neighbour(const Rounder& r, const Unpacked& x, std::uint64_t code, bool upward,
                           bool ends_in_nan) {
  const Format& f = r.format;
  if (is_nan(x)) {
    const Packed packed = pack_nan(r, choose_nan(r.context, x, x));
    return {packed.code, is_signaling(x) ? kInvalid : 0};
  }
  const bool outward = is_zero(x) || x.negative != upward;
  const std::uint64_t nan = code_of_position(f, has_nan(f) ? nan_position(f) : 0);
  if (is_infinite(x) && outward) return {ends_in_nan && has_nan(f) ? nan : code, 0};
  const std::uint64_t position = position_of_code(f, code) & top_position(f);
  const detail::Neighbour found = outward ? detail::away_from_zero(f, x, position, !upward)
                                          : detail::toward_zero(f, x, position);
  if (!found.exists) return {has_nan(f) ? nan : code, 0};
  const bool keeps_sign =
      found.negative && (found.position != 0 || !r.range.has_zero || r.range.negative_zero);
  return {code_of_position(f, found.position | (keeps_sign ? sign_bit(f) : 0)), 0};
}

/// log2 of the distance from |x| to the next magnitude up on an unbounded grid.
constexpr int quantum_exponent_of(const Format& f, const Unpacked& x) {
  if (is_zero(x)) return quantum_exponent(f);
  if (is_hifloat8(f)) {
    const int e = larger<int>(x.exponent, -22);
    return e - hifloat8_trailing_bits(e);
  }
  return larger(x.exponent, min_exponent(f)) - f.trailing_bits;
}

}  // namespace arith
}  // namespace MINIFLOAT_ABI
}  // namespace minifloat
