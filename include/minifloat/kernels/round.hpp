#pragma once

#include "minifloat/kernels/round_steps.hpp"

/// The round and range steps on a block of carrier bits: positions out, flags if asked.

namespace minifloat {
inline namespace MINIFLOAT_ABI {

/// A carrier's word taken apart; `negative` is a mask, `exponent` is biased and at least 1.
template <class Word>
struct Split {
  Word magnitude, negative, exponent, significand;
};

template <class Word, bool kSeesSubnormals = true>
MINIFLOAT_INLINE Split<Word> split(Word word) {
  constexpr int kTrailing = Carrier<Word>::kTrailing;
  const Word magnitude = word & ~kSignMask<Word>;
  const Word negative = static_cast<Word>(-(word >> (kWordBits<Word> - 1)));
  const Word field = magnitude >> kTrailing;
  const Word hidden = kSeesSubnormals ? Word{field != 0} : Word{1};
  const Word significand = (magnitude & low_bits<Word>(kTrailing)) | (hidden << kTrailing);
  return {magnitude, negative, field + (1 - hidden), significand};
}

/// The discarded fractions as indices into a table of 2^N entries (N at most 16).
template <class Word, class GridKind>
void fraction_block(const RoundParams<Word>& params, const Word* MINIFLOAT_RESTRICT in,
                    std::uint32_t* MINIFLOAT_RESTRICT indices, std::size_t n) {
  using Signed = std::make_signed_t<Word>;
  const RoundParams<Word> p = params;
  for (std::size_t i = 0; i < n; ++i) {
    const Split<Word> x = split<Word>(in[i]);
    const Word shift =
        GridKind::template locate<Word>(p.grid, static_cast<Signed>(x.exponent)).shift;
    const Word mask = (p.one << smaller<Word>(shift, kWordBits<Word> - 1)) - 1;
    const Word remainder = x.significand & mask;
    const Word fraction = left_aligned_fraction<Word>(x.significand, remainder, shift, 0);
    const Word jam = Word{remainder != 0} & p.noise.jam;
    indices[i] = static_cast<std::uint32_t>((fraction >> p.noise.index_shift) | jam);
  }
}

/// Turn 32-bit draws into decisions: up iff the draw is below the fraction's threshold.
template <class Word>
void decide_block(const std::uint32_t* MINIFLOAT_RESTRICT table,
                  const std::uint32_t* MINIFLOAT_RESTRICT indices,
                  const Word* MINIFLOAT_RESTRICT drawn, Word* MINIFLOAT_RESTRICT decisions,
                  std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t threshold = table[indices[i]];
    const Word draw = drawn[i] >> (kWordBits<Word> - 32);
    decisions[i] = Word{draw < threshold} | Word{threshold == ~std::uint32_t{0}};
  }
}

template <class Word>
struct RoundBlock {
  const Word* in;
  const Word* noise;
  Word* positions;
  std::uint8_t* flags;
  std::size_t n;
};

/// `in`, `noise` and `positions` are distinct: restrict works on parameters, not on members, and
/// only while the function is not inlined.
template <class Word, class GridKind, class Sign, class Up, bool kWithFlags>
MINIFLOAT_NOINLINE void round_block(const RoundParams<Word>& params,
                                    const Word* MINIFLOAT_RESTRICT in,
                                    const Word* MINIFLOAT_RESTRICT noise,
                                    Word* MINIFLOAT_RESTRICT positions,
                                    std::uint8_t* MINIFLOAT_RESTRICT flags, std::size_t n) {
  using Signed = std::make_signed_t<Word>;
  const RoundParams<Word> p = params;
  for (std::size_t i = 0; i < n; ++i) {
    const Split<Word> x = split<Word, Up::kSeesSubnormals>(in[i]);
    const auto [magnitude, negative, exponent, significand] = x;
    const GridPoint<Word> point =
        GridKind::template locate<Word>(p.grid, static_cast<Signed>(exponent));
    const Word shift = smaller<Word>(point.shift, kWordBits<Word> - 1);
    const Word mask = (p.one << shift) - 1;
    const Word remainder = significand & mask;
    const Word below = (significand >> shift) + point.base;
    const Word up =
        Up::template up<Word>(p, {significand, remainder, mask, shift, point.shift, below & 1,
                                  negative, exponent, Up::kDraws ? noise[i] : 0});
    const Word position = below + (point.step & static_cast<Word>(-up));

    const Word infinity = kInfinityBits<Word>;
    const Word side = Sign::kSymmetric ? 0 : negative;  // symmetric outcomes have no sign yet
    const Word over = mask_if<Word>(position > pick(p.max_position, side));
    Word code = position;
    if constexpr (!Sign::kSymmetric) code = Sign::template join<Word>(p, position, negative);
    code = select<Word>(over, pick(p.overflow, side), code);
    Word below_zero = 0;
    if constexpr (Sign::kUnsigned) {
      const Word counts = mask_if<Word>(position != 0) | ~p.negative_rounds;
      below_zero = negative & mask_if<Word>(magnitude != 0) & counts;
      code = select<Word>(below_zero, p.negative, code);
      code = select<Word>(mask_if<Word>(magnitude == 0) & p.missing_zero, p.zero, code);
    }
    const Word is_infinite = mask_if<Word>(magnitude == infinity);
    const Word is_nan = mask_if<Word>(magnitude > infinity);
    code = select<Word>(is_infinite, pick(p.infinity, side), code);
    code = select<Word>(is_nan, pick(p.nan, side), code);
    if constexpr (Sign::kSymmetric) code = Sign::template join<Word>(p, code, negative);
    positions[i] = code;

    if constexpr (kWithFlags) {
      Word inexact = mask_if<Word>(remainder != 0);
      if constexpr (Up::kMovesExact) inexact |= static_cast<Word>(-up);
      const Word tiny = mask_if<Word>(magnitude < pick(p.tiny_below, negative));
      Word raised = (inexact & kInexact) | (inexact & tiny & ~over & kUnderflow);
      raised = (raised & ~(over & p.overflow_alone)) | (over & p.overflow_flags);
      if constexpr (Sign::kUnsigned) {
        const Word no_zero = mask_if<Word>(magnitude == 0) & p.missing_zero;
        raised = select<Word>(below_zero | no_zero, kInvalid, raised);
      }
      const Word signaling = is_nan & mask_if<Word>((magnitude & kQuietBit<Word>) == 0) & kInvalid;
      raised = select<Word>(is_infinite, pick(p.infinity_flags, negative), raised);
      raised = select<Word>(is_nan, p.nan_flags | signaling, raised);
      flags[i] = static_cast<std::uint8_t>(raised);
    }
  }
}

}  // namespace MINIFLOAT_ABI
}  // namespace minifloat
