#pragma once
/// @file
/// Operations on stated shapes, ready to run: what bench_kernels counts and gpu_report times.
#include <functional>
#include <string>
#include <vector>

#include "kernels/cuda/kernel_table.h"
#include "kernels/device.h"

namespace stagecraft {

/// One operation and its inputs in device memory, which live as long as it does.
struct Work {
  std::string name;
  double least_bytes;  // what must be read and written if every byte moves once
  std::function<void(const Kernels&, Stream)> run;
};

/// linear, in -> out_width, bf16 weights.
Work linear_work(Device& device, int rows, int in, int out_width);

/// A block size that stands for none: one run of slots.
inline constexpr int kContiguous = 0;

/// attention of the last `rows` of `context` positions of one sequence, bf16 cache; in shuffled blocks of `block_size`.
Work attention_work(Device& device, const KernelSet& set, const AttentionShape& shape, int rows, int context,
                    int block_size = kContiguous);

/// The operations that do no arithmetic: copy_blocks of one plane, bf16, and verify of `requests` with `drafted` tokens each.
Work copy_blocks_work(Device& device, const AttentionShape& shape, int copies, int block_size);
Work verify_work(Device& device, int requests, int drafted);

/// The operations that work on rows alone: embedding, rms_norm, rope, kv_write, swiglu, add, sample.
std::vector<Work> row_works(Device& device, const AttentionShape& shape, int rows, int hidden, int inner,
                            int vocabulary);

/// One version of a ladder on one shape.
struct LadderStep {
  const char* version;
  Kernels kernels;  // with the version in its place
};

/// The versions of linear and of attention.
std::vector<LadderStep> linear_ladder(const KernelSet& set);
std::vector<LadderStep> attention_ladder(const KernelSet& set);

}  // namespace stagecraft
