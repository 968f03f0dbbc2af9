/// @file
/// Linear, version 3: eight lanes an output, four outputs a warp, 16-byte loads.
///
///     x (rows, in) fp32   weight (out_width, in)   bias (out_width) or none   out (rows, out_width) fp32
///
/// Changed from version 2: a lane holds eight consecutive partial sums, which is what one 16-byte load of bf16 brings.
/// A warp moves 512 bytes of weights with one instruction, and ten shuffles fold four outputs at once. What is left:
/// each row of x reads all weights again.
#include "kernels/cuda/chunk.h"
#include "kernels/cuda/launch.h"
#include "kernels/cuda/operations.h"

namespace stagecraft::STAGECRAFT_TARGET {
namespace {

constexpr int kWarpsPerBlock = 4;
constexpr int kOutputsPerBlock = kWarpsPerBlock * kGroupsPerWarp;

/// grid: (ceil(out_width / kOutputsPerBlock), rows)   block: (32, kWarpsPerBlock)
template <class T, Loads kLoads>
__global__ void group_per_output(const float* x,   // (rows, in)
                                 const T* weight,  // (out_width, in)
                                 WeightView bias,  // (out_width)
                                 float* out,       // (rows, out_width)
                                 int in, int out_width) {
  const int group = threadIdx.x / kGroupLanes, lane = threadIdx.x % kGroupLanes;
  const int64_t wanted = int64_t(blockIdx.x) * kOutputsPerBlock + threadIdx.y * kGroupsPerWarp + group;
  const int64_t o = wanted < out_width ? wanted : out_width - 1;  // all lanes stay for the shuffles
  const int64_t row = blockIdx.y;

  float partial[kPartialsPerLane] = {};
  for (int k = lane * kPartialsPerLane; k < in; k += kPartialSums) {
    const Eight a = load_chunk<kLoads>(x + row * in, k, in);
    const Eight b = load_chunk<kLoads>(weight + o * in, k, in);
    accumulate<kLoads>(partial, a, b, k, in);
  }
  const float sum = fold_in_group(partial);
  if (lane == 0 && wanted == o) out[row * out_width + o] = bias.data ? sum + element(bias, o) : sum;
}

}  // namespace

void linear_v3_vector_loads(const float* x, WeightView weight, WeightView bias, float* out, int rows, int in,
                            int out_width, Stream stream) {
  with_elements(weight.type, weight.data, [&](const auto* w) {
    using T = std::decay_t<decltype(*w)>;
    const bool by_eights = rows_load_by_eights(w, in) && rows_load_by_eights(x, in);
    const auto kernel = by_eights ? group_per_output<T, Loads::by_eights> : group_per_output<T, Loads::by_ones>;
    launch("linear_v3_vector_loads", kernel, dim3(blocks_for(out_width, kOutputsPerBlock), rows),
           dim3(kWarp, kWarpsPerBlock), 0, stream, x, w, bias, out, in, out_width);
  });
}

}  // namespace stagecraft::STAGECRAFT_TARGET
