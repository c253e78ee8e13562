#pragma once

#include "minifloat/arith/add.hpp"
#include "minifloat/arith/mul.hpp"

/// Fused multiply-add: the exact product joins the exact sum.

namespace minifloat {
inline namespace MINIFLOAT_ABI {
namespace arith {

/// Whether the product is the invalid infinity times zero.
constexpr bool is_infinity_times_zero(const Unpacked& x, const Unpacked& y) {
  return (is_infinite(x) && is_zero(y)) || (is_zero(x) && is_infinite(y));
}

/// x * y + z.
constexpr Exact multiply_add(const Unpacked& x, const Unpacked& y, const Unpacked& z,
                             bool toward_negative) {
  const bool finite = x.kind == Class::kFinite && y.kind == Class::kFinite;
  if (!finite || z.kind != Class::kFinite) {
    const Exact product = multiply(x, y);
    return product.flags != 0 ? product : add(product.value, z, toward_negative);
  }
  const Wide product = multiply(x.significand, y.significand);
  const int lift = leading_zeros(product);
  const Term left = {x.negative != y.negative, x.exponent + y.exponent + 1 - lift,
                     shift_left(product, lift)};
  return {add_terms(left, term(z), toward_negative)};
}

}  // namespace arith
}  // namespace MINIFLOAT_ABI
}  // namespace minifloat
