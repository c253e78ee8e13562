#pragma once

#include <cstring>

#include "minifloat/config.hpp"

/// Bit-level helpers shared by scalar code and vector kernels. Conditions become masks (all ones or
/// zero), since short-circuit operators and nested conditionals stop GCC's vectoriser.

namespace minifloat {
inline namespace MINIFLOAT_ABI {

template <class To, class From>
MINIFLOAT_INLINE To bit_cast(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

/// All ones if `condition`, else zero.
template <class Word>
MINIFLOAT_INLINE constexpr Word mask_if(bool condition) {
  return static_cast<Word>(-static_cast<Word>(condition));
}

/// `yes` where the mask is ones, `no` where it is zero.
template <class Word>
MINIFLOAT_INLINE constexpr Word select(Word mask, Word yes, Word no) {
  return (yes & mask) | (no & static_cast<Word>(~mask));
}

/// The lowest `count` bits; `count` is below the width of the word.
template <class Word>
MINIFLOAT_INLINE constexpr Word low_bits(Word count) {
  return static_cast<Word>((Word{1} << count) - 1);
}

template <class Signed>
MINIFLOAT_INLINE constexpr Signed larger(Signed a, Signed b) {
  return a > b ? a : b;
}

template <class Signed>
MINIFLOAT_INLINE constexpr Signed smaller(Signed a, Signed b) {
  return a < b ? a : b;
}

/// Shift right, OR-ing the bits lost into the lowest bit (round to odd keeps later roundings
/// exact).
MINIFLOAT_INLINE constexpr std::uint64_t shift_right_jam(std::uint64_t word, int count) {
  if (count <= 0) return word;
  if (count > 63) return word != 0;
  return (word >> count) | ((word & low_bits<std::uint64_t>(count)) != 0);
}

/// Number of leading zeros of a non-zero word.
MINIFLOAT_INLINE constexpr int leading_zeros(std::uint64_t word) {
#if defined(__GNUC__) || defined(__clang__)
  return __builtin_clzll(word);
#else
  int count = 0;
  for (int step = 32; step > 0; step /= 2) {
    if ((word >> (64 - step)) == 0) {
      count += step;
      word <<= step;
    }
  }
  return count;
#endif
}

}  // namespace MINIFLOAT_ABI
}  // namespace minifloat
