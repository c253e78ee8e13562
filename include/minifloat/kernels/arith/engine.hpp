#pragma once

#include "minifloat/kernels/arith/carried.hpp"
#include "minifloat/kernels/arith/choose.hpp"

/// The block engine of arithmetic: each block takes the plan's path.

namespace minifloat {

/// The arithmetic kernels of one instruction set.
struct ArithKernels {
  const char* name;
  void (*run)(const ArithPlan& plan, ArithJob& job);
  void (*fill_table)(const ArithPlan& plan, std::uint16_t* table);
};

inline namespace MINIFLOAT_ABI {

namespace arith {

struct ScalarWorkspace {
  alignas(64) std::uint64_t noise[kBlock + 128];
};

inline void run_block(const ArithPlan& plan, ArithJob& job, const ArithBlock& block,
                      ScalarWorkspace& work) {
  if (plan.path == ArithPath::kTable && plan.table != nullptr)
    table_block(plan, job, block);
  else
    scalar_block(plan, job, block, work.noise);
}

template <class Word>
void run_block(const ArithPlan& plan, ArithJob& job, const ArithBlock& block,
               CarriedWorkspace<Word>& work) {
  carried_block<Word>(plan, job, block, work);
}

template <class Workspace>
void run_blocks(const ArithPlan& plan, ArithJob& job) {
  ArithWorkspace common;
  Workspace work;
  spread_repeated(plan, job, common);
  for (std::size_t i = job.cast.begin; i < job.cast.end; i += kBlock) {
    const std::size_t n = smaller(kBlock, job.cast.end - i);
    const ArithBlock block = block_at(plan, job, common, i, n);
    note_stray_operands(plan, block, job.cast.status);
    run_block(plan, job, block, work);
    note_block_flags(plan, job, block);
  }
}

}  // namespace arith

/// Run the stretch [begin, end). The floating-point environment must be the default one.
inline void arith_stretch(const ArithPlan& plan, ArithJob& job) {
  switch (plan.path) {
    case ArithPath::kFloat32:
      return arith::run_blocks<CarriedWorkspace<std::uint32_t>>(plan, job);
    case ArithPath::kFloat64:
      return arith::run_blocks<CarriedWorkspace<std::uint64_t>>(plan, job);
    default:
      return arith::run_blocks<arith::ScalarWorkspace>(plan, job);
  }
}

}  // namespace MINIFLOAT_ABI
}  // namespace minifloat
