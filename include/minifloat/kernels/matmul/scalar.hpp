#pragma once

#include "minifloat/arith/sum.hpp"
#include "minifloat/kernels/matmul/plan.hpp"

/// Matrix products by the scalar core: any format, mode and order, with flags and noise.

namespace minifloat {
inline namespace MINIFLOAT_ABI {
namespace matmul {

/// One output element on its way: its accumulator's rounding and the flags raised so far.
class Register {
 public:
  Register(const MatmulPlan& plan, const CastJob& job, std::uint64_t first_draw)
      : plan_(plan), job_(job), first_draw_(first_draw) {}

  unsigned flags() const { return flags_; }

  Unpacked product(const Unpacked& x, const Unpacked& y, std::size_t step) {
    Unpacked term;
    if (arith::is_nan(x) || arith::is_nan(y)) {
      if (is_signaling(x) || is_signaling(y)) flags_ |= kInvalid;
      term = arith::choose_nan(plan_.context, x, y);
    } else {
      const Exact exact = arith::multiply(x, y);
      flags_ |= exact.flags;
      term = arith::is_nan(exact.value) ? arith::default_nan(plan_.context) : exact.value;
    }
    return plan_.rounds_products ? hold(term, step) : term;
  }

  /// Add and round into the accumulator.
  Unpacked sum(const Unpacked& x, const Unpacked& y, std::size_t step) {
    if (arith::is_nan(x) || arith::is_nan(y)) {
      if (is_signaling(x) || is_signaling(y)) flags_ |= kInvalid;
      return hold(arith::choose_nan(plan_.context, x, y), step);
    }
    const Exact exact = arith::add(x, y, plan_.toward_negative);
    flags_ |= exact.flags;
    return hold(arith::is_nan(exact.value) ? arith::default_nan(plan_.context) : exact.value, step);
  }

  Unpacked hold(const Unpacked& x, std::size_t step) {
    const Rounder& rounder = plan_.round.rounder;
    const Packed packed = arith::pack(rounder, {x, 0}, noise(step));
    flags_ |= packed.flags;
    return arith::load_operand(plan_.context, rounder.format, packed.code);
  }

  std::uint64_t deliver(const Unpacked& x) {
    const Packed packed = arith::pack(plan_.deliver32.rounder, {x, 0});
    flags_ |= packed.flags;
    return packed.code;
  }

 private:
  Noise noise(std::size_t step) const {
    if (plan_.round.up == UpKind::kDeterministic) return {};
    const int bits = plan_.round.up == UpKind::kTabledNoise ? 32 : plan_.round.options.random_bits;
    const std::uint64_t index = first_draw_ + step;
    const std::uint64_t drawn = job_.random_bits != nullptr
                                    ? job_.random_bits[index]
                                    : philox_element(*job_.key, job_.key_offset + index, bits);
    const std::uint64_t value =
        (drawn << (64 - bits) & plan_.round.noise_keep) | plan_.round.noise_set;
    return {value, plan_.round.scalar_noise, plan_.round.options.table};
  }

  const MatmulPlan& plan_;
  const CastJob& job_;
  std::uint64_t first_draw_;
  unsigned flags_ = 0;
};

inline Unpacked sequential(Register& held, const Unpacked* terms, std::size_t n,
                           std::size_t start) {
  Unpacked total = arith::zero(false);
  for (std::size_t k = 0; k < n; ++k) total = held.sum(total, terms[k], start + k);
  return total;
}

/// Split at the largest power of two below n.
inline Unpacked pairwise(Register& held, const Unpacked* terms, std::size_t n) {
  if (n <= 1) return sequential(held, terms, n, 0);
  std::size_t half = 1;
  while (2 * half < n) half *= 2;
  const Unpacked left = pairwise(held, terms, half);
  const Unpacked right = pairwise(held, terms + half, n - half);
  return held.sum(left, right, 0);
}

inline Unpacked blocked(Register& held, const Unpacked* terms, std::size_t n, std::size_t size) {
  Unpacked total = arith::zero(false);
  for (std::size_t k = 0; k < n; k += size)
    total = held.sum(total, sequential(held, terms + k, smaller(size, n - k), k), k);
  return total;
}

/// The exact sum rounded once. `raised` gets the flags of infinities that meet.
inline Unpacked fused(const MatmulPlan& plan, Register& held, const Unpacked* terms, std::size_t n,
                      unsigned& raised) {
  ExactSum total;
  for (std::size_t k = 0; k < n; ++k) {
    if (arith::is_nan(terms[k])) {
      if (is_signaling(terms[k])) raised |= kInvalid;
      total.set_nan();
    } else {
      raised |= total.add(terms[k]);
    }
  }
  return held.hold(
      total.is_nan() ? arith::default_nan(plan.context) : total.value(plan.toward_negative), 0);
}

/// The operands of one output element and room for its terms, all `inner` long.
struct Line {
  const Unpacked* a;
  const Unpacked* b;
  Unpacked* terms;
};

inline Packed element(const MatmulPlan& plan, const MatmulJob& job, const Line& line,
                      std::uint64_t index) {
  const std::size_t n = job.inner;
  Register held(plan, job.cast, index * n);
  unsigned raised = 0;
  for (std::size_t k = 0; k < n; ++k) line.terms[k] = held.product(line.a[k], line.b[k], k);
  Unpacked total;
  switch (plan.order) {
    case SumOrder::kSequential:
      total = sequential(held, line.terms, n, 0);
      break;
    case SumOrder::kPairwise:
      total = pairwise(held, line.terms, n);
      break;
    case SumOrder::kBlocked:
      total = blocked(held, line.terms, n, plan.block);
      break;
    case SumOrder::kFused:
      total = fused(plan, held, line.terms, n, raised);
      break;
  }
  const std::uint64_t code = held.deliver(total);
  return {code, held.flags() | raised};
}

inline void put_element(const MatmulPlan& plan, MatmulJob& job, std::size_t index, Packed found) {
  minifloat::detail::put_code(job.cast.target, plan.deliver32.target_bytes, index, found.code);
  const auto flags = static_cast<std::uint8_t>(found.flags);
  if (job.cast.flags != nullptr) job.cast.flags[index] = flags;
  if (!job.cast.counts_flags) return;
  for (int bit = 0; bit < kFlagCount; ++bit)
    minifloat::detail::note(job.cast.status.flag_count[bit], job.cast.status.flag_first[bit], index,
                            (found.flags >> bit) & 1);
}

/// Rows of the result; `room` holds 3 * inner values.
inline void scalar_rows(const MatmulPlan& plan, MatmulJob& job, Unpacked* room) {
  const std::size_t n = job.inner;
  Unpacked* a = room;
  Unpacked* b = room + n;
  for (std::size_t row = job.cast.begin; row < job.cast.end; ++row) {
    for (std::size_t k = 0; k < n; ++k) {
      const std::uint64_t code =
          minifloat::detail::code_at(job.a, storage_bytes(plan.a), row * n + k);
      a[k] = arith::load_operand(plan.context, plan.a, code);
    }
    const std::size_t start = row / job.rows * job.b_stride;
    for (std::size_t column = 0; column < job.columns; ++column) {
      for (std::size_t k = 0; k < n; ++k) {
        const std::uint64_t code = minifloat::detail::code_at(job.b, storage_bytes(plan.b),
                                                              start + k * job.columns + column);
        b[k] = arith::load_operand(plan.context, plan.b, code);
      }
      const std::size_t index = row * job.columns + column;
      put_element(plan, job, index, element(plan, job, {a, b, room + 2 * n}, index));
    }
  }
}

}  // namespace matmul
}  // namespace MINIFLOAT_ABI
}  // namespace minifloat
