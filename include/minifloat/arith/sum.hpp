#pragma once

#include "minifloat/arith/mul.hpp"

/// The exact sum of any number of values: a fixed-point register as wide as all of float64's
/// products, so that a single rounding can follow.

namespace minifloat {
inline namespace MINIFLOAT_ABI {

class ExactSum {
 public:
  static constexpr int kLowest = -2304;  ///< exponent of the register's lowest bit
  static constexpr int kLimbs = 74;      ///< 4736 bits: products of float64, and 2^128 of them

  /// Add a value that is no NaN; the flags of the operation (INVALID for unlike infinities).
  constexpr unsigned add(const Unpacked& x) {
    if (is_nan_) return 0;
    if (x.kind == Class::kInfinity) return add_infinity(x.negative);
    all_positive_zero_ = all_positive_zero_ && x.kind == Class::kZero && !x.negative;
    if (x.kind != Class::kFinite) return 0;
    const int low = x.exponent - 127 - kLowest;  // position of the 128-bit significand's lowest bit
    add_limbs({x.significand, x.low}, low, x.negative);
    return 0;
  }

  constexpr void set_nan() { is_nan_ = true; }
  constexpr bool is_nan() const { return is_nan_; }

  /// The exact sum: 128 bits of it, and whether there is more. Zero is -0 if `toward_negative`,
  /// save where every term was +0.
  constexpr Unpacked value(bool toward_negative) const {
    if (infinite_) return {Class::kInfinity, infinity_is_negative_, false, 0, 0};
    const bool negative = (limb_[kLimbs - 1] >> 63) != 0;
    std::uint64_t magnitude[kLimbs] = {};
    std::uint64_t carry = negative;
    int top = -1;
    for (int k = 0; k < kLimbs; ++k) {
      magnitude[k] = (negative ? ~limb_[k] : limb_[k]) + carry;
      carry = carry != 0 && magnitude[k] == 0;
      if (magnitude[k] != 0) top = k;
    }
    if (top < 0) return {Class::kZero, toward_negative && !all_positive_zero_, false, 0, 0};
    const int lift = minifloat::leading_zeros(magnitude[top]);
    Wide kept = {magnitude[top], top > 0 ? magnitude[top - 1] : 0};
    const std::uint64_t next = top > 1 ? magnitude[top - 2] : 0;
    kept = arith::shift_left(kept, lift);
    if (lift > 0) kept.low |= next >> (64 - lift);
    bool lost = (lift > 0 ? next << lift : next) != 0;
    for (int k = 0; k < top - 2; ++k) lost = lost || magnitude[k] != 0;
    kept.low |= std::uint64_t{lost};
    const int exponent = kLowest + 64 * top + 63 - lift;
    return {Class::kFinite, negative, kept.low != 0, exponent, kept.high, kept.low};
  }

 private:
  constexpr unsigned add_infinity(bool negative) {
    all_positive_zero_ = false;
    if (infinite_ && infinity_is_negative_ != negative) {
      is_nan_ = true;
      return kInvalid;
    }
    infinite_ = true;
    infinity_is_negative_ = negative;
    return 0;
  }

  /// Add or subtract 128 bits whose lowest bit lies at `low`.
  constexpr void add_limbs(Wide x, int low, bool negative) {
    const int shift = low & 63;
    std::uint64_t part[3] = {x.low << shift, x.high << shift, 0};
    if (shift != 0) {
      part[1] |= x.low >> (64 - shift);
      part[2] = x.high >> (64 - shift);
    }
    std::uint64_t carry = 0;
    for (int k = low >> 6, i = 0; k < kLimbs && (i < 3 || carry != 0); ++k, ++i) {
      const std::uint64_t addend = i < 3 ? part[i] : 0;
      const std::uint64_t before = limb_[k];
      if (negative) {
        limb_[k] = before - addend - carry;
        carry = before < addend || (before == addend && carry != 0);
      } else {
        limb_[k] = before + addend + carry;
        carry = limb_[k] < before || (limb_[k] == before && carry != 0);
      }
    }
  }

  std::uint64_t limb_[kLimbs] = {};
  bool infinite_ = false, infinity_is_negative_ = false, is_nan_ = false;
  bool all_positive_zero_ = true;
};

}  // namespace MINIFLOAT_ABI
}  // namespace minifloat
