/// @file
/// Lab 6, task 1: how much of each draft is right. The contract: labs/lab06_speculative_decoding/include/speculation.h.
#include "kernels/simulator/simt.h"
#include "labs/support/todo.h"
#include "speculation.h"

namespace lab06 {
namespace {

constexpr int kWarp = 32;
constexpr int kWarpsPerBlock = 4;
constexpr unsigned kAllLanes = 0xFFFFFFFFu;

/// grid: as many blocks as cover the requests   block: (kWarp, kWarpsPerBlock), a warp a request
__global__ void verify_kernel(const Token* drawn,        // (rows)
                              const Token* draft,        // (rows)
                              const int32_t* row_start,  // (requests + 1)
                              int32_t* accepted,         // (requests)
                              int requests) {
  // >>> LAB lab06.t1  about 14 lines   (edit only between the arrows)
  // TODO(lab06.t1): the lanes of a warp compare 32 rows of its request at once; __ballot_sync tells all of them which rows
  // differ, and __ffs which is the first. Lane 0 stores the count.
  const int request = int(blockIdx.x) * kWarpsPerBlock + int(threadIdx.y);
  if (request >= requests) return;  // a whole warp leaves
  const int first = row_start[request];
  const int drafted = row_start[request + 1] - first - 1;  // nothing was guessed after the last row

  int right = drafted;
  for (int base = 0; base < drafted; base += kWarp) {
    const int i = base + int(threadIdx.x);
    const bool wrong = i < drafted && draft[first + i] != drawn[first + i];
    const unsigned votes = __ballot_sync(kAllLanes, wrong);
    if (votes == 0) continue;
    right = base + __ffs(int(votes)) - 1;
    break;  // of the whole warp: all lanes have the same votes
  }
  if (threadIdx.x == 0) accepted[request] = right;
  // <<< LAB lab06.t1
}

}  // namespace

void verify(const Token* drawn, const Token* draft, const int32_t* row_start, int32_t* accepted, int requests) {
  const dim3 grid((requests + kWarpsPerBlock - 1) / kWarpsPerBlock);
  simt::launch(verify_kernel, {grid, dim3(kWarp, kWarpsPerBlock)}, drawn, draft, row_start, accepted, requests);
}

}  // namespace lab06
