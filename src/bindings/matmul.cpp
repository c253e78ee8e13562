#include <nanobind/stl/array.h>

#include <array>
#include <atomic>
#include <cstring>
#include <memory>
#include <vector>

#include "bindings.hpp"
#include "buffer.hpp"
#include "minifloat/kernels/matmul/engine.hpp"
#include "parallel.hpp"

// Matrix products over arrays of codes: a stack of left factors with a stack of right factors, or
// with one that all share.

namespace minifloat {

#if defined(MINIFLOAT_HAS_BASELINE)
const MatmulKernels& matmul_kernels_baseline();
#endif
#if defined(MINIFLOAT_HAS_V3)
const MatmulKernels& matmul_kernels_v3();
#endif
#if defined(MINIFLOAT_HAS_V4)
const MatmulKernels& matmul_kernels_v4();
#endif

namespace bindings {
namespace {

const MatmulKernels& active_matmul_kernels() {
  const char* name = active_kernels().name;
#if defined(MINIFLOAT_HAS_V4)
  if (std::strcmp(name, "v4") == 0) return matmul_kernels_v4();
#endif
#if defined(MINIFLOAT_HAS_V3)
  if (std::strcmp(name, "v3") == 0) return matmul_kernels_v3();
#endif
  (void)name;
  return matmul_kernels_baseline();
}

struct MatmulPlanObject {
  MatmulPlan plan;
  std::vector<std::uint32_t> noise_table;
};

void make_plan(MatmulPlanObject* self, const std::array<Format, 4>& formats, const Context& context,
               const std::array<int, 6>& how, nb::handle noise_table, int order, std::size_t block,
               bool rounds_products) {
  Options options;
  options.mode = static_cast<Rounding>(how[0]);
  options.overflow = static_cast<Overflow>(how[1]);
  options.nan = static_cast<NanPolicy>(how[2]);
  options.variant = static_cast<StochasticVariant>(how[3]);
  options.random_bits = how[4];
  options.jam = how[5] != 0;
  options.context = context;
  for (const Format& f : {formats[2], formats[3]})
    if (const char* reason = policy_error(f, options.overflow)) throw nb::value_error(reason);
  if (block == 0) throw nb::value_error("blocks have one term or more");
  new (self) MatmulPlanObject{};
  if (!noise_table.is_none()) {
    const Buffer thresholds(noise_table, false);
    thresholds.expect(sizeof(std::uint32_t), std::size_t{1} << options.random_bits, "table");
    const auto* first = static_cast<const std::uint32_t*>(thresholds.data());
    self->noise_table.assign(first, first + thresholds.size());
    options.table = self->noise_table.data();
  }
  MatmulPlan& plan = self->plan;
  plan.a = formats[0];
  plan.b = formats[1];
  plan.accumulator = formats[2];
  plan.result = formats[3];
  plan.order = static_cast<SumOrder>(order);
  plan.block = block;
  plan.rounds_products = rounds_products;
  matmul::make_matmul_plan(plan, options);
}

/// Which path serves these operands: 32 or 64 for a carrier, 0 for the scalar core.
int choose_width(const MatmulPlan& plan, const MatmulJob& job, std::size_t stacked,
                 std::size_t b_size) {
  if (job.cast.flags != nullptr || job.cast.counts_flags) return 0;
  const auto a = arith::extent(plan.a), b = arith::extent(plan.b);
  const bool always32 =
      plan.carried32 && matmul::stays_inside<std::uint32_t>(plan, a, b, job.inner);
  if (always32) return 32;
  if (plan.carried32) {
    const auto real_a = matmul::measured_extent(plan.a, job.a, stacked * job.inner);
    const auto real_b = matmul::measured_extent(plan.b, job.b, b_size);
    if (matmul::stays_inside<std::uint32_t>(plan, real_a, real_b, job.inner)) return 32;
  }
  return plan.carried64 && matmul::stays_inside<std::uint64_t>(plan, a, b, job.inner) ? 64 : 0;
}

template <class Item, class Run>
void run_split(const MatmulJob& job, std::size_t stacked, int workers, std::size_t room,
               std::vector<MatmulJob>& parts, const Run& run) {
  const std::size_t work = stacked * job.columns * (job.inner + 1);
  std::size_t stretches = stretch_count(work, workers);
  const std::size_t most = stacked / kTileRows + 1;
  if (stretches > most) stretches = most;
  parts.assign(stretches, job);
  std::vector<std::vector<Item>> rooms(stretches, std::vector<Item>(room));
  for_each_stretch(stacked, stretches, kTileRows,
                   [&](std::size_t index, std::size_t begin, std::size_t end) {
                     parts[index].cast.begin = begin;
                     parts[index].cast.end = end;
                     run(parts[index], rooms[index].data());
                   });
}

std::uint64_t count_stray(const Format& f, std::uint64_t mask, const Buffer& codes) {
  if (mask == 0) return 0;
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < codes.size(); ++i)
    count += (detail::code_at(codes.data(), storage_bytes(f), i) & mask) != 0;
  return count;
}

nb::object run(MatmulPlanObject& self, nb::handle left, nb::handle right, nb::handle target,
               const std::array<std::size_t, 5>& shape, nb::handle key, std::uint64_t offset,
               nb::handle random_bits, nb::handle flags, bool counts_flags, int workers) {
  const MatmulPlan& plan = self.plan;
  const auto [stack, rows, inner, columns, right_stack] = shape;
  const Buffer a(left, false), b(right, false), out(target, true);
  a.expect(static_cast<std::size_t>(storage_bytes(plan.a)), stack * rows * inner, "left factor");
  b.expect(static_cast<std::size_t>(storage_bytes(plan.b)), right_stack * inner * columns,
           "right factor");
  const std::size_t n = stack * rows * columns;
  out.expect(static_cast<std::size_t>(plan.deliver32.target_bytes), n, "target");
  if (right_stack != stack && right_stack != 1)
    throw nb::value_error("one right factor for each left one, or one for all");
  MatmulJob job;
  job.a = a.data();
  job.b = b.data();
  job.rows = rows;
  job.inner = inner;
  job.columns = columns;
  job.b_stride = right_stack == 1 ? 0 : inner * columns;
  job.cast.target = out.data();
  job.cast.counts_flags = counts_flags;
  PhiloxKey words;
  if (!key.is_none()) {
    const auto k = nb::cast<std::array<std::uint32_t, 4>>(key);
    words = {{k[0], k[1]}, {k[2], k[3]}};
    job.cast.key = &words;
    job.cast.key_offset = offset;
  }
  std::unique_ptr<Buffer> bits, bytes;
  if (!random_bits.is_none()) {
    bits = std::make_unique<Buffer>(random_bits, false);
    bits->expect(sizeof(std::uint64_t), n * inner, "random_bits");
    job.cast.random_bits = static_cast<const std::uint64_t*>(bits->data());
  }
  if (!flags.is_none()) {
    bytes = std::make_unique<Buffer>(flags, true);
    bytes->expect(1, n, "flags");
    job.cast.flags = static_cast<std::uint8_t*>(bytes->data());
  }
  if (plan.round.up != UpKind::kDeterministic && job.cast.key == nullptr &&
      job.cast.random_bits == nullptr)
    throw nb::value_error("a stochastic plan needs a key or random bits");
  const MatmulKernels& kernels = active_matmul_kernels();
  std::vector<MatmulJob> parts;
  std::uint64_t stray = 0;
  {
    const nb::gil_scoped_release release;
    stray = count_stray(plan.a, plan.stray_a, a) + count_stray(plan.b, plan.stray_b, b);
    const int width = choose_width(plan, job, stack * rows, b.size());
    if (n != 0 && width == 32) {
      run_split<std::uint32_t>(
          job, stack * rows, workers, matmul::scratch_words<std::uint32_t>(inner), parts,
          [&](MatmulJob& part, std::uint32_t* room) { kernels.float32(plan, part, room); });
    } else if (n != 0 && width == 64) {
      run_split<std::uint64_t>(
          job, stack * rows, workers, matmul::scratch_words<std::uint64_t>(inner), parts,
          [&](MatmulJob& part, std::uint64_t* room) { kernels.float64(plan, part, room); });
    } else if (n != 0) {
      run_split<Unpacked>(
          job, stack * rows, workers, 3 * inner, parts,
          [&](MatmulJob& part, Unpacked* room) { kernels.scalar(plan, part, room); });
    }
  }
  CastStatus status;
  for (const MatmulJob& done : parts) merge(status, done.cast.status, 0);
  nb::list counts, firsts;
  for (int bit = 0; bit < kFlagCount; ++bit) {
    counts.append(status.flag_count[bit]);
    firsts.append(status.flag_first[bit]);
  }
  return nb::make_tuple(stray, counts, firsts);
}

}  // namespace

void register_matmul(nb::module_& m) {
  nb::class_<MatmulPlanObject>(m, "MatmulPlan",
                               "A matrix product with everything but its operands.")
      .def("__init__", &make_plan, nb::arg("formats"), nb::kw_only(), nb::arg("context"),
           nb::arg("how"), nb::arg("table").none(), nb::arg("order"), nb::arg("block"),
           nb::arg("rounds_products"))
      .def("run", &run, nb::arg("left"), nb::arg("right"), nb::arg("target"), nb::arg("shape"),
           nb::arg("key").none(), nb::arg("offset"), nb::arg("random_bits").none(),
           nb::arg("flags").none(), nb::arg("counts_flags"), nb::arg("workers"),
           "Multiply; returns the number of stray codes, and counts and firsts of flags.");
}

}  // namespace bindings
}  // namespace minifloat
