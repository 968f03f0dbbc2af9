#pragma once
/// @file
/// The contract's own text for every operation: scalar, single-threaded, one obvious loop after the other. The SIMD,
/// simulator and GPU versions are compared with it bit for bit.
#include <vector>

#include "kernels/kernels.h"

namespace stagecraft::cpu {

/// A table whose operations run on the calling thread and ignore the stream.
const Kernels& plain_kernels();

/// The ids that one row of logits may be drawn from: what top_k and top_p leave, most likely first; the largest alone at
/// temperature 0. Empty if the logits hold a NaN or no finite value.
std::vector<TokenId> sampling_candidates(const float* logits,  // (vocabulary)
                                         int vocabulary, const SamplingRow& how);

/// The canonical sampler for one row of logits (kernels/sampling.h).
TokenId plain_sample_row(const float* logits,  // (vocabulary)
                         int vocabulary, const SamplingRow& how);

}  // namespace stagecraft::cpu
