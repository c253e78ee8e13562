#pragma once

#include <cmath>
#include <type_traits>

#include "minifloat/arith/exact.hpp"

/// Square root: 128 root bits by Zimmermann's recursion (each step doubles the digits with one
/// division), and whether a remainder is left.

namespace minifloat {
inline namespace MINIFLOAT_ABI {
namespace arith {
namespace detail {

struct Root {
  std::uint64_t root;
  std::uint64_t rest;
};

/// Root and remainder of a word with one of its top two bits set.
constexpr Root root_of_word(std::uint64_t word) {
  if (!std::is_constant_evaluated()) {  // the hardware's root is at most a few units off
    auto near = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(word)));
    near = smaller(near, low_bits<std::uint64_t>(32));
    while (near * near > word) --near;
    while (word - near * near > 2 * near) ++near;
    return {near, word - near * near};
  }
  std::uint64_t root = 0;
  std::uint64_t rest = word;
  for (int bit = 31; bit >= 0; --bit) {
    const std::uint64_t trial = ((root << 1) | (std::uint64_t{1} << bit)) << bit;
    if (rest >= trial) {
      rest -= trial;
      root |= std::uint64_t{1} << bit;
    }
  }
  return {root, rest};
}

struct WideRoot {
  std::uint64_t root;
  Wide rest;  ///< at most twice the root
};

/// The same of 128 bits: the upper half's root, then a quotient for the lower half.
constexpr WideRoot root_of_wide(Wide x) {
  const Root upper = root_of_word(x.high);
  const Wide dividend = add(shift_left({0, upper.rest}, 32), {0, x.low >> 32});  // at most 65 bits
  const std::uint64_t twice = upper.root << 1;                                   // 33 bits
  const std::uint64_t half = (dividend.low >> 1) | (dividend.high << 63);
  const std::uint64_t quotient = smaller(half / upper.root, low_bits<std::uint64_t>(32));
  const Wide left = subtract(dividend, multiply(quotient, twice));
  std::uint64_t root = (upper.root << 32) + quotient;
  Wide rest = add(shift_left(left, 32), {0, x.low & 0xFFFFFFFFu});
  const Wide square = multiply(quotient, quotient);
  if (is_less(rest, square)) {  // one too many: add 2 root - 1 back
    rest = subtract(add(rest, shift_left({0, root}, 1)), {0, 1});
    --root;
  }
  return {root, subtract(rest, square)};
}

/// The next 64 bits of the root, its lowest bit set if there are more.
constexpr std::uint64_t root_tail(const WideRoot& x) {
  if (is_zero(x.rest)) return 0;
  Wide rest = x.rest;  // quotient = rest * 2^63 / root, in [0, 2^64]
  std::uint64_t quotient = 0;
  if (!is_less(rest, {0, x.root})) {
    rest = subtract(rest, {0, x.root});
    quotient = std::uint64_t{1} << 63;
  }
  if (rest == Wide{0, x.root}) return ~std::uint64_t{0};
  const Division part = divide({rest.low >> 1, rest.low << 63}, x.root);
  quotient += part.quotient;
  const Wide square = multiply(quotient, quotient);
  const bool too_many = (part.remainder >> 63) == 0 && is_less({part.remainder << 1, 0}, square);
  return (quotient - too_many) | 1;
}

}  // namespace detail

constexpr Exact square_root(const Unpacked& x) {
  if (is_zero(x) || (is_infinite(x) && !x.negative)) return {x};
  if (x.negative) return invalid();
  const bool odd = (x.exponent & 1) != 0;
  const Wide radicand =
      odd ? Wide{x.significand, 0} : Wide{x.significand >> 1, x.significand << 63};
  const detail::WideRoot found = detail::root_of_wide(radicand);
  const int exponent = (x.exponent - odd) / 2;
  return {from_wide(false, exponent, {found.root, detail::root_tail(found)}, false)};
}

}  // namespace arith
}  // namespace MINIFLOAT_ABI
}  // namespace minifloat
