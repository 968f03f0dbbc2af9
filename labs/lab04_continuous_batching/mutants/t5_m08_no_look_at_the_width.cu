// must fail: lab04.t5.c3: out of bounds
// Threads behind the last column go on into the next row.
// >>> LAB lab04.t5/gather
const int column = int(blockIdx.x * blockDim.x + threadIdx.x), row = int(blockIdx.y);
out[row * width + column] = x[wanted[row] * width + column];
// <<< LAB lab04.t5/gather
