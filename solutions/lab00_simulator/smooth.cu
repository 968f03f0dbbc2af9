/// @file
/// Lab 0, task 4: a kernel that looks right. The contract stands in labs/lab00_simulator/include/warmup.h.
#include "kernels/simulator/simt.h"
#include "labs/support/todo.h"
#include "warmup.h"

namespace lab00 {
namespace {

constexpr int kThreads = 128;

/// Each block smooths kThreads elements. It reads them and one neighbour on either side into shared memory first.
///
/// grid: as many blocks as cover n   block: kThreads
__global__ void smooth_kernel(const float* x,  // (n)
                              float* out,      // (n)
                              int n) {
  __shared__ float tile[kThreads + 2];  // element i of the block is tile[i + 1]
  // >>> LAB lab00.t4  about 3 lines to change   (edit only between the arrows)
  // TODO(lab00.t4): delete the next line, run `labs/lab test lab00.t4`, read the finding, and repair the kernel.
  //| const int t = int(threadIdx.x);
  //| const int i = int(blockIdx.x) * kThreads + t;
  //| const int last = n - 1;
  //| if (i <= last) tile[t + 1] = x[i];
  //| if (t == 0) tile[0] = x[i > 0 ? i - 1 : 0];
  //| if (i <= last && (t == kThreads - 1 || i == last)) tile[t + 2] = x[i < last ? i + 1 : last];
  //| if (i <= last) out[i] = (tile[t] + tile[t + 1] + tile[t + 2]) / 3.0f;
  const int t = int(threadIdx.x);
  const int i = int(blockIdx.x) * kThreads + t;
  const int last = n - 1;
  if (i <= last) tile[t + 1] = x[i];
  if (t == 0) tile[0] = x[i > 0 ? i - 1 : 0];
  if (i <= last && (t == kThreads - 1 || i == last)) tile[t + 2] = x[i < last ? i + 1 : last];
  __syncthreads();
  if (i <= last) out[i] = (tile[t] + tile[t + 1] + tile[t + 2]) / 3.0f;
  // <<< LAB lab00.t4
}

}  // namespace

void smooth(const float* x, float* out, int n) {
  const dim3 grid((n + kThreads - 1) / kThreads);
  simt::launch(smooth_kernel, {grid, dim3(kThreads)}, x, out, n);
}

}  // namespace lab00
