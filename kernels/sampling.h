#pragma once
/// @file
/// How a token is drawn from logits: the parts that every device shares (EXACTNESS R8).
///
/// A token is the arg max of z[i] + noise[i] over the candidates, z = (logit - largest logit) / temperature: the
/// Gumbel-max trick (Maddison et al. 2014, arXiv 1411.0030) draws from softmax(z) without ever summing it. The noise of
/// a token comes from Philox, a counter-based generator (Salmon et al. 2011, "Parallel random numbers: as easy as 1, 2,
/// 3"), of seed, absolute position and token id; never of batch row, step or history. So a request draws the same token
/// wherever it runs.
///
/// Candidates, in this order: all finite logits; the top_k largest; of these the fewest, largest first, whose
/// probabilities sum to at least top_p. Equal logits count by increasing id. Probabilities are summed as integers
/// (units of 2^-31 of the largest), so that any order of summation gives the same total and any device may sort, select
/// or scan as it likes.
#include <cstdint>

#include "kernels/exact_math.h"
#include "kernels/kernels.h"

namespace stagecraft {

/// Independent sources of noise for one (seed, position). The main sampler draws from `token`; the others belong to
/// rejection sampling (stage 6): what the drafter draws, whether it is accepted, and what replaces it.
enum class NoiseStream : uint32_t { token = 0, draft = 1, accept = 2, residual = 3 };

/// Four random words of Philox4x32-10.
struct PhiloxWords {
  uint32_t word[4];
};

STAGECRAFT_HD inline PhiloxWords philox(uint64_t key, PhiloxWords counter) {
  constexpr uint32_t kMultiply0 = 0xD2511F53u, kMultiply1 = 0xCD9E8D57u;  // constants of the paper
  constexpr uint32_t kWeyl0 = 0x9E3779B9u, kWeyl1 = 0xBB67AE85u;
  constexpr int kRounds = 10;
  uint32_t key0 = uint32_t(key), key1 = uint32_t(key >> 32);
  uint32_t(&c)[4] = counter.word;
  for (int round = 0; round < kRounds; ++round) {
    const uint64_t product0 = uint64_t(kMultiply0) * c[0];
    const uint64_t product1 = uint64_t(kMultiply1) * c[2];
    const uint32_t next0 = uint32_t(product1 >> 32) ^ c[1] ^ key0;
    const uint32_t next2 = uint32_t(product0 >> 32) ^ c[3] ^ key1;
    c[1] = uint32_t(product1);
    c[3] = uint32_t(product0);
    c[0] = next0;
    c[2] = next2;
    key0 += kWeyl0;
    key1 += kWeyl1;
  }
  return counter;
}

/// The words for the four token ids 4 * quad ... 4 * quad + 3.
STAGECRAFT_HD inline PhiloxWords token_noise_words(const SamplingRow& how, uint32_t quad) {
  const uint64_t position = uint64_t(how.position);
  return philox(how.seed, {{quad, uint32_t(position), uint32_t(position >> 32), uint32_t(NoiseStream::token)}});
}

/// A word as a number in the open interval (0, 1): 23 bits and a half, so that neither end occurs.
STAGECRAFT_HD inline float open_unit(uint32_t word) { return (float(word >> 9) + 0.5f) * 0x1p-23f; }

/// Standard Gumbel noise, -ln(-ln u); between -2.9 and 16.7.
STAGECRAFT_HD inline float gumbel(uint32_t word) { return -exact_log(-exact_log(open_unit(word))); }

/// The noise of one token id.
STAGECRAFT_HD inline float token_noise(const SamplingRow& how, TokenId id) {
  return gumbel(token_noise_words(how, uint32_t(id) / 4).word[uint32_t(id) % 4]);
}

/// (logit - largest) / temperature. Subtracted first, so that a tiny temperature gives -infinity and never a NaN.
STAGECRAFT_HD inline float tempered(float logit, float largest, float temperature) {
  return (logit - largest) / temperature;
}

/// e^z in units of 2^-31, for z <= 0.
STAGECRAFT_HD inline uint64_t probability_mass(float z) { return uint64_t(exact_exp(z) * 0x1p31f); }

/// The mass that the candidates of top_p must reach, of `total`. At least 1, so that one candidate always remains.
STAGECRAFT_HD inline uint64_t mass_needed(float top_p, uint64_t total) {
  const uint64_t needed = uint64_t(double(top_p) * double(total));
  return needed < 1 ? 1 : needed;
}

}  // namespace stagecraft
