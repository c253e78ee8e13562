// Compiled once per instruction set, each time with its own MINIFLOAT_ABI; see config.hpp.

#include "minifloat/kernels/matmul/engine.hpp"

#define MINIFLOAT_JOIN(a, b) a##b
#define MINIFLOAT_TABLE_NAME(abi) MINIFLOAT_JOIN(matmul_kernels_, abi)
#define MINIFLOAT_TEXT(abi) #abi
#define MINIFLOAT_NAME(abi) MINIFLOAT_TEXT(abi)

namespace minifloat {

const MatmulKernels& MINIFLOAT_TABLE_NAME(MINIFLOAT_ABI)() {
  static constexpr MatmulKernels kTable = {
      MINIFLOAT_NAME(MINIFLOAT_ABI),
      &matmul::scalar_rows,
      &matmul::carried_rows<std::uint32_t>,
      &matmul::carried_rows<std::uint64_t>,
  };
  return kTable;
}

}  // namespace minifloat
