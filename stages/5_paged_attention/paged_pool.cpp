/// @file
/// Bytes to blocks, and the limits that follow.
#include "stages/5_paged_attention/paged_pool.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "kernels/check.h"

namespace stagecraft {
namespace {

constexpr double kShareOfFreeMemory = 0.9;  // the rest is for activations, and for others

int64_t blocks_for(int64_t tokens, int64_t block_size) { return (tokens + block_size - 1) / block_size; }

/// What the jobs want that can be served.
struct Wanted {
  int64_t all = 0;                                         // blocks, at the same time
  int64_t smallest = std::numeric_limits<int64_t>::max();  // of one job
  int64_t largest = 1;
};

Wanted wanted_by(const std::vector<Job>& jobs, int64_t block_size) {
  Wanted wanted;
  for (const Job& job : jobs) {
    if (job.refusal) continue;
    const int64_t blocks = std::max<int64_t>(blocks_for(most_stored(job.request), block_size), 1);
    wanted.all += blocks;
    wanted.smallest = std::min(wanted.smallest, blocks);
    wanted.largest = std::max(wanted.largest, blocks);
  }
  if (wanted.all == 0) wanted.all = wanted.smallest = 1;
  return wanted;
}

std::string smallest_that_works(int64_t for_one, int64_t for_all) {
  if (for_one == for_all) return fmt::format("--kv-memory {} is the smallest that works", for_one);
  return fmt::format("--kv-memory {} is the smallest that serves one of them, {} serves all", for_one, for_all);
}

}  // namespace

void validate(const PagedPoolOptions& options) {
  PagedKvStore({.blocks = 1, .block_size = options.block_size});
  if (options.watermark < 0 || options.watermark >= 1) {
    throw BadInput(fmt::format("a watermark of {} leaves no block for newcomers", options.watermark),
                   "it is a share of the blocks: at least 0 and below 1");
  }
}

int64_t pool_blocks(const PagedPoolOptions& options, const std::vector<Job>& jobs, const KvMemory& memory) {
  if (options.block_size > memory.context) {
    throw BadInput(fmt::format("a block of {} tokens is longer than the model's context of {}", options.block_size,
                               memory.context),
                   fmt::format("16 is usual, 1 is the smallest that works"));
  }
  const int64_t bytes_per_block = memory.bytes_per_token * options.block_size;
  const Wanted wanted = wanted_by(jobs, options.block_size);
  const double free = double(memory.free_bytes) * kShareOfFreeMemory;
  const int64_t affordable = options.kv_bytes ? *options.kv_bytes / bytes_per_block
                                              : int64_t(std::min(free / double(bytes_per_block), double(wanted.all)));
  if (affordable < wanted.smallest) {
    throw BadInput(
        fmt::format("K/V memory of {} bytes is too small for any request: it holds {} blocks of {} tokens ({} bytes)",
                    options.kv_bytes.value_or(int64_t(free)), affordable, options.block_size, bytes_per_block),
        smallest_that_works(wanted.smallest * bytes_per_block, wanted.largest * bytes_per_block));
  }
  return affordable;
}

int64_t watermark_blocks(const PagedPoolOptions& options, int64_t blocks) {
  return int64_t(options.watermark * double(blocks));
}

}  // namespace stagecraft
