#pragma once

#include "minifloat/arith/operation.hpp"
#include "minifloat/kernels/arith/operands.hpp"
#include "minifloat/kernels/arith/transform.hpp"

/// An arithmetic plan: an operation, how its operands are read, and which path computes it.

namespace minifloat {

inline constexpr int kMaxOperands = 3;
inline constexpr std::size_t kTableEntries = std::size_t{1} << 16;

enum class ArithPath : std::uint8_t { kScalar, kTable, kFloat32, kFloat64 };

struct ArithPlan {
  Operation operation;
  CastPlan finish;  ///< the result's format, rounding and noise
  ArithPath path = ArithPath::kScalar;
  int count = 2;  ///< operands
  int operand_bytes[kMaxOperands] = {1, 1, 1};
  std::uint64_t stray_mask[kMaxOperands] = {0, 0, 0};
  bool raises_nan = false;
  bool native = false;   ///< blocks of moderate operands run in the hardware's own arithmetic
  bool tries32 = false;  ///< path kFloat64: blocks of moderate operands fit the float32 carrier
  bool repairs_nans = false;  ///< NaN results are redone by the scalar core
  bool repairs_zone = false;  ///< ... and results below a smallest value that is no power of two
  OperandLoad<std::uint32_t> load32[kMaxOperands];
  OperandLoad<std::uint64_t> load64[kMaxOperands];
  BlockSwitches<std::uint32_t> switches32;
  BlockSwitches<std::uint64_t> switches64;
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

template <class Word>
constexpr BlockSwitches<Word> block_switches(const Operation& o) {
  BlockSwitches<Word> s;
  if (o.toward_negative) s.negative_cancellation = kSignMask<Word>;
  if (o.op == Op::kSubtract || o.negates_addend) s.flip_last = kSignMask<Word>;
  if (o.negates_product) s.flip_first = kSignMask<Word>;
  if (o.unsigned_zero) s.zero_divides = static_cast<Word>(~Word{0});
  return s;
}

/// Whether results depend on the operands' codes alone and all of them are bytes.
constexpr bool fits_table(const ArithPlan& plan) {
  if (plan.count > 2 || plan.finish.target_bytes != 1) return false;
  if (plan.finish.up != UpKind::kDeterministic) return false;
  for (int k = 0; k < plan.count; ++k)
    if (plan.operand_bytes[k] != 1) return false;
  return true;
}

}  // namespace arith
}  // namespace MINIFLOAT_ABI
}  // namespace minifloat
