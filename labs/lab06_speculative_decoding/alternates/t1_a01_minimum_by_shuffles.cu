// must pass: lab06.t1
// All threads of the warp look at all of its rows; the lowest row that differs wins by shuffles.
// >>> LAB lab06.t1
const int request = int(blockIdx.x) * kWarpsPerBlock + int(threadIdx.y);
if (request >= requests) return;
const int first = row_start[request];
const int drafted = row_start[request + 1] - first - 1;
int lowest = drafted;
for (int i = drafted - 1 - int(threadIdx.x); i >= 0; i -= kWarp) {
  if (draft[first + i] != drawn[first + i]) lowest = i;
}
for (int step = kWarp / 2; step > 0; step /= 2) {
  lowest = min(lowest, __shfl_xor_sync(kAllLanes, lowest, step));
}
if (threadIdx.x == 0) accepted[request] = lowest;
// <<< LAB lab06.t1
