#pragma once

#include "minifloat/kernels/job.hpp"

/// The kernels of one instruction set, as functions to call through.

namespace minifloat {

struct Kernels {
  const char* name;
  void (*cast)(const CastPlan& plan, CastJob& job);
  void (*quantize)(const CastPlan& there, const CastPlan& back, CastJob& job);
};

}  // namespace minifloat
