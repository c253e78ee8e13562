// Adds two float8_e4m3fn codes, given in hexadecimal, and prints the sum's code and IEEE flags.
//
//   add_e4m3fn 38 18        # 1 + 2^-4
//   38 01

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "minifloat/arith/operation.hpp"

namespace {

using namespace minifloat;

constexpr Format make_e4m3fn() {
  Format format = ieee_format(4, 3);
  format.infinities = false;
  format.nan = NanCode::kAllOnes;
  return format;
}

constexpr Format kE4m3fn = make_e4m3fn();
constexpr Rounder kNearestEven =
    make_rounder(kE4m3fn, Rounding::kTiesToEven, Overflow::kIeee, NanPolicy::kMax);
constexpr Operation kAdd = make_operation(Op::kAdd, kE4m3fn, kE4m3fn, kE4m3fn, kNearestEven);

// The core needs no run time: 1 + 1 = 2 is known to the compiler.
static_assert(arith::evaluate(kAdd, 0x38, 0x38, 0).code == 0x40);
static_assert(arith::evaluate(kAdd, 0x7E, 0x7E, 0).flags == (kOverflow | kInexact));

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s CODE CODE (two hexadecimal bytes)\n", argv[0]);
    return 2;
  }
  const std::uint64_t a = std::strtoull(argv[1], nullptr, 16);
  const std::uint64_t b = std::strtoull(argv[2], nullptr, 16);
  if ((a | b) > 0xFF) {
    std::fprintf(stderr, "codes of float8_e4m3fn are bytes\n");
    return 2;
  }
  const Packed sum = arith::evaluate(kAdd, a, b, 0);
  std::printf("%02x %02x\n", static_cast<unsigned>(sum.code), sum.flags);
  return 0;
}
