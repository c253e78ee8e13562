#pragma once

#include <cfloat>
#include <cstdint>

/// Compiler facts that the whole core relies on.
///
/// Every function of the core lives in an inline namespace named by MINIFLOAT_ABI. The kernels are
/// compiled once per instruction set with a different name each: otherwise the linker would merge
/// their inline functions into one copy, and a baseline caller could run AVX-512 code.

#ifndef MINIFLOAT_ABI
#define MINIFLOAT_ABI generic
#endif

#if defined(__GNUC__) || defined(__clang__)
#define MINIFLOAT_INLINE inline __attribute__((always_inline))
#define MINIFLOAT_NOINLINE __attribute__((noinline))
#define MINIFLOAT_RESTRICT __restrict__
#else
#define MINIFLOAT_INLINE __forceinline
#define MINIFLOAT_NOINLINE __declspec(noinline)
#define MINIFLOAT_RESTRICT __restrict
#endif

static_assert(FLT_EVAL_METHOD == 0,
              "x87 evaluation rounds twice: compile for SSE2 or another IEEE unit");
