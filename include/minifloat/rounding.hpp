#pragma once

#include "minifloat/bits.hpp"

/// The rounding step: does a magnitude move up to the next grid point?
///
/// A significand shifted right by `shift` leaves an integer part and a remainder below
/// `mask + 1 == 2^shift`. Deterministic modes add an addend to the remainder and look at the carry;
/// stochastic ones add noise to the fraction. The eight deterministic modes are data, not code.

namespace minifloat {

enum class Rounding : std::uint8_t {
  kTiesToEven,
  kTiesToAway,
  kTiesToZero,
  kTowardZero,
  kTowardPositive,
  kTowardNegative,
  kAwayFromZero,
  kToOdd,
  kHybrid,
  kStochastic,
};

/// A deterministic mode as masks: the addend is `half` of the remainder's range or all of it
/// (`full`, which sign and parity may flip), plus a carry that decides ties.
template <class Word>
struct RoundingRule {
  Word half = 0;
  Word full = 0;
  Word full_flip_negative = 0;
  Word full_flip_odd = 0;
  Word carry = 0;
  Word carry_flip_odd = 0;
};

inline namespace MINIFLOAT_ABI {

template <class Word>
constexpr RoundingRule<Word> rounding_rule(Rounding mode) {
  constexpr Word kOn = static_cast<Word>(~Word{0});
  RoundingRule<Word> rule;
  switch (mode) {
    case Rounding::kTiesToEven:
      rule.half = kOn, rule.carry_flip_odd = 1;
      break;
    case Rounding::kTiesToAway:
      rule.half = kOn, rule.carry = 1;
      break;
    case Rounding::kTiesToZero:
      rule.half = kOn;
      break;
    case Rounding::kTowardPositive:
      rule.full = kOn, rule.full_flip_negative = kOn;
      break;
    case Rounding::kTowardNegative:
      rule.full_flip_negative = kOn;
      break;
    case Rounding::kAwayFromZero:
      rule.full = kOn;
      break;
    case Rounding::kToOdd:
      rule.full = kOn, rule.full_flip_odd = kOn;
      break;
    default:
      break;
  }
  return rule;
}

/// 1 if the magnitude moves up, else 0. `odd` is the parity (0 or 1) of the code below, `negative`
/// a mask. A shift of 0 leaves mask and remainder 0, and never moves.
template <class Word>
MINIFLOAT_INLINE constexpr Word rounds_up(const RoundingRule<Word>& rule, Word remainder, Word mask,
                                          Word shift, Word odd, Word negative) {
  const Word full = rule.full ^ (negative & rule.full_flip_negative) ^
                    (static_cast<Word>(-odd) & rule.full_flip_odd);
  const Word carry = (rule.carry ^ (odd & rule.carry_flip_odd)) & mask;
  const Word addend = (((mask >> 1) & rule.half) | (mask & full)) + carry;
  return static_cast<Word>((remainder + addend) >> shift);
}

/// The discarded fraction, left-aligned in a word: floor(significand / 2^shift * 2^width) modulo
/// 2^width. `shift` is the true one, however large; `remainder` is the significand's part below it.
/// Bits lost at the far end go into the lowest bit where `keep_sticky` (a mask) asks for it.
template <class Word>
MINIFLOAT_INLINE constexpr Word left_aligned_fraction(Word significand, Word remainder, Word shift,
                                                      Word keep_sticky) {
  constexpr Word kWidth = sizeof(Word) * 8;
  const Word is_short = mask_if<Word>(shift <= kWidth);
  const Word left = smaller<Word>((kWidth - shift) & is_short, kWidth - 1);
  const Word right = smaller<Word>((shift - kWidth) & ~is_short, kWidth - 1);
  const Word lost = ((significand >> right) << right) != significand;
  const Word far = (significand >> right) | (lost & keep_sticky);
  return select<Word>(is_short, remainder << left, far);
}

}  // namespace MINIFLOAT_ABI

/// How a stochastic mode treats the left-aligned fraction before the noise is added: the "nearest"
/// variant rounds it to N bits, ties to even, first.
template <class Word>
struct NoiseRule {
  Word nearest = 0;      ///< ones for the nearest variant
  Word lsb_shift = 0;    ///< position of the N-bit grid's lowest bit: width - N
  Word index_shift = 0;  ///< tables: width - N
  Word jam = 0;          ///< tables: 1 if what the N bits lose counts in the lowest of them
  Word centred = 0;      ///< 64 random bits: the half that "centred" adds has no bit of its own
};

inline namespace MINIFLOAT_ABI {

/// 1 if fraction + noise carries out of the word, both left-aligned.
template <class Word>
MINIFLOAT_INLINE constexpr Word noise_carries(const NoiseRule<Word>& rule, Word fraction,
                                              Word noise) {
  const Word below = low_bits<Word>(rule.lsb_shift);
  const Word odd = (fraction >> rule.lsb_shift) & 1;
  const Word addend = ((below >> 1) + (odd & below)) & rule.nearest;
  const Word rounded = (fraction + addend) & ~(below & rule.nearest);
  const Word reached_one = static_cast<Word>(static_cast<Word>(fraction + addend) < fraction);
  const Word carries = static_cast<Word>(static_cast<Word>(rounded + noise) < noise);
  return reached_one | carries;
}

}  // namespace MINIFLOAT_ABI
}  // namespace minifloat
