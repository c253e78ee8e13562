#pragma once

#include "minifloat/arith/operation.hpp"
#include "minifloat/kernels/cast.hpp"

/// An arithmetic plan: an operation, how its operands are read, and which path computes it.

namespace minifloat {

inline constexpr int kMaxOperands = 3;
inline constexpr std::size_t kTableEntries = std::size_t{1} << 16;

enum class ArithPath : std::uint8_t { kScalar, kTable };

struct ArithPlan {
  Operation operation;
  CastPlan finish;  ///< the result's format, rounding and noise
  ArithPath path = ArithPath::kScalar;
  int count = 2;  ///< operands
  int operand_bytes[kMaxOperands] = {1, 1, 1};
  std::uint64_t stray_mask[kMaxOperands] = {0, 0, 0};
  bool raises_nan = false;
  const std::uint16_t* table = nullptr;  ///< code | flags << 8, by the codes of both operands
};

/// One stretch of an operation; an operand of one element counts for all.
struct ArithJob {
  CastJob cast;
  const void* sources[kMaxOperands] = {nullptr, nullptr, nullptr};
  bool repeats[kMaxOperands] = {false, false, false};
};

inline namespace MINIFLOAT_ABI {
namespace arith {

constexpr std::uint64_t stray_bits(const Format& f) {
  const int bits = content_bits(f) + f.code_shift;
  std::uint64_t mask = bits < 64 ? ~low_bits<std::uint64_t>(bits) : 0;
  mask |= low_bits<std::uint64_t>(f.code_shift);
  const int width = storage_bytes(f) * 8;
  return width < 64 ? mask & low_bits<std::uint64_t>(width) : mask;
}

/// Whether results depend on the operands' codes alone and all of them are bytes.
constexpr bool fits_table(const ArithPlan& plan) {
  if (plan.count > 2 || plan.finish.target_bytes != 1) return false;
  if (plan.finish.up != UpKind::kDeterministic) return false;
  for (int k = 0; k < plan.count; ++k)
    if (plan.operand_bytes[k] != 1) return false;
  return true;
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
  if (fits_table(plan)) plan.path = ArithPath::kTable;
}

}  // namespace arith
}  // namespace MINIFLOAT_ABI
}  // namespace minifloat
