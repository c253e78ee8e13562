#pragma once

#include "minifloat/rounding.hpp"

/// Discarded fractions of 128 bits, which the scalar core needs for as many as 64 random bits.

namespace minifloat {

/// A fraction left-aligned in two words; what falls out at the far end stays as the lowest bit.
struct Fraction {
  std::uint64_t high, low;
};

inline namespace MINIFLOAT_ABI {

/// The part below bit `shift` of the high word (or above it, in zeros) as a fraction of 2^shift.
constexpr Fraction discarded_fraction(std::uint64_t high, std::uint64_t low, std::uint64_t shift) {
  if (shift == 0) return {low, 0};
  if (shift < 64) return {(high << (64 - shift)) | (low >> shift), low << (64 - shift)};
  const std::uint64_t down = shift - 64;
  if (down == 0) return {high, low};
  if (down >= 128) return {0, 1};
  if (down >= 64)
    return {0, shift_right_jam(high, static_cast<int>(down - 64)) | std::uint64_t{low != 0}};
  const bool lost = (low & low_bits<std::uint64_t>(down)) != 0;
  return {high >> down, (high << (64 - down)) | (low >> down) | std::uint64_t{lost}};
}

/// Whether a fraction, rounded to the rule's grid with ties to even, carries when noise is added.
constexpr bool nearest_noise_carries(const NoiseRule<std::uint64_t>& rule, Fraction x,
                                     std::uint64_t noise) {
  const std::uint64_t unit = rule.lsb_shift;
  const std::uint64_t below = low_bits<std::uint64_t>(unit);
  const std::uint64_t rest = unit == 0 ? x.low : x.high << (64 - unit);
  const bool more = unit != 0 && x.low != 0;
  const bool odd = ((x.high >> unit) & 1) != 0;
  const bool tie = rest == std::uint64_t{1} << 63 && !more;
  const bool up = tie ? odd : (rest >> 63) != 0;
  const std::uint64_t kept = x.high & ~below;
  const std::uint64_t rounded = kept + (std::uint64_t{up} << unit);
  return rounded < kept || rounded + noise < noise;
}

/// Whether a fraction carries when 64 random bits and half of their lowest are added.
constexpr bool centred_noise_carries(Fraction x, std::uint64_t noise) {
  const std::uint64_t sum = x.high + noise;
  return sum < noise || (sum == ~std::uint64_t{0} && (x.low >> 63) != 0);
}

}  // namespace MINIFLOAT_ABI
}  // namespace minifloat
