// must fail: lab06.t1.c2: out of bounds
// The last block has more warps than there are requests left, and they all work.
// >>> LAB lab06.t1
const int request = int(blockIdx.x) * kWarpsPerBlock + int(threadIdx.y);
const int first = row_start[request];
const int drafted = row_start[request + 1] - first - 1;
int right = drafted;
for (int base = 0; base < drafted; base += kWarp) {
  const int i = base + int(threadIdx.x);
  const unsigned votes = __ballot_sync(kAllLanes, i < drafted && draft[first + i] != drawn[first + i]);
  if (votes == 0) continue;
  right = base + __ffs(int(votes)) - 1;
  break;
}
if (threadIdx.x == 0) accepted[request] = right;
// <<< LAB lab06.t1
