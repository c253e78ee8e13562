#pragma once

#include "minifloat/kernels/arith/scalar.hpp"

/// The paths on carriers: load, operate, round, store, each a loop over a block; then the few
/// elements that the scalar core must do again.

namespace minifloat {

template <class Word>
struct CarriedWorkspace {
  alignas(64) Word operand[kMaxOperands][kBlock];
  alignas(64) Word result[kBlock];
  alignas(64) Word noise[kBlock + 128];
  alignas(64) std::uint8_t raised[kBlock];
  const Word* loaded[kMaxOperands];
};

inline namespace MINIFLOAT_ABI {
namespace arith {

template <class Word>
constexpr const OperandLoad<Word>& load_of(const ArithPlan& plan, int k) {
  if constexpr (sizeof(Word) == 4)
    return plan.load32[k];
  else
    return plan.load64[k];
}

template <class Word>
constexpr const BlockSwitches<Word>& switches_of(const ArithPlan& plan) {
  if constexpr (sizeof(Word) == 4)
    return plan.switches32;
  else
    return plan.switches64;
}

template <class Word>
void transform(const ArithPlan& plan, const Word* a, const Word* b, const Word* c, Word* out,
               std::uint8_t* raised, std::size_t n) {
  const BlockSwitches<Word>& s = switches_of<Word>(plan);
  switch (plan.operation.op) {
    case Op::kMultiply:
      return transform_block<Word, MultiplyBlock>(s, a, b, c, out, raised, n);
    case Op::kDivide:
      return transform_block<Word, DivideBlock>(s, a, b, c, out, raised, n);
    case Op::kSquareRoot:
      return transform_block<Word, SquareRootBlock>(s, a, b, c, out, raised, n);
    case Op::kMultiplyAdd:
      return transform_block<Word, MultiplyAddBlock>(s, a, b, c, out, raised, n);
    default:
      return transform_block<Word, AddBlock>(s, a, b, c, out, raised, n);
  }
}

/// Do elements again by the scalar core: NaNs under a context with rules for them, values in a
/// zone.
template <class Word>
void repair(const ArithPlan& plan, const ArithBlock& block, const Word* result, const Word* noise,
            Word* positions) {
  const Word limit =
      plan.repairs_zone ? minifloat::detail::round_of<Word>(plan.finish).tiny_below.positive : 0;
  const Word largest = plan.repairs_nans ? kInfinityBits<Word> : static_cast<Word>(~Word{0});
  for (std::size_t i = 0; i < block.size; ++i) {
    const Word magnitude = magnitude_of<Word>(result[i]);
    if (magnitude <= largest && (magnitude >= limit || magnitude == 0)) continue;
    const std::uint64_t drawn =
        noise == nullptr ? 0 : std::uint64_t{noise[i]} << (64 - kWordBits<Word>);
    const Packed packed = evaluate_at(plan, block, i, drawn);
    positions[i] = static_cast<Word>(position_of_code(plan.finish.target, packed.code));
    if (block.flags != nullptr) block.flags[i] = static_cast<std::uint8_t>(packed.flags);
  }
}

template <class Word>
void load_operands(const ArithPlan& plan, const ArithBlock& block, CarriedWorkspace<Word>& work) {
  for (int k = 0; k < plan.count; ++k)
    work.loaded[k] =
        load_operand_block(load_of<Word>(plan, k), block.operand[k], work.operand[k], block.size);
  for (int k = plan.count; k < kMaxOperands; ++k) work.loaded[k] = work.loaded[0];
}

/// Operands are loaded.
template <class Word>
void carried_block(const ArithPlan& plan, ArithJob& job, const ArithBlock& block,
                   CarriedWorkspace<Word>& work) {
  const std::size_t n = block.size;
  transform<Word>(plan, work.loaded[0], work.loaded[1], work.loaded[2], work.result, work.raised,
                  n);
  const Word* noise =
      minifloat::detail::noise_block(plan.finish, job.cast, block.begin, n, work.noise);
  Word* positions = work.operand[0];
  minifloat::detail::round_any<Word>(plan.finish, {work.result, noise, positions, block.flags, n});
  if (block.flags != nullptr) {
    std::uint8_t* MINIFLOAT_RESTRICT flags = block.flags;
    for (std::size_t i = 0; i < n; ++i)
      flags[i] = static_cast<std::uint8_t>(flags[i] | work.raised[i]);
  }
  if (plan.repairs_nans || plan.repairs_zone)
    repair<Word>(plan, block, work.result, noise, positions);
  minifloat::detail::store_block(plan.finish, positions, job.cast.target, block.begin, n);
}

}  // namespace arith
}  // namespace MINIFLOAT_ABI
}  // namespace minifloat
