// must fail: lab06.t1.c1: accepted
// The last row is compared, too, though nothing was guessed after it.
// >>> LAB lab06.t1
const int request = int(blockIdx.x) * kWarpsPerBlock + int(threadIdx.y);
if (request >= requests) return;
const int first = row_start[request];
const int rows = row_start[request + 1] - first;
int right = rows;
for (int base = 0; base < rows; base += kWarp) {
  const int i = base + int(threadIdx.x);
  const unsigned votes = __ballot_sync(kAllLanes, i < rows && draft[first + i] != drawn[first + i]);
  if (votes == 0) continue;
  right = base + __ffs(int(votes)) - 1;
  break;
}
if (threadIdx.x == 0) accepted[request] = right;
// <<< LAB lab06.t1
