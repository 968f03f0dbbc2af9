#pragma once
/// @file
/// Each operation of kernels.h in the shapes of a model: one row as in decoding, some rows as in batched decoding, many
/// as in prefill.
#include <memory>
#include <vector>

#include "stages/bench/limit_benchmarks.h"
#include "stages/bench/measure.h"
#include "stages/core/model_config.h"

namespace stagecraft::bench {

/// Appends the operations on `device`. `memory` holds the weights.
void add_operations(std::vector<Benchmark>& all, const std::shared_ptr<cpu::CpuDevice>& device,
                    const std::shared_ptr<ColdMemory>& memory, const ModelConfig& config);

/// Appends the few that show what SIMD is worth, for the plain contract.
void add_plain_operations(std::vector<Benchmark>& all, const std::shared_ptr<ColdMemory>& memory,
                          const ModelConfig& config);

}  // namespace stagecraft::bench
