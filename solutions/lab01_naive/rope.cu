/// @file
/// Lab 1, task 2: rotary position embedding (Su et al. 2021, arXiv 2104.09864). The contract:
/// labs/lab01_naive/include/naive.h.
#include "kernels/exact_math.h"
#include "kernels/simulator/simt.h"
#include "labs/support/todo.h"
#include "naive.h"

namespace lab01 {
namespace {

constexpr int kThreads = 64;

/// grid: as many blocks as cover all pairs   block: kThreads, a thread a pair
__global__ void rope_kernel(float* x,                  // (rows, heads, head_dim)
                            const int32_t* positions,  // (rows)
                            const float* cosines,      // (positions, head_dim / 2)
                            const float* sines,        // (positions, head_dim / 2)
                            int rows, int heads, int head_dim) {
  // >>> LAB lab01.t2  about 9 lines   (edit only between the arrows)
  // TODO(lab01.t2): which pair is this thread's: of which row, which head, which i? Turn it with stagecraft::rotate.
  const int half = head_dim / 2;
  const int pair = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (pair >= rows * heads * half) return;
  const int i = pair % half, head = pair / half;  // heads are counted over all rows
  const int angle = positions[head / heads] * half + i;
  float* left = x + head * head_dim + i;
  const stagecraft::RotatedPair turned = stagecraft::rotate(left[0], left[half], cosines[angle], sines[angle]);
  left[0] = turned.left;
  left[half] = turned.right;
  // <<< LAB lab01.t2
}

}  // namespace

void rope(float* x, const int32_t* positions, const float* cosines, const float* sines, int rows, int heads,
          int head_dim) {
  const int pairs = rows * heads * (head_dim / 2);
  const dim3 grid((pairs + kThreads - 1) / kThreads);
  simt::launch(rope_kernel, {grid, dim3(kThreads)}, x, positions, cosines, sines, rows, heads, head_dim);
}

}  // namespace lab01
