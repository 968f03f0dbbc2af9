#pragma once
/// @file
/// Workloads from files. The first line says what a file is:
///
/// | first line                                            | what follows                                        |
/// |-------------------------------------------------------|-----------------------------------------------------|
/// | `arrival_s,prompt_tokens,output_tokens`               | ours; seconds with up to nine decimals              |
/// | `arrival_s,prompt_tokens,output_tokens,priority`      | ours, with priorities                               |
/// | `TIMESTAMP,ContextTokens,GeneratedTokens`             | Azure LLM inference trace 2023                      |
/// | `num_prefill_tokens,num_decode_tokens,...`            | ShareGPT lengths; no arrivals, so all come at once  |
/// | `{"timestamp": ...`                                   | Mooncake trace: JSON lines, with shared prefixes    |
#include <cstddef>
#include <filesystem>
#include <limits>

#include "stages/core/workload.h"

namespace stagecraft {

inline constexpr size_t kAllRequests = std::numeric_limits<size_t>::max();

/// The first `limit` requests of `file`, named after it. Throws BadInput that names file, line and column where
/// something is malformed, missing, out of range or out of order.
Workload read_workload(const std::filesystem::path& file, size_t limit = kAllRequests);

}  // namespace stagecraft
