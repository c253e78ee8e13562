#pragma once

#include <cstdint>

/// IEEE 754 exceptions in SoftFloat's order.

namespace minifloat {

inline constexpr unsigned kInexact = 1;
inline constexpr unsigned kUnderflow = 2;
inline constexpr unsigned kOverflow = 4;
inline constexpr unsigned kDivideByZero = 8;
inline constexpr unsigned kInvalid = 16;
inline constexpr int kFlagCount = 5;

enum class Tininess : std::uint8_t { kAfterRounding, kBeforeRounding };

/// What a machine fixes: see semantics of the Python `Context`.
struct Context {
  Tininess tininess = Tininess::kAfterRounding;
  bool flush_inputs = false;
  bool flush_outputs = false;
  bool narrow_nans_quiet = false;
};

}  // namespace minifloat
