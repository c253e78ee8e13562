#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>

#include <array>
#include <memory>
#include <vector>

#include "bindings.hpp"
#include "buffer.hpp"
#include "minifloat/round_pack.hpp"
#include "parallel.hpp"

// Casts over arrays. Python hands over contiguous arrays of the right item size; everything about
// formats and options is in the plan.

namespace minifloat::bindings {
namespace {

struct PlanObject {
  CastPlan plan;
  std::vector<std::uint32_t> table;  ///< P(up) thresholds that the plan points to
};

/// The optional arguments of a pass.
struct PassArguments {
  nb::handle key, random_bits, flags;
  std::uint64_t offset;
  bool counts_flags;
  int workers;
};

PhiloxKey philox_key(nb::handle words) {
  const auto k = nb::cast<std::array<std::uint32_t, 4>>(words);
  return {{k[0], k[1]}, {k[2], k[3]}};
}

/// What Python needs to know: ((nan count, first), (stray count, first), flag counts, flag firsts).
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

/// Run a pass over n elements: fill in the job's common fields, split it, merge what was found.
template <class Pass>
nb::object run_pass(const CastPlan& plan, CastJob job, std::size_t n, const PassArguments& args,
                    const Pass& pass) {
  PhiloxKey key;
  if (!args.key.is_none()) {
    key = philox_key(args.key);
    job.key = &key;
    job.key_offset = args.offset;
  }
  std::unique_ptr<Buffer> bits, flags;
  if (!args.random_bits.is_none()) {
    bits = std::make_unique<Buffer>(args.random_bits, false);
    bits->expect(sizeof(std::uint64_t), n, "random_bits");
    job.random_bits = static_cast<const std::uint64_t*>(bits->data());
  }
  if (!args.flags.is_none()) {
    flags = std::make_unique<Buffer>(args.flags, true);
    flags->expect(1, n, "flags");
    job.flags = static_cast<std::uint8_t*>(flags->data());
  }
  const bool draws = plan.up == UpKind::kAddedNoise || plan.up == UpKind::kTabledNoise;
  if (draws && job.key == nullptr && job.random_bits == nullptr)
    throw nb::value_error("a stochastic plan needs a key or random bits");
  job.counts_flags = args.counts_flags;
  const std::size_t stretches = stretch_count(n, args.workers);
  std::vector<CastJob> jobs(stretches, job);
  {
    const nb::gil_scoped_release release;
    for_each_stretch(n, stretches, kBlock,
                     [&](std::size_t index, std::size_t begin, std::size_t end) {
                       jobs[index].begin = begin;
                       jobs[index].end = end;
                       pass(jobs[index]);
                     });
  }
  CastStatus status;
  for (const CastJob& done : jobs) merge(status, done.status, 0);
  return report(status, args.counts_flags);
}

nb::object run_cast(const PlanObject& self, nb::handle source, nb::handle target, nb::handle key,
                    std::uint64_t offset, nb::handle random_bits, nb::handle flags,
                    bool counts_flags, int workers) {
  const Buffer in(source, false), out(target, true);
  const std::size_t n = in.size();
  in.expect(static_cast<std::size_t>(self.plan.source_bytes), n, "source");
  out.expect(static_cast<std::size_t>(self.plan.target_bytes), n, "target");
  CastJob job;
  job.source = in.data();
  job.target = out.data();
  const Kernels& kernels = active_kernels();
  return run_pass(self.plan, job, n, {key, random_bits, flags, offset, counts_flags, workers},
                  [&](CastJob& part) { kernels.cast(self.plan, part); });
}

nb::object run_quantize(const PlanObject& self, const PlanObject& back, nb::handle source,
                        nb::handle target, nb::handle key, std::uint64_t offset,
                        nb::handle random_bits, nb::handle flags, bool counts_flags, int workers) {
  const Buffer in(source, false), out(target, true);
  const std::size_t n = in.size();
  in.expect(static_cast<std::size_t>(self.plan.source_bytes), n, "source");
  out.expect(static_cast<std::size_t>(self.plan.source_bytes), n, "target");
  if (back.plan.target_bytes != self.plan.source_bytes ||
      back.plan.source_bytes != self.plan.target_bytes)
    throw nb::value_error("the plans of a quantisation must lead there and back");
  CastJob job;
  job.source = in.data();
  job.target = out.data();
  const Kernels& kernels = active_kernels();
  return run_pass(self.plan, job, n, {key, random_bits, flags, offset, counts_flags, workers},
                  [&](CastJob& part) { kernels.quantize(self.plan, back.plan, part); });
}

/// The common case in one cheap call: no noise, no flags; `back` quantises.
nb::object run_quick(const PlanObject& self, nb::handle back, nb::handle source, nb::handle target,
                     int workers) {
  const nb::handle none = Py_None;
  if (back.is_none()) return run_cast(self, source, target, none, 0, none, none, false, workers);
  return run_quantize(self, nb::cast<const PlanObject&>(back), source, target, none, 0, none, none,
                      false, workers);
}

void make_plan(PlanObject* self, const Format& source, const Format& target, int rounding,
               int overflow, int nan, const Context& context, int variant, int random_bits,
               nb::handle table, bool jam) {
  Options options;
  options.mode = static_cast<Rounding>(rounding);
  options.overflow = static_cast<Overflow>(overflow);
  options.nan = static_cast<NanPolicy>(nan);
  options.context = context;
  options.variant = static_cast<StochasticVariant>(variant);
  options.random_bits = random_bits;
  if (const char* reason = policy_error(target, options.overflow)) throw nb::value_error(reason);
  new (self) PlanObject{};
  if (!table.is_none()) {
    const Buffer thresholds(table, false);
    thresholds.expect(sizeof(std::uint32_t), std::size_t{1} << random_bits, "table");
    const auto* first = static_cast<const std::uint32_t*>(thresholds.data());
    self->table.assign(first, first + thresholds.size());
    options.table = self->table.data();
    options.jam = jam;
  }
  make_cast_plan(self->plan, source, target, options);
}

/// Round sign * significand * 2^exponent, with more below the significand if sticky: `low` are the
/// first 64 bits of that below a significand of 64 bits.
std::pair<std::uint64_t, unsigned> round_exact(const PlanObject& self, bool negative, int exponent,
                                               std::uint64_t significand, bool sticky,
                                               std::uint64_t random_bits, std::uint64_t low) {
  Unpacked value = make_unpacked(negative, exponent, significand);
  value.sticky = sticky && value.kind == Class::kFinite;
  value.low = low;
  const int width = self.plan.options.table != nullptr ? 32 : self.plan.options.random_bits;
  const std::uint64_t noise =
      ((random_bits << (64 - width)) & self.plan.noise_keep) | self.plan.noise_set;
  const Packed packed = round_pack(self.plan.rounder, value,
                                   {noise, self.plan.scalar_noise, self.plan.options.table});
  return {packed.code, packed.flags};
}

}  // namespace

void register_casting(nb::module_& m) {
  nb::class_<PlanObject>(m, "CastPlan", "Everything about a cast that does not depend on its data.")
      .def("__init__", &make_plan, nb::arg("source"), nb::arg("target"), nb::kw_only(),
           nb::arg("rounding"), nb::arg("overflow"), nb::arg("nan"), nb::arg("context"),
           nb::arg("variant"), nb::arg("random_bits"), nb::arg("table").none(), nb::arg("jam"))
      .def("run", &run_cast, nb::arg("source"), nb::arg("target"), nb::arg("key").none(),
           nb::arg("offset"), nb::arg("random_bits").none(), nb::arg("flags").none(),
           nb::arg("counts_flags"), nb::arg("workers"),
           "Cast source into target; returns what was found, or None.")
      .def("quantize", &run_quantize, nb::arg("back"), nb::arg("source"), nb::arg("target"),
           nb::arg("key").none(), nb::arg("offset"), nb::arg("random_bits").none(),
           nb::arg("flags").none(), nb::arg("counts_flags"), nb::arg("workers"),
           "Round source onto the target format's grid, in the source's own type.")
      .def("run_quick", &run_quick, nb::arg("back").none(), nb::arg("source"), nb::arg("target"),
           nb::arg("workers"), "Run without noise and flags; there and back if back is given.")
      .def("round_exact", &round_exact, nb::arg("negative"), nb::arg("exponent"),
           nb::arg("significand"), nb::arg("sticky"), nb::arg("random_bits") = 0,
           nb::arg("low") = 0, "Round one exact value; returns its code and flags.")
      .def_prop_ro(
          "raises_nan",
          [](const PlanObject& self) { return self.plan.options.nan == NanPolicy::kRaise; },
          "Whether a NaN that the target lacks is an error.")
      .def_prop_ro(
          "carrier",
          [](const PlanObject& self) {
            constexpr const char* kNames[] = {"float32", "float64", "scalar"};
            return kNames[static_cast<int>(self.plan.carrier)];
          },
          "Which carrier holds the values: float32, float64, or the scalar core.");
}

}  // namespace minifloat::bindings
