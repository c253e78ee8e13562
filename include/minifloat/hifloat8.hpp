#pragma once

#include <array>

#include "minifloat/format.hpp"

/// HiFloat8's grid and code order. Its field widths taper with the exponent E:
/// 3 trailing bits for |E| <= 3, 2 for 4..7, 1 for 8..15, none for -16..-22.

namespace minifloat {
inline namespace MINIFLOAT_ABI {

/// First position of the binade of exponent E.
constexpr int hifloat8_binade_start(int exponent) {
  if (exponent <= -16) return exponent + 23;
  if (exponent <= -8) return 8 + 2 * (exponent + 15);
  if (exponent <= -4) return 24 + 4 * (exponent + 7);
  if (exponent <= 3) return 40 + 8 * (exponent + 3);
  if (exponent <= 7) return 96 + 4 * (exponent - 4);
  return 112 + 2 * (exponent - 8);
}

constexpr int hifloat8_trailing_bits(int exponent) {
  const int size = exponent < 0 ? -exponent : exponent;
  return 3 - (size > 3) - (size > 7) - (exponent <= -16);
}

/// Exponent of the binade that holds a magnitude position of 1 or more.
constexpr int hifloat8_exponent(int position) {
  int exponent = -22;
  while (exponent < 15 && hifloat8_binade_start(exponent + 1) <= position) ++exponent;
  return exponent;
}

/// The 7-bit magnitude code: a prefix that tells the width of the exponent field, that field in
/// sign-magnitude with its leading 1 dropped, then the trailing bits.
constexpr int hifloat8_magnitude_code(int position) {
  if (position < 8) return position;  // zero and the seven denormals
  const int exponent = hifloat8_exponent(position);
  const int trailing = position - hifloat8_binade_start(exponent);
  if (exponent == 0) return 0x08 | trailing;
  const int size = exponent < 0 ? -exponent : exponent;
  const int width = 1 + (size > 1) + (size > 3) + (size > 7);
  const int prefix = width == 4 ? 0x60 : 0x08 << width;
  const int negative = exponent < 0 ? 1 << (width - 1) : 0;
  const int tail = size - (1 << (width - 1));
  return prefix | ((negative | tail) << hifloat8_trailing_bits(exponent)) | trailing;
}

struct HiFloat8Tables {
  std::array<std::uint8_t, 256> code_of_position{};
  std::array<std::uint8_t, 256> position_of_code{};
};

constexpr HiFloat8Tables make_hifloat8_tables() {
  HiFloat8Tables tables;
  for (int position = 0; position < 256; ++position) {
    const int code = (position & 0x80) | hifloat8_magnitude_code(position & 0x7F);
    tables.code_of_position[static_cast<std::size_t>(position)] = static_cast<std::uint8_t>(code);
    tables.position_of_code[static_cast<std::size_t>(code)] = static_cast<std::uint8_t>(position);
  }
  return tables;
}

inline constexpr HiFloat8Tables kHiFloat8Tables = make_hifloat8_tables();

/// The storage code of a position, for every format.
constexpr std::uint64_t code_of_position(const Format& f, std::uint64_t position) {
  if (is_hifloat8(f)) return kHiFloat8Tables.code_of_position[position & 0xFF];
  return position << f.code_shift;
}

/// The position of a storage code, for every format.
constexpr std::uint64_t position_of_code(const Format& f, std::uint64_t code) {
  if (is_hifloat8(f)) return kHiFloat8Tables.position_of_code[code & 0xFF];
  return code >> f.code_shift;
}

}  // namespace MINIFLOAT_ABI
}  // namespace minifloat
