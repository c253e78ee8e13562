#pragma once

#include <array>
#include <cmath>

#include "minifloat/kernels/arith/scalar.hpp"

/// float32 and float64 in their own arithmetic, where all operands of a block are of moderate size:
/// then nothing overflows or is tiny, the hardware's nearest result has an exact error, and the
/// sign of that error tells the directed modes which neighbour to take.

namespace minifloat {
inline namespace MINIFLOAT_ABI {
namespace arith {

#if defined(__FMA__) || defined(__aarch64__)
inline constexpr bool kHasFma = true;
#else
inline constexpr bool kHasFma = false;
#endif

/// Magnitudes whose products, quotients and their errors stay far from both ends.
template <class Word>
inline constexpr Word kModerateLow =
    static_cast<Word>(sizeof(Word) == 4 ? 127 - 50 : 1023 - 400) << Carrier<Word>::kTrailing;
template <class Word>
inline constexpr Word kModerateHigh =
    static_cast<Word>(sizeof(Word) == 4 ? 127 + 50 : 1023 + 400) << Carrier<Word>::kTrailing;

/// Whether every value is zero or moderate; `refuse_zero` and `refuse_sign` for divisors and roots.
template <class Word>
bool all_moderate(const Word* MINIFLOAT_RESTRICT words, std::size_t n, bool refuse_zero,
                  bool refuse_sign) {
  const Word zero_too = refuse_zero ? 0 : static_cast<Word>(~Word{0});
  const Word sign = refuse_sign ? kSignMask<Word> : 0;
  Word wild = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Word magnitude = magnitude_of<Word>(words[i]);
    const Word outside =
        mask_if<Word>(magnitude - kModerateLow<Word> >= kModerateHigh<Word> - kModerateLow<Word>);
    wild |= (outside & ~(mask_if<Word>(magnitude == 0) & zero_too)) | (words[i] & sign);
  }
  return wild == 0;
}

inline bool operands_are_moderate(Op op, const std::uint32_t* const* operand, int count,
                                  std::size_t n) {
  for (int k = 0; k < count; ++k)
    if (!all_moderate(operand[k], n, op == Op::kDivide && k == 1, op == Op::kSquareRoot))
      return false;
  return true;
}

inline bool operands_are_moderate(Op op, const std::uint64_t* const* operand, int count,
                                  std::size_t n) {
  for (int k = 0; k < count; ++k)
    if (!all_moderate(operand[k], n, op == Op::kDivide && k == 1, op == Op::kSquareRoot))
      return false;
  return true;
}

/// x * y + z in one rounding; float32 has float64 to do it exactly without the instruction.
MINIFLOAT_INLINE float exact_residual(float x, float y, float z) {
#if defined(__FMA__) || defined(__aarch64__)
  return __builtin_fmaf(x, y, z);
#else
  return static_cast<float>(static_cast<double>(x) * static_cast<double>(y) +
                            static_cast<double>(z));
#endif
}
MINIFLOAT_INLINE double exact_residual(double x, double y, double z) { return std::fma(x, y, z); }

/// The nearest result and what is missing from it to the exact one (only its sign and being zero
/// matter).
template <class Word>
struct Approximation {
  Word nearest, missing;
};

struct NativeAdd {
  template <class Word>
  MINIFLOAT_INLINE static Approximation<Word> apply(const BlockSwitches<Word>& s, Word a, Word b,
                                                    Word) {
    using Float = typename Carrier<Word>::Float;
    b ^= s.flip_last;
    const Float x = bit_cast<Float>(a);
    const Float y = bit_cast<Float>(b);
    const Float sum = x + y;
    const Float part = sum - x;
    const Float error = (x - (sum - part)) + (y - part);
    const Word bits = bit_cast<Word>(sum);
    const Word cancelled = mask_if<Word>(magnitude_of<Word>(bits) == 0) & (a ^ b);
    return {bits | (cancelled & s.negative_cancellation), bit_cast<Word>(error)};
  }
};

struct NativeMultiply {
  template <class Word>
  MINIFLOAT_INLINE static Approximation<Word> apply(const BlockSwitches<Word>&, Word a, Word b,
                                                    Word) {
    using Float = typename Carrier<Word>::Float;
    const Float product = bit_cast<Float>(a) * bit_cast<Float>(b);
    const Float error = exact_residual(bit_cast<Float>(a), bit_cast<Float>(b), -product);
    return {bit_cast<Word>(product), bit_cast<Word>(error)};
  }
};

struct NativeDivide {
  template <class Word>
  MINIFLOAT_INLINE static Approximation<Word> apply(const BlockSwitches<Word>&, Word a, Word b,
                                                    Word) {
    using Float = typename Carrier<Word>::Float;
    const Float quotient = bit_cast<Float>(a) / bit_cast<Float>(b);
    const Float rest = exact_residual(-quotient, bit_cast<Float>(b), bit_cast<Float>(a));
    return {bit_cast<Word>(quotient), bit_cast<Word>(rest) ^ (b & kSignMask<Word>)};
  }
};

struct NativeSquareRoot {
  template <class Word>
  MINIFLOAT_INLINE static Approximation<Word> apply(const BlockSwitches<Word>&, Word a, Word,
                                                    Word) {
    using Float = typename Carrier<Word>::Float;
    const Float root = std::sqrt(bit_cast<Float>(a));
    const Float rest = exact_residual(-root, root, bit_cast<Float>(a));
    return {bit_cast<Word>(root), bit_cast<Word>(rest)};
  }
};

/// The sum of two floats as their nearest sum and what is missing from it.
template <class Float>
struct ExactPair {
  Float sum, rest;
};

template <class Float>
MINIFLOAT_INLINE ExactPair<Float> two_sum(Float x, Float y) {
  const Float sum = x + y;
  const Float part = sum - x;
  return {sum, (x - (sum - part)) + (y - part)};
}

/// The error of a fused multiply-add after Boldo and Muller (2011): two floats whose sum it is.
struct NativeMultiplyAdd {
  template <class Word>
  MINIFLOAT_INLINE static Approximation<Word> apply(const BlockSwitches<Word>& s, Word a, Word b,
                                                    Word c) {
    using Float = typename Carrier<Word>::Float;
    a ^= s.flip_first;
    c ^= s.flip_last;
    const Float x = bit_cast<Float>(a);
    const Float y = bit_cast<Float>(b);
    const Float z = bit_cast<Float>(c);
    const Float nearest = fused(x, y, z);
    const Float product = x * y;
    const auto [low, rest] = two_sum<Float>(z, fused(x, y, -product));
    const auto [high, middle] = two_sum<Float>(product, low);
    const Float error = ((high - nearest) + middle) + rest;
    const Word bits = bit_cast<Word>(nearest);
    const Word cancelled = mask_if<Word>(magnitude_of<Word>(bits) == 0) & (a ^ b ^ c);
    return {bits | (cancelled & s.negative_cancellation), bit_cast<Word>(error)};
  }

 private:
  MINIFLOAT_INLINE static float fused(float x, float y, float z) { return std::fma(x, y, z); }
  MINIFLOAT_INLINE static double fused(double x, double y, double z) { return std::fma(x, y, z); }
};

template <class Word, class Operate>
void native_loop(const BlockSwitches<Word>& switches, const RoundingRule<Word>& rounding,
                 const Word* a, const Word* b, const Word* c, Word* MINIFLOAT_RESTRICT out,
                 std::uint8_t* MINIFLOAT_RESTRICT flags, std::size_t n) {
  const BlockSwitches<Word> s = switches;
  const RoundingRule<Word> rule = rounding;
  for (std::size_t i = 0; i < n; ++i) {
    const Approximation<Word> x = Operate::template apply<Word>(s, a[i], b[i], c[i]);
    const Word inexact = Word{magnitude_of<Word>(x.missing) != 0};
    const Word overshot = (x.missing ^ x.nearest) >> (kWordBits<Word> - 1);
    const Word below = x.nearest - (inexact & overshot);
    const Word negative = static_cast<Word>(-(x.nearest >> (kWordBits<Word> - 1)));
    const Word full = rule.full ^ (negative & rule.full_flip_negative) ^
                      (static_cast<Word>(-(below & 1)) & rule.full_flip_odd);
    out[i] = select<Word>(rule.half, x.nearest, below + (inexact & full));
    flags[i] = static_cast<std::uint8_t>(inexact * kInexact);
  }
}

template <class Word>
void native_operation(const ArithPlan& plan, const Word* const* x, Word* out, std::uint8_t* flags,
                      std::size_t n) {
  const auto [a, b, c] = std::array<const Word*, kMaxOperands>{x[0], x[1], x[2]};
  const BlockSwitches<Word> s = block_switches<Word>(plan.operation);
  const RoundingRule<Word> rule = rounding_rule<Word>(plan.finish.options.mode);
  switch (plan.operation.op) {
    case Op::kMultiply:
      return native_loop<Word, NativeMultiply>(s, rule, a, b, c, out, flags, n);
    case Op::kDivide:
      return native_loop<Word, NativeDivide>(s, rule, a, b, c, out, flags, n);
    case Op::kSquareRoot:
      return native_loop<Word, NativeSquareRoot>(s, rule, a, b, c, out, flags, n);
    case Op::kMultiplyAdd:
      return native_loop<Word, NativeMultiplyAdd>(s, rule, a, b, c, out, flags, n);
    default:
      return native_loop<Word, NativeAdd>(s, rule, a, b, c, out, flags, n);
  }
}

/// Whether the block was done: all its operands are moderate. The target is written only then.
template <class Word>
bool native_block(const ArithPlan& plan, ArithJob& job, const ArithBlock& block) {
  const Op op = plan.operation.op;
  const bool fuses =
      op == Op::kMultiplyAdd || (sizeof(Word) == 8 && op != Op::kAdd && op != Op::kSubtract);
  if (fuses && !kHasFma) return false;  // the library's is exact, but slower than the scalar core
  const Word* operand[kMaxOperands];
  for (int k = 0; k < kMaxOperands; ++k)
    operand[k] = static_cast<const Word*>(block.operand[k < plan.count ? k : 0]);
  if (!operands_are_moderate(plan.operation.op, operand, plan.count, block.size)) return false;
  alignas(64) Word out[kBlock];
  alignas(64) std::uint8_t spare[kBlock];
  native_operation<Word>(plan, operand, out, block.flags != nullptr ? block.flags : spare,
                         block.size);
  std::memcpy(static_cast<Word*>(job.cast.target) + block.begin, out, block.size * sizeof(Word));
  return true;
}

}  // namespace arith
}  // namespace MINIFLOAT_ABI
}  // namespace minifloat
