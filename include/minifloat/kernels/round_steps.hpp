#pragma once

#include "minifloat/kernels/carrier.hpp"

/// What the round and range steps need to know, and their parts: how the sign joins, what decides
/// the way up.

namespace minifloat {

/// A pair of outcomes: `positive`, and what to XOR in for the negative sign.
template <class Word>
struct BySign {
  Word positive;
  Word flip;
};

template <class Word>
struct RoundParams {
  GridParams<Word> grid;
  RoundingRule<Word> rule;
  NoiseRule<Word> noise;
  BySign<Word> max_position, overflow, infinity, nan, tiny_below;
  Word sign_bit, negative_zero, integer_mask;
  Word zero, missing_zero;         ///< delivered for zero; ones where the format has none
  Word negative, negative_rounds;  ///< unsigned formats
  Word overflow_flags, overflow_alone, nan_flags;
  BySign<Word> infinity_flags;
  Word one = 1;  ///< GCC vectorises no 64-bit shift of a constant, but one of this
};

inline namespace MINIFLOAT_ABI {

template <class Word>
MINIFLOAT_INLINE constexpr Word pick(BySign<Word> outcome, Word negative) {
  return outcome.positive ^ (negative & outcome.flip);
}

template <class Word, class Array>
constexpr BySign<Word> by_sign(const Array& outcome) {
  return {static_cast<Word>(outcome[0]), static_cast<Word>(outcome[0] ^ outcome[1])};
}

/// Smallest carrier magnitude that is not tiny; see Tininess. The format's smallest normal, less
/// the last stretch that rounding with unbounded exponent lifts up to it.
template <class Word>
constexpr Word tiny_threshold(const Rounder& r, bool negative) {
  const Format& f = r.format;
  if (is_integer(f)) return 0;
  constexpr int kTrailing = Carrier<Word>::kTrailing;
  const bool wide = has_wide_zone(f) && starts_at_field_0(f);
  const Word normal = carrier_bits<Word>(wide ? decode(f, code_of_position(f, smallest_position(f)))
                                              : make_unpacked(false, min_exponent(f), 1));
  if (wide || r.context.tininess == Tininess::kBeforeRounding || r.mode == Rounding::kStochastic ||
      r.mode == Rounding::kHybrid)
    return normal;
  const int trailing = is_hifloat8(f) ? 1 : f.trailing_bits;
  if (trailing + 2 > kTrailing) return normal;  // such formats are copied, never rounded, here
  // Below the smallest normal the carrier's own spacing halves, unless it is subnormal there.
  const bool halves = min_exponent(f) > 1 - Carrier<Word>::kBias;
  const Word quantum = Word{1} << (kTrailing - trailing - (halves ? 0 : 1));
  switch (r.mode) {
    case Rounding::kTiesToEven:  // below the smallest normal code stands an odd one ...
      return normal - quantum / 2 + (trailing == 0);  // ... unless codes count binades
    case Rounding::kTiesToAway:
      return normal - quantum / 2;
    case Rounding::kTiesToZero:
      return normal - quantum / 2 + 1;
    case Rounding::kAwayFromZero:
      return normal - quantum + 1;
    case Rounding::kTowardPositive:
      return negative ? normal : normal - quantum + 1;
    case Rounding::kTowardNegative:
      return negative ? normal - quantum + 1 : normal;
    case Rounding::kToOdd:
      return trailing == 0 ? normal - quantum + 1 : normal;
    default:
      return normal;
  }
}

/// Whether every outcome of the negative sign is that of the positive one, the sign bit set.
constexpr bool is_symmetric(const RangeRule& range) {
  const std::uint64_t s = range.sign_bit;
  return s != 0 && range.integer_mask == 0 && range.has_zero &&
         range.max_position[0] == range.max_position[1] &&
         range.overflow[1] == (range.overflow[0] | s) &&
         range.infinity[1] == (range.infinity[0] | s) && range.nan[1] == (range.nan[0] | s) &&
         range.infinity_flags[0] == range.infinity_flags[1];
}

/// Whether values of the carrier's lowest exponent field round to zero from far away in the nearest
/// modes, so that its subnormals need no care.
template <class Word>
constexpr bool is_far_above_subnormals(const Format& f) {
  if (is_integer(f) || has_wide_zone(f)) return false;
  return quantum_exponent(f) >= 4 - Carrier<Word>::kBias;
}

template <class Word>
constexpr RoundParams<Word> round_params(const Rounder& r) {
  RoundParams<Word> p{};
  const RangeRule& range = r.range;
  p.grid = grid_params<Word>(r.format, Carrier<Word>::kTrailing, Carrier<Word>::kBias);
  p.rule = rounding_rule<Word>(r.mode);
  p.max_position = by_sign<Word>(range.max_position);
  p.overflow = by_sign<Word>(range.overflow);
  p.infinity = by_sign<Word>(range.infinity);
  p.nan = by_sign<Word>(range.nan);
  p.infinity_flags = by_sign<Word>(range.infinity_flags);
  const Word tiny[2] = {tiny_threshold<Word>(r, false), tiny_threshold<Word>(r, true)};
  p.tiny_below = by_sign<Word>(tiny);
  p.sign_bit = static_cast<Word>(range.sign_bit);
  p.negative_zero = mask_if<Word>(range.negative_zero);
  p.integer_mask = static_cast<Word>(range.integer_mask);
  p.zero = static_cast<Word>(range.zero);
  p.missing_zero = mask_if<Word>(!range.has_zero);
  p.negative = static_cast<Word>(range.negative);
  p.negative_rounds = mask_if<Word>(range.negative_rounds);
  p.overflow_flags = range.overflow_flags;
  p.overflow_alone = mask_if<Word>(is_integer(r.format));
  p.nan_flags = range.nan_flags;
  return p;
}

// How the sign joins the position.

struct SignMagnitude {
  static constexpr bool kUnsigned = false;
  static constexpr bool kSymmetric = false;
  template <class Word>
  MINIFLOAT_INLINE static Word join(const RoundParams<Word>& p, Word position, Word negative) {
    const Word keeps = mask_if<Word>(position != 0) | p.negative_zero;
    return position | (negative & p.sign_bit & keeps);
  }
};

/// Sign-magnitude where both signs meet the same fate: the sign is joined once, at the end.
struct Symmetric : SignMagnitude {
  static constexpr bool kSymmetric = true;
};

struct Unsigned {
  static constexpr bool kUnsigned = true;
  static constexpr bool kSymmetric = false;
  template <class Word>
  MINIFLOAT_INLINE static Word join(const RoundParams<Word>&, Word position, Word) {
    return position;
  }
};

struct TwosComplement {
  static constexpr bool kUnsigned = false;
  static constexpr bool kSymmetric = false;
  template <class Word>
  MINIFLOAT_INLINE static Word join(const RoundParams<Word>& p, Word position, Word negative) {
    return ((position ^ negative) - negative) & p.integer_mask;
  }
};

// What decides the way up.

/// One value on its way: `shift` is clamped to the word, `true_shift` is not; `negative` is a mask,
/// `odd` the parity of the position below, `noise` this element's word.
template <class Word>
struct Approach {
  Word significand, remainder, mask, shift, true_shift, odd, negative, exponent, noise;
};

struct Deterministic {
  static constexpr bool kSeesSubnormals = true;
  static constexpr bool kMovesExact = false;
  static constexpr bool kDraws = false;
  template <class Word>
  MINIFLOAT_INLINE static Word up(const RoundParams<Word>& p, Approach<Word> x) {
    return rounds_up<Word>(p.rule, x.remainder, x.mask, x.shift, x.odd, x.negative);
  }
};

/// Deterministic's commonest mode in fewer steps; needs a shift of at least 1.
struct TiesToEven {
  static constexpr bool kSeesSubnormals = true;
  static constexpr bool kMovesExact = false;
  static constexpr bool kDraws = false;
  template <class Word>
  MINIFLOAT_INLINE static Word up(const RoundParams<Word>&, Approach<Word> x) {
    return (x.remainder + (x.mask >> 1) + x.odd) >> x.shift;
  }
};

/// TiesToEven where all of the carrier's subnormals round to zero: they need not be told apart.
struct TiesToEvenFarAbove : TiesToEven {
  static constexpr bool kSeesSubnormals = false;
};

struct AddedNoise {
  static constexpr bool kSeesSubnormals = true;
  static constexpr bool kMovesExact = false;
  static constexpr bool kDraws = true;
  template <class Word>
  MINIFLOAT_INLINE static Word up(const RoundParams<Word>& p, Approach<Word> x) {
    const Word fraction =
        left_aligned_fraction<Word>(x.significand, x.remainder, x.true_shift, p.noise.nearest);
    return noise_carries<Word>(p.noise, fraction, x.noise);
  }
};

/// AddedNoise of the floor and centred variants, where a carry out of the word is all.
struct CarriedNoise {
  static constexpr bool kSeesSubnormals = true;
  static constexpr bool kMovesExact = false;
  static constexpr bool kDraws = true;
  template <class Word>
  MINIFLOAT_INLINE static Word up(const RoundParams<Word>&, Approach<Word> x) {
    const Word fraction = left_aligned_fraction<Word>(x.significand, x.remainder, x.true_shift, 0);
    return Word{static_cast<Word>(fraction + x.noise) < x.noise};
  }
};

/// The way up was decided before, from a table of P(up): the noise is 1 or 0.
struct DecidedNoise {
  static constexpr bool kSeesSubnormals = true;
  static constexpr bool kMovesExact = false;
  static constexpr bool kDraws = true;
  template <class Word>
  MINIFLOAT_INLINE static Word up(const RoundParams<Word>&, Approach<Word> x) {
    return x.noise;
  }
};

/// HiFloat8's HYBRID: the threshold is the noise; ties away near 1, nothing moves below 2^-23. It
/// may move even exact values.
struct Hybrid {
  static constexpr bool kSeesSubnormals = true;
  static constexpr bool kMovesExact = true;
  static constexpr bool kDraws = true;
  template <class Word>
  MINIFLOAT_INLINE static Word up(const RoundParams<Word>& p, Approach<Word> x) {
    const Word fraction = left_aligned_fraction<Word>(x.significand, x.remainder, x.true_shift, 0);
    const Word origin = static_cast<Word>(p.grid.origin);
    const Word near_one = mask_if<Word>(x.exponent + 3 - origin <= 6);
    const Word far_below = Word{x.exponent < origin - 23};
    const Word threshold = select<Word>(near_one, kSignMask<Word>, x.noise);
    return Word{fraction >= threshold} & ~far_below;
  }
};

}  // namespace MINIFLOAT_ABI
}  // namespace minifloat
