/// @file
/// Lab 4, task 5: the work list of a mixed pass, and the rows that go on to the head. The contract:
/// labs/lab04_continuous_batching/include/continuous.h.
///
/// query_start holds prefix sums, so the sequence of a row is found by binary search: every thread for itself, without a
/// table of all rows that the host would have to make and send for each step.
#include "continuous.h"
#include "kernels/simulator/simt.h"
#include "labs/support/todo.h"

namespace lab04 {
namespace {

constexpr int kThreads = 128;

/// grid: as many blocks as cover all rows   block: kThreads, a thread a row
__global__ void expand_rows_kernel(const int32_t* query_start,  // (sequences + 1)
                                   const int32_t* first,        // (sequences)
                                   int32_t* sequence,           // (rows)
                                   int32_t* position,           // (rows)
                                   int rows, int sequences) {
  // >>> LAB lab04.t5/expand  about 12 lines   (edit only between the arrows)
  // TODO(lab04.t5): the sequence of this thread's row is the last one whose query_start is not behind the row: search it by
  // halves. How far into its rows is this one?
  const int row = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (row >= rows) return;
  int low = 0, high = sequences;  // query_start[low] <= row < query_start[high]
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    if (query_start[middle] <= row) {
      low = middle;
    } else {
      high = middle;
    }
  }
  sequence[row] = low;
  position[row] = first[low] + row - query_start[low];
  // <<< LAB lab04.t5/expand
}

/// grid: (columns / kThreads, count)   block: kThreads, a thread an element
__global__ void gather_rows_kernel(const float* x,         // (any, width)
                                   const int32_t* wanted,  // (count)
                                   float* out,             // (count, width)
                                   int width) {
  // >>> LAB lab04.t5/gather  about 3 lines   (edit only between the arrows)
  // TODO(lab04.t5): blockIdx.y is the row of out, and this thread has one of its elements.
  const int column = int(blockIdx.x * blockDim.x + threadIdx.x), row = int(blockIdx.y);
  if (column >= width) return;
  out[row * width + column] = x[wanted[row] * width + column];
  // <<< LAB lab04.t5/gather
}

int blocks_for(int threads) { return (threads + kThreads - 1) / kThreads; }

}  // namespace

void expand_rows(const int32_t* query_start, const int32_t* first, int32_t* sequence, int32_t* position, int rows,
                 int sequences) {
  simt::launch(expand_rows_kernel, {dim3(blocks_for(rows)), dim3(kThreads)}, query_start, first, sequence, position,
               rows, sequences);
}

void gather_rows(const float* x, const int32_t* wanted, float* out, int count, int width) {
  simt::launch(gather_rows_kernel, {dim3(blocks_for(width), count), dim3(kThreads)}, x, wanted, out, width);
}

}  // namespace lab04
