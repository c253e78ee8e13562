#pragma once

#include "minifloat/fraction.hpp"
#include "minifloat/grid.hpp"
#include "minifloat/range.hpp"
#include "minifloat/unpacked.hpp"

/// The scalar core: round an exact value once, apply the range rule, encode. Everything that is not
/// a vector kernel ends here, and the kernels run the same steps on a float's own bits.

namespace minifloat {

/// Random bits of one rounding: `value` is left-aligned in 64 bits (or the threshold of HYBRID).
struct Noise {
  std::uint64_t value = 0;
  NoiseRule<std::uint64_t> rule;
  const std::uint32_t* table = nullptr;  ///< P(up) thresholds; `value`'s top 32 bits are compared
};

/// Everything that decides a rounding into one format, worked out once.
struct Rounder {
  Format format;
  Rounding mode = Rounding::kTiesToEven;
  Context context;
  RoundingRule<std::uint64_t> rule;
  GridParams<std::uint64_t> grid;
  RangeRule range;
};

struct Packed {
  std::uint64_t code;
  unsigned flags;
};

inline namespace MINIFLOAT_ABI {

/// Significands are held with their leading 1 at this bit, so that a shift of 63 still leaves the
/// remainder below half.
inline constexpr int kRoundTop = 61;

constexpr Rounder make_rounder(const Format& f, Rounding mode, Overflow overflow, NanPolicy nan,
                               const Context& context = {}) {
  Rounder r;
  r.format = f;
  r.mode = mode;
  r.context = context;
  r.rule = rounding_rule<std::uint64_t>(mode);
  r.grid = grid_params<std::uint64_t>(f, kRoundTop, 0);
  r.range = range_rule(f, mode, overflow, nan);
  return r;
}

namespace detail {

constexpr GridPoint<std::uint64_t> locate(const Rounder& r, std::int64_t exponent) {
  switch (r.format.grid) {
    case Grid::kInteger:
      return IntegerGrid::locate<std::uint64_t>(r.grid, exponent);
    case Grid::kHiFloat8:
      return HiFloat8Grid::locate<std::uint64_t>(r.grid, exponent);
    default:
      break;
  }
  return has_wide_zone(r.format) ? ZoneGrid::locate<std::uint64_t>(r.grid, exponent)
                                 : FloatGrid::locate<std::uint64_t>(r.grid, exponent);
}

/// The decision of the stochastic modes, on a significand of 128 bits with its leading 1 on top.
constexpr bool noise_rounds_up(const Noise& noise, const Unpacked& x, Rounding mode,
                               std::uint64_t significand, std::uint64_t low, std::uint64_t shift) {
  const Fraction fraction = discarded_fraction(significand, low, shift);
  if (mode == Rounding::kHybrid) {  // ties away near 1, zero below half the smallest value
    const bool near_one = x.exponent >= -3 && x.exponent <= 3;
    return shift <= 64 && fraction.high >= (near_one ? std::uint64_t{1} << 63 : noise.value);
  }
  if (noise.rule.nearest != 0) return nearest_noise_carries(noise.rule, fraction, noise.value);
  if (noise.rule.centred != 0) return centred_noise_carries(fraction, noise.value);
  if (noise.table == nullptr) return fraction.high + noise.value < noise.value;
  const std::uint64_t jam = std::uint64_t{(fraction.high | fraction.low) != 0} & noise.rule.jam;
  const std::uint32_t threshold = noise.table[(fraction.high >> noise.rule.index_shift) | jam];
  return (noise.value >> 32) < threshold || threshold == ~std::uint32_t{0};
}

/// What lies below the significand; a sticky bit alone counts as very little.
constexpr std::uint64_t low_word(const Unpacked& x) {
  return x.low | std::uint64_t{x.sticky && x.low == 0};
}

struct RoundedPosition {
  std::uint64_t position;
  bool inexact;
  bool beyond = false;  ///< integers: of more than 64 bits, of which `position` has the lowest
};

/// Integers whose unit is the significand's lowest bit: only the low word is discarded.
constexpr RoundedPosition round_low_word(const Rounder& r, const Unpacked& x, const Noise& noise) {
  const std::uint64_t low = low_word(x);
  std::uint64_t up = 0;
  if (r.mode == Rounding::kStochastic) {
    up = noise_rounds_up(noise, x, r.mode, x.significand, low, 0);
  } else {
    constexpr int kShift = 62;
    up = rounds_up<std::uint64_t>(r.rule, shift_right_jam(low, 64 - kShift),
                                  low_bits<std::uint64_t>(kShift), kShift, x.significand & 1,
                                  mask_if<std::uint64_t>(x.negative));
  }
  const std::uint64_t position = x.significand + up;
  return {position, low != 0, position < up};
}

/// Integers keep all 64 bits of the significand: no room for the general path's headroom.
constexpr RoundedPosition round_integer(const Rounder& r, const Unpacked& x, const Noise& noise) {
  const int drop = 63 + r.format.scale_exponent - x.exponent;
  if (drop < 0) return {drop > -64 ? x.significand << -drop : 0, false, true};
  if (drop == 0) return round_low_word(r, x, noise);
  const std::uint64_t below = drop > 63 ? 0 : x.significand >> drop;
  const std::uint64_t remainder =
      drop > 63 ? x.significand : x.significand & low_bits<std::uint64_t>(drop);
  if (r.mode == Rounding::kStochastic)
    return {below + noise_rounds_up(noise, x, r.mode, x.significand, low_word(x),
                                    static_cast<std::uint64_t>(drop)),
            remainder != 0 || x.sticky};
  // Bring the remainder to 62 bits or fewer, its lost bits into the lowest.
  const int excess = larger(drop - 62, 0);
  const std::uint64_t shift = static_cast<std::uint64_t>(drop - excess);
  std::uint64_t rest = shift_right_jam(remainder, excess);
  rest = (rest << 1) | std::uint64_t{x.sticky};
  const std::uint64_t negative = mask_if<std::uint64_t>(x.negative);
  const std::uint64_t up = rounds_up<std::uint64_t>(
      r.rule, rest, low_bits<std::uint64_t>(shift + 1), shift + 1, below & 1, negative);
  return {below + up, rest != 0};
}

constexpr RoundedPosition round_finite(const Rounder& r, const Unpacked& x, const Noise& noise) {
  if (is_integer(r.format)) return round_integer(r, x, noise);
  // Far beyond the range every exponent acts alike; keep positions inside the word.
  const std::int64_t top = 1100;
  const std::int64_t exponent = smaller<std::int64_t>(x.exponent, top);
  const GridPoint<std::uint64_t> point = locate(r, exponent);
  const std::uint64_t shift = smaller<std::uint64_t>(point.shift, 63);
  const std::uint64_t significand =
      shift_right_jam(x.significand, 63 - kRoundTop) | std::uint64_t{x.sticky};
  const std::uint64_t mask = low_bits<std::uint64_t>(shift);
  const std::uint64_t remainder = significand & mask;
  const std::uint64_t below = (significand >> shift) + point.base;
  std::uint64_t up = 0;
  if (r.mode == Rounding::kStochastic || r.mode == Rounding::kHybrid) {
    up =
        noise_rounds_up(noise, x, r.mode, x.significand, low_word(x), point.shift + 63 - kRoundTop);
  } else {
    up = rounds_up<std::uint64_t>(r.rule, remainder, mask, shift, below & 1,
                                  mask_if<std::uint64_t>(x.negative));
  }
  const bool moved = r.mode == Rounding::kHybrid && up != 0;  // it may move even exact values
  return {below + (point.step & (~up + 1)), remainder != 0 || moved};
}

/// Below the smallest value of a format where that is no power of two.
constexpr bool in_odd_zone(const Rounder& r, const Unpacked& x) {
  if (!has_odd_zone(r.format) || x.exponent > min_exponent(r.format)) return false;
  const std::uint64_t smallest =
      (std::uint64_t{1} << 63) + (std::uint64_t{1} << (63 - r.format.trailing_bits));
  return x.exponent < min_exponent(r.format) || x.significand < smallest;
}

/// The significand rounded to `trailing` bits below its leading 1, as if the exponent were
/// unbounded.
constexpr std::uint64_t round_unbounded(const Rounder& r, const Unpacked& x, int trailing) {
  const std::uint64_t shift = static_cast<std::uint64_t>(kRoundTop - trailing);
  const std::uint64_t significand =
      shift_right_jam(x.significand, 63 - kRoundTop) | std::uint64_t{x.sticky};
  const std::uint64_t mask = low_bits<std::uint64_t>(shift);
  const std::uint64_t kept = significand >> shift;
  // The last code below the smallest normal one is odd, unless codes count binades.
  const std::uint64_t odd = trailing > 0 ? kept & 1 : 0;
  return kept + rounds_up<std::uint64_t>(r.rule, significand & mask, mask, shift, odd,
                                         mask_if<std::uint64_t>(x.negative));
}

/// Whether the value is tiny: below the smallest normal, before rounding or after rounding to full
/// precision as if the exponent were unbounded.
constexpr bool is_tiny(const Rounder& r, const Unpacked& x, Tininess tininess) {
  const Format& f = r.format;
  const bool odd_zone = has_odd_zone(f);
  const int lowest = min_exponent(f);
  if (is_integer(f) || (odd_zone ? !in_odd_zone(r, x) : x.exponent >= lowest)) return false;
  if (tininess == Tininess::kBeforeRounding || r.mode == Rounding::kStochastic ||
      r.mode == Rounding::kHybrid || (!f.zero && !is_hifloat8(f)))
    return true;
  const int trailing = is_hifloat8(f) ? 1 : f.trailing_bits;
  const std::uint64_t hidden = std::uint64_t{1} << trailing;
  if (odd_zone) return x.exponent < lowest || round_unbounded(r, x, trailing) <= hidden;
  return x.exponent < lowest - 1 || round_unbounded(r, x, trailing) < 2 * hidden;
}

/// Below the lowest binade of a format whose smallest value is no power of two (its position 1).
constexpr RoundedPosition round_odd_zone(const Rounder& r, const Unpacked& x, const Noise& noise) {
  const Format& f = r.format;
  // x / smallest = significand / (2^63 + 2^(63 - trailing)) * 2^(e - emin)
  const std::uint64_t smallest =
      (std::uint64_t{1} << 63) + (std::uint64_t{1} << (63 - f.trailing_bits));
  const int down = min_exponent(f) - x.exponent;
  std::uint64_t quotient = x.significand >= smallest;
  std::uint64_t rest = x.significand - (quotient != 0 ? smallest : 0);
  for (int bit = 0; bit < 63; ++bit) {  // long division, 63 bits below the binary point
    const bool carry = (rest >> 63) != 0;
    rest <<= 1;
    quotient <<= 1;
    if (carry || rest >= smallest) {
      rest -= smallest;
      quotient |= 1;
    }
  }
  const std::uint64_t lost = (rest != 0) | std::uint64_t{x.sticky};
  std::uint64_t up = 0;
  if (r.mode == Rounding::kStochastic) {
    up = noise_rounds_up(noise, x, r.mode, quotient, lost, static_cast<std::uint64_t>(63 + down));
  } else {
    constexpr std::uint64_t kShift = 63;
    up = rounds_up<std::uint64_t>(r.rule, shift_right_jam(quotient, down) | lost,
                                  low_bits<std::uint64_t>(kShift), kShift, 0,
                                  mask_if<std::uint64_t>(x.negative));
  }
  return {up, true};
}

/// Sign and range of a rounded magnitude.
constexpr Packed pack_finite(const Rounder& r, const Unpacked& x, RoundedPosition rounded) {
  const RangeRule& range = r.range;
  const std::uint64_t position = rounded.position;
  unsigned flags = rounded.inexact ? kInexact : 0;
  if (range.is_unsigned && x.negative && (!range.negative_rounds || position != 0))
    return {range.negative, kInvalid};
  const bool over = rounded.beyond || position > range.max_position[x.negative];
  if (over && !range.wraps)
    return {range.overflow[x.negative],
            is_integer(r.format) ? unsigned{range.overflow_flags} : flags | range.overflow_flags};
  if (range.integer_mask != 0) {
    if (over) flags = kInvalid;
    return {(x.negative ? ~position + 1 : position) & range.integer_mask, flags};
  }
  if (rounded.inexact && is_tiny(r, x, r.context.tininess)) flags |= kUnderflow;
  const bool keeps_sign = x.negative && (position != 0 || range.negative_zero || !range.has_zero);
  return {position | (keeps_sign ? range.sign_bit : 0), flags};
}

constexpr Packed pack_zero(const Rounder& r, bool negative) {
  if (!r.range.has_zero) return {r.range.zero | (negative ? r.range.sign_bit : 0), kInvalid};
  return {negative && r.range.negative_zero ? r.range.sign_bit : 0, 0};
}

constexpr Packed round_to_position(const Rounder& r, const Unpacked& x, const Noise& noise) {
  switch (x.kind) {
    case Class::kNan:
      return {r.range.nan[x.negative],
              unsigned{r.range.nan_flags} | (is_signaling(x) ? kInvalid : 0u)};
    case Class::kInfinity:
      return {r.range.infinity[x.negative], r.range.infinity_flags[x.negative]};
    case Class::kZero:
      return pack_zero(r, x.negative);
    case Class::kFinite:
      break;
  }
  if (r.context.flush_outputs && r.range.has_zero && is_tiny(r, x, r.context.flush_detection)) {
    if (r.range.is_unsigned && x.negative && !r.range.negative_rounds)
      return {r.range.negative, kInvalid};
    return {pack_zero(r, x.negative).code, kUnderflow | kInexact};
  }
  if (in_odd_zone(r, x)) return pack_finite(r, x, round_odd_zone(r, x, noise));
  return pack_finite(r, x, round_finite(r, x, noise));
}

}  // namespace detail

/// Round an exact value into the rounder's format: its storage code and the flags raised.
constexpr Packed round_pack(const Rounder& r, const Unpacked& x, const Noise& noise = {}) {
  const Packed packed = detail::round_to_position(r, x, noise);
  return {code_of_position(r.format, packed.code), packed.flags};
}

}  // namespace MINIFLOAT_ABI
}  // namespace minifloat
