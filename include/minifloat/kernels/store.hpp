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

template <class Word>
void store_table_block(const std::uint8_t* MINIFLOAT_RESTRICT table, const Word* MINIFLOAT_RESTRICT in,
                       std::uint8_t* MINIFLOAT_RESTRICT out, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) out[i] = table[in[i] & 0xFF];
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
void signaling_flags_block(const Word* MINIFLOAT_RESTRICT in, std::uint8_t* MINIFLOAT_RESTRICT flags,
                           std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    const Word magnitude = in[i] & ~kSignMask<Word>;
    const Word signaling = mask_if<Word>(magnitude > kInfinityBits<Word>) &
                           mask_if<Word>((magnitude & kQuietBit<Word>) == 0);
    flags[i] = static_cast<std::uint8_t>(signaling & kInvalid);
  }
}

}  // namespace MINIFLOAT_ABI
}  // namespace minifloat
