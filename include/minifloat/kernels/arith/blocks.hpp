#pragma once

#include "minifloat/kernels/arith/plan.hpp"

/// What every path needs of a block: its operands, flags and noise.

namespace minifloat {

/// The operands of a block, repeated ones spread out, and where its flags go.
struct ArithBlock {
  const void* operand[kMaxOperands] = {nullptr, nullptr, nullptr};
  std::uint8_t* flags = nullptr;  ///< nullptr if nobody wants them
  std::size_t begin = 0, size = 0;
};

struct ArithWorkspace {
  alignas(64) std::uint64_t repeated[kMaxOperands][kBlock];
  alignas(64) std::uint8_t flags[kBlock];
};

inline namespace MINIFLOAT_ABI {
namespace arith {

template <class Code>
void fill_codes(void* out, const void* in, std::size_t n) {
  const Code code = *static_cast<const Code*>(in);
  Code* words = static_cast<Code*>(out);
  for (std::size_t k = 0; k < n; ++k) words[k] = code;
}

inline void spread_code(int bytes, void* out, const void* in) {
  switch (bytes) {
    case 1:
      return fill_codes<std::uint8_t>(out, in, kBlock);
    case 2:
      return fill_codes<std::uint16_t>(out, in, kBlock);
    case 4:
      return fill_codes<std::uint32_t>(out, in, kBlock);
    default:
      return fill_codes<std::uint64_t>(out, in, kBlock);
  }
}

/// Once per stretch: the operands that count for all elements.
inline void spread_repeated(const ArithPlan& plan, const ArithJob& job, ArithWorkspace& work) {
  for (int k = 0; k < plan.count; ++k)
    if (job.repeats[k]) spread_code(plan.operand_bytes[k], work.repeated[k], job.sources[k]);
}

inline ArithBlock block_at(const ArithPlan& plan, const ArithJob& job, ArithWorkspace& work,
                           std::size_t i, std::size_t n) {
  ArithBlock block;
  for (int k = 0; k < plan.count; ++k) {
    const std::size_t offset =
        job.repeats[k] ? 0 : i * static_cast<std::size_t>(plan.operand_bytes[k]);
    block.operand[k] = static_cast<const std::uint8_t*>(job.sources[k]) + offset;
    if (job.repeats[k]) block.operand[k] = work.repeated[k];
  }
  const bool wanted = job.cast.flags != nullptr || job.cast.counts_flags || plan.raises_nan;
  if (wanted) block.flags = job.cast.flags != nullptr ? job.cast.flags + i : work.flags;
  block.begin = i;
  block.size = n;
  return block;
}

template <class Code>
std::uint64_t all_bits(const void* codes, std::size_t n) {
  const Code* in = static_cast<const Code*>(codes);
  Code all = 0;
  for (std::size_t k = 0; k < n; ++k) all = static_cast<Code>(all | in[k]);
  return all;
}

inline std::uint64_t all_bits(int bytes, const void* codes, std::size_t n) {
  switch (bytes) {
    case 1:
      return all_bits<std::uint8_t>(codes, n);
    case 2:
      return all_bits<std::uint16_t>(codes, n);
    case 4:
      return all_bits<std::uint32_t>(codes, n);
    default:
      return all_bits<std::uint64_t>(codes, n);
  }
}

/// Note codes with bits outside their format.
inline void note_stray_operands(const ArithPlan& plan, const ArithBlock& block,
                                CastStatus& status) {
  for (int k = 0; k < plan.count; ++k) {
    const std::uint64_t mask = plan.stray_mask[k];
    if (mask == 0) continue;
    if ((all_bits(plan.operand_bytes[k], block.operand[k], block.size) & mask) == 0) continue;
    for (std::size_t i = 0; i < block.size; ++i)
      if ((minifloat::detail::code_at(block.operand[k], plan.operand_bytes[k], i) & mask) != 0)
        minifloat::detail::note(status.stray_count, status.stray_first, block.begin + i, 1);
  }
}

/// Pass on the flags of a finished block.
inline void note_block_flags(const ArithPlan& plan, ArithJob& job, const ArithBlock& block) {
  if (block.flags == nullptr) return;
  if (job.cast.counts_flags)
    minifloat::detail::note_flags(block.flags, block.begin, block.size, job.cast.status);
  if (!plan.raises_nan) return;
  for (std::size_t i = 0; i < block.size; ++i)
    if ((block.flags[i] & kInvalid) != 0)
      minifloat::detail::note(job.cast.status.nan_count, job.cast.status.nan_first, block.begin + i,
                              1);
}

}  // namespace arith
}  // namespace MINIFLOAT_ABI
}  // namespace minifloat
