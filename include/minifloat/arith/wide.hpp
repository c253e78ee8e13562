#pragma once

#include "minifloat/bits.hpp"

/// 128-bit unsigned integers: the room that exact products, sums and quotients need.

namespace minifloat {

struct Wide {
  std::uint64_t high = 0;
  std::uint64_t low = 0;

  bool operator==(const Wide&) const = default;
};

struct Division {
  std::uint64_t quotient;
  std::uint64_t remainder;
};

inline namespace MINIFLOAT_ABI {
namespace arith {

#if defined(__SIZEOF_INT128__)
__extension__ typedef unsigned __int128 NativeWide;
#endif

constexpr bool is_zero(Wide x) { return (x.high | x.low) == 0; }

constexpr bool is_less(Wide a, Wide b) {
  return a.high != b.high ? a.high < b.high : a.low < b.low;
}

constexpr Wide add(Wide a, Wide b) {
  const std::uint64_t low = a.low + b.low;
  return {a.high + b.high + (low < a.low), low};
}

constexpr Wide subtract(Wide a, Wide b) {
  return {a.high - b.high - (a.low < b.low), a.low - b.low};
}

constexpr Wide multiply(std::uint64_t a, std::uint64_t b) {
#if defined(__SIZEOF_INT128__)
  const NativeWide product = static_cast<NativeWide>(a) * b;
  return {static_cast<std::uint64_t>(product >> 64), static_cast<std::uint64_t>(product)};
#else
  constexpr std::uint64_t kHalf = 0xFFFFFFFFu;
  const std::uint64_t low = (a & kHalf) * (b & kHalf);
  const std::uint64_t cross = (a >> 32) * (b & kHalf) + (low >> 32);
  const std::uint64_t middle = (a & kHalf) * (b >> 32) + (cross & kHalf);
  return {(a >> 32) * (b >> 32) + (cross >> 32) + (middle >> 32), (middle << 32) | (low & kHalf)};
#endif
}

/// Shift left by 0 to 127 bits.
constexpr Wide shift_left(Wide x, int count) {
  if (count == 0) return x;
  if (count >= 64) return {x.low << (count - 64), 0};
  return {(x.high << count) | (x.low >> (64 - count)), x.low << count};
}

struct Shifted {
  Wide kept;
  bool lost;  ///< whether any bit fell out
};

/// Shift right by any non-negative count.
constexpr Shifted shift_right(Wide x, int count) {
  if (count == 0) return {x, false};
  if (count > 127) return {{0, 0}, !is_zero(x)};
  if (count == 64) return {{0, x.high}, x.low != 0};
  if (count > 64) {
    const bool lost = ((x.high & low_bits<std::uint64_t>(count - 64)) | x.low) != 0;
    return {{0, x.high >> (count - 64)}, lost};
  }
  const bool lost = (x.low & low_bits<std::uint64_t>(count)) != 0;
  return {{x.high >> count, (x.low >> count) | (x.high << (64 - count))}, lost};
}

constexpr int leading_zeros(Wide x) {
  return x.high != 0 ? minifloat::leading_zeros(x.high) : 64 + minifloat::leading_zeros(x.low);
}

namespace detail {

/// One digit of 32 bits of schoolbook division: quotient and remainder of (rest, digit) / divisor.
struct Digit {
  std::uint64_t quotient, rest;
};

constexpr Digit divide_digit(std::uint64_t rest, std::uint64_t digit, std::uint64_t divisor) {
  const std::uint64_t top = divisor >> 32;
  const std::uint64_t bottom = divisor & 0xFFFFFFFFu;
  std::uint64_t quotient = rest / top;
  std::uint64_t left = rest - quotient * top;
  while ((quotient >> 32) != 0 || quotient * bottom > ((left << 32) | digit)) {
    --quotient;
    left += top;
    if ((left >> 32) != 0) break;
  }
  return {quotient, ((rest << 32) | digit) - quotient * divisor};
}

}  // namespace detail

/// Divide; the divisor has its top bit set and exceeds the dividend's high word.
constexpr Division divide(Wide dividend, std::uint64_t divisor) {
#if defined(__SIZEOF_INT128__)
  const NativeWide n = (static_cast<NativeWide>(dividend.high) << 64) | dividend.low;
  const auto quotient = static_cast<std::uint64_t>(n / divisor);
  return {quotient, dividend.low - quotient * divisor};
#else
  const detail::Digit first = detail::divide_digit(dividend.high, dividend.low >> 32, divisor);
  const detail::Digit second =
      detail::divide_digit(first.rest, dividend.low & 0xFFFFFFFFu, divisor);
  return {(first.quotient << 32) | second.quotient, second.rest};
#endif
}

}  // namespace arith
}  // namespace MINIFLOAT_ABI
}  // namespace minifloat
