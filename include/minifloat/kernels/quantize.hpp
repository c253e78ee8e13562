#pragma once

#include "minifloat/kernels/cast.hpp"

/// Quantising is two casts, there and back, over a block of codes that never leaves the cache.

namespace minifloat {
inline namespace MINIFLOAT_ABI {
namespace detail {

inline const void* advance(const void* data, std::size_t bytes) {
  return static_cast<const std::uint8_t*>(data) + bytes;
}
inline void* advance(void* data, std::size_t bytes) {
  return static_cast<std::uint8_t*>(data) + bytes;
}

/// Note 1 for each NaN, 2 more for its sign; tells whether there is any.
inline bool mark_nans(const Format& f, const void* words, int bytes, std::size_t n,
                      std::uint8_t* marks) {
  bool any = false;
  for (std::size_t k = 0; k < n; ++k) {
    const std::uint64_t word = code_at(words, bytes, k);
    const bool nan = (word & top_position(f)) > infinity_position(f);
    marks[k] = static_cast<std::uint8_t>(nan ? 1 + 2 * ((word & sign_bit(f)) != 0) : 0);
    any |= nan;
  }
  return any;
}

inline void restore_nans(const Format& f, void* words, int bytes, std::size_t n,
                         const std::uint8_t* marks) {
  for (std::size_t k = 0; k < n; ++k)
    if (marks[k] != 0)
      put_code(words, bytes, k, nan_position(f) | ((marks[k] & 2) != 0 ? sign_bit(f) : 0));
}

}  // namespace detail

/// Quantise the stretch [job.begin, job.end): `there` rounds, `back` decodes into the source's type.
inline void quantize_stretch(const CastPlan& there, const CastPlan& back, CastJob& job) {
  alignas(64) std::uint64_t codes[kBlock];
  std::uint8_t marks[kBlock];
  const auto size = static_cast<std::size_t>(there.source_bytes);
  const bool propagates =
      there.options.nan == NanPolicy::kPropagate && !has_nan(there.target);
  for (std::size_t i = job.begin; i < job.end; i += kBlock) {
    const std::size_t n = smaller(kBlock, job.end - i);
    CastJob inner = job;
    inner.source = detail::advance(job.source, i * size);
    inner.target = codes;
    inner.begin = 0;
    inner.end = n;
    inner.key_offset = job.key_offset + i;
    if (job.random_bits != nullptr) inner.random_bits = job.random_bits + i;
    if (job.flags != nullptr) inner.flags = job.flags + i;
    inner.status = CastStatus{};
    const bool marked =
        propagates && detail::mark_nans(there.source, inner.source, there.source_bytes, n, marks);
    cast_stretch(there, inner);
    if (propagates) inner.status.nan_count = 0;
    merge(job.status, inner.status, i);
    CastJob outer;
    outer.source = codes;
    outer.target = detail::advance(job.target, i * size);
    outer.end = n;
    cast_stretch(back, outer);
    if (marked) detail::restore_nans(there.source, outer.target, there.source_bytes, n, marks);
  }
}

}  // namespace MINIFLOAT_ABI
}  // namespace minifloat
