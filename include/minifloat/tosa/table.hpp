#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

/// What the TOSA kernels take and return, and the kernels of one instruction set as functions to
/// call through. Only plain data: it crosses from the bindings to code for another level.

namespace minifloat::tosa {

/// Element i from a = draw i of stream `first`, b = draw i of stream `second`, c and d = draws 2i
/// and 2i + 1 of `first`. Products with the scale are in double and rounded once to float;
/// everything else is float arithmetic.
enum class Rule : std::uint8_t {
  kZero = 0,
  kSelect,        ///< scale * b where a < 0 equals `when_negative`, else +0
  kScaled,        ///< scale * a
  kDivided,       ///< a / scale
  kOffset,        ///< scale * (0.75 + 0.25 a)
  kSignedOffset,  ///< scale * (sign(c) 0.75 + 0.25 d)
  kExponential,   ///< exp(2c) * d
};

enum class Special : std::uint8_t {
  kConstant = 0,  ///< the value itself
  kSigned,        ///< the value times the sign of a (of c in kExponential)
};

struct ElementRule {
  Rule rule = Rule::kZero;
  std::uint32_t first = 0;
  std::uint32_t second = 0;
  bool when_negative = false;
  double scale = 1.0;
  Special special = Special::kConstant;
  float special_value = 0.0f;
};

/// Coordinates j of an axis with j % modulus == digit are selected.
struct DigitAxis {
  std::uint64_t size;
  std::uint64_t modulus;
  std::uint64_t digit;
};

/// What the check needs to know of the output type and of the test.
struct DotProductLimits {
  double max_error;     ///< largest permitted |e|
  double half_ulp;      ///< 2^(-1 - trailing bits)
  double floor;         ///< least unit of e: the smallest normal number
  double overflow;      ///< magnitudes from here on round to infinity (NaN if the type has none)
  double bound_growth;  ///< what a bound is enlarged by before it is compared with that
};

/// Statistics of the normalised errors e of a block.
struct DotProductSums {
  std::uint64_t failures = 0;
  std::uint64_t first_failure = std::numeric_limits<std::uint64_t>::max();
  double sum = 0.0;
  double sum_of_squares = 0.0;
  double largest = 0.0;  ///< of |e|
};

/// The kernels of one instruction set.
struct Kernels {
  const char* name;
  /// Draws first, first + step, ... (modulo 2^32) of a stream.
  void (*fill_draws)(float* out, std::size_t count, std::uint32_t set, std::uint32_t first,
                     std::uint32_t step);
  /// Draws of a stream at any indices.
  void (*draws_at)(float* out, const std::uint32_t* indices, std::size_t count, std::uint32_t set);
  /// Elements [begin, begin + count) of a tensor; element i uses draws i + draw_offset.
  void (*fill)(float* out, std::size_t count, std::uint64_t begin, std::uint64_t draw_offset,
               const ElementRule& rule, std::span<const DigitAxis> special_axes);
  /// exp of values of magnitude 64 or less.
  void (*exp)(float* out, const float* x, std::size_t count);
  /// Errors of outputs, and their sums.
  DotProductSums (*check_dot_products)(const double* reference, const double* bound,
                                       const float* actual, double* error, std::size_t count,
                                       const DotProductLimits& limits);
};

}  // namespace minifloat::tosa
