#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "minifloat/config.hpp"
#include "minifloat/tosa/table.hpp"

/// Walking the elements of a tensor whose kernel index has a given value.
///
/// In the TOSA test data the kernel index k of an element is a mixed-radix number whose digits are
/// the element's coordinates, each modulo a radix. The elements with one given k are therefore a
/// product of arithmetic progressions.

namespace minifloat::tosa {
inline namespace MINIFLOAT_ABI {

/// Visits, in ascending order, the flat positions (C order) whose coordinates are selected on every
/// axis.
class DigitWalk {
 public:
  static constexpr std::size_t kMaxAxes = 6;
  static constexpr std::uint64_t kEnd = std::numeric_limits<std::uint64_t>::max();

  /// Stands at the first selected position >= begin. Without axes nothing is selected. At most
  /// kMaxAxes axes, the outermost first, each of size and modulus >= 1.
  DigitWalk(std::span<const DigitAxis> axes, std::uint64_t begin) noexcept : count_(axes.size()) {
    bool empty = count_ == 0;
    std::uint64_t stride = 1;
    for (std::size_t a = count_; a-- > 0;) {
      axes_[a] = axes[a];
      stride_[a] = stride;
      stride *= axes[a].size;
      empty = empty || axes[a].digit >= axes[a].size || axes[a].digit >= axes[a].modulus;
    }
    if (empty || begin >= stride) return;
    seek(begin);
  }

  [[nodiscard]] std::uint64_t position() const noexcept { return position_; }

  void advance() noexcept {
    const std::size_t inner = count_ - 1;
    const std::uint64_t modulus = axes_[inner].modulus;
    if (axes_[inner].size - index_[inner] > modulus) {
      index_[inner] += modulus;
      position_ += modulus;
    } else {
      index_[inner] = axes_[inner].digit;
      carry_into(inner);
    }
  }

 private:
  /// The coordinates of `begin`, moved up to the next selected ones.
  void seek(std::uint64_t begin) noexcept {
    for (std::size_t a = 0; a < count_; ++a) {
      index_[a] = begin / stride_[a];
      begin %= stride_[a];
    }
    for (std::size_t a = 0; a < count_; ++a) {
      const DigitAxis& axis = axes_[a];
      const std::uint64_t residue = index_[a] % axis.modulus;
      if (residue == axis.digit) continue;
      for (std::size_t inner = a + 1; inner < count_; ++inner) index_[inner] = axes_[inner].digit;
      const std::uint64_t gap =
          axis.digit > residue ? axis.digit - residue : axis.modulus - residue + axis.digit;
      if (index_[a] + gap < axis.size) {
        index_[a] += gap;
        locate();
      } else {
        index_[a] = axis.digit;
        carry_into(a);
      }
      return;
    }
    locate();
  }

  /// Steps the nearest axis outside `axis` that has a next selected coordinate; ends the walk if
  /// none has.
  void carry_into(std::size_t axis) noexcept {
    while (axis-- > 0) {
      if (axes_[axis].size - index_[axis] > axes_[axis].modulus) {
        index_[axis] += axes_[axis].modulus;
        locate();
        return;
      }
      index_[axis] = axes_[axis].digit;
    }
    position_ = kEnd;
  }

  void locate() noexcept {
    position_ = 0;
    for (std::size_t a = 0; a < count_; ++a) position_ += index_[a] * stride_[a];
  }

  std::array<DigitAxis, kMaxAxes> axes_{};
  std::array<std::uint64_t, kMaxAxes> stride_{};
  std::array<std::uint64_t, kMaxAxes> index_{};
  std::size_t count_;
  std::uint64_t position_ = kEnd;
};

}  // namespace MINIFLOAT_ABI
}  // namespace minifloat::tosa
