/// @file
/// Lab 0, task 1: your first kernel. The contract stands in labs/lab00_simulator/include/warmup.h.
#include "kernels/simulator/simt.h"
#include "labs/support/todo.h"
#include "warmup.h"

namespace lab00 {
namespace {

constexpr int kThreads = 256;

/// grid: as many blocks as cover n   block: kThreads
__global__ void vector_add_kernel(const float* a,  // (n)
                                  const float* b,  // (n)
                                  float* sum,      // (n)
                                  int n) {
  // >>> LAB lab00.t1  about 2 lines   (edit only between the arrows)
  // TODO(lab00.t1): add the two elements of this thread. Which element is that? Does every thread have one?
  LAB_TODO("lab00.t1");
  // <<< LAB lab00.t1
}

}  // namespace

void vector_add(const float* a, const float* b, float* sum, int n) {
  const dim3 grid((n + kThreads - 1) / kThreads);  // rounded up
  simt::launch(vector_add_kernel, {grid, dim3(kThreads)}, a, b, sum, n);
}

}  // namespace lab00
