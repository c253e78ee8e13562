#pragma once

#include "minifloat/kernels/arith/blocks.hpp"

/// The paths that run the scalar core: element by element, or once per pair of bytes into a table.

namespace minifloat {
inline namespace MINIFLOAT_ABI {
namespace arith {

/// Element i of a block through the scalar core; `drawn` is its noise, left-aligned in 64 bits.
inline Packed evaluate_at(const ArithPlan& plan, const ArithBlock& block, std::size_t i,
                          std::uint64_t drawn) {
  std::uint64_t codes[kMaxOperands] = {0, 0, 0};
  for (int k = 0; k < plan.count; ++k)
    codes[k] = minifloat::detail::code_at(block.operand[k], plan.operand_bytes[k], i);
  const Noise noise = {drawn, plan.finish.scalar_noise, plan.finish.options.table};
  return evaluate(plan.operation, codes[0], codes[1], codes[2], noise);
}

inline void scalar_block(const ArithPlan& plan, ArithJob& job, const ArithBlock& block,
                         std::uint64_t* noise_buffer) {
  const std::uint64_t* noise =
      minifloat::detail::noise_block(plan.finish, job.cast, block.begin, block.size, noise_buffer);
  for (std::size_t i = 0; i < block.size; ++i) {
    const Packed packed = evaluate_at(plan, block, i, noise == nullptr ? 0 : noise[i]);
    minifloat::detail::put_code(job.cast.target, plan.finish.target_bytes, block.begin + i,
                                packed.code);
    if (block.flags != nullptr) block.flags[i] = static_cast<std::uint8_t>(packed.flags);
  }
}

/// Fill the table of an operation on bytes. Codes with stray bits get the results of their content.
inline void fill_table(const ArithPlan& plan, std::uint16_t* table) {
  const std::uint64_t keep[2] = {~plan.stray_mask[0] & 0xFF, ~plan.stray_mask[1] & 0xFF};
  const std::size_t seconds = plan.count == 2 ? 256 : 1;
  for (std::size_t a = 0; a < 256; ++a) {
    for (std::size_t b = 0; b < seconds; ++b) {
      const Packed packed = evaluate(plan.operation, a & keep[0], b & keep[1], 0);
      table[(a << 8) | b] = static_cast<std::uint16_t>(packed.code | (packed.flags << 8));
    }
  }
}

inline void table_block(const ArithPlan& plan, ArithJob& job, const ArithBlock& block) {
  const std::uint16_t* MINIFLOAT_RESTRICT table = plan.table;
  const auto* MINIFLOAT_RESTRICT a = static_cast<const std::uint8_t*>(block.operand[0]);
  const auto* MINIFLOAT_RESTRICT b = static_cast<const std::uint8_t*>(block.operand[1]);
  auto* MINIFLOAT_RESTRICT out = static_cast<std::uint8_t*>(job.cast.target) + block.begin;
  std::uint8_t* MINIFLOAT_RESTRICT flags = block.flags;
  if (plan.count == 1) {
    for (std::size_t i = 0; i < block.size; ++i) {
      const std::uint16_t entry = table[std::size_t{a[i]} << 8];
      out[i] = static_cast<std::uint8_t>(entry);
      if (flags != nullptr) flags[i] = static_cast<std::uint8_t>(entry >> 8);
    }
  } else if (flags == nullptr) {
    for (std::size_t i = 0; i < block.size; ++i)
      out[i] = static_cast<std::uint8_t>(table[(std::size_t{a[i]} << 8) | b[i]]);
  } else {
    for (std::size_t i = 0; i < block.size; ++i) {
      const std::uint16_t entry = table[(std::size_t{a[i]} << 8) | b[i]];
      out[i] = static_cast<std::uint8_t>(entry);
      flags[i] = static_cast<std::uint8_t>(entry >> 8);
    }
  }
}

}  // namespace arith
}  // namespace MINIFLOAT_ABI
}  // namespace minifloat
