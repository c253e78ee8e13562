#pragma once

#include "minifloat/arith/nan.hpp"

/// Rounding to an integer, as a value of the same kind or as an integer code.

namespace minifloat {
inline namespace MINIFLOAT_ABI {
namespace arith {

/// The rounder that puts values on the grid of the integers: parity decides ties, TO_ODD included.
constexpr Rounder integer_rounder(int bits, bool is_signed, Rounding mode, bool wraps) {
  Format f;
  f.grid = Grid::kInteger;
  f.nan = NanCode::kNone;
  f.infinities = f.negative_zero = false;
  f.is_signed = is_signed;
  f.integer_bits = bits;
  const Overflow policy = wraps ? Overflow::kWrap : Overflow::kSaturate;
  return make_rounder(f, mode, policy, NanPolicy::kZero);
}

/// x rounded to an integer; a zero keeps the sign of x. INEXACT only if `exact`.
constexpr Exact round_to_integral(const Rounder& integers, const Unpacked& x, bool exact,
                                  const Noise& noise) {
  if (x.kind != Class::kFinite || x.exponent >= 63) return {x};
  const auto rounded = minifloat::detail::round_integer(integers, x, noise);
  const unsigned flags = rounded.inexact && exact ? kInexact : 0;
  return {make_unpacked(x.negative, 0, rounded.position), flags};
}

/// What an invalid conversion delivers, by cause.
constexpr std::uint64_t failure_code(const Format& f, IntegerFailure failure) {
  const std::uint64_t lowest = sign_bit(f);  // two's complement; 0 when unsigned
  switch (failure) {
    case IntegerFailure::kMax:
      return top_position(f);
    case IntegerFailure::kMin:
      return lowest;
    case IntegerFailure::kIndefinite:
      return f.is_signed ? lowest : top_position(f);
    default:
      return 0;
  }
}

/// Convert to the rounder's integer format. Out of range, infinite or NaN is INVALID alone, and
/// gives the context's failure value; a wrapping rounder keeps the low bits of finite values, and 0
/// else.
constexpr Packed to_integer(const Rounder& r, const Context& c, const Unpacked& x, bool exact,
                            const Noise& noise) {
  const Format& f = r.format;
  if (r.range.wraps && (is_nan(x) || is_infinite(x))) return {0, kInvalid};
  if (is_nan(x)) return {failure_code(f, c.integer_failure[2]), kInvalid};
  Packed packed = round_pack(r, x, noise);
  if ((packed.flags & kInvalid) != 0 && !r.range.wraps)
    packed.code = failure_code(f, c.integer_failure[x.negative]);
  if (!exact) packed.flags &= ~kInexact;
  return packed;
}

}  // namespace arith
}  // namespace MINIFLOAT_ABI
}  // namespace minifloat
