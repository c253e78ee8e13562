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
  else if (plan.native && plan.finish.target_bytes == 8 &&
           native_block<std::uint64_t>(plan, job, block))
    return;
  else
    scalar_block(plan, job, block, work.noise);
}

inline void run_block(const ArithPlan& plan, ArithJob& job, const ArithBlock& block,
                      CarriedWorkspace<std::uint32_t>& work) {
  load_operands(plan, block, work);
  carried_block(plan, job, block, work);
}

/// Room for the float32 carrier, which is tried first, and for the float64 one.
struct BothWorkspaces {
  CarriedWorkspace<std::uint64_t> wide;
  CarriedWorkspace<std::uint32_t> narrow;
};

inline void run_block(const ArithPlan& plan, ArithJob& job, const ArithBlock& block,
                      BothWorkspaces& work) {
  if (plan.native && native_block<std::uint32_t>(plan, job, block)) return;
  if (plan.tries32) {
    load_operands(plan, block, work.narrow);
    if (operands_are_moderate(plan.operation.op, work.narrow.loaded, plan.count, block.size)) {
      carried_block(plan, job, block, work.narrow);
      return;
    }
  }
  load_operands(plan, block, work.wide);
  carried_block(plan, job, block, work.wide);
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
      return arith::run_blocks<arith::BothWorkspaces>(plan, job);
    default:
      return arith::run_blocks<arith::ScalarWorkspace>(plan, job);
  }
}

}  // namespace MINIFLOAT_ABI
}  // namespace minifloat
