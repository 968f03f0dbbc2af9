#pragma once
/// @file
/// What stage 2 has to say about its work: what the cache saves, and what it costs.
#include <string>
#include <vector>

#include "stages/core/model_config.h"
#include "stages/core/run_report.h"

namespace stagecraft {

/// One way of sharing keys and values among the query heads.
struct HeadSharing {
  std::string name;            // "MHA", "GQA", "MQA"
  int kv_heads;                // K/V heads a layer
  int64_t kv_bytes_per_token;  // 2 x layers x kv_heads x head_dim x bytes
};

/// What K and V of a token would take if each query head had its own (multi-head attention, MHA), as they are in this
/// model if that is something in between (grouped-query attention, GQA; Ainslie et al., arXiv 2305.13245), and if all
/// query heads shared one (multi-query attention, MQA; Shazeer, arXiv 1911.02150).
std::vector<HeadSharing> head_sharings(const ModelConfig& config, NumberType type);

/// Lines for the tables. A count that differs from its law is a bug: throws std::logic_error.
std::vector<WorkLine> kv_cache_work(const RunReport& report, const ModelConfig& config, NumberType type);

}  // namespace stagecraft
