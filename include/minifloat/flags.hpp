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

/// Which of several NaN operands the result comes from; kCanonical: none, it is the default NaN.
enum class NanRule : std::uint8_t {
  kCanonical,
  kInOrder,
  kSignalingFirst,
  kX87,  ///< quiet over signalling, then the larger significand, then the positive one
};

/// What infinity * 0 + NaN gives.
enum class InfinityTimesZero : std::uint8_t {
  kDefaultNan,         ///< the default NaN
  kDefaultNanIfQuiet,  ///< the default NaN if the addend is quiet, else the addend
  kPropagates,         ///< the addend
};

/// What a float-to-integer conversion delivers where it is invalid. kIndefinite: the smallest
/// signed or the largest unsigned integer.
enum class IntegerFailure : std::uint8_t { kMax, kMin, kZero, kIndefinite };

/// What a machine fixes: see semantics of the Python `Context`.
struct Context {
  Tininess tininess = Tininess::kAfterRounding;
  Tininess flush_detection = Tininess::kAfterRounding;
  bool flush_inputs = false;
  bool flush_outputs = false;
  bool narrow_nans_quiet = false;
  bool no_signaling_nans = false;
  bool snan_bit_is_one = false;
  NanRule nan_rule = NanRule::kCanonical;
  NanRule nan_rule_of_three = NanRule::kCanonical;
  bool reversed = false;  ///< two NaNs: the second operand is looked at first
  std::uint8_t order_of_three[3] = {0, 1, 2};
  InfinityTimesZero infinity_times_zero = InfinityTimesZero::kDefaultNan;
  bool infinity_times_zero_is_quiet = false;  ///< it raises nothing beside a quiet NaN
  std::uint8_t default_nan = 0x40;  ///< sign, then the top 7 trailing bits; the last repeats
  IntegerFailure integer_failure[3] = {IntegerFailure::kMax, IntegerFailure::kMin,
                                       IntegerFailure::kMax};  ///< above, below, NaN
};

}  // namespace minifloat
