#pragma once

#include <cmath>

#include "minifloat/kernels/carrier.hpp"

/// One operation on a block of carriers: the hardware's result, moved to the odd neighbour where it
/// is not exact, so that the rounding that follows is the only one; and the flags of the operation.
///
/// Sums take the error of Knuth's TwoSum. Products are exact in the carriers that are chosen for
/// them. Quotients and roots need no error: with operands of p bits and results of q bits, and
/// p + q + 1 or 2q + 3 bits below the carrier's precision, an inexact one is no neighbour of any
/// boundary of the rounding, so the carrier's nearest value tells all there is to know.

namespace minifloat {

/// Switches of an operation on blocks, as masks.
template <class Word>
struct BlockSwitches {
  Word negative_cancellation = 0;      ///< the sign bit where exact zero sums are -0
  Word flip_first = 0, flip_last = 0;  ///< sign bits to flip on the first and last operand
  Word zero_divides = 0;               ///< ones where x / 0 is NaN
};

inline namespace MINIFLOAT_ABI {
namespace arith {

template <class Word>
struct Transformed {
  Word bits;
  Word raised;
};

template <class Word>
MINIFLOAT_INLINE Word magnitude_of(Word bits) {
  return bits & ~kSignMask<Word>;
}

template <class Word>
MINIFLOAT_INLINE Word signaling_mask(Word bits) {
  const Word magnitude = magnitude_of<Word>(bits);
  return mask_if<Word>(magnitude > kInfinityBits<Word>) &
         mask_if<Word>((magnitude & kQuietBit<Word>) == 0);
}

template <class Word>
MINIFLOAT_INLINE Word nan_mask(Word bits) {
  return mask_if<Word>(magnitude_of<Word>(bits) > kInfinityBits<Word>);
}

/// x + y rounded to odd; a zero from unlike signs has the sign that the switches say.
template <class Word>
MINIFLOAT_INLINE Word odd_sum(Word a, Word b, Word negative_cancellation) {
  using Float = typename Carrier<Word>::Float;
  const Float x = bit_cast<Float>(a);
  const Float y = bit_cast<Float>(b);
  const Float sum = x + y;
  const Float part = sum - x;
  const Float error = (x - (sum - part)) + (y - part);
  const Word bits = bit_cast<Word>(sum);
  const Word error_bits = bit_cast<Word>(error);
  const Word finite = Word{magnitude_of<Word>(bits) < kInfinityBits<Word>};
  const Word inexact = Word{magnitude_of<Word>(error_bits) != 0} & finite;
  const Word overshot = (error_bits ^ bits) >> (kWordBits<Word> - 1);
  const Word cancelled = mask_if<Word>(magnitude_of<Word>(bits) == 0) & (a ^ b);
  return ((bits - (inexact & overshot)) | inexact) | (cancelled & negative_cancellation);
}

/// Give every NaN the canonical bits and INVALID where no operand explains it or one signals.
template <class Word>
MINIFLOAT_INLINE Transformed<Word> settle(Word bits, Word nan_operands, Word signaling,
                                          Word raised) {
  const Word nan = nan_mask<Word>(bits);
  const Word invalid = ((nan & ~nan_operands) | signaling) & kInvalid;
  return {select<Word>(nan, kInfinityBits<Word> | kQuietBit<Word>, bits), raised | invalid};
}

struct AddBlock {
  template <class Word>
  MINIFLOAT_INLINE static Transformed<Word> apply(const BlockSwitches<Word>& s, Word a, Word b,
                                                  Word) {
    b ^= s.flip_last;
    return settle<Word>(odd_sum<Word>(a, b, s.negative_cancellation),
                        nan_mask<Word>(a) | nan_mask<Word>(b),
                        signaling_mask<Word>(a) | signaling_mask<Word>(b), 0);
  }
};

struct MultiplyBlock {
  template <class Word>
  MINIFLOAT_INLINE static Transformed<Word> apply(const BlockSwitches<Word>&, Word a, Word b,
                                                  Word) {
    using Float = typename Carrier<Word>::Float;
    const Word product = bit_cast<Word>(bit_cast<Float>(a) * bit_cast<Float>(b));
    return settle<Word>(product, nan_mask<Word>(a) | nan_mask<Word>(b),
                        signaling_mask<Word>(a) | signaling_mask<Word>(b), 0);
  }
};

struct DivideBlock {
  template <class Word>
  MINIFLOAT_INLINE static Transformed<Word> apply(const BlockSwitches<Word>& s, Word a, Word b,
                                                  Word) {
    using Float = typename Carrier<Word>::Float;
    Word quotient = bit_cast<Word>(bit_cast<Float>(a) / bit_cast<Float>(b));
    const Word by_zero = mask_if<Word>(magnitude_of<Word>(b) == 0);
    const Word finite = mask_if<Word>(magnitude_of<Word>(a) < kInfinityBits<Word>);
    const Word nonzero = mask_if<Word>(magnitude_of<Word>(a) != 0);
    const Word raised = by_zero & finite & nonzero & ~s.zero_divides & kDivideByZero;
    quotient |= by_zero & s.zero_divides & (kInfinityBits<Word> | kQuietBit<Word>);
    return settle<Word>(quotient, nan_mask<Word>(a) | nan_mask<Word>(b),
                        signaling_mask<Word>(a) | signaling_mask<Word>(b), raised);
  }
};

struct SquareRootBlock {
  template <class Word>
  MINIFLOAT_INLINE static Transformed<Word> apply(const BlockSwitches<Word>&, Word a, Word, Word) {
    using Float = typename Carrier<Word>::Float;
    const Word negative = mask_if<Word>((a >> (kWordBits<Word> - 1)) != 0) &
                          mask_if<Word>(magnitude_of<Word>(a) != 0);
    const Word root =
        bit_cast<Word>(std::sqrt(bit_cast<Float>(magnitude_of<Word>(a)))) | (a & kSignMask<Word>);
    const Word nan = negative & (kInfinityBits<Word> | kQuietBit<Word>);
    return settle<Word>(root | nan, nan_mask<Word>(a), signaling_mask<Word>(a), 0);
  }
};

struct MultiplyAddBlock {
  template <class Word>
  MINIFLOAT_INLINE static Transformed<Word> apply(const BlockSwitches<Word>& s, Word a, Word b,
                                                  Word c) {
    using Float = typename Carrier<Word>::Float;
    a ^= s.flip_first;
    c ^= s.flip_last;
    const Word product = bit_cast<Word>(bit_cast<Float>(a) * bit_cast<Float>(b));
    const Word nan_factors = nan_mask<Word>(a) | nan_mask<Word>(b);
    const Word forbidden = nan_mask<Word>(product) & ~nan_factors;  // infinity times zero
    return settle<Word>(
        odd_sum<Word>(product, c, s.negative_cancellation), nan_factors | nan_mask<Word>(c),
        signaling_mask<Word>(a) | signaling_mask<Word>(b) | signaling_mask<Word>(c) | forbidden, 0);
  }
};

/// `out` may be any of the operands' blocks; `raised` gets the operation's flags.
template <class Word, class Operate>
void transform_block(const BlockSwitches<Word>& switches, const Word* a, const Word* b,
                     const Word* c, Word* MINIFLOAT_RESTRICT out,
                     std::uint8_t* MINIFLOAT_RESTRICT raised, std::size_t n) {
  const BlockSwitches<Word> s = switches;
  for (std::size_t i = 0; i < n; ++i) {
    const Transformed<Word> result = Operate::template apply<Word>(s, a[i], b[i], c[i]);
    out[i] = result.bits;
    raised[i] = static_cast<std::uint8_t>(result.raised);
  }
}

}  // namespace arith
}  // namespace MINIFLOAT_ABI
}  // namespace minifloat
