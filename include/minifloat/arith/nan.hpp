#pragma once

#include "minifloat/arith/exact.hpp"
#include "minifloat/round_pack.hpp"

/// NaN operands: which of them a result comes from, what it looks like, and how it is encoded.
///
/// Inside arithmetic the top bit of a NaN's significand always means quiet; machines whose
/// signalling bit is one are turned around on the way in and out.

namespace minifloat {
inline namespace MINIFLOAT_ABI {
namespace arith {

inline constexpr std::uint64_t kQuiet = std::uint64_t{1} << 63;

/// The context's default NaN.
constexpr Unpacked default_nan(const Context& c) {
  std::uint64_t significand = std::uint64_t{c.default_nan & 0x7Fu} << 57;
  if ((c.default_nan & 1) != 0) significand |= low_bits<std::uint64_t>(57);
  return {Class::kNan, (c.default_nan & 0x80) != 0, false, 0,
          c.snan_bit_is_one ? significand ^ kQuiet : significand};
}

/// A NaN operand as a result: quiet. Where the signalling bit is one that has no unique way.
constexpr Unpacked quieted(const Context& c, Unpacked x) {
  if (is_signaling(x) && c.snan_bit_is_one) return default_nan(c);
  x.significand |= kQuiet;
  return x;
}

/// Decode an operand as the context sees it: quiet bits settled, subnormals perhaps flushed.
constexpr Unpacked load_operand(const Context& c, const Format& f, std::uint64_t code) {
  Unpacked x = decode(f, code);
  if (is_nan(x)) {
    const bool all_quiet = c.no_signaling_nans || !has_signaling_nan(f) ||
                           (c.narrow_nans_quiet && content_bits(f) <= 8);
    if (all_quiet)
      x.significand |= kQuiet;
    else if (c.snan_bit_is_one)
      x.significand ^= kQuiet;
  } else if (c.flush_inputs && is_subnormal(f, x)) {
    return zero(x.negative);
  }
  return x;
}

/// Whether the first of two NaNs wins under the x87 rule.
constexpr bool first_wins_x87(const Unpacked& x, const Unpacked& y) {
  if (is_signaling(x) != is_signaling(y)) return is_signaling(y);
  if (x.significand != y.significand) return x.significand > y.significand;
  return !x.negative || y.negative;
}

/// The NaN that a result of one or two operands becomes; at least one is NaN.
constexpr Unpacked choose_nan(const Context& c, const Unpacked& x, const Unpacked& y) {
  if (c.nan_rule == NanRule::kCanonical) return default_nan(c);
  if (!is_nan(x)) return quieted(c, y);
  if (!is_nan(y)) return quieted(c, x);
  bool first = !c.reversed;
  if (c.nan_rule == NanRule::kX87) first = first_wins_x87(x, y);
  if (c.nan_rule == NanRule::kSignalingFirst && is_signaling(x) != is_signaling(y))
    first = is_signaling(x);
  return quieted(c, first ? x : y);
}

/// The NaN of a fused multiply-add with a NaN operand, and whether it raises INVALID.
constexpr Exact choose_nan(const Context& c, const Unpacked (&x)[3], bool infinity_times_zero) {
  const bool signals = is_signaling(x[0]) || is_signaling(x[1]) || is_signaling(x[2]);
  const bool invalid_product = infinity_times_zero && !c.infinity_times_zero_is_quiet;
  const unsigned flags = signals || invalid_product ? kInvalid : 0;
  if (c.nan_rule_of_three == NanRule::kCanonical) return {default_nan(c), flags};
  if (infinity_times_zero) {
    const bool fresh =
        c.infinity_times_zero == InfinityTimesZero::kDefaultNan ||
        (c.infinity_times_zero == InfinityTimesZero::kDefaultNanIfQuiet && !is_signaling(x[2]));
    if (fresh) return {default_nan(c), flags};
  }
  const bool signaling_first = c.nan_rule_of_three == NanRule::kSignalingFirst && signals;
  for (const std::uint8_t index : c.order_of_three) {
    const Unpacked& candidate = x[index];
    if (is_nan(candidate) && (!signaling_first || is_signaling(candidate)))
      return {quieted(c, candidate), flags};
  }
  return {default_nan(c), flags};
}

/// Encode a NaN: its payload where the format has room, else the format's own NaN or its stand-in.
constexpr Packed pack_nan(const Rounder& r, const Unpacked& x) {
  const Format& f = r.format;
  const unsigned flags = r.range.nan_flags;
  if (is_integer(f) || is_hifloat8(f) || f.nan != NanCode::kIeee || f.trailing_bits < 2)
    return {code_of_position(f, r.range.nan[x.negative]), flags};
  const std::uint64_t payload = r.context.snan_bit_is_one ? x.significand ^ kQuiet : x.significand;
  const std::uint64_t trailing = payload >> (64 - f.trailing_bits);
  const std::uint64_t magnitude = trailing == 0 ? nan_position(f) : infinity_position(f) | trailing;
  return {code_of_position(f, magnitude | (x.negative ? sign_bit(f) : 0)), flags};
}

/// Round and encode the result of an operation.
constexpr Packed pack(const Rounder& r, const Exact& x, const Noise& noise = {}) {
  const Packed packed = is_nan(x.value) ? pack_nan(r, x.value) : round_pack(r, x.value, noise);
  return {packed.code, packed.flags | x.flags};
}

}  // namespace arith
}  // namespace MINIFLOAT_ABI
}  // namespace minifloat
