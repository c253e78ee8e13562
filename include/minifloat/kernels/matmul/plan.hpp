#pragma once

#include "minifloat/kernels/arith/choose.hpp"

/// A matrix product's plan: formats, order of the sums, and the path that computes it.

namespace minifloat {

enum class SumOrder : std::uint8_t { kSequential, kPairwise, kBlocked, kFused };
enum class MatmulPath : std::uint8_t { kScalar, kFloat32, kFloat64 };

/// The accumulator's rounding on a carrier's own floats.
template <class Float>
struct GridRounding {
  Float max = 0;               ///< largest finite value
  Float overflow[2] = {0, 0};  ///< delivered beyond it, by sign
  Float infinity[2] = {0, 0};  ///< delivered for infinite sums
  Float nan = 0;               ///< delivered for NaN
  bool plain = false;          ///< overflow and infinities are infinite, NaN is NaN
};

struct MatmulPlan {
  Format a, b, accumulator, result;
  Context context;
  CastPlan round;                 ///< into the accumulator, with its noise
  CastPlan deliver32, deliver64;  ///< from a carrier into the result
  SumOrder order = SumOrder::kSequential;
  std::size_t block = 1;
  bool rounds_products = true;
  bool toward_negative = false;
  OperandLoad<std::uint32_t> load32[2];
  OperandLoad<std::uint64_t> load64[2];
  GridRounding<float> grid32;
  GridRounding<double> grid64;
  bool carried32 = false, carried64 = false;  ///< whether the carrier serves, extents permitting
  std::uint64_t stray_a = 0, stray_b = 0;
};

/// Rows [cast.begin, cast.end) of the stacked results. Matrices are contiguous; `b_stride` is the
/// distance in elements from one batch's right factor to the next (0 where it is shared).
struct MatmulJob {
  CastJob cast;
  const void* a = nullptr;
  const void* b = nullptr;
  std::size_t rows = 0, columns = 0, inner = 0;
  std::size_t b_stride = 0;
};

inline namespace MINIFLOAT_ABI {
namespace matmul {

template <class Word>
constexpr const OperandLoad<Word>& load_of(const MatmulPlan& plan, int k) {
  if constexpr (sizeof(Word) == 4)
    return plan.load32[k];
  else
    return plan.load64[k];
}

template <class Word>
constexpr const auto& grid_of(const MatmulPlan& plan) {
  if constexpr (sizeof(Word) == 4)
    return plan.grid32;
  else
    return plan.grid64;
}

template <class Word>
constexpr const CastPlan& deliver_of(const MatmulPlan& plan) {
  if constexpr (sizeof(Word) == 4)
    return plan.deliver32;
  else
    return plan.deliver64;
}

}  // namespace matmul
}  // namespace MINIFLOAT_ABI
}  // namespace minifloat
