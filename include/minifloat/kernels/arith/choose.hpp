#pragma once

#include "minifloat/kernels/arith/plan.hpp"

/// Which carrier an operation can take: the one whose bits show the rounding all it must see.

namespace minifloat {
inline namespace MINIFLOAT_ABI {
namespace arith {

/// What a format's values can be: exponents of its largest and of its lowest bit.
struct Extent {
  int top, lowest, bits;
};

constexpr Extent extent(const Format& f) {
  const std::uint64_t largest = code_of_position(f, max_position(f));
  return {decode(f, largest).exponent, quantum_exponent(f), precision(f)};
}

/// Whether the carrier's precision makes the operation's result exact, or tell all about the
/// rounding. Sums of this few bits never overflow on the way to their error.
template <class Word>
constexpr bool is_precise(Op op, const Extent* x, int result_bits) {
  constexpr int kBits = Carrier<Word>::kTrailing + 1;
  switch (op) {
    case Op::kAdd:
    case Op::kSubtract:
    case Op::kRemainder:
      return true;
    case Op::kMultiply:
    case Op::kMultiplyAdd:
      return x[0].bits + x[1].bits <= kBits;
    case Op::kDivide:
      return x[1].bits + result_bits + 1 < kBits;
    case Op::kSquareRoot:
      return 2 * result_bits + 3 < kBits;
    default:
      return false;
  }
}

/// Whether no result of the operation leaves the carrier's range, at either end.
template <class Word>
constexpr bool is_in_range(Op op, const Extent* x) {
  constexpr int kTop = Carrier<Word>::kBias - 1;
  constexpr int kLowestNormal = 1 - Carrier<Word>::kBias;
  constexpr int kLowest = kLowestNormal - Carrier<Word>::kTrailing;
  const bool product = x[0].top + x[1].top + 1 < kTop && x[0].lowest + x[1].lowest >= kLowest;
  switch (op) {
    case Op::kAdd:
    case Op::kSubtract:
      return x[0].top < kTop && x[1].top < kTop;
    case Op::kMultiply:
      return product;
    case Op::kMultiplyAdd:
      return product && x[2].top < kTop;
    case Op::kDivide:
      return x[0].top - x[1].lowest < kTop && x[0].lowest - x[1].top - 1 >= kLowestNormal;
    case Op::kRemainder:  // quotients that NativeRemainder knows how to take
      return x[0].top - x[1].lowest + 1 < Carrier<Word>::kTrailing - 1;
    default:
      return true;
  }
}

/// Whether a float32 path may find out by itself what leaves its range: operands whose sums leave
/// room below the largest value, so that errors of sums stay finite.
constexpr bool shows_doubts(Op op, const Extent* x) {
  const int first = op == Op::kMultiplyAdd ? 2 : 0;
  for (int k = first; k < 3; ++k)
    if (x[k].bits > 20) return false;
  return true;
}

/// Operands that the carrier holds, and their extents.
template <class Word>
constexpr bool loads_operands(const ArithPlan& plan, Extent* x) {
  for (int k = 0; k < plan.count; ++k) {
    const Format& f = plan.operation.operand[k];
    if (is_integer(f) || !minifloat::detail::loads<Word>(f)) return false;
    x[k] = extent(f);
  }
  return true;
}

/// Whether the carrier serves: if `doubts`, but for results that leave its range.
template <class Word>
constexpr bool carries(const ArithPlan& plan, bool doubts) {
  const Operation& o = plan.operation;
  const Format& to = plan.finish.target;
  Extent x[kMaxOperands] = {};
  if (!loads_operands<Word>(plan, x)) return false;
  const Options& options = plan.finish.options;
  int spare = 2;
  if (plan.finish.up == UpKind::kAddedNoise) {
    // Quotients and roots show no more bits than a deterministic rounding needs.
    if (o.op == Op::kDivide || o.op == Op::kSquareRoot || sizeof(Word) == 4) return false;
    spare = options.random_bits + 3;
  } else if (plan.finish.up != UpKind::kDeterministic) {
    return false;
  }
  return precision(to) + spare <= Carrier<Word>::kTrailing + 1 &&
         minifloat::detail::carrier_rounds<Word>(to, 2) &&
         is_precise<Word>(o.op, x, precision(to)) &&
         (doubts ? shows_doubts(o.op, x) : is_in_range<Word>(o.op, x));
}

/// Whether the result is the carrier's own float, in a mode that its error decides.
template <class Word>
constexpr bool is_direct(const ArithPlan& plan) {
  const Operation& o = plan.operation;
  Extent x[kMaxOperands] = {};
  if (!(plan.finish.target == carrier_format<Word>()) || o.unsigned_zero) return false;
  if (!loads_operands<Word>(plan, x) || plan.finish.up != UpKind::kDeterministic) return false;
  switch (o.op) {
    case Op::kAdd:
    case Op::kSubtract:
    case Op::kMultiply:
    case Op::kDivide:
    case Op::kRemainder:
    case Op::kSquareRoot:
    case Op::kMultiplyAdd:
      return true;
    default:
      return false;
  }
}

/// Whether the context leaves everything but the choice of NaNs to the plain rules.
constexpr bool is_plain(const Context& c) { return !c.flush_inputs && !c.flush_outputs; }

constexpr bool has_plain_nans(const Context& c) {
  return c.nan_rule == NanRule::kCanonical && c.nan_rule_of_three == NanRule::kCanonical &&
         c.default_nan == 0x40 && !c.snan_bit_is_one && !c.no_signaling_nans &&
         !c.infinity_times_zero_is_quiet;
}

template <class Word>
constexpr BlockSwitches<Word> block_switches(const ArithPlan& plan) {
  const Operation& o = plan.operation;
  BlockSwitches<Word> s;
  if (o.toward_negative) s.negative_cancellation = kSignMask<Word>;
  if (o.op == Op::kSubtract || o.negates_addend) s.flip_last = kSignMask<Word>;
  if (o.negates_product) s.flip_first = kSignMask<Word>;
  s.zero_divides = mask_if<Word>(o.unsigned_zero);
  s.nan_again = mask_if<Word>(plan.repairs_nans);
  return s;
}

inline void prepare_float32(ArithPlan& plan) {
  plan.switches32 = block_switches<std::uint32_t>(plan);
  plan.finish.round32 = round_params<std::uint32_t>(plan.finish.rounder);
  for (int k = 0; k < plan.count; ++k)
    make_operand_load(plan.load32[k], plan.operation.operand[k], plan.operation.context);
}

inline void prepare_float64(ArithPlan& plan) {
  plan.switches64 = block_switches<std::uint64_t>(plan);
  plan.finish.round64 = round_params<std::uint64_t>(plan.finish.rounder);
  plan.finish.round64.noise = plan.finish.scalar_noise;
  for (int k = 0; k < plan.count; ++k)
    make_operand_load(plan.load64[k], plan.operation.operand[k], plan.operation.context);
}

/// The path by the operands' and the result's formats.
inline ArithPath choose_carrier(ArithPlan& plan) {
  if (carries<std::uint32_t>(plan, false)) return ArithPath::kFloat32;
  const bool wider = carries<std::uint64_t>(plan, false);
  plan.doubts = carries<std::uint32_t>(plan, true);
  const bool direct = is_direct<std::uint32_t>(plan);
  plan.carries_wider = wider && (plan.doubts || direct);
  if (direct) return ArithPath::kDirect32;
  if (plan.doubts) return ArithPath::kFloat32;
  if (wider) return ArithPath::kFloat64;
  return is_direct<std::uint64_t>(plan) ? ArithPath::kDirect64 : ArithPath::kScalar;
}

/// Choose the path of a plan that is complete otherwise.
inline void choose_path(ArithPlan& plan) {
  const Operation& o = plan.operation;
  if (fits_table(plan)) {
    plan.path = ArithPath::kTable;
    return;
  }
  if (!is_plain(o.context) || o.negates_result || o.scale != 0) return;
  plan.repairs_nans = !has_plain_nans(o.context);
  plan.repairs_zone = has_odd_zone(plan.finish.target);
  plan.path = choose_carrier(plan);
  if (plan.path == ArithPath::kFloat32 || plan.path == ArithPath::kDirect32) prepare_float32(plan);
  if (plan.path == ArithPath::kFloat64 || plan.path == ArithPath::kDirect64 || plan.carries_wider)
    prepare_float64(plan);
}

/// Make a plan. `operation` brings its operands' formats and switches; the rest follows from the
/// result's format and the options.
inline void make_arith_plan(ArithPlan& plan, const Operation& operation, const Format& result,
                            const Options& options) {
  plan = ArithPlan{};
  make_cast_plan(plan.finish, result, result, options);
  plan.operation = operation;
  plan.operation.rounder = plan.finish.rounder;
  plan.operation.context = options.context;
  plan.operation.toward_negative = options.mode == Rounding::kTowardNegative;
  plan.operation.integers = integer_rounder(64, false, options.mode, false);
  if (options.variant == StochasticVariant::kNearest && options.mode == Rounding::kStochastic) {
    plan.finish.scalar_noise.nearest = ~std::uint64_t{0};  // at 64 bits, too
  }
  plan.raises_nan = options.nan == NanPolicy::kRaise && !has_nan(result) && !is_integer(result);
  plan.count = operand_count(operation.op);
  for (int k = 0; k < plan.count; ++k) {
    plan.operand_bytes[k] = storage_bytes(operation.operand[k]);
    plan.stray_mask[k] = stray_bits(operation.operand[k]);
  }
  choose_path(plan);
}

}  // namespace arith
}  // namespace MINIFLOAT_ABI
}  // namespace minifloat
