#pragma once

#include <type_traits>

#include "minifloat/hifloat8.hpp"

/// The grids: for the binade of a value, how far to shift its significand and which position the
/// shifted integer part counts from. Adding one to that part is the next grid point, into the next
/// binade included.
///
/// Parameters are relative to the carrier: `top` is the bit of the significand's leading 1, and
/// exponents carry the carrier's bias (`origin`), so that float bits need no arithmetic first.

namespace minifloat {

template <class Word>
struct GridPoint {
  Word shift;  ///< true number of bits below the quantum; may exceed the word
  Word base;   ///< position that an integer part of 0 stands for
  Word step;   ///< position difference of the next point up
};

template <class Word>
struct GridParams {
  std::make_signed_t<Word> min_exponent = 0;  ///< lowest binade of full precision (biased)
  std::make_signed_t<Word> origin = 0;        ///< carrier's exponent bias
  Word shift = 0;                             ///< bits dropped in that binade and above
  Word trailing_bits = 0;
  Word offset = 0;      ///< added to every base (the lowest binade of Subnormals::kNormal)
  Word zone_shift = 0;  ///< wide zone below the lowest binade: further bits dropped there
  Word zone_step = 1;   ///< ... and the position of its upper end (0: also that of its lower end)
};

inline namespace MINIFLOAT_ABI {

template <class Word>
constexpr GridParams<Word> grid_params(const Format& f, int top, int origin) {
  using Signed = std::make_signed_t<Word>;
  GridParams<Word> params;
  params.origin = static_cast<Signed>(origin);
  if (is_integer(f)) {
    params.shift = static_cast<Word>(top);
    params.min_exponent = static_cast<Signed>(f.scale_exponent + origin);
    return params;
  }
  params.min_exponent = static_cast<Signed>(min_exponent(f) + origin);
  if (is_hifloat8(f)) {
    params.shift = static_cast<Word>(top);
    return params;
  }
  params.trailing_bits = static_cast<Word>(f.trailing_bits);
  params.shift = static_cast<Word>(top - f.trailing_bits);
  if (has_wide_zone(f)) {
    params.zone_shift = static_cast<Word>(f.trailing_bits);
    params.zone_step = static_cast<Word>(smallest_position(f));
    if (starts_at_field_0(f)) params.offset = static_cast<Word>(-(Word{1} << f.trailing_bits));
  }
  return params;
}

/// IEEE-like: one quantum per binade, the lowest one's below it (gradual underflow).
struct FloatGrid {
  template <class Word>
  MINIFLOAT_INLINE static constexpr GridPoint<Word> locate(const GridParams<Word>& p,
                                                           std::make_signed_t<Word> exponent) {
    using Signed = std::make_signed_t<Word>;
    const Signed lift = exponent - p.min_exponent;
    const Word above = static_cast<Word>(larger<Signed>(lift, 0));
    const Word below = static_cast<Word>(larger<Signed>(-lift, 0));
    return {p.shift + below, above << p.trailing_bits, 1};
  }
};

/// IEEE-like with a wide zone of one quantum below the lowest binade.
struct ZoneGrid {
  template <class Word>
  MINIFLOAT_INLINE static constexpr GridPoint<Word> locate(const GridParams<Word>& p,
                                                           std::make_signed_t<Word> exponent) {
    const GridPoint<Word> plain = FloatGrid::locate<Word>(p, exponent);
    const Word zone = mask_if<Word>(exponent < p.min_exponent);
    const Word shift = plain.shift + (zone & p.zone_shift);
    const Word base = static_cast<Word>(plain.base + p.offset) & ~zone;
    return {shift, base, select<Word>(zone, p.zone_step, 1)};
  }
};

/// One quantum everywhere. Beyond the significand's width the position overflows any integer.
struct IntegerGrid {
  template <class Word>
  MINIFLOAT_INLINE static constexpr GridPoint<Word> locate(const GridParams<Word>& p,
                                                           std::make_signed_t<Word> exponent) {
    using Signed = std::make_signed_t<Word>;
    const Signed drop = static_cast<Signed>(p.shift) - (exponent - p.min_exponent);
    const Word huge = mask_if<Word>(drop < 0);
    const Word beyond = Word{1} << (sizeof(Word) * 8 - 2);
    return {static_cast<Word>(larger<Signed>(drop, 0)), huge & beyond, 1};
  }
};

/// HiFloat8: precision tapers with |exponent|; positions count the binades' sizes up.
struct HiFloat8Grid {
  template <class Word>
  MINIFLOAT_INLINE static constexpr GridPoint<Word> locate(const GridParams<Word>& p,
                                                           std::make_signed_t<Word> exponent) {
    using Signed = std::make_signed_t<Word>;
    const Signed e = larger<Signed>(exponent - p.origin, -22);
    const Word size = static_cast<Word>(larger<Signed>(e, -e));
    const Word denormal = e <= -16;
    const Word trailing = 3 - Word{size > 3} - Word{size > 7} - denormal;
    const Word integer =  // 2^trailing, without a shift: see RoundParams::one
        8 - 4 * Word{size > 3} - 2 * Word{size > 7} - denormal;
    // Position of the binade's first value, less that value's own integer part.
    Word start = static_cast<Word>(40 + 8 * (e + 3));
    start =
        select<Word>(mask_if<Word>(size > 3),
                     static_cast<Word>(4 * e + select<Word>(mask_if<Word>(e < 0), 52, 80)), start);
    start =
        select<Word>(mask_if<Word>(size > 7),
                     static_cast<Word>(2 * e + select<Word>(mask_if<Word>(e < 0), 38, 96)), start);
    start = select<Word>(static_cast<Word>(-denormal), static_cast<Word>(e + 23), start);
    const Signed below = larger<Signed>(-22 - (exponent - p.origin), 0);
    return {p.shift - trailing + static_cast<Word>(below), start - integer, 1};
  }
};

}  // namespace MINIFLOAT_ABI
}  // namespace minifloat
