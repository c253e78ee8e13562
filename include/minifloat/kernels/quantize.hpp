#pragma once

#include "minifloat/kernels/cast.hpp"

/// Quantising rounds a value and keeps it a value. For signed floating-point formats in the
/// source's own carrier one kernel does it on the carrier's bits, which are in the order of the
/// values; everything else is two casts, there and back, over a block of codes that never leaves
/// the cache.

namespace minifloat {

/// The outcomes of the range step as carrier bits, for both signs alike.
template <class Word>
struct QuantizeParams {
  Word smallest;  ///< bits of the grid's smallest positive value
  Word max_position, overflow, infinity, nan;
  Word sign_of_nan, sign_of_zero;  ///< the sign mask where NaN and zero keep their sign
};

inline namespace MINIFLOAT_ABI {

template <class Word>
QuantizeParams<Word> quantize_params(const CastPlan& there) {
  const Format& f = there.target;
  const auto bits = [&f](std::uint64_t position) {
    return carrier_bits<Word>(decode(f, code_of_position(f, position)));
  };
  const RangeRule& range = there.rounder.range;
  QuantizeParams<Word> q;
  q.smallest = bits(smallest_position(f));
  q.max_position = bits(range.max_position[0]);
  q.overflow = bits(range.overflow[0]);
  q.infinity = bits(range.infinity[0]);
  q.nan = has_nan(f) ? bits(range.nan[0]) : kInfinityBits<Word> | kQuietBit<Word>;
  const bool lone_nan = is_hifloat8(f) || f.nan == NanCode::kNegativeZero;
  q.sign_of_nan = lone_nan ? 0 : kSignMask<Word>;
  q.sign_of_zero = range.negative_zero ? kSignMask<Word> : 0;
  return q;
}

/// Round carrier bits onto the grid: the kept bits plus one unit of the quantum are the next grid
/// point's bits, into the next binade included. Below the smallest grid point nothing is kept.
template <class Word, class GridKind, class Up>
MINIFLOAT_NOINLINE void quantize_block(const RoundParams<Word>& params,
                                       const QuantizeParams<Word>& outcomes,
                                       const Word* MINIFLOAT_RESTRICT in,
                                       const Word* MINIFLOAT_RESTRICT noise,
                                       Word* MINIFLOAT_RESTRICT out, std::size_t n) {
  using Signed = std::make_signed_t<Word>;
  constexpr Word kTrailing = Carrier<Word>::kTrailing;
  const RoundParams<Word> p = params;
  const QuantizeParams<Word> q = outcomes;
  for (std::size_t i = 0; i < n; ++i) {
    const auto [magnitude, negative, exponent, significand] =
        split<Word, Up::kSeesSubnormals>(in[i]);
    const GridPoint<Word> point =
        GridKind::template locate<Word>(p.grid, static_cast<Signed>(exponent));
    const Word shift = smaller<Word>(point.shift, kWordBits<Word> - 1);
    const Word mask = (p.one << shift) - 1;
    const Word remainder = significand & mask;
    const Word below = (significand >> shift) + point.base;
    const Word up =
        Up::template up<Word>(p, {significand, remainder, mask, shift, point.shift, below & 1,
                                  negative, exponent, Up::kDraws ? noise[i] : 0});
    const Word kept = (magnitude & ~mask) + (up << (shift & (kWordBits<Word> - 1)));
    const Word lowest = q.smallest & static_cast<Word>(-up);
    Word value = select<Word>(mask_if<Word>(shift > kTrailing), lowest, kept);
    value = select<Word>(mask_if<Word>(value > q.max_position), q.overflow, value);
    value = select<Word>(mask_if<Word>(magnitude == kInfinityBits<Word>), q.infinity, value);
    const Word is_nan = mask_if<Word>(magnitude > kInfinityBits<Word>);
    value = select<Word>(is_nan, q.nan, value);
    const Word keeps = (mask_if<Word>(value != 0) & ~is_nan & kSignMask<Word>) |
                       (mask_if<Word>(value == 0) & q.sign_of_zero) | (is_nan & q.sign_of_nan);
    out[i] = value | (negative & keeps);
  }
}

namespace detail {

inline const void* advance(const void* data, std::size_t bytes) {
  return static_cast<const std::uint8_t*>(data) + bytes;
}
inline void* advance(void* data, std::size_t bytes) {
  return static_cast<std::uint8_t*>(data) + bytes;
}

/// Note 1 for each NaN, 2 more for its sign; tells whether there is any.
inline bool mark_nans(const Format& f, const void* words, int bytes, std::size_t n,
                      std::uint8_t* marks) {
  bool any = false;
  for (std::size_t k = 0; k < n; ++k) {
    const std::uint64_t word = code_at(words, bytes, k);
    const bool nan = (word & top_position(f)) > infinity_position(f);
    marks[k] = static_cast<std::uint8_t>(nan ? 1 + 2 * ((word & sign_bit(f)) != 0) : 0);
    any |= nan;
  }
  return any;
}

inline void restore_nans(const Format& f, void* words, int bytes, std::size_t n,
                         const std::uint8_t* marks) {
  for (std::size_t k = 0; k < n; ++k)
    if (marks[k] != 0)
      put_code(words, bytes, k, nan_position(f) | ((marks[k] & 2) != 0 ? sign_bit(f) : 0));
}

template <class Word>
bool quantizes_directly(const CastPlan& there, const CastJob& job) {
  const Format& to = there.target;
  const bool grid = to.grid == Grid::kHiFloat8 || (to.grid == Grid::kFloat && !has_wide_zone(to));
  const Context& context = there.options.context;
  return grid && there.symmetric && there.load == Load::kIdentity && !there.copies &&
         there.source == carrier_format<Word>() && job.flags == nullptr && !job.counts_flags &&
         !context.flush_inputs && !context.flush_outputs &&
         (there.up == UpKind::kDeterministic ||
          (there.up == UpKind::kAddedNoise && round_of<Word>(there).noise.nearest == 0));
}

template <class Word, class GridKind>
void quantize_on_grid(const CastPlan& there, const QuantizeParams<Word>& q, const Word* in,
                      const Word* noise, Word* out, std::size_t n) {
  const RoundParams<Word>& p = round_of<Word>(there);
  if (there.up == UpKind::kAddedNoise)
    quantize_block<Word, GridKind, CarriedNoise>(p, q, in, noise, out, n);
  else if (there.options.mode == Rounding::kTiesToEven &&
           is_far_above_subnormals<Word>(there.target))
    quantize_block<Word, GridKind, TiesToEvenFarAbove>(p, q, in, noise, out, n);
  else if (there.options.mode == Rounding::kTiesToEven)
    quantize_block<Word, GridKind, TiesToEven>(p, q, in, noise, out, n);
  else
    quantize_block<Word, GridKind, Deterministic>(p, q, in, noise, out, n);
}

template <class Word>
void quantize_carriers(const CastPlan& there, CastJob& job) {
  const QuantizeParams<Word> q = quantize_params<Word>(there);
  alignas(64) Word values[kBlock];
  alignas(64) Word noise_words[kBlock + 128];
  for (std::size_t i = job.begin; i < job.end; i += kBlock) {
    const std::size_t n = smaller(kBlock, job.end - i);
    const Word* in = source_at<Word>(job, i);
    Word* out = static_cast<Word*>(job.target) + i;
    const Word* noise = noise_block(there, job, i, n, noise_words);
    if (!has_nan(there.target) && there.options.nan != NanPolicy::kPropagate)
      note_nans(in, i, n, job.status);
    Word* to = in == out ? values : out;  // a kernel never writes what it reads
    if (is_hifloat8(there.target))
      quantize_on_grid<Word, HiFloat8Grid>(there, q, in, noise, to, n);
    else
      quantize_on_grid<Word, FloatGrid>(there, q, in, noise, to, n);
    if (to == values) std::memcpy(out, values, n * sizeof(Word));
  }
}

}  // namespace detail

/// Quantise the stretch [job.begin, job.end): `there` rounds, `back` decodes into the source's
/// type.
inline void quantize_stretch(const CastPlan& there, const CastPlan& back, CastJob& job) {
  if (there.carrier == CarrierKind::kFloat32 &&
      detail::quantizes_directly<std::uint32_t>(there, job))
    return detail::quantize_carriers<std::uint32_t>(there, job);
  if (there.carrier == CarrierKind::kFloat64 &&
      detail::quantizes_directly<std::uint64_t>(there, job))
    return detail::quantize_carriers<std::uint64_t>(there, job);
  alignas(64) std::uint64_t codes[kBlock];
  std::uint8_t marks[kBlock];
  const auto size = static_cast<std::size_t>(there.source_bytes);
  const bool propagates = there.options.nan == NanPolicy::kPropagate && !has_nan(there.target);
  for (std::size_t i = job.begin; i < job.end; i += kBlock) {
    const std::size_t n = smaller(kBlock, job.end - i);
    CastJob inner = job;
    inner.source = detail::advance(job.source, i * size);
    inner.target = codes;
    inner.begin = 0;
    inner.end = n;
    inner.key_offset = job.key_offset + i;
    if (job.random_bits != nullptr) inner.random_bits = job.random_bits + i;
    if (job.flags != nullptr) inner.flags = job.flags + i;
    inner.status = CastStatus{};
    const bool marked =
        propagates && detail::mark_nans(there.source, inner.source, there.source_bytes, n, marks);
    cast_stretch(there, inner);
    if (propagates) inner.status.nan_count = 0;
    merge(job.status, inner.status, i);
    CastJob outer;
    outer.source = codes;
    outer.target = detail::advance(job.target, i * size);
    outer.end = n;
    cast_stretch(back, outer);
    if (marked) detail::restore_nans(there.source, outer.target, there.source_bytes, n, marks);
  }
}

}  // namespace MINIFLOAT_ABI
}  // namespace minifloat
