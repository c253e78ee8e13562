#pragma once

#include "minifloat/kernels/job.hpp"

/// Codes in arrays of 1-, 2-, 4- or 8-byte words: one at a time, and the check for stray bits.

namespace minifloat {
inline namespace MINIFLOAT_ABI {
namespace detail {

template <class Code>
void note_stray(const CastPlan& plan, const CastJob& job, std::size_t i, std::size_t n,
                CastStatus& status) {
  const Code mask = static_cast<Code>(plan.stray_mask);
  const Code* in = source_at<Code>(job, i);
  Code all = 0;
  for (std::size_t k = 0; k < n; ++k) all = static_cast<Code>(all | in[k]);
  if ((all & mask) == 0) return;
  for (std::size_t k = 0; k < n; ++k)
    if ((in[k] & mask) != 0) note(status.stray_count, status.stray_first, i + k, 1);
}

inline void check_stray(const CastPlan& plan, const CastJob& job, std::size_t i, std::size_t n,
                        CastStatus& status) {
  if (plan.stray_mask == 0) return;
  switch (plan.source_bytes) {
    case 1:
      return note_stray<std::uint8_t>(plan, job, i, n, status);
    case 2:
      return note_stray<std::uint16_t>(plan, job, i, n, status);
    case 4:
      return note_stray<std::uint32_t>(plan, job, i, n, status);
    default:
      return note_stray<std::uint64_t>(plan, job, i, n, status);
  }
}

inline std::uint64_t code_at(const void* codes, int bytes, std::size_t i) {
  switch (bytes) {
    case 1:
      return static_cast<const std::uint8_t*>(codes)[i];
    case 2:
      return static_cast<const std::uint16_t*>(codes)[i];
    case 4:
      return static_cast<const std::uint32_t*>(codes)[i];
    default:
      return static_cast<const std::uint64_t*>(codes)[i];
  }
}

inline void put_code(void* codes, int bytes, std::size_t i, std::uint64_t code) {
  switch (bytes) {
    case 1:
      static_cast<std::uint8_t*>(codes)[i] = static_cast<std::uint8_t>(code);
      break;
    case 2:
      static_cast<std::uint16_t*>(codes)[i] = static_cast<std::uint16_t>(code);
      break;
    case 4:
      static_cast<std::uint32_t*>(codes)[i] = static_cast<std::uint32_t>(code);
      break;
    default:
      static_cast<std::uint64_t*>(codes)[i] = code;
      break;
  }
}

}  // namespace detail
}  // namespace MINIFLOAT_ABI
}  // namespace minifloat
