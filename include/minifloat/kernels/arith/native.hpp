#pragma once

#include "minifloat/kernels/arith/transform.hpp"

/// One operation whose result is the carrier's own format: the hardware's result and the sign of
/// its exact error, from which the modes that cut off follow, while its size shows ties.
///
/// Sums take the error of Knuth's TwoSum; products, quotients and roots the residual of a fused
/// multiply-add, which is exact unless it underflows; fused multiply-adds the error by Boldo and
/// Muller. Where an error cannot be trusted the element is doubtful, and done again.

namespace minifloat {
inline namespace MINIFLOAT_ABI {
namespace arith {

#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
inline constexpr bool kFuses = true;
#else
inline constexpr bool kFuses = false;
#endif

/// What the hardware says of one element; all but `bits` and `error` are masks, `raised` flags.
template <class Word>
struct Operated {
  Word bits;     ///< the nearest result
  Word error;    ///< what it lacks, or a float of its sign
  Word finite;   ///< whether the operands are: infinite results are overflows then
  Word nans;     ///< whether an operand is NaN
  Word invalid;  ///< whether an operand signals
  Word doubtful;
  Word raised = 0;
  Word tail = 0;  ///< what the error lacks; not zero where that is never half a unit
};

template <class Word>
MINIFLOAT_INLINE typename Carrier<Word>::Float float_of(Word bits) {
  return bit_cast<typename Carrier<Word>::Float>(bits);
}

MINIFLOAT_INLINE float fused(float x, float y, float z) { return std::fma(x, y, z); }
MINIFLOAT_INLINE double fused(double x, double y, double z) { return std::fma(x, y, z); }

template <class Float>
struct Sum {
  Float nearest, error;
};

template <class Float>
MINIFLOAT_INLINE Sum<Float> two_sum(Float x, Float y) {
  const Float sum = x + y;
  const Float part = sum - x;
  return {sum, (x - (sum - part)) + (y - part)};
}

template <class Word>
MINIFLOAT_INLINE Word is_untrusted(Word bits) {
  return mask_if<Word>(magnitude_of<Word>(bits) < kTrustedBits<Word>);
}

template <class Word>
MINIFLOAT_INLINE Word is_beyond(Word bits) {
  return mask_if<Word>(magnitude_of<Word>(bits) >= kInfinityBits<Word>);
}

struct NativeAdd {
  static constexpr bool kNeedsFma = false;
  template <class Word>
  MINIFLOAT_INLINE static Operated<Word> apply(const BlockSwitches<Word>& s, Word a, Word b, Word) {
    b ^= s.flip_last;
    const auto sum = two_sum(float_of<Word>(a), float_of<Word>(b));
    Word bits = bit_cast<Word>(sum.nearest);
    const Word error = bit_cast<Word>(sum.error);
    bits |= mask_if<Word>(magnitude_of<Word>(bits) == 0) & (a ^ b) & s.negative_cancellation;
    const Word top = larger(magnitude_of<Word>(a), magnitude_of<Word>(b));
    return {bits,
            error,
            mask_if<Word>(top < kInfinityBits<Word>),
            mask_if<Word>(top > kInfinityBits<Word>),
            signaling_mask<Word>(a) | signaling_mask<Word>(b),
            is_beyond<Word>(error) & ~is_beyond<Word>(bits)};
  }
};

struct NativeMultiply {
  static constexpr bool kNeedsFma = true;
  template <class Word>
  MINIFLOAT_INLINE static Operated<Word> apply(const BlockSwitches<Word>&, Word a, Word b, Word) {
    const auto x = float_of<Word>(a), y = float_of<Word>(b);
    const auto product = x * y;
    const Word bits = bit_cast<Word>(product);
    const Word top = larger(magnitude_of<Word>(a), magnitude_of<Word>(b));
    const Word low = smaller(magnitude_of<Word>(a), magnitude_of<Word>(b));
    return {bits,
            bit_cast<Word>(fused(x, y, -product)),
            mask_if<Word>(top < kInfinityBits<Word>),
            mask_if<Word>(top > kInfinityBits<Word>),
            signaling_mask<Word>(a) | signaling_mask<Word>(b),
            mask_if<Word>(low != 0) & is_untrusted<Word>(bits)};
  }
};

struct NativeDivide {
  static constexpr bool kNeedsFma = true;
  template <class Word>
  MINIFLOAT_INLINE static Operated<Word> apply(const BlockSwitches<Word>&, Word a, Word b, Word) {
    const auto x = float_of<Word>(a), y = float_of<Word>(b);
    const auto quotient = x / y;
    const Word bits = bit_cast<Word>(quotient);
    const Word top = larger(magnitude_of<Word>(a), magnitude_of<Word>(b));
    const Word finite = mask_if<Word>(top < kInfinityBits<Word>);
    const Word nonzero = mask_if<Word>(magnitude_of<Word>(a) != 0);
    const Word by_zero = mask_if<Word>(magnitude_of<Word>(b) == 0);
    const Word residual = bit_cast<Word>(fused(-quotient, y, x)) ^ (b & kSignMask<Word>);
    return {bits,
            residual & finite,
            finite & ~by_zero,
            mask_if<Word>(top > kInfinityBits<Word>),
            signaling_mask<Word>(a) | signaling_mask<Word>(b),
            finite & nonzero & ~by_zero & (is_untrusted<Word>(a) | is_untrusted<Word>(bits)),
            finite & nonzero & by_zero & kDivideByZero,
            1};
  }
};

struct NativeSquareRoot {
  static constexpr bool kNeedsFma = true;
  template <class Word>
  MINIFLOAT_INLINE static Operated<Word> apply(const BlockSwitches<Word>&, Word a, Word, Word) {
    const Word magnitude = magnitude_of<Word>(a);
    const auto x = float_of<Word>(magnitude);
    const auto root = std::sqrt(x);
    const Word nonzero = mask_if<Word>(magnitude != 0);
    const Word finite = mask_if<Word>(magnitude < kInfinityBits<Word>);
    const Word negative = mask_if<Word>((a & kSignMask<Word>) != 0) & nonzero;
    const Word residual = bit_cast<Word>(fused(-root, root, x)) & finite;
    const Word bits = bit_cast<Word>(root) | (a & kSignMask<Word>) |
                      (negative & (kInfinityBits<Word> | kQuietBit<Word>));
    return {bits,
            residual,
            finite,
            mask_if<Word>(magnitude > kInfinityBits<Word>),
            signaling_mask<Word>(a),
            nonzero & ~negative & is_untrusted<Word>(a),
            0,
            1};
  }
};

struct NativeMultiplyAdd {
  static constexpr bool kNeedsFma = true;
  template <class Word>
  MINIFLOAT_INLINE static Operated<Word> apply(const BlockSwitches<Word>& s, Word a, Word b,
                                               Word c) {
    a ^= s.flip_first;
    c ^= s.flip_last;
    const auto x = float_of<Word>(a), y = float_of<Word>(b), z = float_of<Word>(c);
    const auto result = fused(x, y, z);
    const auto product = x * y;
    const auto inner = two_sum(z, fused(x, y, -product));
    const auto outer = two_sum(product, inner.nearest);
    const auto part = (outer.nearest - result) + outer.error;
    const auto error = part + inner.error;
    const auto tail = inner.error - (error - part);
    Word bits = bit_cast<Word>(result);
    const Word product_bits = bit_cast<Word>(product);
    const Word factors = larger(magnitude_of<Word>(a), magnitude_of<Word>(b));
    const Word top = larger(factors, magnitude_of<Word>(c));
    const Word low = smaller(magnitude_of<Word>(a), magnitude_of<Word>(b));
    const Word finite = mask_if<Word>(top < kInfinityBits<Word>);
    const Word unlike = a ^ b ^ c;
    bits |= mask_if<Word>(magnitude_of<Word>(bits) == 0) & unlike & s.negative_cancellation;
    const Word doubtful =
        (mask_if<Word>(low != 0) & (is_untrusted<Word>(product_bits) | is_untrusted<Word>(bits) |
                                    is_beyond<Word>(product_bits))) |
        (is_beyond<Word>(bit_cast<Word>(error)) & ~is_beyond<Word>(bits));
    const Word forbidden =  // infinity times zero
        nan_mask<Word>(product_bits) & mask_if<Word>(factors == kInfinityBits<Word>);
    return {bits,
            bit_cast<Word>(error),
            finite,
            mask_if<Word>(top > kInfinityBits<Word>),
            signaling_mask<Word>(a) | signaling_mask<Word>(b) | signaling_mask<Word>(c) | forbidden,
            finite & doubtful,
            0,
            bit_cast<Word>(tail)};
  }
};

/// Quotients up to a quarter of the precision's range: the nearest integer n to the rounded one is
/// at most 5/8 off, so that x - n y is exact, and one more step of y brings it home.
struct NativeRemainder {
  static constexpr bool kNeedsFma = true;
  template <class Word>
  MINIFLOAT_INLINE static Operated<Word> apply(const BlockSwitches<Word>&, Word a, Word b, Word) {
    using Float = typename Carrier<Word>::Float;
    constexpr int kTrailing = Carrier<Word>::kTrailing;
    constexpr Word kLimit = Word{Carrier<Word>::kBias + kTrailing - 1} << kTrailing;
    constexpr Float kMagic = static_cast<Float>(Word{3} << (kTrailing - 1));
    const Float x = float_of<Word>(a), y = float_of<Word>(b);
    const Float quotient = x / y;
    const Float integer = (quotient + kMagic) - kMagic;
    const Word rest = bit_cast<Word>(fused(-integer, y, x));
    const Float twice = float_of<Word>(rest) + float_of<Word>(rest);
    const Word too_far =
        mask_if<Word>(magnitude_of<Word>(bit_cast<Word>(twice)) > magnitude_of<Word>(b));
    const Word step = (magnitude_of<Word>(b) | (rest & kSignMask<Word>)) & too_far;
    Word bits = bit_cast<Word>(float_of<Word>(rest) - float_of<Word>(step));
    const Word top = larger(magnitude_of<Word>(a), magnitude_of<Word>(b));
    const Word zero = mask_if<Word>(magnitude_of<Word>(bits) == 0);
    bits = select<Word>(zero, a & kSignMask<Word>, bits);
    const Word kept = mask_if<Word>(magnitude_of<Word>(b) == kInfinityBits<Word>) &
                      mask_if<Word>(magnitude_of<Word>(a) < kInfinityBits<Word>);
    bits = select<Word>(kept, a, bits);
    const Word finite =
        mask_if<Word>(top < kInfinityBits<Word>) & mask_if<Word>(magnitude_of<Word>(b) != 0);
    return {bits,
            0,
            finite,
            mask_if<Word>(top > kInfinityBits<Word>),
            signaling_mask<Word>(a) | signaling_mask<Word>(b),
            finite & mask_if<Word>(magnitude_of<Word>(bit_cast<Word>(quotient)) >= kLimit)};
  }
};

}  // namespace arith
}  // namespace MINIFLOAT_ABI
}  // namespace minifloat
