#pragma once

#include "minifloat/flags.hpp"
#include "minifloat/format.hpp"
#include "minifloat/rounding.hpp"

/// The range step: what becomes of overflow, infinities, NaN, signs and missing zeros. A policy
/// turns into positions once, before any value is seen; each value then only selects among them.

namespace minifloat {

enum class Overflow : std::uint8_t {
  kIeee,
  kSaturate,
  kSaturateKeepInfinity,
  kNan,
  kInfinity,
  kWrap,
  kP3109,
  kNanKeepInfinity,
};

/// What NaN becomes where the format has none. kRaise delivers zero; the caller counts and raises.
enum class NanPolicy : std::uint8_t { kRaise, kMax, kZero, kPropagate };

/// Index 0 is the positive sign, 1 the negative one. Positions carry their sign.
struct RangeRule {
  std::uint64_t max_position[2];  ///< largest magnitude position in range
  std::uint64_t overflow[2];      ///< delivered for a finite value beyond it
  std::uint64_t infinity[2];      ///< delivered for an infinite source
  std::uint64_t nan[2];           ///< delivered for NaN
  std::uint64_t negative;         ///< unsigned formats: delivered for negative non-zero values
  std::uint64_t sign_bit;
  std::uint64_t integer_mask;  ///< integers: the content bits, else 0
  std::uint64_t zero;          ///< formats without zero: delivered for it
  std::uint8_t overflow_flags;
  std::uint8_t nan_flags;
  std::uint8_t infinity_flags[2];
  bool negative_zero;
  bool has_zero;
  bool is_unsigned;      ///< unsigned floating point
  bool negative_rounds;  ///< ... where a negative value that rounds to zero is zero
  bool wraps;            ///< integers: keep the low bits
};

inline namespace MINIFLOAT_ABI {

/// Whether finite overflow of this sign goes to infinity under IEEE 754 §7.4 (else largest finite).
constexpr bool overflows_to_infinity(Rounding mode, bool negative) {
  switch (mode) {
    case Rounding::kTowardZero:
    case Rounding::kToOdd:
      return false;
    case Rounding::kTowardPositive:
      return !negative;
    case Rounding::kTowardNegative:
      return negative;
    default:
      return true;
  }
}

/// Why the policy cannot be honoured by the format, or nullptr.
constexpr const char* policy_error(const Format& f, Overflow policy) {
  if (is_integer(f)) {
    const bool fits = policy == Overflow::kSaturate || policy == Overflow::kSaturateKeepInfinity ||
                      policy == Overflow::kWrap;
    return fits ? nullptr
                : "an integer format encodes neither infinity nor NaN; use saturate or wrap";
  }
  const bool nan = has_nan(f);
  const bool infinity = has_infinity(f);
  switch (policy) {
    case Overflow::kIeee:
      return nan || infinity ? nullptr
                             : "the format encodes neither infinity nor NaN; use saturate";
    case Overflow::kNan:
    case Overflow::kNanKeepInfinity:
      return nan ? nullptr : "the format encodes no NaN";
    case Overflow::kInfinity:
      return infinity ? nullptr : "the format encodes no infinity";
    case Overflow::kWrap:
      return "wrap is for integer formats only";
    case Overflow::kP3109:
      return nan || f.is_signed ? nullptr
                                : "P3109 needs NaN for negative values of unsigned formats";
    default:
      return nullptr;
  }
}

namespace detail {

constexpr RangeRule integer_range(const Format& f, Overflow policy, NanPolicy nan) {
  RangeRule rule{};
  const std::uint64_t top = top_position(f);
  rule.integer_mask = top | sign_bit(f);
  rule.max_position[0] = top;
  rule.max_position[1] = f.is_signed ? top + 1 : 0;
  rule.overflow[0] = top;
  rule.overflow[1] = f.is_signed ? top + 1 : 0;
  if (policy != Overflow::kWrap) {  // infinity has no low bits to keep
    rule.infinity[0] = rule.overflow[0];
    rule.infinity[1] = rule.overflow[1];
  }
  rule.nan[0] = rule.nan[1] = nan == NanPolicy::kMax ? top : 0;
  rule.overflow_flags = rule.nan_flags = kInvalid;
  rule.infinity_flags[0] = rule.infinity_flags[1] = kInvalid;
  rule.has_zero = true;
  rule.wraps = policy == Overflow::kWrap;
  return rule;
}

/// What the policy delivers for magnitudes beyond the range, with the sign on top.
struct Beyond {
  std::uint64_t finite;
  std::uint64_t infinite;
};

constexpr Beyond beyond_range(const Format& f, Rounding mode, Overflow policy, bool negative) {
  const std::uint64_t sign = negative ? sign_bit(f) : 0;
  const std::uint64_t largest = max_position(f) | sign;
  const std::uint64_t nan = has_nan(f) ? nan_position(f) | sign : largest;
  const std::uint64_t infinity = has_infinity(f) ? infinity_position(f) | sign : nan;
  switch (policy) {
    case Overflow::kIeee:
      return {overflows_to_infinity(mode, negative) ? infinity : largest, infinity};
    case Overflow::kSaturate:
      return {largest, largest};
    case Overflow::kSaturateKeepInfinity:
      return {largest, has_infinity(f) ? infinity : largest};
    case Overflow::kNan:
      return {nan, nan};
    case Overflow::kNanKeepInfinity:
      return {nan, infinity};
    case Overflow::kInfinity:
      return {infinity, infinity};
    default:
      break;
  }
  // P3109 v4.0 SatNone.
  if (!has_infinity(f)) return {largest, largest};
  bool to_infinity = mode != Rounding::kTowardZero &&
                     mode != (negative ? Rounding::kTowardPositive : Rounding::kTowardNegative);
  if (!f.is_signed && mode == Rounding::kToOdd) to_infinity = false;
  return {to_infinity ? infinity : largest, infinity};
}

constexpr bool saturates(Overflow policy) {
  return policy == Overflow::kSaturate || policy == Overflow::kSaturateKeepInfinity;
}

constexpr void set_unsigned(RangeRule& rule, const Format& f, Rounding mode, Overflow policy) {
  const std::uint64_t nan = has_nan(f) ? nan_position(f) : 0;
  rule.is_unsigned = true;
  rule.negative_rounds = policy == Overflow::kP3109 && f.zero;
  rule.negative = nan;
  rule.infinity[1] = nan;
  rule.infinity_flags[1] = kInvalid;
  if (saturates(policy)) {
    if (!f.zero) return;
    rule.negative = rule.infinity[1] = 0;
    rule.infinity_flags[1] = 0;
  } else if (policy == Overflow::kP3109 && f.zero &&
             (mode == Rounding::kTowardZero || mode == Rounding::kTowardPositive)) {
    rule.negative = 0;
  }
}

}  // namespace detail

/// The rule of a format under a policy that `policy_error` accepts.
constexpr RangeRule range_rule(const Format& f, Rounding mode, Overflow policy, NanPolicy nan) {
  if (is_integer(f)) return detail::integer_range(f, policy, nan);
  RangeRule rule{};
  rule.sign_bit = sign_bit(f);
  rule.has_zero = is_hifloat8(f) || f.zero;
  // Position 0 keeps its sign, too, where it is no zero but the smallest value.
  rule.negative_zero = !is_hifloat8(f) && (f.negative_zero || !f.zero);
  rule.overflow_flags = kOverflow | kInexact;
  for (int negative = 0; negative < 2; ++negative) {
    const detail::Beyond beyond = detail::beyond_range(f, mode, policy, negative);
    rule.max_position[negative] = max_position(f);
    rule.overflow[negative] = beyond.finite;
    rule.infinity[negative] = beyond.infinite;
    if (has_nan(f)) {
      rule.nan[negative] = nan_position(f) | (negative ? sign_bit(f) : 0);
    } else {
      // An error to come delivers anything; zeros of either sign keep the two signs alike.
      const bool raises = nan == NanPolicy::kRaise || nan == NanPolicy::kPropagate;
      rule.nan[negative] = nan == NanPolicy::kMax ? max_position(f) : 0;
      if (raises && negative) rule.nan[1] = sign_bit(f);
    }
  }
  rule.nan_flags = has_nan(f) ? 0 : kInvalid;
  rule.zero = has_nan(f) ? nan_position(f) : 0;
  if (!f.is_signed) detail::set_unsigned(rule, f, mode, policy);
  return rule;
}

}  // namespace MINIFLOAT_ABI
}  // namespace minifloat
