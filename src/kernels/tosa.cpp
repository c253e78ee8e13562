// Compiled once per instruction set, each time with its own MINIFLOAT_ABI; see config.hpp.

#include "minifloat/tosa/generator.hpp"
#include "minifloat/tosa/verdict.hpp"

#define MINIFLOAT_JOIN(a, b) a##b
#define MINIFLOAT_TABLE_NAME(abi) MINIFLOAT_JOIN(kernels_, abi)
#define MINIFLOAT_TEXT(abi) #abi
#define MINIFLOAT_NAME(abi) MINIFLOAT_TEXT(abi)

namespace minifloat::tosa {

const Kernels& MINIFLOAT_TABLE_NAME(MINIFLOAT_ABI)() {
  static constexpr Kernels kTable = {
      MINIFLOAT_NAME(MINIFLOAT_ABI), &fill_draws, &draws_at, &fill_elements, &exp_floats,
      &check_dot_products,
  };
  return kTable;
}

}  // namespace minifloat::tosa
