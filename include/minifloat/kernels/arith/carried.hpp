#pragma once

#include "minifloat/kernels/arith/native.hpp"
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

/// The direct remainder, which needs no rounding, for carriers.
struct RemainderBlock {
  template <class Word>
  MINIFLOAT_INLINE static Word doubts(Word a, Word b, Word, Word) {
    return NativeRemainder::apply<Word>({}, a, b, 0).doubtful;
  }
  template <class Word>
  MINIFLOAT_INLINE static Transformed<Word> apply(const BlockSwitches<Word>& s, Word a, Word b,
                                                  Word) {
    const Operated<Word> x = NativeRemainder::apply<Word>(s, a, b, 0);
    return settle<Word>(x.bits, x.nans, x.invalid, 0);
  }
};

template <class Word, class Operate>
void transform_with(const ArithPlan& plan, const Word* const* x, Word* out, std::uint8_t* raised,
                    std::size_t n) {
  const BlockSwitches<Word>& s = switches_of<Word>(plan);
  if constexpr (sizeof(Word) == 4) {
    if (plan.doubts)
      return transform_block<Word, Operate, true>(s, x[0], x[1], x[2], out, raised, n);
  }
  transform_block<Word, Operate, false>(s, x[0], x[1], x[2], out, raised, n);
}

template <class Word>
void transform(const ArithPlan& plan, const Word* const* x, Word* out, std::uint8_t* raised,
               std::size_t n) {
  if constexpr (kFuses) {
    if (plan.operation.op == Op::kRemainder)
      return transform_with<Word, RemainderBlock>(plan, x, out, raised, n);
  }
  switch (plan.operation.op) {
    case Op::kMultiply:
      return transform_with<Word, MultiplyBlock>(plan, x, out, raised, n);
    case Op::kDivide:
      return transform_with<Word, DivideBlock>(plan, x, out, raised, n);
    case Op::kSquareRoot:
      return transform_with<Word, SquareRootBlock>(plan, x, out, raised, n);
    case Op::kMultiplyAdd:
      return transform_with<Word, MultiplyAddBlock>(plan, x, out, raised, n);
    default:
      return transform_with<Word, AddBlock>(plan, x, out, raised, n);
  }
}

/// Elements to do again.
inline std::size_t count_again(const std::uint8_t* raised, std::size_t n) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < n; ++i) count += raised[i] >> 7;
  return count;
}

/// Whether so many elements are doubtful that the wider carrier is faster than the scalar core.
constexpr bool are_many(std::size_t count, std::size_t n) { return count > n / 32; }

/// Load every operand of the block.
template <class Word>
void load_operands(const ArithPlan& plan, const ArithBlock& block, CarriedWorkspace<Word>& work,
                   const Word** operand) {
  for (int k = 0; k < plan.count; ++k)
    operand[k] =
        load_operand_block(load_of<Word>(plan, k), block.operand[k], work.operand[k], block.size);
  for (int k = plan.count; k < kMaxOperands; ++k) operand[k] = operand[0];
}

/// Do elements again by the scalar core: NaNs under a context with rules for them, values in a
/// zone, doubtful ones.
template <class Word>
void repair(const ArithPlan& plan, const ArithBlock& block, const CarriedWorkspace<Word>& work,
            const Word* noise, Word* positions) {
  const Word limit =
      plan.repairs_zone ? minifloat::detail::round_of<Word>(plan.finish).tiny_below.positive : 0;
  const Word largest = plan.repairs_nans ? kInfinityBits<Word> : static_cast<Word>(~Word{0});
  for (std::size_t i = 0; i < block.size; ++i) {
    const Word magnitude = magnitude_of<Word>(work.result[i]);
    const bool doubtful = (work.raised[i] & kAgain) != 0;
    if (!doubtful && magnitude <= largest && (magnitude >= limit || magnitude == 0)) continue;
    const std::uint64_t drawn =
        noise == nullptr ? 0 : std::uint64_t{noise[i]} << (64 - kWordBits<Word>);
    const Packed packed = evaluate_at(plan, block, i, drawn);
    positions[i] = static_cast<Word>(position_of_code(plan.finish.target, packed.code));
    if (block.flags != nullptr) block.flags[i] = static_cast<std::uint8_t>(packed.flags);
  }
}

/// False if too many elements are doubtful: the block should take the wider carrier.
template <class Word>
bool try_carried_block(const ArithPlan& plan, ArithJob& job, const ArithBlock& block,
                       CarriedWorkspace<Word>& work) {
  const std::size_t n = block.size;
  const Word* operand[kMaxOperands];
  load_operands<Word>(plan, block, work, operand);
  transform<Word>(plan, operand, work.result, work.raised, n);
  const bool doubts = sizeof(Word) == 4 && plan.doubts;
  const std::size_t again = doubts ? count_again(work.raised, n) : 0;
  if (plan.carries_wider && are_many(again, n)) return false;
  const Word* noise =
      minifloat::detail::noise_block(plan.finish, job.cast, block.begin, n, work.noise);
  Word* positions = work.operand[0];
  minifloat::detail::round_any<Word>(plan.finish, {work.result, noise, positions, block.flags, n});
  if (block.flags != nullptr) {
    std::uint8_t* MINIFLOAT_RESTRICT flags = block.flags;
    for (std::size_t i = 0; i < n; ++i)
      flags[i] = static_cast<std::uint8_t>(flags[i] | work.raised[i]);
  }
  if (plan.repairs_nans || plan.repairs_zone || again != 0)
    repair<Word>(plan, block, work, noise, positions);
  minifloat::detail::store_block(plan.finish, positions, job.cast.target, block.begin, n);
  return true;
}

}  // namespace arith
}  // namespace MINIFLOAT_ABI
}  // namespace minifloat
