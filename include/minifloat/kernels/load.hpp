#pragma once

#include "minifloat/kernels/carrier.hpp"

/// The decode step of the vector kernels: a block of source codes becomes a block of carrier bits.

namespace minifloat {

enum class Load : std::uint8_t {
  kIdentity,   ///< the source words are the carrier's bits
  kTable,      ///< codes of 8 bits or fewer: 256 entries
  kFloat,      ///< arithmetic decoding of any IEEE-like format
  kInteger,    ///< two's complement or unsigned words
  kWiden,      ///< float32 into the float64 carrier
  kNarrowOdd,  ///< float64 rounded to odd into the float32 carrier
};

/// Parameters of the arithmetic decoding, worked out from the source format.
template <class Word>
struct FloatLoad {
  Word code_shift, sign_shift, magnitude_mask, max_position, infinity, nan_position;
  Word lift;                  ///< left shift that aligns the trailing field
  Word exponent_lift;         ///< carrier bias less the format's, in exponent position
  Word subnormal_end;         ///< positions below it are subnormal
  Word subnormal_keep;        ///< zero if those decode as zero
  Word payload_keep;          ///< ones if NaNs carry an IEEE quiet bit
  Word signed_mask;           ///< 1 if there is a sign
  Word nan_is_negative_zero;  ///< ones if the NaN is the sign bit alone
  typename Carrier<Word>::Float subnormal_scale;
};

template <class Word>
struct IntegerLoad {
  typename Carrier<Word>::Float scale;
  int spare_bits;  ///< bits of the word above the content
  bool is_signed;
};

inline namespace MINIFLOAT_ABI {

constexpr double power_of_two(int exponent) {
  double value = 1;
  for (; exponent > 0; --exponent) value *= 2;
  for (; exponent < 0; ++exponent) value /= 2;
  return value;
}

template <class Word>
constexpr FloatLoad<Word> float_load(const Format& f, bool narrow_nans_quiet) {
  constexpr int kTrailing = Carrier<Word>::kTrailing;
  FloatLoad<Word> p{};
  p.code_shift = static_cast<Word>(f.code_shift);
  p.sign_shift = static_cast<Word>(magnitude_bits(f));
  p.magnitude_mask = static_cast<Word>(top_position(f));
  p.max_position = static_cast<Word>(max_position(f));
  p.infinity =
      has_infinity(f) ? static_cast<Word>(infinity_position(f)) : static_cast<Word>(~Word{0});
  p.nan_position = static_cast<Word>(has_nan(f) ? nan_position(f) : 0);
  p.lift = static_cast<Word>(kTrailing - f.trailing_bits);
  p.exponent_lift = static_cast<Word>(Carrier<Word>::kBias - f.bias) << kTrailing;
  const bool same_grid = f.bias == Carrier<Word>::kBias && f.subnormals == Subnormals::kGradual;
  if (f.subnormals == Subnormals::kNormal) {
    p.subnormal_end = f.zero;
  } else if (!same_grid) {
    p.subnormal_end = Word{1} << f.trailing_bits;
  }
  p.subnormal_keep = mask_if<Word>(f.subnormals == Subnormals::kGradual);
  p.payload_keep =
      mask_if<Word>(has_signaling_nan(f) && !(narrow_nans_quiet && content_bits(f) <= 8));
  p.signed_mask = f.is_signed;
  p.nan_is_negative_zero = mask_if<Word>(f.nan == NanCode::kNegativeZero);
  p.subnormal_scale = static_cast<typename Carrier<Word>::Float>(
      p.subnormal_end > 1 ? power_of_two(quantum_exponent(f)) : 0.0);
  return p;
}

/// Bits of the carrier's float of a small non-negative integer (below 2^24 or 2^52).
MINIFLOAT_INLINE float float_of_word(std::uint32_t word) {
  return static_cast<float>(static_cast<std::int32_t>(word));
}
MINIFLOAT_INLINE double float_of_word(std::uint64_t word) {  // vectorises without 64-bit converts
  return bit_cast<double>(word | 0x4330000000000000u) - 4503599627370496.0;
}

template <class Word>
MINIFLOAT_INLINE Word load_float(const FloatLoad<Word>& p, Word code) {
  const Word position = code >> p.code_shift;
  const Word magnitude = position & p.magnitude_mask;
  const Word negative = (position >> p.sign_shift) & p.signed_mask;
  const Word aligned = magnitude << p.lift;
  const Word normal = aligned + p.exponent_lift;
  const Word subnormal =
      bit_cast<Word>(float_of_word(magnitude & p.subnormal_keep) * p.subnormal_scale);
  Word value = select<Word>(mask_if<Word>(magnitude < p.subnormal_end), subnormal, normal);
  const Word fraction = low_bits<Word>(Carrier<Word>::kTrailing);
  const Word nan =
      kInfinityBits<Word> | select<Word>(p.payload_keep, aligned & fraction, kQuietBit<Word>);
  value = select<Word>(mask_if<Word>(magnitude > p.max_position), nan, value);
  value = select<Word>(mask_if<Word>(magnitude == p.infinity), kInfinityBits<Word>, value);
  value |= negative << (kWordBits<Word> - 1);
  const Word lone_sign = mask_if<Word>(position == p.nan_position) & p.nan_is_negative_zero;
  return select<Word>(lone_sign, kInfinityBits<Word> | kQuietBit<Word>, value);
}

template <class Code, class Word>
void load_float_block(const FloatLoad<Word>& params, const Code* MINIFLOAT_RESTRICT in,
                      Word* MINIFLOAT_RESTRICT out, std::size_t n) {
  const FloatLoad<Word> p = params;
  for (std::size_t i = 0; i < n; ++i) out[i] = load_float<Word>(p, static_cast<Word>(in[i]));
}

template <class Word>
void load_table_block(const Word* MINIFLOAT_RESTRICT table,
                      const std::uint8_t* MINIFLOAT_RESTRICT in, Word* MINIFLOAT_RESTRICT out,
                      std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) out[i] = table[in[i]];
}

/// Integers of at most 16 bits (float32) or 32 bits (float64): every conversion is exact.
template <class Code, class Word>
void load_integer_block(const IntegerLoad<Word>& params, const Code* MINIFLOAT_RESTRICT in,
                        Word* MINIFLOAT_RESTRICT out, std::size_t n) {
  using Float = typename Carrier<Word>::Float;
  using Signed = std::make_signed_t<Code>;
  const IntegerLoad<Word> p = params;
  if (p.is_signed) {
    for (std::size_t i = 0; i < n; ++i) {
      const Code top = static_cast<Code>(in[i] << p.spare_bits);
      const Signed value = static_cast<Signed>(static_cast<Signed>(top) >> p.spare_bits);
      out[i] = bit_cast<Word>(static_cast<Float>(value) * p.scale);
    }
  } else {
    for (std::size_t i = 0; i < n; ++i)
      out[i] = bit_cast<Word>(static_cast<Float>(in[i]) * p.scale);
  }
}

inline void load_widen_block(const std::uint32_t* MINIFLOAT_RESTRICT in,
                             std::uint64_t* MINIFLOAT_RESTRICT out, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t word = in[i];
    std::uint64_t wide = bit_cast<std::uint64_t>(static_cast<double>(bit_cast<float>(word)));
    // The conversion quiets signalling NaNs; take the quiet bit back from the source.
    const std::uint64_t is_nan = mask_if<std::uint64_t>((word & 0x7FFFFFFFu) > 0x7F800000u);
    const std::uint64_t quiet = std::uint64_t{word & 0x00400000u} << 29;
    wide = select<std::uint64_t>(is_nan, (wide & ~kQuietBit<std::uint64_t>) | quiet | 1, wide);
    out[i] = wide;
  }
}

/// float64 to float32, rounded to odd: with two bits to spare, a later rounding is the only one.
/// Values too small for that are the caller's business.
inline void load_narrow_odd_block(const std::uint64_t* MINIFLOAT_RESTRICT in,
                                  std::uint32_t* MINIFLOAT_RESTRICT out, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t word = in[i];
    const double x = bit_cast<double>(word);
    const float nearest = static_cast<float>(x);
    const double residual = x - static_cast<double>(nearest);
    std::uint32_t bits = bit_cast<std::uint32_t>(nearest);
    const std::uint64_t residual_bits = bit_cast<std::uint64_t>(residual);
    const std::uint64_t magnitude = word & ~kSignMask<std::uint64_t>;
    const std::uint32_t finite = magnitude < kInfinityBits<std::uint64_t>;
    const std::uint32_t inexact = std::uint32_t{(residual_bits << 1) != 0} & finite;
    const std::uint32_t overshot = static_cast<std::uint32_t>((residual_bits ^ word) >> 63);
    bits = (bits - (inexact & overshot)) | inexact;
    const std::uint32_t is_nan = mask_if<std::uint32_t>(magnitude > kInfinityBits<std::uint64_t>);
    const std::uint32_t quiet = static_cast<std::uint32_t>(word >> 29) & 0x00400000u;
    const std::uint32_t sign = static_cast<std::uint32_t>(word >> 32) & 0x80000000u;
    out[i] = select<std::uint32_t>(is_nan, sign | 0x7F800001u | quiet, bits);
  }
}

}  // namespace MINIFLOAT_ABI
}  // namespace minifloat
