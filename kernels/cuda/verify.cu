/// @file
/// How much of each request's draft is right: the first row whose drawn token is not the one that was drafted ends it.
///
///     drawn, draft  (rows)          draft: the token guessed to follow each row
///     row_start     (requests + 1)  a request's rows are its draft's and the one before it
///     accepted      (requests)
///
/// A warp a request: 32 rows are compared at once, and a vote tells all lanes which differ; the lowest such row is the
/// length of the right prefix. Nothing is carried from row to row, so a draft of eight takes one step. Needed in stage 6.
#include "kernels/cuda/fold.h"
#include "kernels/cuda/launch.h"
#include "kernels/cuda/operations.h"

namespace stagecraft::STAGECRAFT_TARGET {
namespace {

constexpr int kWarpsPerBlock = 4;

/// grid: ceil(requests / kWarpsPerBlock)   block: (32, kWarpsPerBlock)
__global__ void verify_kernel(const TokenId* drawn,      // (rows)
                              const TokenId* draft,      // (rows)
                              const int32_t* row_start,  // (requests + 1)
                              int32_t* accepted,         // (requests)
                              int requests) {
  const int request = int(blockIdx.x) * kWarpsPerBlock + int(threadIdx.y);
  if (request >= requests) return;  // a whole warp leaves
  const int first = row_start[request];
  const int drafted = row_start[request + 1] - first - 1;  // nothing was drafted after the last row

  int right = 0;
  for (int base = 0; base < drafted; base += kWarp) {
    const int i = base + int(threadIdx.x);
    const bool wrong = i < drafted && draft[first + i] != drawn[first + i];
    const unsigned votes = __ballot_sync(kAllLanes, wrong);
    right = votes != 0 ? base + __ffs(int(votes)) - 1 : min(drafted, base + kWarp);
    if (votes != 0) break;  // all lanes have the same votes
  }
  if (threadIdx.x == 0) accepted[request] = right;
}

}  // namespace

void verify(const TokenId* drawn, const TokenId* draft, const int32_t* row_start, int32_t* accepted, int requests,
            Stream stream) {
  launch("verify", verify_kernel, dim3(blocks_for(requests, kWarpsPerBlock)), dim3(kWarp, kWarpsPerBlock), 0, stream,
         drawn, draft, row_start, accepted, requests);
}

}  // namespace stagecraft::STAGECRAFT_TARGET
