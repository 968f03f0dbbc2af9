// must fail: lab04.t5.c4: loads
// The sequence is searched from the first on: hundreds of loads for each row.
// >>> LAB lab04.t5/expand
const int row = int(blockIdx.x * blockDim.x + threadIdx.x);
if (row >= rows) return;
int low = 0;
while (low + 1 < sequences && query_start[low + 1] <= row) ++low;
sequence[row] = low;
position[row] = first[low] + row - query_start[low];
// <<< LAB lab04.t5/expand
