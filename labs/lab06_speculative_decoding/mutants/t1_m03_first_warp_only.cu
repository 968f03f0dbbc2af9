// must fail: lab06.t1.c1: accepted
// One look of the warp, so drafts of more than 32 tokens are cut.
// >>> LAB lab06.t1
const int request = int(blockIdx.x) * kWarpsPerBlock + int(threadIdx.y);
if (request >= requests) return;
const int first = row_start[request];
const int drafted = row_start[request + 1] - first - 1;
const int i = int(threadIdx.x);
const unsigned votes = __ballot_sync(kAllLanes, i >= drafted || draft[first + i] != drawn[first + i]);
if (i == 0) accepted[request] = votes != 0 ? __ffs(int(votes)) - 1 : kWarp;
// <<< LAB lab06.t1
