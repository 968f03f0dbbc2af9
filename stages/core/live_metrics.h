#pragma once
/// @file
/// The state of a run that goes on, as metrics for Prometheus: names as in vLLM (vllm/v1/metrics/loggers.py) where they
/// mean the same, so that its dashboards work; what only we have begins with "stagecraft:".
///
/// | metric                                        | type      | is                                                   |
/// |-----------------------------------------------|-----------|------------------------------------------------------|
/// | vllm:num_requests_running, _waiting           | gauge     | started and not ended; arrived and not started       |
/// | vllm:kv_cache_usage_perc                      | gauge     | share of the KV pool that is handed out, 0 to 1      |
/// | vllm:prompt_tokens, generation_tokens         | counter   | tokens of prompts computed; tokens generated         |
/// | vllm:num_preemptions                          | counter   | stages that preempt                                  |
/// | vllm:prefix_cache_queries, _hits              | counter   | tokens looked up and found; stages with a prefix cache |
/// | vllm:spec_decode_num_draft_tokens, _accepted_ | counter   | stages that draft                                    |
/// | vllm:request_success{finished_reason}         | counter   | by stop, length, abort                               |
/// | vllm:time_to_first_token_seconds              | histogram | TTFT                                                 |
/// | vllm:inter_token_latency_seconds              | histogram | ITL, pooled                                          |
/// | vllm:request_time_per_output_token_seconds    | histogram | TPOT                                                 |
/// | vllm:e2e_request_latency_seconds              | histogram | E2E of those that ended                              |
/// | vllm:request_queue_time_seconds               | histogram | queue time                                           |
/// | vllm:request_prompt_tokens, _generation_      | histogram | lengths of those that ended                          |
/// | vllm:iteration_tokens_total                   | histogram | rows of a step                                       |
/// | stagecraft:requests_within_slo                | counter   | goodput, if there are targets                        |
/// | stagecraft:tokens_recomputed                  | counter   | tokens that were computed before                     |
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "stages/core/goodput.h"
#include "stages/core/run_log.h"

namespace stagecraft {

/// A run as it is at one moment.
struct RunSnapshot {
  TimePoint now;
  std::vector<RequestRecord> requests;  // of those that have arrived; finish_reason counts only if `ended`
  std::vector<bool> ended;              // (requests)
  const std::vector<StepRecord>* steps = nullptr;
  int64_t kv_capacity_bytes = 0;
};

/// What the text says besides.
struct MetricsNames {
  std::string model;
  std::optional<Slo> slo = {};
};

/// The whole text.
std::string metrics_of(const RunSnapshot& snapshot, const MetricsNames& names);

}  // namespace stagecraft
