#pragma once
/// @file
/// The angles of rotary position embedding (RoPE; Su et al. 2021, arXiv 2104.09864), as tables of cosine and sine.
///
/// Pair i of a head turns by position x frequency[i], where frequency[i] = theta^(-2i / head_dim). Longer contexts are
/// reached by slowing the frequencies:
///
/// | kind   | frequency                                                                                            |
/// |--------|------------------------------------------------------------------------------------------------------|
/// | plain  | f                                                                                                    |
/// | linear | f / factor (Chen et al. 2023, arXiv 2306.15595)                                                      |
/// | llama3 | kept where f turns often within the first context, f / factor where it turns less than once, blended |
/// |        | by the number of turns between (Llama 3.1)                                                           |
/// | yarn   | likewise, blended by the index of the pair; cos and sin grow by attention_factor (Peng et al. 2023,  |
/// |        | arXiv 2309.00071)                                                                                    |
///
/// Made once on the host in double, then rounded to float: kernels only look up, so devices cannot differ (EXACTNESS
/// R10).
#include <cstdint>
#include <vector>

#include "stages/core/model_config.h"

namespace stagecraft {

struct RopeTable {
  std::vector<float> cosines;  // (positions, head_dim / 2), times rope.attention_factor
  std::vector<float> sines;    // (positions, head_dim / 2), likewise
};

/// How far each pair turns from one position to the next, in radians: (head_dim / 2).
std::vector<double> rope_frequencies(const RopeConfig& rope, int head_dim);

/// The table for positions 0 .. positions - 1. `head_dim` is even and positive.
RopeTable make_rope_table(const RopeConfig& rope, int head_dim, int64_t positions);

}  // namespace stagecraft
