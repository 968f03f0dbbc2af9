#pragma once
/// @file
/// How large the KV pool is. By default as large as all requests together could ever need, as far as memory is free; or
/// what the user gives, and then requests share it as well as they can.
#include <cstdint>
#include <optional>
#include <vector>

#include "stages/5_paged_attention/paged_kv_store.h"
#include "stages/core/stage_engine.h"

namespace stagecraft {

struct PagedPoolOptions {
  static constexpr double kDefaultWatermark = 0.01;

  int64_t block_size = PagedKvShape::kDefaultBlockSize;
  std::optional<int64_t> kv_bytes = {};  // absent: by need and by free memory
  double watermark = kDefaultWatermark;  // the share of the blocks that newcomers leave to those that run
  bool prefix_cache = true;
};

/// Throws BadInput for what is wrong whatever the requests are.
void validate(const PagedPoolOptions& options);

/// Blocks of the pool for `jobs`. Throws BadInput if a block is longer than the model's context, or if none of the jobs
/// would fit; the hint names the smallest size that works.
int64_t pool_blocks(const PagedPoolOptions& options, const std::vector<Job>& jobs, const KvMemory& memory);

/// Blocks that the scheduler's watermark comes to.
int64_t watermark_blocks(const PagedPoolOptions& options, int64_t blocks);

}  // namespace stagecraft
