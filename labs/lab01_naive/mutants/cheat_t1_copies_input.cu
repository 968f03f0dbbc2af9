// must get nothing: lab01.t1
// No norm at all.
// >>> LAB lab01.t1
const int row = int(blockIdx.x * blockDim.x + threadIdx.x);
if (row >= rows) return;
for (int i = 0; i < width; ++i) out[int64_t(row) * width + i] = x[int64_t(row) * width + i];
// <<< LAB lab01.t1
