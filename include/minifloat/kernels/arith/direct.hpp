#pragma once

#include "minifloat/kernels/arith/carried.hpp"
#include "minifloat/kernels/arith/native.hpp"

/// The direct paths: results in float32 or float64 themselves, one loop over a block, from
/// operation to code and flags.

namespace minifloat {
inline namespace MINIFLOAT_ABI {
namespace arith {

/// Ties to even under IEEE 754's own overflow: the hardware's result is the result.
struct NearestFinish {
  template <class Word>
  MINIFLOAT_INLINE static Transformed<Word> apply(const RoundParams<Word>&,
                                                  const Operated<Word>& x) {
    const Word magnitude = magnitude_of<Word>(x.bits);
    const Word is_finite = mask_if<Word>(magnitude < kInfinityBits<Word>);
    const Word inexact = mask_if<Word>(magnitude_of<Word>(x.error) != 0) & is_finite;
    const Word over = mask_if<Word>(magnitude == kInfinityBits<Word>) & x.finite;
    return {x.bits, ((inexact | over) & kInexact) | (over & kOverflow) | (x.doubtful & kAgain)};
  }
};

/// Whether the error is half a unit: twice of it leads to the neighbour. Never if it is no error.
template <class Word>
MINIFLOAT_INLINE Word is_tie(const Operated<Word>& x) {
  const auto nearest = float_of<Word>(x.bits);
  const auto twice = float_of<Word>(x.error) + float_of<Word>(x.error);
  const auto other = nearest + twice;
  return mask_if<Word>(other - nearest == twice) & mask_if<Word>(other != nearest) &
         mask_if<Word>(magnitude_of<Word>(x.tail) == 0);
}

/// Any rule and range: cut off towards zero, then move up where the mode says so.
struct GeneralFinish {
  template <class Word>
  MINIFLOAT_INLINE static Transformed<Word> apply(const RoundParams<Word>& p,
                                                  const Operated<Word>& x) {
    const RoundingRule<Word>& rule = p.rule;
    const Word magnitude = magnitude_of<Word>(x.bits);
    const Word sign = x.bits & kSignMask<Word>;
    const Word negative = static_cast<Word>(-(sign >> (kWordBits<Word> - 1)));
    const Word is_finite = mask_if<Word>(magnitude < kInfinityBits<Word>);
    const Word is_infinite = mask_if<Word>(magnitude == kInfinityBits<Word>);
    const Word inexact = mask_if<Word>(magnitude_of<Word>(x.error) != 0) & is_finite;
    const Word overshot = (x.error ^ x.bits) >> (kWordBits<Word> - 1);
    const Word below = magnitude - (overshot & inexact);
    const Word odd = below & 1;
    const Word full = rule.full ^ (negative & rule.full_flip_negative) ^
                      (static_cast<Word>(-odd) & rule.full_flip_odd);
    const Word nearest = select<Word>(
        is_tie<Word>(x) & inexact, below + (rule.carry ^ (odd & rule.carry_flip_odd)), magnitude);
    const Word position = select<Word>(rule.half, nearest, below + (inexact & full & 1));
    const Word exploded = is_infinite & x.finite;
    const Word over = exploded | (mask_if<Word>(position > p.max_position.positive) & is_finite);
    Word bits = position | sign;
    bits = select<Word>(is_infinite, pick(p.infinity, negative), bits);
    bits = select<Word>(over, pick(p.overflow, negative), bits);
    // Where ties do not go up, an infinite result need not have overflown.
    const Word sure = rule.half & static_cast<Word>(-(rule.carry | rule.carry_flip_odd));
    const Word doubtful = x.doubtful | (exploded & ~sure);
    return {bits, ((inexact | over) & kInexact) | (over & kOverflow) | (doubtful & kAgain)};
  }
};

template <class Word, class Operate, class Finish>
void direct_block(const RoundParams<Word>& params, const BlockSwitches<Word>& switches,
                  const Word* a, const Word* b, const Word* c, Word* MINIFLOAT_RESTRICT out,
                  std::uint8_t* MINIFLOAT_RESTRICT raised, std::size_t n) {
  const RoundParams<Word> p = params;
  const BlockSwitches<Word> s = switches;
  for (std::size_t i = 0; i < n; ++i) {
    const Operated<Word> x = Operate::template apply<Word>(s, a[i], b[i], c[i]);
    const Transformed<Word> finished = Finish::template apply<Word>(p, x);
    const Word nan = nan_mask<Word>(x.bits);
    const Word invalid = ((nan & ~x.nans) | x.invalid) & kInvalid;
    out[i] = select<Word>(nan, kInfinityBits<Word> | kQuietBit<Word>, finished.bits);
    raised[i] = static_cast<std::uint8_t>(finished.raised | x.raised | invalid |
                                          (nan & s.nan_again & kAgain));
  }
}

template <class Word, class Operate>
void direct_block(const ArithPlan& plan, const Word* const* x, Word* out, std::uint8_t* raised,
                  std::size_t n) {
  const RoundParams<Word>& p = minifloat::detail::round_of<Word>(plan.finish);
  const BlockSwitches<Word>& s = switches_of<Word>(plan);
  if (plan.finish.options.mode == Rounding::kTiesToEven &&
      plan.finish.options.overflow == Overflow::kIeee)
    direct_block<Word, Operate, NearestFinish>(p, s, x[0], x[1], x[2], out, raised, n);
  else
    direct_block<Word, Operate, GeneralFinish>(p, s, x[0], x[1], x[2], out, raised, n);
}

/// Whether this instruction set computes the operation directly.
constexpr bool operates_directly(Op op) { return kFuses || op == Op::kAdd || op == Op::kSubtract; }

template <class Word>
void operate_directly(const ArithPlan& plan, const Word* const* x, Word* out, std::uint8_t* raised,
                      std::size_t n) {
  if constexpr (kFuses) {
    switch (plan.operation.op) {
      case Op::kMultiply:
        return direct_block<Word, NativeMultiply>(plan, x, out, raised, n);
      case Op::kDivide:
        return direct_block<Word, NativeDivide>(plan, x, out, raised, n);
      case Op::kSquareRoot:
        return direct_block<Word, NativeSquareRoot>(plan, x, out, raised, n);
      case Op::kMultiplyAdd:
        return direct_block<Word, NativeMultiplyAdd>(plan, x, out, raised, n);
      case Op::kRemainder:
        return direct_block<Word, NativeRemainder>(plan, x, out, raised, n);
      default:
        break;
    }
  }
  direct_block<Word, NativeAdd>(plan, x, out, raised, n);
}

/// A block whose results are the carrier's floats. False if it should take the wider carrier.
template <class Word>
bool try_direct_block(const ArithPlan& plan, ArithJob& job, const ArithBlock& block,
                      CarriedWorkspace<Word>& work) {
  const std::size_t n = block.size;
  const Word* operand[kMaxOperands];
  load_operands<Word>(plan, block, work, operand);
  operate_directly<Word>(plan, operand, work.result, work.raised, n);
  const std::size_t again = count_again(work.raised, n);
  if (plan.carries_wider && are_many(again, n)) return false;
  if (again != 0) {
    for (std::size_t i = 0; i < n; ++i) {
      if ((work.raised[i] & kAgain) == 0) continue;
      const Packed packed = evaluate_at(plan, block, i, 0);
      work.result[i] = static_cast<Word>(packed.code);
      work.raised[i] = static_cast<std::uint8_t>(packed.flags);
    }
  }
  std::memcpy(static_cast<Word*>(job.cast.target) + block.begin, work.result, n * sizeof(Word));
  if (block.flags != nullptr) std::memcpy(block.flags, work.raised, n);
  return true;
}

}  // namespace arith
}  // namespace MINIFLOAT_ABI
}  // namespace minifloat
