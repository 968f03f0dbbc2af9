// must fail: lab01.t3.c1: out[
// All rows are the first.
// >>> LAB lab01.t3/naive
const int o = int(blockIdx.x * blockDim.x + threadIdx.x);
const int row = int(blockIdx.y);
if (o < out_width) out[row * out_width + o] = stagecraft::exact_dot(x, weight + int64_t(o) * in, in);
// <<< LAB lab01.t3/naive
