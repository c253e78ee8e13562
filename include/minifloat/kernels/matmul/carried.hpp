#pragma once

#include <cmath>

#include "minifloat/kernels/matmul/choose.hpp"

/// Matrix products on carriers: a tile of accumulators stays in the cache while the inner dimension
/// runs, and every sum is rounded on the carrier's own floats.
///
/// Adding and taking away a power of two whose spacing is the format's quantum rounds to nearest
/// even; the other modes look at what is left. Under nearest even a carrier of 2p + 2 bits rounds
/// sums twice harmlessly; otherwise the sum is first made odd.

namespace minifloat {

inline constexpr std::size_t kTileRows = 4;
inline constexpr std::size_t kTileColumns = 64;

/// The grid of the accumulator and the mode, in the carrier's terms.
template <class Word>
struct QuantumParams {
  Word lowest_binade;  ///< exponent bits of the smallest normal value
  Word lift;           ///< from a binade's exponent bits to those of its magic number
  Word quantum_drop;   ///< from the magic number's exponent bits to the quantum's
  Word negative_cancellation;
  Word spare_bits;  ///< of the carrier's significand
  RoundingRule<Word> rule;
};

inline namespace MINIFLOAT_ABI {
namespace matmul {

template <class Word>
struct Tile {
  using Float = typename Carrier<Word>::Float;
  alignas(64) Float value[kTileRows][kTileColumns];
};

/// The value of a rounded magnitude: beyond the range, from infinity, from NaN.
template <class Word>
MINIFLOAT_INLINE typename Carrier<Word>::Float deliver(
    const GridRounding<typename Carrier<Word>::Float>& g, typename Carrier<Word>::Float rounded,
    Word magnitude, Word sign) {
  using Float = typename Carrier<Word>::Float;
  const Word negative = static_cast<Word>(-(sign >> (kWordBits<Word> - 1)));
  const Word over = mask_if<Word>(rounded > g.max);
  const Word infinite = mask_if<Word>(magnitude == kInfinityBits<Word>);
  const Word nan = mask_if<Word>(magnitude > kInfinityBits<Word>);
  const Word beyond =
      select<Word>(negative, bit_cast<Word>(g.overflow[1]), bit_cast<Word>(g.overflow[0]));
  const Word infinity =
      select<Word>(negative, bit_cast<Word>(g.infinity[1]), bit_cast<Word>(g.infinity[0]));
  Word code = select<Word>(over, beyond, bit_cast<Word>(rounded) | sign);
  code = select<Word>(infinite, infinity, code);
  return bit_cast<Float>(select<Word>(nan, bit_cast<Word>(g.nan), code));
}

/// Rounding to nearest even. `kPlain`: infinity lies beyond the range, and NaN stays.
template <bool kPlain>
struct NearestEven {
  template <class Word>
  MINIFLOAT_INLINE static typename Carrier<Word>::Float round(
      const QuantumParams<Word>& q, const GridRounding<typename Carrier<Word>::Float>& g,
      typename Carrier<Word>::Float x) {
    using Float = typename Carrier<Word>::Float;
    const Word bits = bit_cast<Word>(x);
    const Word sign = bits & kSignMask<Word>;
    const Word magnitude = bits ^ sign;
    const Word binade = larger<Word>(magnitude & kInfinityBits<Word>, q.lowest_binade);
    const Float magic = bit_cast<Float>(binade + q.lift);
    const Float rounded = (bit_cast<Float>(magnitude) + magic) - magic;
    if constexpr (!kPlain) return deliver<Word>(g, rounded, magnitude, sign);
    const Word over = mask_if<Word>(rounded > g.max);
    const Word code = select<Word>(over, kInfinityBits<Word>, bit_cast<Word>(rounded));
    return bit_cast<Float>(code | sign);
  }
  template <class Word>
  MINIFLOAT_INLINE static typename Carrier<Word>::Float add(const QuantumParams<Word>&,
                                                            typename Carrier<Word>::Float x,
                                                            typename Carrier<Word>::Float y) {
    return x + y;
  }
};

/// Any deterministic mode and policy.
struct AnyMode {
  template <class Word>
  MINIFLOAT_INLINE static typename Carrier<Word>::Float round(
      const QuantumParams<Word>& q, const GridRounding<typename Carrier<Word>::Float>& g,
      typename Carrier<Word>::Float x) {
    using Float = typename Carrier<Word>::Float;
    const Word bits = bit_cast<Word>(x);
    const Word sign = bits & kSignMask<Word>;
    const Word negative = static_cast<Word>(-(bits >> (kWordBits<Word> - 1)));
    const Word magnitude = bits ^ sign;
    const Float size = bit_cast<Float>(magnitude);
    const Word binade = larger<Word>(magnitude & kInfinityBits<Word>, q.lowest_binade);
    const Float magic = bit_cast<Float>(binade + q.lift);
    const Float quantum = bit_cast<Float>(binade + q.lift - q.quantum_drop);
    const Float lifted = size + magic;
    const Float nearest = lifted - magic;
    const Float step = bit_cast<Float>(mask_if<Word>(nearest > size) & bit_cast<Word>(quantum));
    const Float below = nearest - step;
    const Float rest = size - below;  // exact, in [0, quantum)
    const Float half = quantum * static_cast<Float>(0.5);
    const Word odd = (bit_cast<Word>(lifted) ^ Word{nearest > size}) & 1;
    const Word inexact = mask_if<Word>(rest > 0);
    const Word is_tie = mask_if<Word>(rest == half);
    const Word tie_up = static_cast<Word>(-(q.rule.carry ^ (odd & q.rule.carry_flip_odd)));
    const Word near = q.rule.half & (mask_if<Word>(rest > half) | (is_tie & tie_up));
    const Word full = q.rule.full ^ (negative & q.rule.full_flip_negative) ^
                      (static_cast<Word>(-odd) & q.rule.full_flip_odd);
    const Word up = near | (full & inexact & ~q.rule.half);
    const Float rounded = below + bit_cast<Float>(up & bit_cast<Word>(quantum));
    return deliver<Word>(g, rounded, magnitude, sign);
  }
  template <class Word>
  MINIFLOAT_INLINE static typename Carrier<Word>::Float add(const QuantumParams<Word>& q,
                                                            typename Carrier<Word>::Float x,
                                                            typename Carrier<Word>::Float y) {
    using Float = typename Carrier<Word>::Float;
    return bit_cast<Float>(
        arith::odd_sum<Word>(bit_cast<Word>(x), bit_cast<Word>(y), q.negative_cancellation));
  }
};

/// The same where the grid is the carrier's own, less its last bits: subnormals need no care.
struct AnyModeOnBits : AnyMode {
  template <class Word>
  MINIFLOAT_INLINE static typename Carrier<Word>::Float round(
      const QuantumParams<Word>& q, const GridRounding<typename Carrier<Word>::Float>& g,
      typename Carrier<Word>::Float x) {
    using Float = typename Carrier<Word>::Float;
    const Word bits = bit_cast<Word>(x);
    const Word sign = bits & kSignMask<Word>;
    const Word negative = static_cast<Word>(-(bits >> (kWordBits<Word> - 1)));
    const Word magnitude = bits ^ sign;
    const Word mask = (Word{1} << q.spare_bits) - 1;
    const Word odd = (magnitude >> q.spare_bits) & 1;
    const Word up = rounds_up<Word>(q.rule, magnitude & mask, mask, q.spare_bits, odd, negative);
    const Word rounded = (magnitude & ~mask) + (up << q.spare_bits);
    return deliver<Word>(g, bit_cast<Float>(rounded), magnitude, sign);
  }
};

template <class Word>
struct TileJob {
  using Float = typename Carrier<Word>::Float;
  const Float* a[kTileRows];  ///< a row each, `inner` long
  const Float* panel;         ///< [inner][kTileColumns]
  QuantumParams<Word> quantum;
  GridRounding<Float> grid;
};

template <class Word, class Mode, bool kRoundsProducts>
void accumulate(const TileJob<Word>& job, std::size_t begin, std::size_t end, Tile<Word>& tile) {
  using Float = typename Carrier<Word>::Float;
  const QuantumParams<Word> q = job.quantum;
  const GridRounding<Float> g = job.grid;
  for (std::size_t k = begin; k < end; ++k) {
    const Float* MINIFLOAT_RESTRICT b = job.panel + k * kTileColumns;
    for (std::size_t r = 0; r < kTileRows; ++r) {
      const Float a = job.a[r][k];
      Float* MINIFLOAT_RESTRICT total = tile.value[r];
      for (std::size_t c = 0; c < kTileColumns; ++c) {
        Float product = a * b[c];
        if constexpr (kRoundsProducts) product = Mode::template round<Word>(q, g, product);
        const Float sum = Mode::template add<Word>(q, total[c], product);
        total[c] = Mode::template round<Word>(q, g, sum);
      }
    }
  }
}

template <class Word>
void clear(Tile<Word>& tile) {
  for (auto& row : tile.value)
    for (auto& value : row) value = 0;
}

/// total = round(total + part)
template <class Word, class Mode>
void join(const TileJob<Word>& job, const Tile<Word>& part, Tile<Word>& total) {
  const QuantumParams<Word> q = job.quantum;
  const auto g = job.grid;
  for (std::size_t r = 0; r < kTileRows; ++r) {
    for (std::size_t c = 0; c < kTileColumns; ++c) {
      const auto sum = Mode::template add<Word>(q, total.value[r][c], part.value[r][c]);
      total.value[r][c] = Mode::template round<Word>(q, g, sum);
    }
  }
}

template <class Word, class Mode, bool kRoundsProducts>
void pairwise(const TileJob<Word>& job, std::size_t begin, std::size_t end, Tile<Word>& tile) {
  if (end - begin <= 1) {
    clear(tile);
    accumulate<Word, Mode, kRoundsProducts>(job, begin, end, tile);
    return;
  }
  std::size_t half = 1;
  while (2 * half < end - begin) half *= 2;
  Tile<Word> right;
  pairwise<Word, Mode, kRoundsProducts>(job, begin, begin + half, tile);
  pairwise<Word, Mode, kRoundsProducts>(job, begin + half, end, right);
  join<Word, Mode>(job, right, tile);
}

template <class Word, class Mode, bool kRoundsProducts>
void run_tile(const MatmulPlan& plan, const TileJob<Word>& job, std::size_t inner,
              Tile<Word>& tile) {
  clear(tile);
  if (plan.order == SumOrder::kSequential) {
    accumulate<Word, Mode, kRoundsProducts>(job, 0, inner, tile);
  } else if (plan.order == SumOrder::kPairwise) {
    pairwise<Word, Mode, kRoundsProducts>(job, 0, inner, tile);
  } else {
    Tile<Word> part;
    for (std::size_t k = 0; k < inner; k += plan.block) {
      clear(part);
      accumulate<Word, Mode, kRoundsProducts>(job, k, smaller(k + plan.block, inner), part);
      join<Word, Mode>(job, part, tile);
    }
  }
}

template <class Word, class Mode>
void run_tile(const MatmulPlan& plan, const TileJob<Word>& job, std::size_t inner,
              Tile<Word>& tile) {
  if (plan.rounds_products)
    run_tile<Word, Mode, true>(plan, job, inner, tile);
  else
    run_tile<Word, Mode, false>(plan, job, inner, tile);
}

template <class Word>
void run_tile(const MatmulPlan& plan, const TileJob<Word>& job, std::size_t inner,
              Tile<Word>& tile) {
  if (rounds_twice_harmlessly<Word>(plan)) {
    if (job.grid.plain) return run_tile<Word, NearestEven<true>>(plan, job, inner, tile);
    return run_tile<Word, NearestEven<false>>(plan, job, inner, tile);
  }
  if constexpr (sizeof(Word) == 4) {
    if (shares_grid<Word>(plan)) return run_tile<Word, AnyModeOnBits>(plan, job, inner, tile);
  }
  run_tile<Word, AnyMode>(plan, job, inner, tile);
}

/// Codes to carriers, a row of `n` at a time.
template <class Word>
void load_row(const OperandLoad<Word>& load, const void* codes, std::size_t start, Word* out,
              std::size_t n) {
  const auto* first =
      static_cast<const std::uint8_t*>(codes) + start * static_cast<std::size_t>(load.bytes);
  const Word* found = arith::load_operand_block<Word>(load, first, out, n);
  if (found == out) return;
  for (std::size_t i = 0; i < n; ++i) out[i] = found[i];
}

template <class Word>
QuantumParams<Word> quantum_params(const MatmulPlan& plan) {
  const Format& f = plan.accumulator;
  QuantumParams<Word> q{};
  constexpr int kTrailing = Carrier<Word>::kTrailing;
  q.lowest_binade = static_cast<Word>(min_exponent(f) + Carrier<Word>::kBias) << kTrailing;
  q.lift = static_cast<Word>(kTrailing - f.trailing_bits) << kTrailing;
  q.quantum_drop = static_cast<Word>(kTrailing) << kTrailing;
  q.spare_bits = static_cast<Word>(kTrailing - f.trailing_bits);
  q.rule = rounding_rule<Word>(plan.round.options.mode);
  if (plan.toward_negative) q.negative_cancellation = kSignMask<Word>;
  return q;
}

/// Scratch of one thread, in carriers: rows of a, a panel of b.
template <class Word>
constexpr std::size_t scratch_words(std::size_t inner) {
  return inner * (kTileRows + kTileColumns);
}

template <class Word>
void store_row(const MatmulPlan& plan, MatmulJob& job, std::size_t index,
               typename Carrier<Word>::Float* values, std::size_t n) {
  using Float = typename Carrier<Word>::Float;
  // The hardware's own NaNs may have any sign; those of the other modes are settled already.
  for (std::size_t c = 0; c < n && grid_of<Word>(plan).plain; ++c) {
    const Word bits = bit_cast<Word>(values[c]);
    const Word nan = kInfinityBits<Word> | kQuietBit<Word>;
    values[c] = bit_cast<Float>(select<Word>(arith::nan_mask<Word>(bits), nan, bits));
  }
  CastJob out;
  out.source = values;
  out.target = static_cast<std::uint8_t*>(job.cast.target) +
               index * static_cast<std::size_t>(deliver_of<Word>(plan).target_bytes);
  out.end = n;
  cast_stretch(deliver_of<Word>(plan), out);
}

/// Rows of the result on a carrier; `scratch` holds `scratch_words` words.
template <class Word>
void carried_rows(const MatmulPlan& plan, MatmulJob& job, Word* scratch) {
  using Float = typename Carrier<Word>::Float;
  const std::size_t inner = job.inner;
  Word* rows = scratch;
  Word* panel = scratch + kTileRows * inner;
  TileJob<Word> tile_job;
  tile_job.quantum = quantum_params<Word>(plan);
  tile_job.grid = grid_of<Word>(plan);
  tile_job.panel = reinterpret_cast<const Float*>(panel);
  Tile<Word> tile;
  std::size_t row = job.cast.begin;
  while (row < job.cast.end) {
    // As many rows as share the right factor.
    const std::size_t batch = row / job.rows;
    const std::size_t stop =
        job.b_stride == 0 ? job.cast.end : smaller((batch + 1) * job.rows, job.cast.end);
    for (std::size_t column = 0; column < job.columns; column += kTileColumns) {
      const std::size_t n = smaller(kTileColumns, job.columns - column);
      for (std::size_t k = 0; k < inner; ++k) {
        Word* line = panel + k * kTileColumns;
        load_row(load_of<Word>(plan, 1), job.b, batch * job.b_stride + k * job.columns + column,
                 line, n);
        for (std::size_t c = n; c < kTileColumns; ++c) line[c] = 0;
      }
      for (std::size_t first = row; first < stop; first += kTileRows) {
        const std::size_t count = smaller(kTileRows, stop - first);
        for (std::size_t r = 0; r < kTileRows; ++r) {
          tile_job.a[r] = reinterpret_cast<const Float*>(rows + smaller(r, count - 1) * inner);
          if (r < count)
            load_row(load_of<Word>(plan, 0), job.a, (first + r) * inner, rows + r * inner, inner);
        }
        run_tile<Word>(plan, tile_job, inner, tile);
        for (std::size_t r = 0; r < count; ++r)
          store_row<Word>(plan, job, (first + r) * job.columns + column, tile.value[r], n);
      }
    }
    row = stop;
  }
}

}  // namespace matmul
}  // namespace MINIFLOAT_ABI
}  // namespace minifloat
