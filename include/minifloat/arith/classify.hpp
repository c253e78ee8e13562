#pragma once

#include "minifloat/arith/exact.hpp"

/// The ten classes of IEEE 754-2019 §5.7.2, and the predicates made of them.

namespace minifloat {

enum class FloatClass : std::uint8_t {
  kSignalingNan,
  kQuietNan,
  kNegativeInfinity,
  kNegativeNormal,
  kNegativeSubnormal,
  kNegativeZero,
  kPositiveZero,
  kPositiveSubnormal,
  kPositiveNormal,
  kPositiveInfinity,
};

inline namespace MINIFLOAT_ABI {
namespace arith {

constexpr FloatClass classify(const Format& f, const Unpacked& x) {
  switch (x.kind) {
    case Class::kNan:
      return is_signaling(x) ? FloatClass::kSignalingNan : FloatClass::kQuietNan;
    case Class::kInfinity:
      return x.negative ? FloatClass::kNegativeInfinity : FloatClass::kPositiveInfinity;
    case Class::kZero:
      return x.negative ? FloatClass::kNegativeZero : FloatClass::kPositiveZero;
    case Class::kFinite:
      break;
  }
  if (is_subnormal(f, x))
    return x.negative ? FloatClass::kNegativeSubnormal : FloatClass::kPositiveSubnormal;
  return x.negative ? FloatClass::kNegativeNormal : FloatClass::kPositiveNormal;
}

}  // namespace arith
}  // namespace MINIFLOAT_ABI
}  // namespace minifloat
