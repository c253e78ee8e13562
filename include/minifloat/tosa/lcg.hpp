#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "minifloat/config.hpp"

/// The linear congruential generator behind the TOSA test data.
///
/// State i of stream `set` is r_i = 1 + m + ... + m^(i+1) modulo 2^32 with m = (8 set + 1) *
/// 0x705A5E75, so r_0 = m + 1 and r_{i+1} = m r_i + 1. Steps of any length are affine maps, which
/// compose: that gives seeking in O(log i) and blocks in which neighbouring elements do not depend
/// on each other.

namespace minifloat::tosa {
inline namespace MINIFLOAT_ABI {

/// x -> multiplier * x + increment, modulo 2^32.
struct AffineMap {
  std::uint32_t multiplier = 1;
  std::uint32_t increment = 0;

  [[nodiscard]] constexpr std::uint32_t operator()(std::uint32_t x) const noexcept {
    return multiplier * x + increment;
  }

  /// The map that applies *this first and `next` afterwards.
  [[nodiscard]] constexpr AffineMap then(AffineMap next) const noexcept {
    return {multiplier * next.multiplier, next.multiplier * increment + next.increment};
  }

  /// This map applied `count` times, by squaring.
  [[nodiscard]] constexpr AffineMap power(std::uint32_t count) const noexcept {
    AffineMap result;
    for (AffineMap square = *this; count != 0; count >>= 1, square = square.then(square)) {
      if (count & 1u) result = result.then(square);
    }
    return result;
  }
};

/// One step of stream `set`.
[[nodiscard]] constexpr AffineMap stream_step(std::uint32_t set) noexcept {
  return {(8u * set + 1u) * 0x705A5E75u, 1u};
}

/// State `index` of stream `set`.
[[nodiscard]] constexpr std::uint32_t stream_state(std::uint32_t set,
                                                   std::uint32_t index) noexcept {
  const AffineMap step = stream_step(set);
  return step.power(index)(step(1u));
}

static_assert(stream_state(0, 0) == 0x705A5E76u && stream_state(0, 3) == 0x67CEA56Du);
static_assert(stream_state(15, 2) == 0x5A7F3CCCu && stream_state(16, 1) == 0x3127736Fu);

/// The value in [-1, 1] of a state: the low 31 bits over 2^31 (0x7fffffff rounds to 2^31 as a
/// float), with bit 31 as sign. The conversion rounds to nearest even; a negative zero is possible.
[[nodiscard]] constexpr float state_value(std::uint32_t state) noexcept {
  const float magnitude =
      static_cast<float>(static_cast<std::int32_t>(state & 0x7FFFFFFFu)) * 0x1p-31f;
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(magnitude) | (state & 0x80000000u));
}

/// A run of states of one stream, `step` apart, in blocks.
//
/// Lanes advance together by step^kLanes, so that the loop carries no chain from one element to its
/// neighbour.
class StateRun {
 public:
  static constexpr std::size_t kLanes = 64;

  StateRun(std::uint32_t first, AffineMap step) noexcept : stride_(step.power(kLanes)) {
    for (std::uint32_t& lane : lanes_) {
      lane = first;
      first = step(first);
    }
  }

  /// Writes the next `count` states. Only the last call of a run may have a count that is no
  /// multiple of kLanes.
  void take(std::uint32_t* out, std::size_t count) noexcept {
    std::size_t done = 0;
    for (; done + kLanes <= count; done += kLanes) {
      for (std::size_t j = 0; j < kLanes; ++j) {
        out[done + j] = lanes_[j];
        lanes_[j] = stride_(lanes_[j]);
      }
    }
    for (std::size_t j = 0; done + j < count; ++j) out[done + j] = lanes_[j];
  }

 private:
  std::array<std::uint32_t, kLanes> lanes_{};
  AffineMap stride_;
};

/// The draws first, first + step, first + 2 step, ... (indices modulo 2^32) of stream `set`.
inline void fill_draws(float* out, std::size_t count, std::uint32_t set, std::uint32_t first,
                       std::uint32_t step) noexcept {
  constexpr std::size_t kBlock = 2048;
  std::array<std::uint32_t, kBlock> states;
  StateRun run(stream_state(set, first), stream_step(set).power(step));
  for (std::size_t done = 0; done < count; done += kBlock) {
    const std::size_t n = count - done < kBlock ? count - done : kBlock;
    run.take(states.data(), n);
    float* MINIFLOAT_RESTRICT target = out + done;
    for (std::size_t i = 0; i < n; ++i) target[i] = state_value(states[i]);
  }
}

/// The draws of stream `set` at any indices. A block walks the 32 squarings of the step together.
inline void draws_at(float* out, const std::uint32_t* indices, std::size_t count,
                     std::uint32_t set) noexcept {
  constexpr std::size_t kBlock = 512;
  std::array<AffineMap, 32> powers;
  powers[0] = stream_step(set);
  for (std::size_t bit = 1; bit < 32; ++bit) powers[bit] = powers[bit - 1].then(powers[bit - 1]);
  std::array<std::uint32_t, kBlock> states;
  for (std::size_t done = 0; done < count; done += kBlock) {
    const std::size_t n = count - done < kBlock ? count - done : kBlock;
    const std::uint32_t* MINIFLOAT_RESTRICT index = indices + done;
    states.fill(stream_state(set, 0));
    for (std::size_t bit = 0; bit < 32; ++bit) {
      const AffineMap map = powers[bit];
      for (std::size_t i = 0; i < n; ++i) {
        const std::uint32_t taken = 0u - ((index[i] >> bit) & 1u);
        states[i] = (map(states[i]) & taken) | (states[i] & ~taken);
      }
    }
    for (std::size_t i = 0; i < n; ++i) out[done + i] = state_value(states[i]);
  }
}

}  // namespace MINIFLOAT_ABI
}  // namespace minifloat::tosa
