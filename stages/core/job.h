#pragma once
/// @file
/// What is asked of an engine: requests with their arrivals. They come from prompts (all at once), or from a workload.
#include <optional>
#include <string>
#include <vector>

#include "stages/core/command_line.h"
#include "stages/core/model_config.h"
#include "stages/core/prompts.h"
#include "stages/core/request.h"
#include "stages/core/tokenizer/tokenizer.h"
#include "stages/core/workload.h"

namespace stagecraft {

struct Job {
  Request request;                                    // its id is its place in the list of jobs
  int64_t arrival_ns = 0;                             // after the start of the run
  int priority = 0;                                   // smaller is more urgent; only stages with a scheduler look at it
  std::string origin = {};                            // for messages: "--prompt 2", "chat.csv: request 7"
  std::optional<std::string> refusal = std::nullopt;  // why it cannot be served, if that is known already
};

/// What a program is asked to serve: prompts, or a workload.
struct Asked {
  std::vector<Prompt> prompts = {};
  std::optional<Workload> workload = std::nullopt;
  int samples = 1;  // of each prompt, seeds counting up
};

/// The jobs of either.
std::vector<Job> jobs_from(const Asked& asked, const Options& options, const Tokenizer& tokenizer,
                           const ModelConfig& config);

/// One job a sample of each prompt, all arriving at the start: the first, and others that may share its K/V. A prompt that is alone throws BadInput if it is bad; one among several
/// is refused, and the others are served.
std::vector<Job> jobs_from(const std::vector<Prompt>& prompts, int samples, const Options& options,
                           const Tokenizer& tokenizer, const ModelConfig& config);

/// One job a request of `workload`, with made-up prompts and the outputs' exact lengths. One that is longer than the
/// model's context is refused.
std::vector<Job> jobs_from(const Workload& workload, const Options& options, const ModelConfig& config);

/// Tokens that `request` comes to have in the KV store: all but the last one drawn, which is never fed back.
int64_t most_stored(const Request& request);

/// The same for the largest of `jobs` that are not refused; at least 1.
int64_t most_stored(const std::vector<Job>& jobs);

}  // namespace stagecraft
