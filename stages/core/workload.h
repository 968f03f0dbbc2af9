#pragma once
/// @file
/// What is asked of an engine, and when: arrivals and lengths, with or without the text. Generated from a seed, or read
/// from a file (workload_reader.h); the same workload goes to a simulation, a stage, or all of them.
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/kernels.h"

namespace stagecraft {

/// A run of tokens that prompts have in common: the same `content` stands for the same tokens.
struct SharedPiece {
  uint64_t content = 0;
  int64_t tokens = 0;
};

struct WorkloadRequest {
  int64_t arrival_ns = 0;                // from the start of the workload
  int64_t prompt_tokens = 1;             // at least 1
  int64_t output_tokens = 1;             // at least 1
  int priority = 0;                      // see Policy::priority
  std::vector<SharedPiece> prefix = {};  // how the prompt begins; what follows is this request's own
};

/// Requests in the order of arrival.
struct Workload {
  std::string name;
  std::vector<WorkloadRequest> requests;
};

/// Lengths of a lognormal distribution, rounded, and cut to [1, longest].
struct LengthSpec {
  static constexpr int64_t kNoLimit = int64_t{1} << 31;

  double mean = 1;
  double cv = 0;  // standard deviation / mean; 0: all the same
  int64_t longest = kNoLimit;
};

/// Gaps between arrivals of a gamma distribution.
struct ArrivalSpec {
  static constexpr double kAllAtOnce = 0;

  double per_second = kAllAtOnce;
  double burstiness =
      1;  // the shape: 1 is a Poisson process, below 1 comes in bursts, above 1 is smoother; CV = 1/sqrt
};

struct WorkloadSpec {
  int64_t requests = 1;
  ArrivalSpec arrivals = {};
  LengthSpec prompt = {};  // of the part that is not shared
  LengthSpec output = {};
  int64_t prefixes = 0;       // different shared beginnings, each as likely
  int64_t prefix_tokens = 0;  // length of each
  uint64_t seed = 0;
};

/// Throws BadInput that names the field where `spec` makes no sense.
Workload generate_workload(const WorkloadSpec& spec);

/// Replaces the arrivals of `workload`, for lengths that came without.
void set_arrivals(Workload& workload, const ArrivalSpec& arrivals, uint64_t seed);

/// Throws BadInput that names the request if it arrives before the start or before the one in front of it, or if its
/// prompt or output has no token, or if its prefix is longer than its prompt.
void validate(const Workload& workload);

/// Made-up token ids below `vocabulary` for the prompt of request `index`: (prompt_tokens). Equal pieces get equal ids.
std::vector<TokenId> prompt_ids(const Workload& workload, size_t index, TokenId vocabulary);

}  // namespace stagecraft
