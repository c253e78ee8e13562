#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <cstdlib>
#include <string>
#include <vector>

#include "bindings.hpp"

// Choice of the instruction set at run time.

namespace minifloat {

#if defined(MINIFLOAT_HAS_BASELINE)
const Kernels& kernels_baseline();
#endif
#if defined(MINIFLOAT_HAS_V3)
const Kernels& kernels_v3();
#endif
#if defined(MINIFLOAT_HAS_V4)
const Kernels& kernels_v4();
#endif

namespace bindings {
namespace {

/// The levels this processor runs, best last.
std::vector<const Kernels*> available_kernels() {
  std::vector<const Kernels*> found = {&kernels_baseline()};
#if defined(MINIFLOAT_HAS_V3)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
      __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2"))
    found.push_back(&kernels_v3());
#endif
#if defined(MINIFLOAT_HAS_V4)
  if (found.size() == 2 && __builtin_cpu_supports("avx512f") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    found.push_back(&kernels_v4());
#endif
  return found;
}

const Kernels& named_kernels(const std::string& name) {
  std::string names;
  for (const Kernels* kernels : available_kernels()) {
    if (name == kernels->name) return *kernels;
    names += (names.empty() ? "" : ", ") + std::string(kernels->name);
  }
  const std::string message = "MINIFLOAT_ISA=" + name + ": this processor and build offer " + names;
  throw nb::value_error(message.c_str());
}

std::atomic<const Kernels*> chosen{nullptr};

}  // namespace

const Kernels& active_kernels() {
  const Kernels* kernels = chosen.load(std::memory_order_acquire);
  if (kernels != nullptr) return *kernels;
  const char* name = std::getenv("MINIFLOAT_ISA");
  kernels = name != nullptr && *name != '\0' ? &named_kernels(name) : available_kernels().back();
  chosen.store(kernels, std::memory_order_release);
  return *kernels;
}

void register_dispatch(nb::module_& m) {
  m.def(
      "isa_levels",
      [] {
        std::vector<std::string> names;
        for (const Kernels* kernels : available_kernels()) names.emplace_back(kernels->name);
        return names;
      },
      "Names of the instruction-set levels that this processor and build offer, best last.");
  m.def("isa", [] { return std::string(active_kernels().name); }, "Name of the level in use.");
  m.def(
      "set_isa", [](const std::string& name) { chosen.store(&named_kernels(name)); },
      nb::arg("name"), "Use the level of this name from now on.");
}

}  // namespace bindings
}  // namespace minifloat
