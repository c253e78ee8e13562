#pragma once

#include "minifloat/kernels/load.hpp"

#if defined(__F16C__) && defined(__AVX2__)
#include <immintrin.h>
#define MINIFLOAT_CONVERTS_HALVES 1
#else
#define MINIFLOAT_CONVERTS_HALVES 0
#endif

/// float16 codes to float32 by the hardware's conversion, where there is one. It quiets signalling
/// NaNs, whose quiet bit comes back from the code.

namespace minifloat {
inline namespace MINIFLOAT_ABI {
namespace arith {

inline constexpr bool kConvertsHalves = MINIFLOAT_CONVERTS_HALVES != 0;

/// Elements converted: the rest of the block, less than a vector, is left.
inline std::size_t load_half_vectors([[maybe_unused]] const std::uint16_t* in,
                                     [[maybe_unused]] std::uint32_t* out,
                                     [[maybe_unused]] std::size_t n) {
  std::size_t i = 0;
#if MINIFLOAT_CONVERTS_HALVES
  const __m256i quiet_bit = _mm256_set1_epi32(kQuietBit<std::uint32_t>);
  for (; i + 8 <= n; i += 8) {
    const __m128i codes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(in + i));
    const __m256 values = _mm256_cvtph_ps(codes);
    const __m256i nan = _mm256_castps_si256(_mm256_cmp_ps(values, values, _CMP_UNORD_Q));
    const __m256i lifted = _mm256_slli_epi32(_mm256_cvtepu16_epi32(codes), 13);
    const __m256i kept =
        _mm256_andnot_si256(_mm256_and_si256(nan, quiet_bit), _mm256_castps_si256(values));
    const __m256i quiet = _mm256_and_si256(_mm256_and_si256(nan, quiet_bit), lifted);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + i), _mm256_or_si256(kept, quiet));
  }
#endif
  return i;
}

}  // namespace arith
}  // namespace MINIFLOAT_ABI
}  // namespace minifloat
