// Compiled once per instruction set, each time with its own MINIFLOAT_ABI; see config.hpp.

#include "minifloat/kernels/arith/engine.hpp"

#define MINIFLOAT_JOIN(a, b) a##b
#define MINIFLOAT_TABLE_NAME(abi) MINIFLOAT_JOIN(arith_kernels_, abi)
#define MINIFLOAT_TEXT(abi) #abi
#define MINIFLOAT_NAME(abi) MINIFLOAT_TEXT(abi)

namespace minifloat {

const ArithKernels& MINIFLOAT_TABLE_NAME(MINIFLOAT_ABI)() {
  static constexpr ArithKernels kTable = {
      MINIFLOAT_NAME(MINIFLOAT_ABI),
      &arith_stretch,
      &arith::fill_table,
  };
  return kTable;
}

}  // namespace minifloat
