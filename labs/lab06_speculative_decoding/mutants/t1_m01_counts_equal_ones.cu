// must fail: lab06.t1.c1: accepted
// All equal rows are counted, also those behind the first wrong guess.
// >>> LAB lab06.t1
const int request = int(blockIdx.x) * kWarpsPerBlock + int(threadIdx.y);
if (request >= requests) return;
const int first = row_start[request];
const int drafted = row_start[request + 1] - first - 1;
int right = 0;
for (int base = 0; base < drafted; base += kWarp) {
  const int i = base + int(threadIdx.x);
  right += __popc(__ballot_sync(kAllLanes, i < drafted && draft[first + i] == drawn[first + i]));
}
if (threadIdx.x == 0) accepted[request] = right;
// <<< LAB lab06.t1
