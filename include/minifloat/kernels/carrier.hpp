#pragma once

#include "minifloat/round_pack.hpp"

/// Carriers: the native floats whose bits hold exact values while a vector kernel works on them.

namespace minifloat {

template <class Word>
struct Carrier;

template <>
struct Carrier<std::uint32_t> {
  using Float = float;
  static constexpr int kTrailing = 23;
  static constexpr int kBias = 127;
};

template <>
struct Carrier<std::uint64_t> {
  using Float = double;
  static constexpr int kTrailing = 52;
  static constexpr int kBias = 1023;
};

template <class Word>
inline constexpr int kWordBits = static_cast<int>(sizeof(Word) * 8);
template <class Word>
inline constexpr Word kSignMask = Word{1} << (kWordBits<Word> - 1);
template <class Word>
inline constexpr Word kInfinityBits =
    (Word{2} * Carrier<Word>::kBias + 1) << Carrier<Word>::kTrailing;
template <class Word>
inline constexpr Word kQuietBit = Word{1} << (Carrier<Word>::kTrailing - 1);

inline namespace MINIFLOAT_ABI {

template <class Word>
constexpr Format carrier_format() {
  return ieee_format(kWordBits<Word> - 1 - Carrier<Word>::kTrailing, Carrier<Word>::kTrailing);
}

/// Bits of a value that the carrier holds exactly.
template <class Word>
constexpr Word carrier_bits(const Unpacked& x) {
  const Word sign = x.negative ? kSignMask<Word> : 0;
  switch (x.kind) {
    case Class::kZero:
      return sign;
    case Class::kInfinity:
      return sign | kInfinityBits<Word>;
    case Class::kNan:
      return sign | kInfinityBits<Word> | (is_signaling(x) ? 1 : kQuietBit<Word>);
    case Class::kFinite:
      break;
  }
  constexpr int kTrailing = Carrier<Word>::kTrailing;
  constexpr int kLowest = 1 - Carrier<Word>::kBias;
  if (x.exponent < kLowest) {
    const int drop = 63 - kTrailing + kLowest - x.exponent;
    return sign | static_cast<Word>(drop > 63 ? 0 : x.significand >> drop);
  }
  const Word field = static_cast<Word>(x.exponent - kLowest);  // the hidden bit adds the other 1
  return sign | ((field << kTrailing) + static_cast<Word>(x.significand >> (63 - kTrailing)));
}

/// Whether every value of the format is one of the carrier's.
template <class Word>
constexpr bool carrier_holds(const Format& f) {
  const Format c = carrier_format<Word>();
  if (precision(f) > precision(c) || quantum_exponent(f) < quantum_exponent(c)) return false;
  if (is_hifloat8(f)) return true;
  const int top = is_integer(f) ? f.scale_exponent + f.integer_bits
                                : static_cast<int>(max_position(f) >> f.trailing_bits) - f.bias;
  return top <= Carrier<Word>::kBias;
}

}  // namespace MINIFLOAT_ABI
}  // namespace minifloat
