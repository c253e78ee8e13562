#pragma once

#include "minifloat/arith/nan.hpp"
#include "minifloat/kernels/arith/half.hpp"
#include "minifloat/kernels/cast.hpp"

/// Operands as carriers: blocks of codes become blocks of float32 or float64 bits.

namespace minifloat {

/// How one operand is loaded into a carrier of this word.
template <class Word>
struct OperandLoad {
  Load kind = Load::kIdentity;
  int bytes = 4;
  bool is_half = false;    ///< IEEE float16 into float32
  bool is_prefix = false;  ///< float32's or float64's first bits: they only move up
  int lift = 0;            ///< ... by so much
  FloatLoad<Word> parameters;
  Word table[256];
};

inline namespace MINIFLOAT_ABI {
namespace arith {

template <class Word>
void make_operand_load(OperandLoad<Word>& load, const Format& f, const Context& context) {
  load.kind = minifloat::detail::load_kind<Word>(f);
  load.bytes = storage_bytes(f);
  load.is_half = sizeof(Word) == 4 && f == ieee_format(5, 10);
  Format unshifted = f;
  unshifted.code_shift = 0;
  load.is_prefix = unshifted == ieee_format(carrier_format<Word>().exponent_bits, f.trailing_bits);
  load.lift = kWordBits<Word> - content_bits(f) - f.code_shift;
  if (load.kind == Load::kFloat) load.parameters = float_load<Word>(f, context.narrow_nans_quiet);
  if (load.kind != Load::kTable) return;
  for (unsigned code = 0; code < 256; ++code) {
    const std::uint64_t content = code & (top_position(f) | sign_bit(f));
    load.table[code] = carrier_bits<Word>(load_operand(context, f, content));
  }
}

template <class Code, class Word>
void load_prefix_block(int lift, const Code* MINIFLOAT_RESTRICT in, Word* MINIFLOAT_RESTRICT out,
                       std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) out[i] = static_cast<Word>(Word{in[i]} << lift);
}

/// Carrier bits of the block: in `buffer`, or the codes themselves.
template <class Word>
const Word* load_operand_block(const OperandLoad<Word>& load, const void* codes, Word* buffer,
                               std::size_t n) {
  switch (load.kind) {
    case Load::kIdentity:
      return static_cast<const Word*>(codes);
    case Load::kTable:
      load_table_block(load.table, static_cast<const std::uint8_t*>(codes), buffer, n);
      return buffer;
    case Load::kWiden:
      if constexpr (sizeof(Word) == 8)
        load_widen_block(static_cast<const std::uint32_t*>(codes), buffer, n);
      return buffer;
    default:
      break;
  }
  if constexpr (sizeof(Word) == 4 && kConvertsHalves) {
    if (load.is_half) {
      const auto* in = static_cast<const std::uint16_t*>(codes);
      const std::size_t done = load_half_vectors(in, buffer, n);
      load_float_block(load.parameters, in + done, buffer + done, n - done);
      return buffer;
    }
  }
  if (load.is_prefix && load.bytes == 2) {
    load_prefix_block(load.lift, static_cast<const std::uint16_t*>(codes), buffer, n);
    return buffer;
  }
  if (load.is_prefix && load.bytes == 4) {
    load_prefix_block(load.lift, static_cast<const std::uint32_t*>(codes), buffer, n);
    return buffer;
  }
  if (load.bytes == 2)
    load_float_block(load.parameters, static_cast<const std::uint16_t*>(codes), buffer, n);
  else if (load.bytes == 4)
    load_float_block(load.parameters, static_cast<const std::uint32_t*>(codes), buffer, n);
  return buffer;
}

}  // namespace arith
}  // namespace MINIFLOAT_ABI
}  // namespace minifloat
