#pragma once

#include "minifloat/kernels/load.hpp"
#include "minifloat/kernels/round.hpp"
#include "minifloat/philox.hpp"

/// A cast plan: every choice that depends on the two formats and the options, made once per call.
/// The choice that matters is the carrier: float32 bits where they hold all that the rounding can
/// see, float64 bits otherwise, and the scalar core for what neither holds.

namespace minifloat {

enum class CarrierKind : std::uint8_t { kFloat32, kFloat64, kScalar };
enum class UpKind : std::uint8_t { kDeterministic, kAddedNoise, kTabledNoise, kHybrid };
enum class StochasticVariant : std::uint8_t { kFloor, kNearest, kCentred };

struct Options {
  Rounding mode = Rounding::kTiesToEven;
  Overflow overflow = Overflow::kIeee;
  NanPolicy nan = NanPolicy::kRaise;
  Context context;
  StochasticVariant variant = StochasticVariant::kFloor;
  int random_bits = 32;                  ///< N of the stochastic modes
  const std::uint32_t* table = nullptr;  ///< 2^N thresholds of a noise density
  bool jam = false;                      ///< see NoiseRule
};

struct CastPlan {
  Format source, target;
  Options options;
  Rounder rounder;
  CarrierKind carrier = CarrierKind::kScalar;
  UpKind up = UpKind::kDeterministic;
  Load load = Load::kIdentity;
  bool symmetric = false;     ///< see is_symmetric
  bool copies = false;        ///< the carrier's bits already are the target's
  bool repairs_zone = false;  ///< values in an odd zone are redone by the scalar core
  int source_bytes = 4, target_bytes = 1;
  std::uint64_t stray_mask = 0;
  FloatLoad<std::uint32_t> float_load32;
  FloatLoad<std::uint64_t> float_load64;
  IntegerLoad<std::uint32_t> integer_load32;
  IntegerLoad<std::uint64_t> integer_load64;
  RoundParams<std::uint32_t> round32;
  RoundParams<std::uint64_t> round64;
  NoiseRule<std::uint64_t> scalar_noise;
  std::uint64_t noise_keep = 0, noise_set = 0;  ///< on noise left-aligned in 64 bits
  std::uint32_t table32[256];
  std::uint64_t table64[256];
};

inline namespace MINIFLOAT_ABI {

constexpr int storage_bytes(const Format& f) {
  const int bits = content_bits(f) + f.code_shift;
  return bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 32 ? 4 : 8;
}

namespace detail {

/// Whether the carrier's bits show the rounding into `f` everything, `spare` bits below its
/// quantum.
template <class Word>
constexpr bool carrier_rounds(const Format& f, int spare) {
  constexpr int kTrailing = Carrier<Word>::kTrailing;
  constexpr int kLowest = 1 - Carrier<Word>::kBias;
  if (is_hifloat8(f)) return spare < kTrailing - 4;
  if (is_integer(f)) {
    return f.integer_bits <= kTrailing - 1 && quantum_exponent(f) - spare >= kLowest &&
           f.scale_exponent + f.integer_bits < Carrier<Word>::kBias - 1;
  }
  // A wide zone below the normal values must end above the carrier's own subnormals.
  const int lowest = kLowest + has_wide_zone(f);
  if (f.trailing_bits + spare > kTrailing || min_exponent(f) < lowest) return false;
  if (quantum_exponent(f) - spare < kLowest - kTrailing) return false;
  // Positions of values far above the range must not wrap around.
  const int binades = Carrier<Word>::kBias + 3 - min_exponent(f);
  return (std::uint64_t(binades) >> (kWordBits<Word> - 2 - f.trailing_bits)) == 0;
}

template <class Word>
constexpr bool loads_arithmetically(const Format& f) {
  if (f.grid != Grid::kFloat || f.trailing_bits > Carrier<Word>::kTrailing) return false;
  if (f.subnormals == Subnormals::kNormal && f.bias > Carrier<Word>::kBias - 1) return false;
  if (f.is_signed && !f.negative_zero && f.nan != NanCode::kNegativeZero) return false;
  const bool same_grid = f.bias == Carrier<Word>::kBias && f.subnormals == Subnormals::kGradual;
  // The scale of subnormals has to be normal, and so have the normal values.
  return same_grid ||
         (quantum_exponent(f) >= 1 - Carrier<Word>::kBias && f.bias < Carrier<Word>::kBias);
}

template <class Word>
constexpr bool loads(const Format& f) {
  if (!carrier_holds<Word>(f)) return false;
  if (storage_bytes(f) == 1) return true;
  if (is_integer(f)) {
    return f.integer_bits <= (sizeof(Word) == 4 ? 16 : 32) &&
           f.scale_exponent >= 1 - Carrier<Word>::kBias;
  }
  if (f == carrier_format<Word>()) return true;
  if (sizeof(Word) == 8 && f == carrier_format<std::uint32_t>()) return true;
  return storage_bytes(f) <= static_cast<int>(sizeof(Word)) && loads_arithmetically<Word>(f);
}

template <class Word>
constexpr Load load_kind(const Format& f) {
  if (storage_bytes(f) == 1) return Load::kTable;
  if (f == carrier_format<Word>()) return Load::kIdentity;
  if (sizeof(Word) == 8 && f == carrier_format<std::uint32_t>()) return Load::kWiden;
  return is_integer(f) ? Load::kInteger : Load::kFloat;
}

template <class Word>
constexpr IntegerLoad<Word> integer_load(const Format& f) {
  IntegerLoad<Word> p{};
  if (!is_integer(f)) return p;
  p.scale = static_cast<typename Carrier<Word>::Float>(
      f.scale_exponent >= 1 - Carrier<Word>::kBias && f.scale_exponent <= Carrier<Word>::kBias
          ? power_of_two(f.scale_exponent)
          : 0.0);
  p.is_signed = f.is_signed;
  p.spare_bits = storage_bytes(f) * 8 - f.integer_bits;
  return p;
}

/// Whether float32's largest value, which stands for all that is larger, is beyond the range.
constexpr bool stays_below_float32(const Format& f) {
  if (is_hifloat8(f)) return true;
  if (is_integer(f)) return f.scale_exponent + f.integer_bits < 127;
  return static_cast<int>(max_position(f) >> f.trailing_bits) - f.bias < 127;
}

inline void choose_carrier(CastPlan& plan) {
  const Format& from = plan.source;
  const Format& to = plan.target;
  const bool stochastic = plan.up != UpKind::kDeterministic;
  const bool nearest = plan.options.variant == StochasticVariant::kNearest;
  const int n = stochastic && plan.up != UpKind::kHybrid ? plan.options.random_bits : 0;
  const int used = n + (plan.options.variant == StochasticVariant::kCentred) + nearest;
  if (plan.rounder.range.wraps) return;
  const Context& context = plan.options.context;
  const bool rare_nans = context.no_signaling_nans || context.snan_bit_is_one;
  if (rare_nans && has_signaling_nan(from)) return;  // the kernels know IEEE's quiet bit alone
  if (n == 64 && plan.options.variant != StochasticVariant::kFloor) return;  // wants 65 bits
  if (has_odd_zone(to) && plan.options.context.flush_outputs) return;
  if (to.is_signed && !plan.rounder.range.has_zero) return;  // the kernels know no such sign
  const bool keeps_infinity =
      has_infinity(to) && plan.rounder.range.infinity[0] == infinity_position(to);
  const bool copies = !stochastic && keeps_infinity;
  if (copies && loads<std::uint32_t>(from) && to == carrier_format<std::uint32_t>()) {
    plan.carrier = CarrierKind::kFloat32;
    plan.copies = true;
  } else if (loads<std::uint32_t>(from) && used <= 32 && carrier_rounds<std::uint32_t>(to, 2)) {
    plan.carrier = CarrierKind::kFloat32;
  } else if (from == carrier_format<std::uint64_t>() && !nearest &&
             !plan.options.context.flush_inputs && used + 3 <= 23 && stays_below_float32(to) &&
             carrier_rounds<std::uint32_t>(to, used + 3)) {
    plan.carrier = CarrierKind::kFloat32;
    plan.load = Load::kNarrowOdd;
    return;
  } else if (copies && loads<std::uint64_t>(from) && to == carrier_format<std::uint64_t>()) {
    plan.carrier = CarrierKind::kFloat64;
    plan.copies = true;
  } else if (loads<std::uint64_t>(from) && carrier_rounds<std::uint64_t>(to, 2)) {
    plan.carrier = CarrierKind::kFloat64;
  } else {
    return;
  }
  plan.load = plan.carrier == CarrierKind::kFloat32 ? load_kind<std::uint32_t>(from)
                                                    : load_kind<std::uint64_t>(from);
}

inline void choose_noise(CastPlan& plan) {
  const Options& o = plan.options;
  if (o.mode == Rounding::kHybrid) {
    plan.up = UpKind::kHybrid;
    plan.noise_keep = ~std::uint64_t{0};
    return;
  }
  if (o.mode != Rounding::kStochastic) return;
  plan.up = o.table != nullptr ? UpKind::kTabledNoise : UpKind::kAddedNoise;
  const auto n = static_cast<std::uint64_t>(o.table != nullptr ? 32 : o.random_bits);
  plan.noise_keep = ~std::uint64_t{0} << (64 - n);
  if (o.variant == StochasticVariant::kCentred && n < 64)
    plan.noise_set = std::uint64_t{1} << (63 - n);
}

template <class Word>
constexpr NoiseRule<Word> noise_rule(const Options& o) {
  NoiseRule<Word> rule;
  const int shift = kWordBits<Word> - o.random_bits;
  if (o.mode != Rounding::kStochastic || shift < 0) return rule;
  rule.centred = Word{o.variant == StochasticVariant::kCentred && o.random_bits == 64};
  if (o.variant == StochasticVariant::kNearest && (shift > 0 || sizeof(Word) == 8)) {
    rule.nearest = static_cast<Word>(~Word{0});
    rule.lsb_shift = static_cast<Word>(shift);
  }
  rule.index_shift = static_cast<Word>(o.table != nullptr ? shift : 0);
  rule.jam = static_cast<Word>(o.jam);
  return rule;
}

}  // namespace detail

/// Make a plan. The policy must be one that `policy_error` accepts.
inline void make_cast_plan(CastPlan& plan, const Format& source, const Format& target,
                           const Options& options) {
  plan = CastPlan{};
  plan.source = source;
  plan.target = target;
  plan.options = options;
  plan.rounder = make_rounder(target, options.mode, options.overflow, options.nan, options.context);
  plan.source_bytes = storage_bytes(source);
  plan.target_bytes = storage_bytes(target);
  const int bits = content_bits(source) + source.code_shift;
  if (bits < 64) plan.stray_mask = ~low_bits<std::uint64_t>(bits);
  plan.stray_mask |= low_bits<std::uint64_t>(source.code_shift);
  if (plan.source_bytes < 8) plan.stray_mask &= low_bits<std::uint64_t>(plan.source_bytes * 8);
  detail::choose_noise(plan);
  detail::choose_carrier(plan);
  plan.repairs_zone = has_odd_zone(target);
  plan.symmetric = is_symmetric(plan.rounder.range);
  plan.scalar_noise = detail::noise_rule<std::uint64_t>(options);
  const bool quiet = options.context.narrow_nans_quiet;
  if (plan.carrier == CarrierKind::kFloat32) {
    plan.round32 = round_params<std::uint32_t>(plan.rounder);
    plan.round32.noise = detail::noise_rule<std::uint32_t>(options);
    if (plan.load == Load::kFloat) plan.float_load32 = float_load<std::uint32_t>(source, quiet);
    plan.integer_load32 = detail::integer_load<std::uint32_t>(source);
  } else if (plan.carrier == CarrierKind::kFloat64) {
    plan.round64 = round_params<std::uint64_t>(plan.rounder);
    plan.round64.noise = plan.scalar_noise;
    if (plan.load == Load::kFloat) plan.float_load64 = float_load<std::uint64_t>(source, quiet);
    plan.integer_load64 = detail::integer_load<std::uint64_t>(source);
  }
  if (plan.load != Load::kTable) return;
  for (unsigned code = 0; code < 256; ++code) {
    Unpacked value =
        decode(source, code & ((top_position(source) | sign_bit(source)) << source.code_shift));
    if (quiet && value.kind == Class::kNan) value.significand |= std::uint64_t{1} << 63;
    if (plan.carrier == CarrierKind::kFloat32)
      plan.table32[code] = carrier_bits<std::uint32_t>(value);
    else
      plan.table64[code] = carrier_bits<std::uint64_t>(value);
  }
}

}  // namespace MINIFLOAT_ABI
}  // namespace minifloat
