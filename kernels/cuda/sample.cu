/// @file
/// Draws one token a row: the canonical sampler (kernels/sampling.h), Gumbel-max over the candidates of top-k and
/// top-p.
///
///     logits  (rows, vocabulary)  fp32
///     how     (rows)
///     out     (rows)              kNoToken where a logit is NaN or none is finite
///
/// One block a row. Nothing is sorted: a cut is found by radix select, eight bits of the rank at a time from the top,
/// over a histogram of what the candidates weigh (1 each for top-k, their probability for top-p). All sums are of
/// integers, so atomics may add them in any order. Needed from stage 1 on.
#include "kernels/cuda/block_reduce.h"
#include "kernels/cuda/operations.h"
#include "kernels/cuda/sampling_rank.h"

namespace stagecraft::STAGECRAFT_TARGET {
namespace {

constexpr int kThreads = 512;
constexpr int kDigitBits = 8, kBins = 1 << kDigitBits;

/// The row that a block works on, and its shared memory.
struct Row {
  const float* logits;  // (vocabulary)
  int vocabulary;
  SamplingRow how;
  unsigned long long* histogram;  // (kBins)
  Rank* chosen;                   // the digit that thread 0 found, then the weight before it
  uint64_t (&reduced)[kThreads / kWarp];

  __device__ Rank rank(TokenId id) const { return rank_of(logits[id], id); }
  __device__ uint64_t reduce_max(uint64_t value) const {
    return reduce_block<kThreads>(value, reduced, [](uint64_t a, uint64_t b) { return a > b ? a : b; });
  }
  __device__ uint64_t reduce_sum(uint64_t value) const {
    return reduce_block<kThreads>(value, reduced, [](uint64_t a, uint64_t b) { return a + b; });
  }
};

/// The rank of the last token that is kept when tokens of at least rank `cut` are taken in order until their weights
/// sum to `needed`; `cut` itself if they never do.
template <class WeightOf>
__device__ Rank select_cut(const Row& row, Rank cut, uint64_t needed, WeightOf weight_of) {
  Rank prefix = 0;      // the digits of the answer so far
  uint64_t before = 0;  // the weight of the tokens that rank before all tokens with this prefix
  for (int shift = kRankBits - kDigitBits; shift >= 0; shift -= kDigitBits) {
    for (int bin = threadIdx.x; bin < kBins; bin += kThreads) row.histogram[bin] = 0;
    __syncthreads();
    for (TokenId id = threadIdx.x; id < row.vocabulary; id += kThreads) {
      const Rank rank = row.rank(id);
      const bool has_prefix = rank >> shift >> kDigitBits == prefix >> shift >> kDigitBits;
      if (rank < cut || !has_prefix) continue;
      atomicAdd(&row.histogram[rank >> shift & (kBins - 1)], static_cast<unsigned long long>(weight_of(id)));
    }
    __syncthreads();
    if (threadIdx.x == 0) {
      int bin = kBins - 1;
      uint64_t sum = before;
      while (bin >= 0 && sum + row.histogram[bin] < needed) sum += row.histogram[bin--];
      row.chosen[0] = Rank(int64_t(bin));
      row.chosen[1] = sum;
    }
    __syncthreads();
    const int64_t bin = int64_t(row.chosen[0]);
    if (bin < 0) return cut;
    prefix |= Rank(bin) << shift;
    before = row.chosen[1];
    __syncthreads();
  }
  return prefix;
}

/// The rank that a token must reach to be a candidate.
__device__ Rank candidate_cut(const Row& row, float largest) {
  Rank cut = kFiniteCut;
  if (row.how.top_k != kNoTopK) {
    cut = select_cut(row, cut, uint64_t(row.how.top_k), [](TokenId) { return uint64_t(1); });
  }
  if (row.how.top_p < 1.0f) {
    const auto mass_of = [&](TokenId id) {
      return probability_mass(tempered(row.logits[id], largest, row.how.temperature));
    };
    uint64_t mass = 0;
    for (TokenId id = threadIdx.x; id < row.vocabulary; id += kThreads) {
      if (row.rank(id) >= cut) mass += mass_of(id);
    }
    cut = select_cut(row, cut, mass_needed(row.how.top_p, row.reduce_sum(mass)), mass_of);
  }
  return cut;
}

/// The candidate with the largest tempered logit plus noise. Four neighbouring ids share one call of Philox.
__device__ TokenId draw(const Row& row, float largest, Rank cut) {
  Rank winner = 0;
  for (TokenId first = 4 * int(threadIdx.x); first < row.vocabulary; first += 4 * kThreads) {
    const PhiloxWords noise = token_noise_words(row.how, uint32_t(first) / 4);
    SIMT_UNROLL
    for (int i = 0; i < 4; ++i) {
      const TokenId id = first + i;
      if (id >= row.vocabulary || row.rank(id) < cut) continue;
      const float score = tempered(row.logits[id], largest, row.how.temperature) + gumbel(noise.word[i]);
      const Rank rank = rank_of(score, id);
      if (rank > winner) winner = rank;
    }
  }
  return id_of(row.reduce_max(winner));
}

/// grid: rows   block: kThreads
__global__ void sample_kernel(const float* logits,     // (rows, vocabulary)
                              const SamplingRow* how,  // (rows)
                              TokenId* out,            // (rows)
                              int vocabulary) {
  __shared__ unsigned long long histogram[kBins];
  __shared__ Rank chosen[2];
  __shared__ uint64_t reduced[kThreads / kWarp];
  const Row row{logits + int64_t(blockIdx.x) * vocabulary, vocabulary, how[blockIdx.x], histogram, chosen, reduced};

  Rank first = 0;
  for (TokenId id = threadIdx.x; id < vocabulary; id += kThreads) {
    const Rank rank = row.rank(id);
    if (rank > first) first = rank;
  }
  first = row.reduce_max(first);
  TokenId token = id_of(first);
  if (first < kFiniteCut || first >= kUnusableCut) {
    token = kNoToken;
  } else if (row.how.temperature != 0.0f) {
    const float largest = row.logits[token];
    token = draw(row, largest, candidate_cut(row, largest));
  }
  if (threadIdx.x == 0) out[blockIdx.x] = token;
}

}  // namespace

void sample(const float* logits, const SamplingRow* how, TokenId* out, int rows, int vocabulary, Stream stream) {
  launch("sample", sample_kernel, dim3(rows), dim3(kThreads), 0, stream, logits, how, out, vocabulary);
}

}  // namespace stagecraft::STAGECRAFT_TARGET
