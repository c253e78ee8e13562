#pragma once

#include "minifloat/kernels/noise.hpp"
#include "minifloat/kernels/store.hpp"
#include "minifloat/kernels/words.hpp"

/// The block engine of casts: load -> flush -> noise -> round -> store, each a loop over a block
/// that stays in the first-level cache.

namespace minifloat {

inline namespace MINIFLOAT_ABI {
namespace detail {

template <class Word>
struct Workspace {
  alignas(64) Word carrier[kBlock];
  alignas(64) Word noise[kBlock + 128];
  alignas(64) Word positions[kBlock];
  alignas(64) Word decisions[kBlock];
  alignas(64) std::uint32_t indices[kBlock];
  alignas(64) std::uint8_t flags[kBlock];
  alignas(64) std::uint8_t extra_flags[kBlock];
};

template <class Word>
constexpr const RoundParams<Word>& round_of(const CastPlan& plan) {
  if constexpr (sizeof(Word) == 4)
    return plan.round32;
  else
    return plan.round64;
}

template <class Word, class Code>
void load_words(const CastPlan& plan, const Code* in, Word* out, std::size_t n) {
  if (plan.load == Load::kInteger) {
    if constexpr (sizeof(Word) == 4)
      load_integer_block(plan.integer_load32, in, out, n);
    else
      load_integer_block(plan.integer_load64, in, out, n);
  } else {
    if constexpr (sizeof(Word) == 4)
      load_float_block(plan.float_load32, in, out, n);
    else
      load_float_block(plan.float_load64, in, out, n);
  }
}

/// Carrier bits of the block, in `buffer` or in place.
template <class Word>
const Word* load_block(const CastPlan& plan, const CastJob& job, std::size_t i, std::size_t n,
                       Word* buffer) {
  switch (plan.load) {
    case Load::kIdentity:
      return source_at<Word>(job, i);
    case Load::kTable:
      if constexpr (sizeof(Word) == 4)
        load_table_block(plan.table32, source_at<std::uint8_t>(job, i), buffer, n);
      else
        load_table_block(plan.table64, source_at<std::uint8_t>(job, i), buffer, n);
      return buffer;
    case Load::kWiden:
      if constexpr (sizeof(Word) == 8)
        load_widen_block(source_at<std::uint32_t>(job, i), buffer, n);
      return buffer;
    case Load::kNarrowOdd:
      if constexpr (sizeof(Word) == 4)
        load_narrow_odd_block(source_at<std::uint64_t>(job, i), buffer, n);
      return buffer;
    default:
      break;
  }
  if (plan.source_bytes == 2)
    load_words(plan, source_at<std::uint16_t>(job, i), buffer, n);
  else if (plan.source_bytes == 4)
    load_words(plan, source_at<std::uint32_t>(job, i), buffer, n);
  else if constexpr (sizeof(Word) == 8)
    load_words(plan, source_at<std::uint64_t>(job, i), buffer, n);
  return buffer;
}

/// Subnormal sources and tiny results become zeros of their sign, if the context says so.
template <class Word>
const Word* flush_block(const CastPlan& plan, const Word* in, Workspace<Word>& work,
                        std::size_t n) {
  const Context& context = plan.options.context;
  const Format& from = plan.source;
  Word input_limit = 0;
  if (context.flush_inputs && !is_integer(from) && !is_hifloat8(from))
    input_limit = carrier_bits<Word>(make_unpacked(false, min_exponent(from), 1));
  const RangeRule& range = plan.rounder.range;
  BySign<Word> limit = {0, 0};
  if (context.flush_outputs && range.has_zero && !is_integer(plan.target)) {
    Rounder detecting = plan.rounder;
    detecting.context.tininess = context.flush_detection;
    const bool positive_only = range.is_unsigned && !range.negative_rounds;
    const Word tiny[2] = {tiny_threshold<Word>(detecting, false),
                          positive_only ? 0 : tiny_threshold<Word>(detecting, true)};
    limit = by_sign<Word>(tiny);
  }
  for (std::size_t i = 0; i < n; ++i) {
    const Word sign = in[i] & kSignMask<Word>;
    Word magnitude = in[i] ^ sign;
    magnitude &= mask_if<Word>(magnitude >= input_limit);
    const Word negative = static_cast<Word>(-(sign >> (kWordBits<Word> - 1)));
    const Word tiny =
        mask_if<Word>(magnitude < pick(limit, negative)) & mask_if<Word>(magnitude != 0);
    work.carrier[i] = sign | (magnitude & ~tiny);
    work.extra_flags[i] = static_cast<std::uint8_t>(tiny & (kUnderflow | kInexact));
  }
  return work.carrier;
}

template <class Word, class GridKind, class Sign, class Up>
void round_with(const RoundParams<Word>& params, const RoundBlock<Word>& b) {
  if (b.flags == nullptr)
    round_block<Word, GridKind, Sign, Up, false>(params, b.in, b.noise, b.positions, nullptr, b.n);
  else
    round_block<Word, GridKind, Sign, Up, true>(params, b.in, b.noise, b.positions, b.flags, b.n);
}

template <class Word, class GridKind, class Sign>
void round_on_grid(UpKind up, const RoundParams<Word>& params, const RoundBlock<Word>& block) {
  if (up == UpKind::kDeterministic)
    round_with<Word, GridKind, Sign, Deterministic>(params, block);
  else if (up == UpKind::kAddedNoise)
    round_with<Word, GridKind, Sign, AddedNoise>(params, block);
  else if (up == UpKind::kTabledNoise)
    round_with<Word, GridKind, Sign, DecidedNoise>(params, block);
  else if constexpr (std::is_same_v<GridKind, HiFloat8Grid>)
    round_with<Word, GridKind, Sign, Hybrid>(params, block);
}

/// Sign-magnitude formats, whose two signs mostly meet the same fate.
template <class Word, class GridKind>
void round_signed(const CastPlan& plan, const RoundParams<Word>& params,
                  const RoundBlock<Word>& block) {
  const bool carries = plan.up == UpKind::kAddedNoise && params.noise.nearest == 0;
  if (!plan.symmetric || (plan.up != UpKind::kDeterministic && !carries))
    round_on_grid<Word, GridKind, SignMagnitude>(plan.up, params, block);
  else if (carries)
    round_with<Word, GridKind, Symmetric, CarriedNoise>(params, block);
  else if (plan.options.mode != Rounding::kTiesToEven)
    round_with<Word, GridKind, Symmetric, Deterministic>(params, block);
  else if (is_far_above_subnormals<Word>(plan.target) && block.flags == nullptr)
    round_block<Word, GridKind, Symmetric, TiesToEvenFarAbove, false>(
        params, block.in, block.noise, block.positions, nullptr, block.n);
  else
    round_with<Word, GridKind, Symmetric, TiesToEven>(params, block);
}

template <class Word>
void round_any(const CastPlan& plan, const RoundBlock<Word>& block) {
  const Format& to = plan.target;
  const RoundParams<Word>& p = round_of<Word>(plan);
  if (is_integer(to))
    round_on_grid<Word, IntegerGrid, TwosComplement>(plan.up, p, block);
  else if (is_hifloat8(to))
    round_signed<Word, HiFloat8Grid>(plan, p, block);
  else if (!to.is_signed)
    round_on_grid<Word, ZoneGrid, Unsigned>(plan.up, p, block);
  else if (has_wide_zone(to))
    round_on_grid<Word, ZoneGrid, SignMagnitude>(plan.up, p, block);
  else
    round_signed<Word, FloatGrid>(plan, p, block);
}

/// Replace the draws of a tabled density by decisions.
template <class Word>
const Word* decide(const CastPlan& plan, const Word* in, const Word* drawn, Workspace<Word>& work,
                   std::size_t n) {
  const Format& to = plan.target;
  const RoundParams<Word>& p = round_of<Word>(plan);
  if (is_integer(to))
    fraction_block<Word, IntegerGrid>(p, in, work.indices, n);
  else if (is_hifloat8(to))
    fraction_block<Word, HiFloat8Grid>(p, in, work.indices, n);
  else
    fraction_block<Word, ZoneGrid>(p, in, work.indices, n);
  decide_block<Word>(plan.options.table, work.indices, drawn, work.decisions, n);
  return work.decisions;
}

template <class Word>
void store_block(const CastPlan& plan, const Word* positions, void* target, std::size_t i,
                 std::size_t n) {
  const int shift = plan.target.code_shift;
  if (is_hifloat8(plan.target)) {
    std::uint8_t* codes = static_cast<std::uint8_t*>(target) + i;
    store_shifted_block(0, positions, codes, n);
    hifloat8_code_block(codes, n);
  } else if (plan.target_bytes == 1) {
    store_shifted_block(shift, positions, static_cast<std::uint8_t*>(target) + i, n);
  } else if (plan.target_bytes == 2) {
    store_shifted_block(shift, positions, static_cast<std::uint16_t*>(target) + i, n);
  } else if (plan.target_bytes == 4) {
    store_shifted_block(shift, positions, static_cast<std::uint32_t*>(target) + i, n);
  } else {
    store_shifted_block(shift, positions, static_cast<std::uint64_t*>(target) + i, n);
  }
}

/// One value through the scalar core.
inline Packed cast_one(const CastPlan& plan, std::uint64_t code, std::uint64_t noise) {
  Unpacked value = decode(plan.source, code);
  const Context& context = plan.options.context;
  if (value.kind == Class::kNan && has_signaling_nan(plan.source)) {
    constexpr std::uint64_t kQuietBit = std::uint64_t{1} << 63;
    const bool narrow = context.narrow_nans_quiet && content_bits(plan.source) <= 8;
    if (narrow || context.no_signaling_nans)
      value.significand |= kQuietBit;
    else if (context.snan_bit_is_one)
      value.significand ^= kQuietBit;
  }
  if (context.flush_inputs && is_subnormal(plan.source, value))
    value = {Class::kZero, value.negative, false, 0, 0};
  return round_pack(plan.rounder, value, {noise, plan.scalar_noise, plan.options.table});
}

/// The values inside a zone whose upper end is no power of two, again and exactly.
template <class Word>
void repair_zone(const CastPlan& plan, const CastJob& job, std::size_t i, std::size_t n,
                 const Word* in, const Word* noise, Word* positions, std::uint8_t* flags) {
  const Word limit = round_of<Word>(plan).tiny_below.positive;
  for (std::size_t k = 0; k < n; ++k) {
    const Word magnitude = in[k] & ~kSignMask<Word>;
    if (magnitude >= limit || magnitude == 0) continue;
    const std::uint64_t code = code_at(job.source, plan.source_bytes, i + k);
    const std::uint64_t drawn =
        noise == nullptr ? 0 : std::uint64_t{noise[k]} << (64 - kWordBits<Word>);
    const Packed packed = cast_one(plan, code, drawn);
    positions[k] = static_cast<Word>(position_of_code(plan.target, packed.code));
    if (flags != nullptr) flags[k] = static_cast<std::uint8_t>(packed.flags);
  }
}

template <class Word>
void cast_vector_block(const CastPlan& plan, CastJob& job, std::size_t i, std::size_t n,
                       Workspace<Word>& work) {
  const bool with_flags = job.flags != nullptr || job.counts_flags;
  std::uint8_t* flags = !with_flags ? nullptr : job.flags != nullptr ? job.flags + i : work.flags;
  const Word* in = load_block(plan, job, i, n, work.carrier);
  const bool flushes = plan.options.context.flush_inputs || plan.options.context.flush_outputs;
  if (plan.copies) {
    if (with_flags) signaling_flags_block(in, flags, n);
    Word* out = static_cast<Word*>(job.target) + i;
    if (flushes) in = flush_block(plan, in, work, n);
    canonical_nan_block(in, in == out ? work.positions : out, n);
    if (in == out) store_shifted_block(0, work.positions, out, n);
  } else {
    const Word* noise = noise_block(plan, job, i, n, work.noise);
    if (flushes) in = flush_block(plan, in, work, n);
    if (!has_nan(plan.target)) note_nans(in, i, n, job.status);
    const Word* draws = noise;
    if (plan.up == UpKind::kTabledNoise) draws = decide(plan, in, noise, work, n);
    round_any<Word>(plan, {in, draws, work.positions, flags, n});
    if (plan.repairs_zone) repair_zone(plan, job, i, n, in, noise, work.positions, flags);
    store_block(plan, work.positions, job.target, i, n);
  }
  if (!with_flags) return;
  if (flushes)
    for (std::size_t k = 0; k < n; ++k)
      flags[k] = static_cast<std::uint8_t>(flags[k] | work.extra_flags[k]);
  if (job.counts_flags) note_flags(flags, i, n, job.status);
}

inline void cast_scalar_block(const CastPlan& plan, CastJob& job, std::size_t i, std::size_t n,
                              Workspace<std::uint64_t>& work) {
  const std::uint64_t* noise = noise_block(plan, job, i, n, work.noise);
  const bool with_flags = job.flags != nullptr || job.counts_flags;
  for (std::size_t k = 0; k < n; ++k) {
    const std::uint64_t code = code_at(job.source, plan.source_bytes, i + k);
    const Packed packed = cast_one(plan, code, noise == nullptr ? 0 : noise[k]);
    if (!has_nan(plan.target) && decode(plan.source, code).kind == Class::kNan)
      note(job.status.nan_count, job.status.nan_first, i + k, 1);
    put_code(job.target, plan.target_bytes, i + k, packed.code);
    work.flags[k] = static_cast<std::uint8_t>(packed.flags);
    if (job.flags != nullptr) job.flags[i + k] = work.flags[k];
  }
  if (with_flags && job.counts_flags) note_flags(work.flags, i, n, job.status);
}

template <class Word>
void cast_blocks(const CastPlan& plan, CastJob& job) {
  Workspace<Word> work;
  for (std::size_t i = job.begin; i < job.end; i += kBlock) {
    const std::size_t n = smaller(kBlock, job.end - i);
    check_stray(plan, job, i, n, job.status);
    if constexpr (sizeof(Word) == 8) {
      if (plan.carrier == CarrierKind::kScalar) {
        cast_scalar_block(plan, job, i, n, work);
        continue;
      }
    }
    cast_vector_block<Word>(plan, job, i, n, work);
  }
}

}  // namespace detail

/// Cast the stretch [job.begin, job.end). The floating-point environment must be the default one.
inline void cast_stretch(const CastPlan& plan, CastJob& job) {
  if (plan.carrier == CarrierKind::kFloat32)
    detail::cast_blocks<std::uint32_t>(plan, job);
  else
    detail::cast_blocks<std::uint64_t>(plan, job);
}

}  // namespace MINIFLOAT_ABI
}  // namespace minifloat
