#pragma once

#include "minifloat/kernels/plan.hpp"

/// One stretch of a cast, and what a pass over it found.

namespace minifloat {

inline constexpr std::size_t kBlock = 1024;  // a multiple of every noise group

/// What a pass found: flags by count and first index, and the data errors.
struct CastStatus {
  std::uint64_t flag_count[kFlagCount] = {0, 0, 0, 0, 0};
  std::uint64_t flag_first[kFlagCount] = {0, 0, 0, 0, 0};
  std::uint64_t nan_count = 0, nan_first = 0;
  std::uint64_t stray_count = 0, stray_first = 0;
};

/// One contiguous stretch [begin, end) of a cast.
struct CastJob {
  const void* source = nullptr;
  void* target = nullptr;
  std::size_t begin = 0, end = 0;
  const PhiloxKey* key = nullptr;
  std::uint64_t key_offset = 0;
  const std::uint64_t* random_bits = nullptr;  ///< instead of a key
  std::uint8_t* flags = nullptr;               ///< one byte per element, if wanted
  bool counts_flags = false;
  CastStatus status;
};

inline namespace MINIFLOAT_ABI {
namespace detail {

template <class Code>
const Code* source_at(const CastJob& job, std::size_t i) {
  return static_cast<const Code*>(job.source) + i;
}

inline void note(std::uint64_t& count, std::uint64_t& first, std::size_t index, std::size_t more) {
  if (more == 0) return;
  if (count == 0) first = index;
  count += more;
}

/// Count the NaNs of a block, for targets that have none.
template <class Word>
void note_nans(const Word* in, std::size_t i, std::size_t n, CastStatus& status) {
  Word found = 0;  // as wide as the lanes, which are never more than kBlock
  for (std::size_t k = 0; k < n; ++k)
    found += Word{(in[k] & ~kSignMask<Word>) > kInfinityBits<Word>};
  if (found == 0) return;
  std::size_t first = 0;
  while ((in[first] & ~kSignMask<Word>) <= kInfinityBits<Word>) ++first;
  note(status.nan_count, status.nan_first, i + first, static_cast<std::size_t>(found));
}

/// Sum of the bytes of a word.
MINIFLOAT_INLINE std::uint64_t sum_bytes(std::uint64_t word) {
  const std::uint64_t pairs = (word & 0x00FF00FF00FF00FFu) + ((word >> 8) & 0x00FF00FF00FF00FFu);
  return (pairs * 0x0001000100010001u) >> 48;
}

/// Sum up the flags of a block: eight elements a word, a byte each, so that no byte can overflow
/// within a block of kBlock.
inline void note_flags(const std::uint8_t* flags, std::size_t i, std::size_t n,
                       CastStatus& status) {
  static_assert(kBlock / 8 < 256);
  constexpr std::uint64_t kOnes = 0x0101010101010101u;
  std::uint64_t sum[kFlagCount] = {0, 0, 0, 0, 0};
  const std::size_t words = n / 8;
  for (std::size_t k = 0; k < words; ++k) {
    std::uint64_t word;
    std::memcpy(&word, flags + 8 * k, sizeof word);
    for (int bit = 0; bit < kFlagCount; ++bit) sum[bit] += (word >> bit) & kOnes;
  }
  for (int bit = 0; bit < kFlagCount; ++bit) {
    std::size_t count = static_cast<std::size_t>(sum_bytes(sum[bit]));
    for (std::size_t k = 8 * words; k < n; ++k) count += (flags[k] >> bit) & 1u;
    if (count == 0) continue;
    std::size_t first = 0;
    if (status.flag_count[bit] == 0)
      while (((flags[first] >> bit) & 1) == 0) ++first;
    note(status.flag_count[bit], status.flag_first[bit], i + first, count);
  }
}

}  // namespace detail

/// Add what a later stretch found, whose indices start at `offset`.
inline void merge(CastStatus& total, const CastStatus& part, std::uint64_t offset) {
  for (int bit = 0; bit < kFlagCount; ++bit)
    detail::note(total.flag_count[bit], total.flag_first[bit], part.flag_first[bit] + offset,
                 part.flag_count[bit]);
  detail::note(total.nan_count, total.nan_first, part.nan_first + offset, part.nan_count);
  detail::note(total.stray_count, total.stray_first, part.stray_first + offset, part.stray_count);
}

}  // namespace MINIFLOAT_ABI
}  // namespace minifloat
