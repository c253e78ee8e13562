#pragma once

#include "minifloat/kernels/matmul/plan.hpp"

/// Making a matrix product's plan, and telling from the operands' extents which carrier serves.

namespace minifloat {
inline namespace MINIFLOAT_ABI {
namespace matmul {

/// Whether nearest-even sums of rounded products may be rounded to the carrier first.
template <class Word>
constexpr bool rounds_twice_harmlessly(const MatmulPlan& plan) {
  return plan.round.options.mode == Rounding::kTiesToEven && plan.rounds_products &&
         2 * precision(plan.accumulator) + 2 <= Carrier<Word>::kTrailing + 1;
}

/// Whether the accumulator's values are the carrier's own, less the last bits of each.
template <class Word>
constexpr bool shares_grid(const MatmulPlan& plan) {
  return plan.accumulator.bias == Carrier<Word>::kBias;
}

/// Whether the accumulator's grid and the options suit the carrier's way of rounding.
template <class Word>
constexpr bool suits(const MatmulPlan& plan) {
  const Format& f = plan.accumulator;
  const Context& c = plan.context;
  if (f.grid != Grid::kFloat || f.subnormals != Subnormals::kGradual || !f.is_signed) return false;
  if (f.trailing_bits < 1 || precision(f) + 2 > Carrier<Word>::kTrailing + 1) return false;
  if (plan.round.up != UpKind::kDeterministic || plan.order == SumOrder::kFused) return false;
  if (c.flush_inputs || c.flush_outputs || !arith::has_plain_nans(c)) return false;
  for (const Format* x : {&plan.a, &plan.b})
    if (is_integer(*x) || !minifloat::detail::loads<Word>(*x)) return false;
  const int lowest = min_exponent(f) + Carrier<Word>::kBias;  // as a biased exponent
  if (lowest < 1) return false;
  if (sizeof(Word) == 4 && shares_grid<Word>(plan)) return true;  // sums down there are exact
  return rounds_twice_harmlessly<Word>(plan) || lowest - f.trailing_bits >= 2;
}

/// Whether products of values of these extents are exact in the carrier, and sums of `inner` of
/// them stay where its magic numbers are finite.
template <class Word>
constexpr bool stays_inside(const MatmulPlan& plan, const arith::Extent& a, const arith::Extent& b,
                            std::size_t inner) {
  constexpr int kTrailing = Carrier<Word>::kTrailing;
  int growth = 2;
  while (inner > 1) inner = (inner + 1) / 2, ++growth;
  const int magic = kTrailing - plan.accumulator.trailing_bits;
  return a.bits + b.bits <= kTrailing + 1 &&
         a.lowest + b.lowest >= 1 - Carrier<Word>::kBias - kTrailing &&
         a.top + b.top + growth + magic < Carrier<Word>::kBias;
}

/// The extent of the values that a matrix really has, if its codes sort by magnitude.
inline arith::Extent measured_extent(const Format& f, const void* codes, std::size_t n) {
  arith::Extent found = arith::extent(f);
  if (f.grid != Grid::kFloat) return found;
  const int bytes = storage_bytes(f);
  std::uint64_t largest = 0, smallest = ~std::uint64_t{0};
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t position =
        position_of_code(f, minifloat::detail::code_at(codes, bytes, i)) & top_position(f);
    if (position > max_position(f)) continue;
    largest = larger(largest, position);
    if (position != 0) smallest = smaller(smallest, position);
  }
  const Unpacked top = decode(f, code_of_position(f, largest));
  if (top.kind != Class::kFinite) return {-1000, 1000, found.bits};  // nothing but zeros
  found.top = top.exponent;
  const Unpacked least = decode(f, code_of_position(f, smallest));
  if (least.kind == Class::kFinite)
    found.lowest = larger(found.lowest, least.exponent - f.trailing_bits);
  return found;
}

template <class Word>
void prepare(MatmulPlan& plan, OperandLoad<Word> (&load)[2],
             GridRounding<typename Carrier<Word>::Float>& grid, CastPlan& deliver) {
  using Float = typename Carrier<Word>::Float;
  const Format& f = plan.accumulator;
  const RangeRule& range = plan.round.rounder.range;
  const auto value = [&](std::uint64_t position) {
    return bit_cast<Float>(carrier_bits<Word>(decode(f, code_of_position(f, position))));
  };
  arith::make_operand_load(load[0], plan.a, plan.context);
  arith::make_operand_load(load[1], plan.b, plan.context);
  grid.max = value(range.max_position[0]);
  for (int sign = 0; sign < 2; ++sign) {
    grid.overflow[sign] = value(range.overflow[sign]);
    grid.infinity[sign] = value(range.infinity[sign]);
  }
  grid.nan = value(range.nan[0]);
  grid.plain = has_nan(f) && has_infinity(f);
  for (int sign = 0; sign < 2; ++sign) {
    const std::uint64_t infinity = infinity_position(f) | (sign != 0 ? sign_bit(f) : 0);
    grid.plain = grid.plain && range.overflow[sign] == infinity && range.infinity[sign] == infinity;
  }
  Options options = plan.round.options;
  make_cast_plan(deliver, carrier_format<Word>(), plan.result, options);
}

/// Complete a plan whose formats, order and switches are set.
inline void make_matmul_plan(MatmulPlan& plan, const Options& options) {
  plan.context = options.context;
  plan.toward_negative = options.mode == Rounding::kTowardNegative;
  make_cast_plan(plan.round, plan.accumulator, plan.accumulator, options);
  if (options.variant == StochasticVariant::kNearest && options.mode == Rounding::kStochastic)
    plan.round.scalar_noise.nearest = ~std::uint64_t{0};
  plan.stray_a = arith::stray_bits(plan.a);
  plan.stray_b = arith::stray_bits(plan.b);
  Options delivery = options;
  if (options.mode == Rounding::kStochastic) delivery.mode = Rounding::kTiesToEven;  // exact anyway
  delivery.table = nullptr;
  make_cast_plan(plan.deliver32, carrier_format<std::uint32_t>(), plan.result, delivery);
  plan.carried32 = suits<std::uint32_t>(plan);
  plan.carried64 = suits<std::uint64_t>(plan);
  if (plan.carried32) prepare<std::uint32_t>(plan, plan.load32, plan.grid32, plan.deliver32);
  if (plan.carried64) prepare<std::uint64_t>(plan, plan.load64, plan.grid64, plan.deliver64);
}

}  // namespace matmul
}  // namespace MINIFLOAT_ABI
}  // namespace minifloat
