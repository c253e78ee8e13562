#pragma once

#include "minifloat/kernels/matmul/carried.hpp"
#include "minifloat/kernels/matmul/scalar.hpp"

/// The matrix products of one instruction set.

namespace minifloat {

struct MatmulKernels {
  const char* name;
  void (*scalar)(const MatmulPlan& plan, MatmulJob& job, Unpacked* room);
  void (*float32)(const MatmulPlan& plan, MatmulJob& job, std::uint32_t* scratch);
  void (*float64)(const MatmulPlan& plan, MatmulJob& job, std::uint64_t* scratch);
};

}  // namespace minifloat
