#pragma once

#include "minifloat/kernels/arith/scalar.hpp"

/// The block engine of arithmetic: each block takes the plan's path.

namespace minifloat {

/// The arithmetic kernels of one instruction set.
struct ArithKernels {
  const char* name;
  void (*run)(const ArithPlan& plan, ArithJob& job);
  void (*fill_table)(const ArithPlan& plan, std::uint16_t* table);
};

inline namespace MINIFLOAT_ABI {

/// Run the stretch [begin, end). The floating-point environment must be the default one.
inline void arith_stretch(const ArithPlan& plan, ArithJob& job) {
  ArithWorkspace work;
  alignas(64) std::uint64_t noise[kBlock + 128];
  arith::spread_repeated(plan, job, work);
  for (std::size_t i = job.cast.begin; i < job.cast.end; i += kBlock) {
    const std::size_t n = smaller(kBlock, job.cast.end - i);
    const ArithBlock block = arith::block_at(plan, job, work, i, n);
    arith::note_stray_operands(plan, block, job.cast.status);
    if (plan.path == ArithPath::kTable && plan.table != nullptr)
      arith::table_block(plan, job, block);
    else
      arith::scalar_block(plan, job, block, noise);
    arith::note_block_flags(plan, job, block);
  }
}

}  // namespace MINIFLOAT_ABI
}  // namespace minifloat
