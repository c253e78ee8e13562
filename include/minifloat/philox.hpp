#pragma once

#include "minifloat/bits.hpp"

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

/// Philox4x32-10 (Salmon et al., SC'11) and stream v1: which random bits belong to which element.
///
/// Element i of a group of 128 uses counter group * 16 + (i mod 16), word (i / 16) mod 4, its low
/// half for i < 64 and its high half above, when 16 bits suffice. Groups of 64 give a whole word to
/// each element, groups of 32 two words. The layout is part of the public API: results never depend
/// on how the elements are split over threads, blocks or vector lanes.

namespace minifloat {

/// 128 bits: the cipher's key, and the counter words that tell streams apart.
struct PhiloxKey {
  std::uint32_t key[2] = {0, 0};
  std::uint32_t stream[2] = {0, 0};
};

struct PhiloxWords {
  std::uint32_t word[4];
};

inline namespace MINIFLOAT_ABI {

inline constexpr int kPhiloxLanes = 16;

MINIFLOAT_INLINE constexpr PhiloxWords philox4x32_10(PhiloxWords counter, std::uint32_t key0,
                                                     std::uint32_t key1) {
  std::uint32_t c0 = counter.word[0], c1 = counter.word[1];
  std::uint32_t c2 = counter.word[2], c3 = counter.word[3];
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC unroll 10
#endif
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t product0 = std::uint64_t{0xD2511F53u} * c0;
    const std::uint64_t product1 = std::uint64_t{0xCD9E8D57u} * c2;
    c0 = static_cast<std::uint32_t>(product1 >> 32) ^ c1 ^ key0;
    c1 = static_cast<std::uint32_t>(product1);
    c2 = static_cast<std::uint32_t>(product0 >> 32) ^ c3 ^ key1;
    c3 = static_cast<std::uint32_t>(product0);
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
  return {{c0, c1, c2, c3}};
}

#if defined(__AVX512F__)

/// The two halves of 16 products of 32 bits: compilers make twice as many steps of it.
struct WideProduct {
  __m512i high, low;
};

MINIFLOAT_INLINE WideProduct multiply_wide(__m512i x, __m512i factor) {
  constexpr __mmask16 kOdd = 0xAAAA;
  const __m512i even = _mm512_mul_epu32(x, factor);
  const __m512i odd = _mm512_mul_epu32(_mm512_srli_epi64(x, 32), factor);
  return {_mm512_mask_blend_epi32(kOdd, _mm512_srli_epi64(even, 32), odd),
          _mm512_mask_blend_epi32(kOdd, even, _mm512_slli_epi64(odd, 32))};
}

/// philox_group in 16 lanes.
MINIFLOAT_INLINE void philox_group_lanes(const PhiloxKey& key, std::uint64_t group,
                                         std::uint32_t* words) {
  const auto spread = [](std::uint32_t word) { return _mm512_set1_epi32(static_cast<int>(word)); };
  const __m512i lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  const std::uint64_t block = group * kPhiloxLanes;  // its low four bits count the lanes
  __m512i c0 = _mm512_add_epi32(spread(static_cast<std::uint32_t>(block)), lanes);
  __m512i c1 = spread(static_cast<std::uint32_t>(block >> 32));
  __m512i c2 = spread(key.stream[0]);
  __m512i c3 = spread(key.stream[1]);
  const __m512i factor0 = _mm512_set1_epi64(0xD2511F53);
  const __m512i factor1 = _mm512_set1_epi64(0xCD9E8D57);
  std::uint32_t key0 = key.key[0], key1 = key.key[1];
  for (int round = 0; round < 10; ++round) {
    const WideProduct product0 = multiply_wide(c0, factor0);
    const WideProduct product1 = multiply_wide(c2, factor1);
    c0 = _mm512_xor_si512(_mm512_xor_si512(product1.high, c1), spread(key0));
    c2 = _mm512_xor_si512(_mm512_xor_si512(product0.high, c3), spread(key1));
    c1 = product1.low;
    c3 = product0.low;
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
  _mm512_storeu_si512(words, c0);
  _mm512_storeu_si512(words + kPhiloxLanes, c1);
  _mm512_storeu_si512(words + 2 * kPhiloxLanes, c2);
  _mm512_storeu_si512(words + 3 * kPhiloxLanes, c3);
}

#endif

/// The 64 words of one group: word w of counter lane l is at w * 16 + l.
MINIFLOAT_INLINE void philox_group(const PhiloxKey& key, std::uint64_t group,
                                   std::uint32_t* MINIFLOAT_RESTRICT words) {
#if defined(__AVX512F__)
  philox_group_lanes(key, group, words);
#else
  for (std::uint32_t lane = 0; lane < kPhiloxLanes; ++lane) {
    const std::uint64_t block = group * kPhiloxLanes + lane;
    const PhiloxWords out =
        philox4x32_10({{static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(block >> 32),
                        key.stream[0], key.stream[1]}},
                      key.key[0], key.key[1]);
    words[0 * kPhiloxLanes + lane] = out.word[0];
    words[1 * kPhiloxLanes + lane] = out.word[1];
    words[2 * kPhiloxLanes + lane] = out.word[2];
    words[3 * kPhiloxLanes + lane] = out.word[3];
  }
#endif
}

/// Elements per group when each needs `bits` random bits.
constexpr int philox_group_size(int bits) { return bits <= 16 ? 128 : bits <= 32 ? 64 : 32; }

/// The random bits of one element, as a number below 2^bits.
MINIFLOAT_INLINE std::uint64_t philox_element(const PhiloxKey& key, std::uint64_t index, int bits) {
  const std::uint64_t size = static_cast<std::uint64_t>(philox_group_size(bits));
  const std::uint64_t group = index / size;
  const std::uint64_t i = index % size;
  std::uint32_t words[4 * kPhiloxLanes];
  philox_group(key, group, words);
  if (bits <= 16) {
    const std::uint32_t word = words[i % 64];
    return (i < 64 ? word & 0xFFFF : word >> 16) >> (16 - bits);
  }
  if (bits <= 32) return words[i] >> (32 - bits);
  const std::uint64_t low = words[i];
  const std::uint64_t high = words[32 + i];
  return ((high << 32) | low) >> (64 - bits);
}

}  // namespace MINIFLOAT_ABI
}  // namespace minifloat
