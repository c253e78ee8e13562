#pragma once

#include "minifloat/arith/add.hpp"
#include "minifloat/arith/classify.hpp"
#include "minifloat/arith/compare.hpp"
#include "minifloat/arith/div.hpp"
#include "minifloat/arith/extremum.hpp"
#include "minifloat/arith/fma.hpp"
#include "minifloat/arith/integral.hpp"
#include "minifloat/arith/mul.hpp"
#include "minifloat/arith/neighbour.hpp"
#include "minifloat/arith/rem.hpp"
#include "minifloat/arith/scalbn.hpp"
#include "minifloat/arith/sign.hpp"
#include "minifloat/arith/sqrt.hpp"

/// Every operation on codes behind one call: decode, operate exactly, round once.

namespace minifloat {

enum class Op : std::uint8_t {
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kRemainder,
  kSquareRoot,
  kMultiplyAdd,
  kScale,
  kRoundToIntegral,
  kConvert,
  kToInteger,
  kExtremum,
  kCompare,
  kTotalOrder,
  kNextUp,
  kNextDown,
  kQuantumExponent,
  kClassify,
  kNegate,
  kAbsolute,
  kCopySign,
  kIsSigned,
};

/// An operation with all that does not depend on its operands.
struct Operation {
  Op op = Op::kAdd;
  Format operand[3];
  Rounder rounder;
  Rounder integers;  ///< round_to_integral: onto the integers
  Context context;
  bool toward_negative = false;  ///< exact zero sums are -0
  bool unsigned_zero = false;    ///< P3109: x / 0 is NaN, and so is what follows infinity
  bool exact = true;             ///< to integers: whether INEXACT is raised
  bool signaling = false;        ///< comparisons: whether quiet NaNs are INVALID
  bool wants_larger = false, by_magnitude = false;  ///< extrema
  NumberRule number_rule = NumberRule::kNanWins;
  bool negates_product = false, negates_addend = false, negates_result = false;
  std::int32_t scale = 0;  ///< results of arithmetic and conversions: times 2^scale
};

inline namespace MINIFLOAT_ABI {

constexpr int operand_count(Op op) {
  switch (op) {
    case Op::kMultiplyAdd:
      return 3;
    case Op::kAdd:
    case Op::kSubtract:
    case Op::kMultiply:
    case Op::kDivide:
    case Op::kRemainder:
    case Op::kScale:
    case Op::kExtremum:
    case Op::kCompare:
    case Op::kTotalOrder:
    case Op::kCopySign:
      return 2;
    default:
      return 1;
  }
}

constexpr Operation make_operation(Op op, const Format& a, const Format& b, const Format& c,
                                   const Rounder& rounder) {
  Operation o;
  o.op = op;
  o.operand[0] = a;
  o.operand[1] = b;
  o.operand[2] = c;
  o.rounder = rounder;
  o.context = rounder.context;
  o.toward_negative = rounder.mode == Rounding::kTowardNegative;
  o.integers = arith::integer_rounder(64, false, rounder.mode, false);
  return o;
}

namespace arith {
namespace detail {

/// Operations on two numbers; NaNs never arrive.
template <Op op>
constexpr Exact operate(const Operation& o, const Unpacked& x, const Unpacked& y) {
  if constexpr (op == Op::kAdd)
    return add(x, y, o.toward_negative);
  else if constexpr (op == Op::kSubtract)
    return subtract(x, y, o.toward_negative);
  else if constexpr (op == Op::kMultiply)
    return multiply(x, y);
  else if constexpr (op == Op::kDivide)
    return divide(x, y, o.unsigned_zero);
  else if constexpr (op == Op::kRemainder)
    return remainder(x, y);
  else
    return {scaled(x, integer_value(y))};
}

template <Op op>
constexpr Packed evaluate_two(const Operation& o, std::uint64_t a, std::uint64_t b,
                              const Noise& noise) {
  const Unpacked x = load_operand(o.context, o.operand[0], a);
  const Unpacked y = load_operand(o.context, o.operand[1], b);
  if (is_nan(x) || is_nan(y)) {
    const bool signals = is_signaling(x) || is_signaling(y);
    return pack(o.rounder, {choose_nan(o.context, x, y), signals ? kInvalid : 0});
  }
  Exact result = operate<op>(o, x, y);
  if (is_nan(result.value)) result.value = default_nan(o.context);
  result.value = scaled(result.value, o.scale);
  return pack(o.rounder, result, noise);
}

constexpr Packed evaluate_fma(const Operation& o, std::uint64_t a, std::uint64_t b, std::uint64_t c,
                              const Noise& noise) {
  const Unpacked x[3] = {load_operand(o.context, o.operand[0], a),
                         load_operand(o.context, o.operand[1], b),
                         load_operand(o.context, o.operand[2], c)};
  if (is_nan(x[0]) || is_nan(x[1]) || is_nan(x[2]))
    return pack(o.rounder, choose_nan(o.context, x, is_infinity_times_zero(x[0], x[1])));
  const Unpacked factor = o.negates_product ? negated(x[0]) : x[0];
  const Unpacked addend = o.negates_addend ? negated(x[2]) : x[2];
  Exact result = multiply_add(factor, x[1], addend, o.toward_negative);
  if (is_nan(result.value)) {
    result.value = default_nan(o.context);
    return pack(o.rounder, result);
  }
  result.value = scaled(result.value, o.scale);
  Packed packed = pack(o.rounder, result, noise);
  if (o.negates_result) {
    const Format& f = o.rounder.format;
    const bool nan = is_nan(decode(f, packed.code));
    if (!nan) packed.code = with_sign(f, packed.code, !sign_of(f, packed.code));
  }
  return packed;
}

template <Op op>
constexpr Packed evaluate_one(const Operation& o, std::uint64_t a, const Noise& noise) {
  Unpacked x = load_operand(o.context, o.operand[0], a);
  if constexpr (op == Op::kToInteger) {
    return to_integer(o.rounder, o.context, scaled(x, o.scale), o.exact, noise);
  } else {
    if (is_nan(x))
      return pack(o.rounder, {choose_nan(o.context, x, x), is_signaling(x) ? kInvalid : 0});
    Exact result;
    if constexpr (op == Op::kSquareRoot)
      result = square_root(x);
    else if constexpr (op == Op::kRoundToIntegral)
      result = round_to_integral(o.integers, x, o.exact, noise);
    else
      result = {scaled(x, o.scale)};
    if (is_nan(result.value)) result.value = default_nan(o.context);
    return pack(o.rounder, result, noise);
  }
}

constexpr Packed evaluate_extremum(const Operation& o, std::uint64_t a, std::uint64_t b) {
  const Unpacked x = load_operand(o.context, o.operand[0], a);
  const Unpacked y = load_operand(o.context, o.operand[1], b);
  const unsigned flags = is_signaling(x) || is_signaling(y) ? kInvalid : 0;
  if (!is_nan(x) && !is_nan(y))
    return pack(o.rounder, {extremum(x, y, o.wants_larger, o.by_magnitude), flags});
  if (number_wins(o.number_rule, x, y)) return pack(o.rounder, {is_nan(x) ? y : x, flags});
  return pack(o.rounder, {choose_nan(o.context, x, y), flags});
}

/// Comparisons and predicates: their result is no number of the format.
constexpr Packed evaluate_order(const Operation& o, std::uint64_t a, std::uint64_t b) {
  const Unpacked x = load_operand(o.context, o.operand[0], a);
  const Unpacked y = load_operand(o.context, o.operand[1], b);
  if (o.op == Op::kTotalOrder) return {totally_ordered(x, y), 0};
  const Compared found = compare(x, y, o.signaling);
  return {static_cast<std::uint64_t>(static_cast<std::int64_t>(found.relation)) & 0xFF,
          found.flags};
}

/// Bit and neighbour operations: nothing is flushed.
constexpr Packed evaluate_code(const Operation& o, std::uint64_t a, std::uint64_t b) {
  const Format& f = o.operand[0];
  Context context = o.context;
  context.flush_inputs = false;
  switch (o.op) {
    case Op::kNegate:
      return {with_sign(f, a, !sign_of(f, a)), 0};
    case Op::kAbsolute:
      return {with_sign(f, a, false), 0};
    case Op::kCopySign:
      return {with_sign(f, a, sign_of(o.operand[1], b)), 0};
    case Op::kIsSigned:
      return {sign_of(f, a), 0};
    default:
      break;
  }
  const Unpacked x = load_operand(context, f, a);
  switch (o.op) {
    case Op::kNextUp:
      return neighbour(o.rounder, x, a, true, o.unsigned_zero);
    case Op::kNextDown:
      return neighbour(o.rounder, x, a, false, o.unsigned_zero);
    case Op::kClassify:
      return {static_cast<std::uint64_t>(classify(f, x)), 0};
    default:
      break;
  }
  if (is_nan(x) || is_infinite(x)) return {0x80000000u, 0};
  return {static_cast<std::uint32_t>(quantum_exponent_of(f, x)), 0};
}

}  // namespace detail

/// Evaluate on one set of codes. Results of comparisons are Relation's low byte, 0 or 1; of
/// kClassify a FloatClass; of kQuantumExponent 32 bits of two's complement, 0x80000000 where there
/// is none.
constexpr Packed evaluate(const Operation& o, std::uint64_t a, std::uint64_t b, std::uint64_t c,
                          const Noise& noise = {}) {
  switch (o.op) {
    case Op::kAdd:
      return detail::evaluate_two<Op::kAdd>(o, a, b, noise);
    case Op::kSubtract:
      return detail::evaluate_two<Op::kSubtract>(o, a, b, noise);
    case Op::kMultiply:
      return detail::evaluate_two<Op::kMultiply>(o, a, b, noise);
    case Op::kDivide:
      return detail::evaluate_two<Op::kDivide>(o, a, b, noise);
    case Op::kRemainder:
      return detail::evaluate_two<Op::kRemainder>(o, a, b, noise);
    case Op::kScale:
      return detail::evaluate_two<Op::kScale>(o, a, b, noise);
    case Op::kMultiplyAdd:
      return detail::evaluate_fma(o, a, b, c, noise);
    case Op::kSquareRoot:
      return detail::evaluate_one<Op::kSquareRoot>(o, a, noise);
    case Op::kRoundToIntegral:
      return detail::evaluate_one<Op::kRoundToIntegral>(o, a, noise);
    case Op::kConvert:
      return detail::evaluate_one<Op::kConvert>(o, a, noise);
    case Op::kToInteger:
      return detail::evaluate_one<Op::kToInteger>(o, a, noise);
    case Op::kExtremum:
      return detail::evaluate_extremum(o, a, b);
    case Op::kCompare:
    case Op::kTotalOrder:
      return detail::evaluate_order(o, a, b);
    default:
      return detail::evaluate_code(o, a, b);
  }
}

}  // namespace arith
}  // namespace MINIFLOAT_ABI
}  // namespace minifloat
