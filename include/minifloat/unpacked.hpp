#pragma once

#include "minifloat/flags.hpp"
#include "minifloat/hifloat8.hpp"

/// The exact value that arithmetic works on, and the decode step that makes it from a code.

namespace minifloat {

enum class Class : std::uint8_t { kZero, kFinite, kInfinity, kNan };

/// A finite value is significand * 2^(exponent - 63), the significand's top bit set, plus a
/// positive amount below its lowest bit if `sticky`. Arithmetic gives the next 64 bits of that
/// amount in `low` (its own lowest bit set if there is still more), for roundings with many random
/// bits. A NaN keeps its payload left-aligned in the significand: bit 63 is the quiet bit.
struct Unpacked {
  Class kind = Class::kZero;
  bool negative = false;
  bool sticky = false;
  std::int32_t exponent = 0;
  std::uint64_t significand = 0;
  std::uint64_t low = 0;
};

inline namespace MINIFLOAT_ABI {

constexpr bool is_signaling(const Unpacked& x) {
  return x.kind == Class::kNan && (x.significand >> 63) == 0;
}

/// The value significand * 2^exponent (any significand, zero included).
constexpr Unpacked make_unpacked(bool negative, int exponent, std::uint64_t significand) {
  if (significand == 0) return {Class::kZero, negative, false, 0, 0};
  const int lift = leading_zeros(significand);
  return {Class::kFinite, negative, false, exponent + 63 - lift, significand << lift};
}

namespace detail {

constexpr Unpacked decode_integer(const Format& f, std::uint64_t code) {
  const bool negative = f.is_signed && ((code >> magnitude_bits(f)) & 1) != 0;
  const std::uint64_t all = top_position(f) | sign_bit(f);
  return make_unpacked(negative, f.scale_exponent, negative ? (~code + 1) & all : code & all);
}

constexpr Unpacked decode_hifloat8(std::uint64_t position) {
  const bool negative = (position & 0x80) != 0;
  const int magnitude = static_cast<int>(position & 0x7F);
  if (position == 0x80) return {Class::kNan, false, false, 0, std::uint64_t{1} << 63};
  if (magnitude == 127) return {Class::kInfinity, negative, false, 0, 0};
  if (magnitude == 0) return {Class::kZero, false, false, 0, 0};
  const int exponent = hifloat8_exponent(magnitude);
  const int bits = hifloat8_trailing_bits(exponent);
  const int significand = (1 << bits) + magnitude - hifloat8_binade_start(exponent);
  return make_unpacked(negative, exponent - bits, static_cast<std::uint64_t>(significand));
}

constexpr Unpacked decode_nan(const Format& f, bool negative, std::uint64_t magnitude) {
  const std::uint64_t quiet = std::uint64_t{1} << 63;
  if (!has_signaling_nan(f)) return {Class::kNan, negative, false, 0, quiet};
  return {Class::kNan, negative, false, 0, magnitude << (64 - f.trailing_bits)};
}

}  // namespace detail

/// Decode a storage code. Bits above the content must be zero.
constexpr Unpacked decode(const Format& f, std::uint64_t code) {
  const std::uint64_t position = position_of_code(f, code);
  if (is_integer(f)) return detail::decode_integer(f, position);
  if (is_hifloat8(f)) return detail::decode_hifloat8(position);
  const std::uint64_t magnitude = position & top_position(f);
  const bool negative = (position & sign_bit(f)) != 0;
  if (f.nan == NanCode::kNegativeZero && position == nan_position(f))
    return detail::decode_nan(f, false, magnitude);
  if (magnitude > max_position(f)) {
    if (has_infinity(f) && magnitude == infinity_position(f))
      return {Class::kInfinity, negative, false, 0, 0};
    return detail::decode_nan(f, negative, magnitude);
  }
  const Unpacked zero = {Class::kZero, negative && f.negative_zero, false, 0, 0};
  if (magnitude == 0 && f.zero) return zero;
  const int field = static_cast<int>(magnitude >> f.trailing_bits);
  const std::uint64_t trailing = magnitude & low_bits<std::uint64_t>(f.trailing_bits);
  if (field == 0 && f.subnormals == Subnormals::kZero) return zero;
  if (field == 0 && f.subnormals == Subnormals::kGradual)
    return make_unpacked(negative, quantum_exponent(f), trailing);
  const std::uint64_t hidden = std::uint64_t{1} << f.trailing_bits;
  return make_unpacked(negative, field - f.bias - f.trailing_bits, hidden | trailing);
}

/// Whether a finite non-zero value lies below the format's smallest normal one.
constexpr bool is_subnormal(const Format& f, const Unpacked& x) {
  return x.kind == Class::kFinite && !is_integer(f) && x.exponent < min_exponent(f);
}

}  // namespace MINIFLOAT_ABI
}  // namespace minifloat
