#pragma once

#include "minifloat/kernels/arith/carried.hpp"
#include "minifloat/kernels/arith/choose.hpp"
#include "minifloat/kernels/arith/direct.hpp"

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

/// Paths on float32 may leave blocks to float64.
struct NarrowWorkspace {
  CarriedWorkspace<std::uint32_t> narrow;
  CarriedWorkspace<std::uint64_t> wide;
};

inline void run_block(const ArithPlan& plan, ArithJob& job, const ArithBlock& block,
                      NarrowWorkspace& work) {
  const bool direct = plan.path == ArithPath::kDirect32;
  const bool done = direct ? try_direct_block<std::uint32_t>(plan, job, block, work.narrow)
                           : try_carried_block<std::uint32_t>(plan, job, block, work.narrow);
  if (!done) try_carried_block<std::uint64_t>(plan, job, block, work.wide);
}

inline void run_block(const ArithPlan& plan, ArithJob& job, const ArithBlock& block,
                      CarriedWorkspace<std::uint64_t>& work) {
  if (plan.path == ArithPath::kDirect64)
    try_direct_block<std::uint64_t>(plan, job, block, work);
  else
    try_carried_block<std::uint64_t>(plan, job, block, work);
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
  const bool direct = arith::operates_directly(plan.operation.op);
  ArithPath path = plan.path;
  if (path == ArithPath::kDirect32 && !direct)
    path = plan.carries_wider ? ArithPath::kFloat64 : ArithPath::kScalar;
  if (path == ArithPath::kDirect64 && !direct) path = ArithPath::kScalar;
  if (plan.operation.op == Op::kRemainder && !direct && path != ArithPath::kTable)
    path = ArithPath::kScalar;
  switch (path) {
    case ArithPath::kFloat32:
    case ArithPath::kDirect32:
      return arith::run_blocks<arith::NarrowWorkspace>(plan, job);
    case ArithPath::kFloat64:
    case ArithPath::kDirect64:
      return arith::run_blocks<CarriedWorkspace<std::uint64_t>>(plan, job);
    default:
      return arith::run_blocks<arith::ScalarWorkspace>(plan, job);
  }
}

}  // namespace MINIFLOAT_ABI
}  // namespace minifloat
