#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "minifloat/tosa/digits.hpp"
#include "minifloat/tosa/expf.hpp"
#include "minifloat/tosa/lcg.hpp"
#include "minifloat/tosa/table.hpp"

/// Test data of the TOSA conformance appendix: float elements from draws of the generator in
/// lcg.hpp.
///
/// A tensor follows one *rule* (which draws an element uses and how they combine) with, for the
/// elements of one kernel index, a *special* value instead. What the sets of each edition of the
/// text are in these terms is decided in Python.

namespace minifloat::tosa {
inline namespace MINIFLOAT_ABI {

/// Whether the value of a state is below zero: a negative zero is not.
[[nodiscard]] constexpr bool is_negative(std::uint32_t state) noexcept {
  return state > 0x80000000u;
}

/// Fills elements [begin, begin + count) of a tensor. Indices of draws are 32-bit words and wrap.
class Generator {
 public:
  Generator(const ElementRule& rule, std::uint64_t begin) noexcept
      : rule_(rule),
        paired_(rule.rule == Rule::kSignedOffset || rule.rule == Rule::kExponential),
        first_(start(rule.first, begin, paired_)),
        second_(start(rule.second, begin, false)) {}

  static constexpr std::size_t kBlock = 2048;

  void fill(float* out, std::size_t count, std::uint64_t begin,
            std::span<const DigitAxis> special_axes) noexcept {
    DigitWalk special(special_axes, begin);
    for (std::size_t done = 0; done < count;) {
      const std::size_t n = std::min(kBlock, count - done);
      fill_block(out + done, n);
      for (; special.position() - begin < done + n && special.position() != DigitWalk::kEnd;
           special.advance()) {
        const std::size_t at = static_cast<std::size_t>(special.position() - begin);
        const bool flip = rule_.special == Special::kSigned && is_negative(a_[at - done]);
        out[at] = flip ? -rule_.special_value : rule_.special_value;
      }
      done += n;
    }
  }

 private:
  static StateRun start(std::uint32_t set, std::uint64_t begin, bool paired) noexcept {
    const AffineMap step = stream_step(set);
    const std::uint32_t index = static_cast<std::uint32_t>(begin);
    return paired ? StateRun(stream_state(set, 2u * index), step.power(2))
                  : StateRun(stream_state(set, index), step);
  }

  void fill_block(float* MINIFLOAT_RESTRICT out, std::size_t n) noexcept {
    const std::uint32_t* MINIFLOAT_RESTRICT a = a_.data();
    const std::uint32_t* MINIFLOAT_RESTRICT b = b_.data();
    const double scale = rule_.scale;
    if (rule_.rule != Rule::kZero) first_.take(a_.data(), n);
    switch (rule_.rule) {
      case Rule::kZero:
        std::fill_n(out, n, 0.0f);
        break;
      case Rule::kSelect: {
        second_.take(b_.data(), n);
        const std::uint32_t wanted = rule_.when_negative ? 1u : 0u;
        for (std::size_t i = 0; i < n; ++i) {
          const float value = static_cast<float>(scale * static_cast<double>(state_value(b[i])));
          const std::uint32_t keep =
              0u -
              static_cast<std::uint32_t>(static_cast<std::uint32_t>(is_negative(a[i])) == wanted);
          out[i] = std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) & keep);
        }
        break;
      }
      case Rule::kScaled:
        for (std::size_t i = 0; i < n; ++i)
          out[i] = static_cast<float>(scale * static_cast<double>(state_value(a[i])));
        break;
      case Rule::kDivided:
        for (std::size_t i = 0; i < n; ++i)
          out[i] = static_cast<float>(static_cast<double>(state_value(a[i])) / scale);
        break;
      case Rule::kOffset:
        for (std::size_t i = 0; i < n; ++i) {
          const float offset = 0.75f + 0.25f * state_value(a[i]);
          out[i] = static_cast<float>(scale * static_cast<double>(offset));
        }
        break;
      case Rule::kSignedOffset:
        fill_signed_offset(out, n);
        break;
      case Rule::kExponential:
        fill_exponential(out, n);
        break;
    }
  }

  void fill_signed_offset(float* MINIFLOAT_RESTRICT out, std::size_t n) const noexcept {
    const std::uint32_t* MINIFLOAT_RESTRICT a = a_.data();
    const AffineMap step = stream_step(rule_.first);
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint32_t sign = is_negative(a[i]) ? 0x80000000u : 0u;
      const float base = std::bit_cast<float>(std::bit_cast<std::uint32_t>(0.75f) | sign);
      const float offset = base + 0.25f * state_value(step(a[i]));
      out[i] = static_cast<float>(rule_.scale * static_cast<double>(offset));
    }
  }

  void fill_exponential(float* MINIFLOAT_RESTRICT out, std::size_t n) const noexcept {
    const std::uint32_t* MINIFLOAT_RESTRICT a = a_.data();
    const AffineMap step = stream_step(rule_.first);
    for (std::size_t i = 0; i < n; ++i) {
      out[i] = exp_float(2.0f * state_value(a[i])) * state_value(step(a[i]));
    }
  }

  ElementRule rule_;
  bool paired_;
  StateRun first_;
  StateRun second_;
  std::array<std::uint32_t, kBlock> a_{};
  std::array<std::uint32_t, kBlock> b_{};
};

/// Fills elements [begin, begin + count); element i uses draws i + draw_offset.
inline void fill_elements(float* out, std::size_t count, std::uint64_t begin,
                          std::uint64_t draw_offset, const ElementRule& rule,
                          std::span<const DigitAxis> special_axes) noexcept {
  Generator(rule, begin + draw_offset).fill(out, count, begin, special_axes);
}

}  // namespace MINIFLOAT_ABI
}  // namespace minifloat::tosa
