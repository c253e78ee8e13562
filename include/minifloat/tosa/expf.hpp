#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "minifloat/config.hpp"

/// exp of a float, equal to that of glibc 2.28 and later (and musl) on every machine, for the range
/// the test data needs.
///
/// The method and its numbers are those of the single-precision exp of Arm's optimized routines
/// (MIT licence, Copyright Arm Limited): x log2(e) = n/32 + r, then 2^(n/32) from a table times a
/// cubic in r, all in double without fused operations, rounded once to float. Only the constants
/// are taken over.

namespace minifloat::tosa {
inline namespace MINIFLOAT_ABI {

/// Bits of 2^(j/32) less j << 47, so that adding n << 47 yields the bits of 2^(n/32) for any n
/// whose last five bits are j.
inline constexpr std::array<std::uint64_t, 32> kExpTable = {
    0x3ff0000000000000, 0x3fefd9b0d3158574, 0x3fefb5586cf9890f, 0x3fef9301d0125b51,
    0x3fef72b83c7d517b, 0x3fef54873168b9aa, 0x3fef387a6e756238, 0x3fef1e9df51fdee1,
    0x3fef06fe0a31b715, 0x3feef1a7373aa9cb, 0x3feedea64c123422, 0x3feece086061892d,
    0x3feebfdad5362a27, 0x3feeb42b569d4f82, 0x3feeab07dd485429, 0x3feea47eb03a5585,
    0x3feea09e667f3bcd, 0x3fee9f75e8ec5f74, 0x3feea11473eb0187, 0x3feea589994cce13,
    0x3feeace5422aa0db, 0x3feeb737b0cdc5e5, 0x3feec49182a3f090, 0x3feed503b23e255d,
    0x3feee89f995ad3ad, 0x3feeff76f2fb5e47, 0x3fef199bdd85529c, 0x3fef3720dcef9069,
    0x3fef5818dcfba487, 0x3fef7c97337b9b5f, 0x3fefa4afa2a490da, 0x3fefd0765b6e4540,
};

/// exp(x) for |x| <= 64: no overflow, no underflow, no special values.
[[nodiscard]] inline float exp_float(float x) noexcept {
  constexpr double kStepsPerUnit = 0x1.71547652b82fep+0 * 32;  // 32 log2(e)
  constexpr double kCubic = 0x1.c6af84b912394p-5 / 32 / 32 / 32;
  constexpr double kSquare = 0x1.ebfce50fac4f3p-3 / 32 / 32;
  constexpr double kLinear = 0x1.62e42ff0c52d6p-1 / 32;
  constexpr double kToInteger = 0x1.8p+52;  // adding it leaves the nearest integer in the low bits
  const double scaled = kStepsPerUnit * static_cast<double>(x);
  const double shifted = scaled + kToInteger;
  const std::uint64_t n = std::bit_cast<std::uint64_t>(shifted);
  const double r = scaled - (shifted - kToInteger);
  const double power = std::bit_cast<double>(kExpTable[n % 32] + (n << 47));
  const double high = kCubic * r + kSquare;
  const double low = kLinear * r + 1.0;
  return static_cast<float>((high * (r * r) + low) * power);
}

/// exp_float of each element.
inline void exp_floats(float* out, const float* x, std::size_t count) noexcept {
  for (std::size_t i = 0; i < count; ++i) out[i] = exp_float(x[i]);
}

}  // namespace MINIFLOAT_ABI
}  // namespace minifloat::tosa
