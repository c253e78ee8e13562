#pragma once

#include "minifloat/kernels/carrier.hpp"

/// The encode step of the vector kernels: positions become storage codes.

namespace minifloat {
inline namespace MINIFLOAT_ABI {

template <class Word, class Code>
void store_shifted_block(int shift, const Word* MINIFLOAT_RESTRICT in, Code* MINIFLOAT_RESTRICT out,
                         std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) out[i] = static_cast<Code>(in[i] << shift);
}

/// HiFloat8's code of a position, by arithmetic on bytes (compare hifloat8_magnitude_code): codes
/// of negative exponents run against the positions, but for their trailing bits.
MINIFLOAT_INLINE std::uint8_t hifloat8_code(std::uint8_t position) {
  using Byte = std::uint8_t;
  const Byte p = position & 0x7F;
  const auto from = [p](int first, int value, int otherwise) {
    return select<Byte>(mask_if<Byte>(p >= first), static_cast<Byte>(value),
                        static_cast<Byte>(otherwise));
  };
  // code = plus + p, or minus - p + 2 * trailing for the reversed binades at 8..55
  Byte plus = from(64, 0x100 - 56, 0x100 - 32);
  plus = from(80, 0x100 - 48, plus);
  plus = from(96, 0x100 - 32, plus);
  plus = from(112, 0x100 - 16, plus);
  Byte minus = from(24, 0x74, 0x86);
  minus = from(40, 0x60, minus);
  Byte trailing = from(24, 3, 1);
  trailing = from(40, 7, trailing);
  const Byte forward = static_cast<Byte>(plus + p);
  const Byte reversed = static_cast<Byte>(minus - p + 2 * (p & trailing));
  Byte code = select<Byte>(mask_if<Byte>(p >= 56), forward, reversed);
  code = select<Byte>(mask_if<Byte>(p < 8), p, code);
  return static_cast<Byte>(code | (position & 0x80));
}

inline void hifloat8_code_block(std::uint8_t* MINIFLOAT_RESTRICT codes, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) codes[i] = hifloat8_code(codes[i]);
}

/// Carrier bits that already are the destination: only NaNs become canonical.
template <class Word>
void canonical_nan_block(const Word* MINIFLOAT_RESTRICT in, Word* MINIFLOAT_RESTRICT out,
                         std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    const Word magnitude = in[i] & ~kSignMask<Word>;
    const Word nan = (in[i] & kSignMask<Word>) | kInfinityBits<Word> | kQuietBit<Word>;
    out[i] = select<Word>(mask_if<Word>(magnitude > kInfinityBits<Word>), nan, in[i]);
  }
}

/// Signalling NaNs raise INVALID even where nothing is rounded.
template <class Word>
void signaling_flags_block(const Word* MINIFLOAT_RESTRICT in,
                           std::uint8_t* MINIFLOAT_RESTRICT flags, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    const Word magnitude = in[i] & ~kSignMask<Word>;
    const Word signaling = mask_if<Word>(magnitude > kInfinityBits<Word>) &
                           mask_if<Word>((magnitude & kQuietBit<Word>) == 0);
    flags[i] = static_cast<std::uint8_t>(signaling & kInvalid);
  }
}

}  // namespace MINIFLOAT_ABI
}  // namespace minifloat
