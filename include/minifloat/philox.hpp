#pragma once

#include "minifloat/bits.hpp"

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

/// The 64 words of one group: word w of counter lane l is at w * 16 + l.
MINIFLOAT_INLINE void philox_group(const PhiloxKey& key, std::uint64_t group,
                                   std::uint32_t* MINIFLOAT_RESTRICT words) {
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
