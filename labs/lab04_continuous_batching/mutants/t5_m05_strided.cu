// must fail: lab04.t5.c4: sectors
// Neighbouring threads take elements far apart.
// >>> LAB lab04.t5/gather
const int threads = int(gridDim.x * blockDim.x), thread = int(blockIdx.x * blockDim.x + threadIdx.x),
          row = int(blockIdx.y);
const int column = (thread % 32) * (threads / 32) + thread / 32;
if (column >= width) return;
out[row * width + column] = x[wanted[row] * width + column];
// <<< LAB lab04.t5/gather
