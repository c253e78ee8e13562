#pragma once

#include "minifloat/bits.hpp"

/// What a scalar format is, as plain data, and the positions of its special codes.
///
/// A *position* is a code in sign-magnitude order: the magnitude's ordinal on the grid, with the
/// sign bit above it. It equals the code for every floating-point format but HiFloat8, whose codes
/// are a permutation of it. For integers the position is the two's complement code itself.

namespace minifloat {

enum class Grid : std::uint8_t { kFloat, kInteger, kHiFloat8 };
enum class NanCode : std::uint8_t { kNone, kIeee, kAllOnes, kNegativeZero };
enum class Subnormals : std::uint8_t { kGradual, kZero, kNormal };

struct Format {
  Grid grid = Grid::kFloat;
  NanCode nan = NanCode::kIeee;
  Subnormals subnormals = Subnormals::kGradual;
  bool is_signed = true;
  bool infinities = true;
  bool negative_zero = true;
  bool zero = true;
  int exponent_bits = 8;
  int trailing_bits = 23;
  int bias = 127;
  int code_shift = 0;      ///< zero bits below the content in the storage word
  int integer_bits = 0;    ///< integers: width
  int scale_exponent = 0;  ///< integers: value = code * 2^scale_exponent

  bool operator==(const Format&) const = default;
};

inline namespace MINIFLOAT_ABI {

constexpr Format ieee_format(int exponent_bits, int trailing_bits) {
  Format format;
  format.exponent_bits = exponent_bits;
  format.trailing_bits = trailing_bits;
  format.bias = (1 << (exponent_bits - 1)) - 1;
  return format;
}

constexpr bool is_integer(const Format& f) { return f.grid == Grid::kInteger; }
constexpr bool is_hifloat8(const Format& f) { return f.grid == Grid::kHiFloat8; }

constexpr int magnitude_bits(const Format& f) {
  if (is_integer(f)) return f.integer_bits - f.is_signed;
  return is_hifloat8(f) ? 7 : f.exponent_bits + f.trailing_bits;
}

constexpr int content_bits(const Format& f) { return magnitude_bits(f) + f.is_signed; }

constexpr int precision(const Format& f) {
  if (is_integer(f)) return magnitude_bits(f);
  return is_hifloat8(f) ? 4 : f.trailing_bits + 1;
}

/// Whether the lowest binade has exponent field 0. A zero takes that binade's only code where there
/// are no trailing bits.
constexpr bool starts_at_field_0(const Format& f) {
  return f.subnormals == Subnormals::kNormal && (!f.zero || f.trailing_bits > 0);
}

/// Exponent of the smallest normal binade.
constexpr int min_exponent(const Format& f) {
  if (is_hifloat8(f)) return -15;
  return starts_at_field_0(f) ? -f.bias : 1 - f.bias;
}

/// log2 of the smallest spacing of the grid.
constexpr int quantum_exponent(const Format& f) {
  if (is_integer(f)) return f.scale_exponent;
  return is_hifloat8(f) ? -22 : min_exponent(f) - f.trailing_bits;
}

constexpr std::uint64_t sign_bit(const Format& f) {
  return f.is_signed ? std::uint64_t{1} << magnitude_bits(f) : 0;
}

constexpr std::uint64_t top_position(const Format& f) {
  const int bits = magnitude_bits(f);
  return bits >= 64 ? ~std::uint64_t{0} : low_bits<std::uint64_t>(bits);
}

constexpr bool has_nan(const Format& f) {
  return !is_integer(f) && (is_hifloat8(f) || f.nan != NanCode::kNone);
}

constexpr bool has_infinity(const Format& f) {
  return !is_integer(f) && (is_hifloat8(f) || f.infinities);
}

/// IEEE formats have a quiet bit; all other NaNs are quiet.
constexpr bool has_signaling_nan(const Format& f) {
  return f.grid == Grid::kFloat && f.nan == NanCode::kIeee && f.trailing_bits > 1;
}

constexpr std::uint64_t infinity_position(const Format& f) {
  if (is_hifloat8(f)) return 127;
  if (f.nan == NanCode::kIeee) return low_bits<std::uint64_t>(f.exponent_bits) << f.trailing_bits;
  return top_position(f) - (f.nan == NanCode::kAllOnes);
}

/// The canonical quiet NaN; NaNs that have a sign take `sign_bit` on top.
constexpr std::uint64_t nan_position(const Format& f) {
  if (is_hifloat8(f) || f.nan == NanCode::kNegativeZero)
    return std::uint64_t{1} << magnitude_bits(f);
  if (f.nan == NanCode::kIeee)
    return infinity_position(f) | (std::uint64_t{1} << (f.trailing_bits - 1));
  return top_position(f);
}

/// Position of the largest finite magnitude.
constexpr std::uint64_t max_position(const Format& f) {
  if (is_integer(f)) return top_position(f);
  if (has_infinity(f)) return infinity_position(f) - 1;
  return top_position(f) - (f.nan == NanCode::kAllOnes);
}

/// Position of the smallest positive magnitude.
constexpr std::uint64_t smallest_position(const Format& f) {
  if (f.grid != Grid::kFloat) return 1;
  if (f.subnormals == Subnormals::kZero) return std::uint64_t{1} << f.trailing_bits;
  return f.zero ? 1 : 0;
}

/// Whether (0, smallest positive) is a zone of one wide quantum instead of more grid points.
constexpr bool has_wide_zone(const Format& f) {
  return f.grid == Grid::kFloat && f.subnormals != Subnormals::kGradual;
}

/// Whether that zone's upper end is no power of two, so that shifts cannot split it.
constexpr bool has_odd_zone(const Format& f) {
  return f.grid == Grid::kFloat && starts_at_field_0(f) && f.zero;
}

}  // namespace MINIFLOAT_ABI
}  // namespace minifloat
