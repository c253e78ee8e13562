// Compiled once per instruction set, each time with its own MINIFLOAT_ABI; see config.hpp.

#include "minifloat/kernels/quantize.hpp"
#include "minifloat/kernels/table.hpp"

#define MINIFLOAT_JOIN(a, b) a##b
#define MINIFLOAT_TABLE_NAME(abi) MINIFLOAT_JOIN(kernels_, abi)
#define MINIFLOAT_TEXT(abi) #abi
#define MINIFLOAT_NAME(abi) MINIFLOAT_TEXT(abi)

namespace minifloat {

const Kernels& MINIFLOAT_TABLE_NAME(MINIFLOAT_ABI)() {
  static constexpr Kernels kTable = {
      MINIFLOAT_NAME(MINIFLOAT_ABI),
      &cast_stretch,
      &quantize_stretch,
  };
  return kTable;
}

}  // namespace minifloat
