#pragma once
/// @file
/// Requests that differ in everything: lengths, sampling, seeds, stop texts, arrivals.
#include <cstdint>
#include <string>
#include <vector>

#include "stages/core/job.h"

namespace stagecraft::testing {

struct MixedRequests {
  int count = 64;
  int64_t longest_prompt = 90, longest_output = 40;
  std::vector<float> temperatures = {0.0f, 0.7f, 1.5f};  // in turn
  int64_t mean_gap_ns = 0;                               // between arrivals; 0: all at once
  std::vector<std::string> stop = {};                    // of every fourth request
  uint64_t seed = 1;
};

/// Prompts are random ids of `config`'s vocabulary. Lengths include 1 and the longest.
std::vector<Job> mixed_requests(const MixedRequests& how, const ModelConfig& config);

/// A request of random ids, greedy unless changed, arriving at the start.
Job simple_job(int id, int64_t prompt_tokens, int64_t output_tokens, const ModelConfig& config);

}  // namespace stagecraft::testing
