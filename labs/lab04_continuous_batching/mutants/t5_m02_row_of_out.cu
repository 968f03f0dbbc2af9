// must fail: lab04.t5.c2: out
// The wanted row is where it is stored, not where it is read.
// >>> LAB lab04.t5/gather
const int column = int(blockIdx.x * blockDim.x + threadIdx.x), row = int(blockIdx.y);
if (column >= width) return;
out[row * width + column] = x[row * width + column];
// <<< LAB lab04.t5/gather
