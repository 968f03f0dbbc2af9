// must pass: lab04.t5
// Powers of two are added as long as the start is not behind the row.
// >>> LAB lab04.t5/expand
const int row = int(blockIdx.x * blockDim.x + threadIdx.x);
if (row >= rows) return;
int stride = 1;
while (stride * 2 < sequences) stride *= 2;
int found = 0, start = 0;
for (; stride > 0; stride /= 2) {
  if (found + stride >= sequences) continue;
  const int candidate = query_start[found + stride];
  if (candidate > row) continue;
  found += stride;
  start = candidate;
}
sequence[row] = found;
position[row] = first[found] + (row - start);
// <<< LAB lab04.t5/expand
// >>> LAB lab04.t5/gather
const int row = int(blockIdx.y), source = wanted[row];
for (int column = int(blockIdx.x * blockDim.x + threadIdx.x); column < width; column += int(gridDim.x * blockDim.x)) {
  out[row * width + column] = x[source * width + column];
}
// <<< LAB lab04.t5/gather
