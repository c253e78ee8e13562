#pragma once

#include "minifloat/arith/exact.hpp"

/// Addition. Every operation takes values that are not NaN; see nan.hpp for those.

namespace minifloat {
inline namespace MINIFLOAT_ABI {
namespace arith {

/// A finite non-zero value with 128 bits: significand * 2^(exponent - 127), top bit set.
struct Term {
  bool negative;
  std::int32_t exponent;
  Wide significand;
};

constexpr Term term(const Unpacked& x) { return {x.negative, x.exponent, {x.significand, 0}}; }

/// The sum of two terms of at most 127 bits. Bits of the smaller one may be lost below 128, but
/// then at most one bit cancels, so the result keeps at least 126.
constexpr Unpacked add_terms(const Term& a, const Term& b, bool toward_negative) {
  const bool swapped =
      a.exponent != b.exponent ? a.exponent < b.exponent : is_less(a.significand, b.significand);
  const Term& large = swapped ? b : a;
  const Term& small = swapped ? a : b;
  const std::int64_t distance = std::int64_t{large.exponent} - small.exponent;
  // One bit of headroom: neither shift loses a bit of a term of 127 bits.
  const Wide upper = shift_right(large.significand, 1).kept;
  const Shifted lower =
      shift_right(small.significand, static_cast<int>(smaller<std::int64_t>(distance + 1, 200)));
  Wide total;
  if (a.negative == b.negative) {
    total = add(upper, lower.kept);
  } else {
    total = subtract(subtract(upper, lower.kept), {0, std::uint64_t{lower.lost}});
    if (is_zero(total) && !lower.lost) return zero(toward_negative);
  }
  return from_wide(large.negative, large.exponent + 1, total, lower.lost);
}

/// x + y. An exact zero sum of unlike signs is +0, or -0 when rounding toward negative.
constexpr Exact add(const Unpacked& x, const Unpacked& y, bool toward_negative) {
  if (is_infinite(x) || is_infinite(y)) {
    if (is_infinite(x) && is_infinite(y) && x.negative != y.negative) return invalid();
    return {infinity(is_infinite(x) ? x.negative : y.negative)};
  }
  if (is_zero(x) && is_zero(y))
    return {zero(x.negative == y.negative ? x.negative : toward_negative)};
  if (is_zero(x)) return {y};
  if (is_zero(y)) return {x};
  return {add_terms(term(x), term(y), toward_negative)};
}

constexpr Exact subtract(const Unpacked& x, const Unpacked& y, bool toward_negative) {
  return add(x, negated(y), toward_negative);
}

}  // namespace arith
}  // namespace MINIFLOAT_ABI
}  // namespace minifloat
