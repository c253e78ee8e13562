#pragma once

#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

#if defined(__SSE2__) || defined(_M_X64)
#include <xmmintrin.h>
#endif

/// Splitting a long array over threads, each in the default floating-point environment.

namespace minifloat::bindings {

/// Sets round-to-nearest without flush-to-zero for its lifetime: other libraries leave DAZ, FTZ or
/// a directed mode behind, which would change results.
class DefaultFloatEnvironment {
 public:
#if defined(__SSE2__) || defined(_M_X64)
  DefaultFloatEnvironment() : saved_(_mm_getcsr()) { _mm_setcsr(0x1F80); }
  ~DefaultFloatEnvironment() { _mm_setcsr(saved_); }

 private:
  unsigned saved_;
#elif defined(__aarch64__)
  DefaultFloatEnvironment() {
    __asm__ volatile("mrs %0, fpcr" : "=r"(saved_));
    __asm__ volatile("msr fpcr, %0" : : "r"(std::uint64_t{0}));
  }
  ~DefaultFloatEnvironment() { __asm__ volatile("msr fpcr, %0" : : "r"(saved_)); }

 private:
  std::uint64_t saved_;
#endif
};

/// Below this many elements a thread costs more than it saves.
inline constexpr std::size_t kElementsPerWorker = std::size_t{1} << 18;

/// How many stretches to make of n elements: one per worker, none too short.
inline std::size_t stretch_count(std::size_t n, int workers) {
  const std::size_t most = n / kElementsPerWorker + 1;
  const std::size_t asked = workers < 1 ? 1 : static_cast<std::size_t>(workers);
  return asked < most ? asked : most;
}

/// Call run(index, begin, end) for each stretch, all but the first in threads of their own. Threads
/// live for one call: nothing is left for a forked process to inherit.
template <class Run>
void for_each_stretch(std::size_t n, std::size_t stretches, std::size_t multiple, const Run& run) {
  const std::size_t blocks = (n + multiple - 1) / multiple;
  auto work = [&](std::size_t index) {
    const DefaultFloatEnvironment environment;
    const std::size_t begin = blocks * index / stretches * multiple;
    const std::size_t end = blocks * (index + 1) / stretches * multiple;
    run(index, begin < n ? begin : n, end < n ? end : n);
  };
  if (stretches == 1) return work(0);
  std::vector<std::thread> threads;
  threads.reserve(stretches);
  for (std::size_t index = 1; index < stretches; ++index) threads.emplace_back(work, index);
  work(0);
  for (std::thread& thread : threads) thread.join();
}

}  // namespace minifloat::bindings
