#pragma once

#include "minifloat/kernels/arith/native.hpp"

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

/// Whether the carrier's result of the operation is exact, or tells all about the rounding.
template <class Word>
constexpr bool operates_on(Op op, const Extent* x, int result_bits) {
  constexpr int kBits = Carrier<Word>::kTrailing + 1;
  constexpr int kTop = Carrier<Word>::kBias - 1;
  constexpr int kLowestNormal = 1 - Carrier<Word>::kBias;
  constexpr int kLowest = kLowestNormal - Carrier<Word>::kTrailing;
  const bool product = x[0].bits + x[1].bits <= kBits && x[0].top + x[1].top + 1 < kTop &&
                       x[0].lowest + x[1].lowest >= kLowest;
  switch (op) {
    case Op::kAdd:
    case Op::kSubtract:
      return x[0].top < kTop && x[1].top < kTop;
    case Op::kMultiply:
      return product;
    case Op::kMultiplyAdd:
      return product && x[2].top < kTop;
    case Op::kDivide:
      return x[1].bits + result_bits + 1 < kBits && x[0].top - x[1].lowest < kTop &&
             x[0].lowest - x[1].top - 1 >= kLowestNormal;
    case Op::kSquareRoot:
      return 2 * result_bits + 3 < kBits;
    default:
      return false;
  }
}

/// `moderate`: operands are known to keep clear of both ends of the carrier's range.
template <class Word>
constexpr bool carries(const ArithPlan& plan, bool moderate = false) {
  const Operation& o = plan.operation;
  const Format& to = plan.finish.target;
  Extent x[kMaxOperands] = {};
  for (int k = 0; k < plan.count; ++k) {
    if (is_integer(o.operand[k]) || !minifloat::detail::loads<Word>(o.operand[k])) return false;
    x[k] = extent(o.operand[k]);
    if (moderate) x[k] = {smaller(x[k].top, 49), larger(x[k].lowest, -50 - x[k].bits), x[k].bits};
  }
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
         operates_on<Word>(o.op, x, precision(to));
}

/// Whether the context leaves everything but the choice of NaNs to the plain rules.
constexpr bool is_plain(const Context& c) { return !c.flush_inputs && !c.flush_outputs; }

constexpr bool has_plain_nans(const Context& c) {
  return c.nan_rule == NanRule::kCanonical && c.nan_rule_of_three == NanRule::kCanonical &&
         c.default_nan == 0x40 && !c.snan_bit_is_one && !c.no_signaling_nans &&
         !c.infinity_times_zero_is_quiet;
}

/// Whether float32 or float64 can be operated on in the hardware's own arithmetic.
constexpr bool runs_natively(const ArithPlan& plan) {
  const Operation& o = plan.operation;
  const bool single = o.operand[0] == carrier_format<std::uint32_t>();
  const Format own = single ? carrier_format<std::uint32_t>() : carrier_format<std::uint64_t>();
  if (!(plan.finish.target == own) || plan.finish.up != UpKind::kDeterministic) return false;
  for (int k = 0; k < plan.count; ++k)
    if (!(o.operand[k] == own)) return false;
  const Rounding mode = plan.finish.options.mode;
  if (mode == Rounding::kTiesToAway || mode == Rounding::kTiesToZero) return false;
  switch (o.op) {
    case Op::kAdd:
    case Op::kSubtract:
    case Op::kMultiply:
    case Op::kDivide:
    case Op::kSquareRoot:
    case Op::kMultiplyAdd:
      return true;
    default:
      return false;
  }
}

/// Choose the path of a plan that is complete otherwise.
inline void choose_path(ArithPlan& plan) {
  const Operation& o = plan.operation;
  if (fits_table(plan)) {
    plan.path = ArithPath::kTable;
    return;
  }
  if (!is_plain(o.context) || o.negates_result || o.scale != 0) return;
  plan.native = runs_natively(plan);
  plan.repairs_nans = !has_plain_nans(o.context);
  plan.repairs_zone = has_odd_zone(plan.finish.target);
  if (carries<std::uint32_t>(plan)) {
    plan.path = ArithPath::kFloat32;
    plan.switches32 = block_switches<std::uint32_t>(o);
    plan.finish.round32 = round_params<std::uint32_t>(plan.finish.rounder);
    for (int k = 0; k < plan.count; ++k) make_operand_load(plan.load32[k], o.operand[k], o.context);
  } else if (carries<std::uint64_t>(plan)) {
    plan.path = ArithPath::kFloat64;
    plan.tries32 = carries<std::uint32_t>(plan, true);
    if (plan.tries32) {
      plan.switches32 = block_switches<std::uint32_t>(o);
      plan.finish.round32 = round_params<std::uint32_t>(plan.finish.rounder);
      for (int k = 0; k < plan.count; ++k)
        make_operand_load(plan.load32[k], o.operand[k], o.context);
    }
    plan.switches64 = block_switches<std::uint64_t>(o);
    plan.finish.round64 = round_params<std::uint64_t>(plan.finish.rounder);
    plan.finish.round64.noise = plan.finish.scalar_noise;
    for (int k = 0; k < plan.count; ++k) make_operand_load(plan.load64[k], o.operand[k], o.context);
  }
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
