/// @file
/// Rotary position embedding: the pairs (i, i + head_dim / 2) of each head are turned by the angles of the row's
/// position (Su et al. 2021, arXiv 2104.09864), in place.
///
///     x               (rows, heads, head_dim)       fp32
///     positions       (rows)
///     cosines, sines  (positions, head_dim / 2)     made once on the host, in double
///
/// One thread a pair. The halves of a head are apart, so neighbouring threads read neighbouring elements of both.
/// Needed from stage 1 on.
#include "kernels/cuda/launch.h"
#include "kernels/cuda/operations.h"
#include "kernels/exact_math.h"

namespace stagecraft::STAGECRAFT_TARGET {
namespace {

constexpr int kThreads = 128;

/// grid: ceil(rows * heads * head_dim / 2 / kThreads)   block: kThreads
__global__ void rope_kernel(float* x,                  // (rows, heads, head_dim)
                            const int32_t* positions,  // (rows)
                            const float* cosines,      // (positions, head_dim / 2)
                            const float* sines,        // (positions, head_dim / 2)
                            int64_t pairs, int heads, int head_dim) {
  const int64_t pair = int64_t(blockIdx.x) * kThreads + threadIdx.x;
  if (pair >= pairs) return;
  const int half = head_dim / 2;
  const int i = int(pair % half);
  const int64_t head = pair / half;  // counted over all rows
  const int64_t angle = positions[head / heads] * int64_t(half) + i;

  float* left = x + head * head_dim + i;
  const RotatedPair rotated = rotate(left[0], left[half], cosines[angle], sines[angle]);
  left[0] = rotated.left;
  left[half] = rotated.right;
}

}  // namespace

void rope(float* x, const int32_t* positions, const float* cosines, const float* sines, int rows, int heads,
          int head_dim, Stream stream) {
  const int64_t pairs = int64_t(rows) * heads * (head_dim / 2);
  launch("rope", rope_kernel, dim3(blocks_for(pairs, kThreads)), dim3(kThreads), 0, stream, x, positions, cosines,
         sines, pairs, heads, head_dim);
}

}  // namespace stagecraft::STAGECRAFT_TARGET
