#include <nanobind/stl/array.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <atomic>
#include <cstring>
#include <memory>
#include <mutex>
#include <vector>

#include "bindings.hpp"
#include "buffer.hpp"
#include "minifloat/kernels/arith/engine.hpp"
#include "parallel.hpp"

// Arithmetic over arrays of codes. Python hands over contiguous arrays of the right item size, all
// of the output's length or of one element.

namespace minifloat {

#if defined(MINIFLOAT_HAS_BASELINE)
const ArithKernels& arith_kernels_baseline();
#endif
#if defined(MINIFLOAT_HAS_V3)
const ArithKernels& arith_kernels_v3();
#endif
#if defined(MINIFLOAT_HAS_V4)
const ArithKernels& arith_kernels_v4();
#endif

namespace bindings {
namespace {

/// The arithmetic kernels of the level in use.
const ArithKernels& active_arith_kernels() {
  const char* name = active_kernels().name;
#if defined(MINIFLOAT_HAS_V4)
  if (std::strcmp(name, "v4") == 0) return arith_kernels_v4();
#endif
#if defined(MINIFLOAT_HAS_V3)
  if (std::strcmp(name, "v3") == 0) return arith_kernels_v3();
#endif
  (void)name;
  return arith_kernels_baseline();
}

/// Whether every plan runs the scalar core: how tests compare the vector paths with it.
std::atomic<bool> scalar_only{false};

/// Below this many elements the scalar core is faster than filling a table.
constexpr std::size_t kWorthATable = 1 << 14;

struct ArithPlanObject {
  ArithPlan plan;
  std::vector<std::uint32_t> noise_table;
  std::vector<std::uint16_t> table;  ///< filled on the first long call
  std::once_flag filled;
};

void make_plan(ArithPlanObject* self, int op, const std::vector<Format>& operands,
               const Format& result, const Context& context, const std::array<int, 6>& how,
               nb::handle noise_table, const std::array<int, 7>& switches, int scale) {
  if (op < 0 || op > static_cast<int>(Op::kIsSigned)) throw nb::value_error("no such operation");
  Operation operation;
  operation.op = static_cast<Op>(op);
  if (static_cast<int>(operands.size()) != operand_count(operation.op))
    throw nb::value_error("a format for each operand is needed");
  for (std::size_t k = 0; k < operands.size(); ++k) operation.operand[k] = operands[k];
  operation.unsigned_zero = switches[0] != 0;
  operation.exact = switches[1] != 0;
  operation.signaling = switches[2] != 0;
  operation.wants_larger = switches[3] != 0;
  operation.by_magnitude = switches[4] != 0;
  operation.number_rule = static_cast<NumberRule>(switches[5]);
  operation.negates_product = (switches[6] & 1) != 0;
  operation.negates_addend = (switches[6] & 2) != 0;
  operation.negates_result = (switches[6] & 4) != 0;
  operation.scale = scale;
  Options options;
  options.mode = static_cast<Rounding>(how[0]);
  options.overflow = static_cast<Overflow>(how[1]);
  options.nan = static_cast<NanPolicy>(how[2]);
  options.variant = static_cast<StochasticVariant>(how[3]);
  options.random_bits = how[4];
  options.jam = how[5] != 0;
  options.context = context;
  if (const char* reason = policy_error(result, options.overflow)) throw nb::value_error(reason);
  new (self) ArithPlanObject{};
  if (!noise_table.is_none()) {
    const Buffer thresholds(noise_table, false);
    thresholds.expect(sizeof(std::uint32_t), std::size_t{1} << options.random_bits, "table");
    const auto* first = static_cast<const std::uint32_t*>(thresholds.data());
    self->noise_table.assign(first, first + thresholds.size());
    options.table = self->noise_table.data();
  }
  arith::make_arith_plan(self->plan, operation, result, options);
}

nb::object report(const CastStatus& status, bool counts_flags) {
  if (status.nan_count == 0 && status.stray_count == 0 && !counts_flags) return nb::none();
  nb::list counts, firsts;
  for (int bit = 0; bit < kFlagCount; ++bit) {
    counts.append(status.flag_count[bit]);
    firsts.append(status.flag_first[bit]);
  }
  return nb::make_tuple(nb::make_tuple(status.nan_count, status.nan_first),
                        nb::make_tuple(status.stray_count, status.stray_first), counts, firsts);
}

nb::object run(ArithPlanObject& self, const nb::list& operands, nb::handle target, nb::handle key,
               std::uint64_t offset, nb::handle random_bits, nb::handle flags, bool counts_flags,
               int workers) {
  const ArithPlan& plan = self.plan;
  const Buffer out(target, true);
  const std::size_t n = out.size();
  out.expect(static_cast<std::size_t>(plan.finish.target_bytes), n, "target");
  if (static_cast<int>(operands.size()) != plan.count)
    throw nb::value_error("the plan takes another number of operands");
  ArithJob job;
  std::unique_ptr<Buffer> held[kMaxOperands + 2];
  for (int k = 0; k < plan.count; ++k) {
    held[k] = std::make_unique<Buffer>(operands[static_cast<std::size_t>(k)], false);
    job.repeats[k] = held[k]->size() == 1 && n != 1;
    held[k]->expect(static_cast<std::size_t>(plan.operand_bytes[k]), job.repeats[k] ? 1 : n,
                    "operand");
    job.sources[k] = held[k]->data();
  }
  job.cast.target = out.data();
  PhiloxKey words;
  if (!key.is_none()) {
    const auto k = nb::cast<std::array<std::uint32_t, 4>>(key);
    words = {{k[0], k[1]}, {k[2], k[3]}};
    job.cast.key = &words;
    job.cast.key_offset = offset;
  }
  if (!random_bits.is_none()) {
    held[kMaxOperands] = std::make_unique<Buffer>(random_bits, false);
    held[kMaxOperands]->expect(sizeof(std::uint64_t), n, "random_bits");
    job.cast.random_bits = static_cast<const std::uint64_t*>(held[kMaxOperands]->data());
  }
  if (!flags.is_none()) {
    held[kMaxOperands + 1] = std::make_unique<Buffer>(flags, true);
    held[kMaxOperands + 1]->expect(1, n, "flags");
    job.cast.flags = static_cast<std::uint8_t*>(held[kMaxOperands + 1]->data());
  }
  const bool draws =
      plan.finish.up == UpKind::kAddedNoise || plan.finish.up == UpKind::kTabledNoise;
  if (draws && job.cast.key == nullptr && job.cast.random_bits == nullptr)
    throw nb::value_error("a stochastic plan needs a key or random bits");
  job.cast.counts_flags = counts_flags;
  const ArithKernels& kernels = active_arith_kernels();
  const std::size_t stretches = stretch_count(n, workers);
  std::vector<ArithJob> jobs(stretches, job);
  {
    const nb::gil_scoped_release release;
    if (plan.path == ArithPath::kTable && n >= kWorthATable) {
      std::call_once(self.filled, [&] {
        self.table.resize(kTableEntries);
        kernels.fill_table(self.plan, self.table.data());
      });
    }
    ArithPlan active = plan;
    if (scalar_only.load(std::memory_order_relaxed)) active.path = ArithPath::kScalar;
    active.table = n >= kWorthATable && !self.table.empty() ? self.table.data() : nullptr;
    for_each_stretch(n, stretches, kBlock,
                     [&](std::size_t index, std::size_t begin, std::size_t end) {
                       jobs[index].cast.begin = begin;
                       jobs[index].cast.end = end;
                       kernels.run(active, jobs[index]);
                     });
  }
  CastStatus status;
  for (const ArithJob& done : jobs) merge(status, done.cast.status, 0);
  return report(status, counts_flags);
}

void make_context(Context* self, bool tininess_before, bool flush_before, bool flush_inputs,
                  bool flush_outputs, bool narrow_nans_quiet, bool no_signaling_nans,
                  bool snan_bit_is_one, const std::array<int, 6>& nan_rules, int default_nan,
                  const std::array<int, 3>& integer_failure) {
  new (self) Context{};
  self->tininess = tininess_before ? Tininess::kBeforeRounding : Tininess::kAfterRounding;
  self->flush_detection = flush_before ? Tininess::kBeforeRounding : Tininess::kAfterRounding;
  self->flush_inputs = flush_inputs;
  self->flush_outputs = flush_outputs;
  self->narrow_nans_quiet = narrow_nans_quiet;
  self->no_signaling_nans = no_signaling_nans;
  self->snan_bit_is_one = snan_bit_is_one;
  self->nan_rule = static_cast<NanRule>(nan_rules[0]);
  self->reversed = nan_rules[1] != 0;
  self->nan_rule_of_three = static_cast<NanRule>(nan_rules[2]);
  for (std::size_t k = 0; k < 3; ++k)
    self->order_of_three[k] = static_cast<std::uint8_t>((nan_rules[3] >> (2 * k)) & 3);
  self->infinity_times_zero = static_cast<InfinityTimesZero>(nan_rules[4]);
  self->infinity_times_zero_is_quiet = nan_rules[5] != 0;
  self->default_nan = static_cast<std::uint8_t>(default_nan);
  for (std::size_t k = 0; k < 3; ++k)
    self->integer_failure[k] = static_cast<IntegerFailure>(integer_failure[k]);
}

}  // namespace

void register_arithmetic(nb::module_& m) {
  m.def(
      "set_scalar_arithmetic", [](bool on) { scalar_only.store(on); }, nb::arg("on"),
      "Run every operation element by element through the scalar core, or stop doing so.");
  nb::class_<Context>(m, "Context", "What a machine fixes, as the core sees it.")
      .def("__init__", &make_context, nb::kw_only(), nb::arg("tininess_before"),
           nb::arg("flush_before"), nb::arg("flush_inputs"), nb::arg("flush_outputs"),
           nb::arg("narrow_nans_quiet"), nb::arg("no_signaling_nans"), nb::arg("snan_bit_is_one"),
           nb::arg("nan_rules"), nb::arg("default_nan"), nb::arg("integer_failure"));
  nb::class_<ArithPlanObject>(m, "ArithPlan", "An operation with everything but its operands.")
      .def("__init__", &make_plan, nb::arg("op"), nb::arg("operands"), nb::arg("result"),
           nb::kw_only(), nb::arg("context"), nb::arg("how"), nb::arg("table").none(),
           nb::arg("switches"), nb::arg("scale"))
      .def("run", &run, nb::arg("operands"), nb::arg("target"), nb::arg("key").none(),
           nb::arg("offset"), nb::arg("random_bits").none(), nb::arg("flags").none(),
           nb::arg("counts_flags"), nb::arg("workers"),
           "Operate on arrays of codes; returns what was found, or None.")
      .def_prop_ro(
          "path",
          [](const ArithPlanObject& self) {
            constexpr const char* kNames[] = {"scalar",  "table",    "float32",
                                              "float64", "direct32", "direct64"};
            return kNames[static_cast<int>(self.plan.path)];
          },
          "How the plan computes long arrays.");
}

}  // namespace bindings
}  // namespace minifloat
