// must fail: lab04.t5.c3: out of bounds
// Threads behind the last row write too.
// >>> LAB lab04.t5/expand
const int row = int(blockIdx.x * blockDim.x + threadIdx.x);
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
