#pragma once

#include "minifloat/kernels/job.hpp"

/// The noise of a block: random bits per element, left-aligned in the carrier's words.

namespace minifloat {
inline namespace MINIFLOAT_ABI {
namespace detail {

/// Random bits of the block, left-aligned in words; returns where its first element lies.
template <class Word>
const Word* key_noise(const CastPlan& plan, const CastJob& job, std::size_t i, std::size_t n,
                      Word* buffer) {
  const int bits = plan.up == UpKind::kTabledNoise ? 32 : plan.options.random_bits;
  const std::uint64_t size = static_cast<std::uint64_t>(philox_group_size(bits));
  const std::uint64_t start = job.key_offset + i;
  const std::size_t skip = static_cast<std::size_t>(start % size);
  const Word keep = static_cast<Word>(plan.noise_keep >> (64 - kWordBits<Word>));
  const Word set = static_cast<Word>(plan.noise_set >> (64 - kWordBits<Word>));
  alignas(64) std::uint32_t words[4 * kPhiloxLanes];
  std::uint64_t group = start / size;
  for (std::size_t done = 0; done < skip + n; done += static_cast<std::size_t>(size), ++group) {
    philox_group(*job.key, group, words);
    Word* MINIFLOAT_RESTRICT out = buffer + done;
    if (bits <= 16) {
      for (int k = 0; k < 64; ++k) {
        const Word low = static_cast<Word>(words[k] << 16);
        const Word high = static_cast<Word>(words[k] & 0xFFFF0000u);
        out[k] = ((low << (kWordBits<Word> - 32)) & keep) | set;
        out[k + 64] = ((high << (kWordBits<Word> - 32)) & keep) | set;
      }
    } else if (bits <= 32) {
      for (int k = 0; k < 64; ++k)
        out[k] = ((static_cast<Word>(words[k]) << (kWordBits<Word> - 32)) & keep) | set;
    } else {
      for (int k = 0; k < 32; ++k) {
        const std::uint64_t both = (std::uint64_t{words[32 + k]} << 32) | words[k];
        out[k] = static_cast<Word>((both & plan.noise_keep) | plan.noise_set);
      }
    }
  }
  return buffer + skip;
}

/// HYBRID's thresholds: the low 14 bits of a float32, or a float16's lowest bit and a 1.
template <class Word>
void hybrid_thresholds(const CastPlan& plan, const CastJob& job, std::size_t i, std::size_t n,
                       Word* MINIFLOAT_RESTRICT out) {
  if (plan.source_bytes == 4) {
    const std::uint32_t* in = source_at<std::uint32_t>(job, i);
    for (std::size_t k = 0; k < n; ++k)
      out[k] = static_cast<Word>(in[k] << 18) << (kWordBits<Word> - 32);
  } else {
    const std::uint16_t* in = source_at<std::uint16_t>(job, i);
    for (std::size_t k = 0; k < n; ++k)
      out[k] = static_cast<Word>(((in[k] & 1u) << 1) | 1u) << (kWordBits<Word> - 2);
  }
}

template <class Word>
const Word* noise_block(const CastPlan& plan, const CastJob& job, std::size_t i, std::size_t n,
                        Word* buffer) {
  if (plan.up == UpKind::kDeterministic) return nullptr;
  if (plan.up == UpKind::kHybrid) {
    hybrid_thresholds(plan, job, i, n, buffer);
    return buffer;
  }
  if (job.random_bits == nullptr) return key_noise(plan, job, i, n, buffer);
  const int bits = plan.up == UpKind::kTabledNoise ? 32 : plan.options.random_bits;
  for (std::size_t k = 0; k < n; ++k)
    buffer[k] = static_cast<Word>(
        (((job.random_bits[i + k] << (64 - bits)) & plan.noise_keep) | plan.noise_set) >>
        (64 - kWordBits<Word>));
  return buffer;
}

}  // namespace detail
}  // namespace MINIFLOAT_ABI
}  // namespace minifloat
