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
  std::size_t found = 0;
  for (std::size_t k = 0; k < n; ++k) found += (in[k] & ~kSignMask<Word>) > kInfinityBits<Word>;
  if (found == 0) return;
  std::size_t first = 0;
  while ((in[first] & ~kSignMask<Word>) <= kInfinityBits<Word>) ++first;
  note(status.nan_count, status.nan_first, i + first, found);
}

/// Sum up the flags of a block: eight bytes at a time, one bit each.
inline void note_flags(const std::uint8_t* flags, std::size_t i, std::size_t n,
                       CastStatus& status) {
  std::size_t counts[kFlagCount] = {0, 0, 0, 0, 0};
  unsigned all = 0;
  for (std::size_t k = 0; k < n; ++k) all |= flags[k];
  if (all == 0) return;
  for (int bit = 0; bit < kFlagCount; ++bit) {
    if (((all >> bit) & 1) == 0) continue;
    std::uint16_t count = 0;
    for (std::size_t k = 0; k < n; ++k)
      count = static_cast<std::uint16_t>(count + ((flags[k] >> bit) & 1));
    counts[bit] = count;
    std::size_t first = 0;
    if (status.flag_count[bit] == 0)
      while (((flags[first] >> bit) & 1) == 0) ++first;
    note(status.flag_count[bit], status.flag_first[bit], i + first, counts[bit]);
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
