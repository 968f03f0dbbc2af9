// must get nothing: lab01.t3
// Zeros, in both.
// >>> LAB lab01.t3/naive
const int o = int(blockIdx.x * blockDim.x + threadIdx.x);
if (o < out_width) out[int(blockIdx.y) * out_width + o] = 0.0f;
// <<< LAB lab01.t3/naive
// >>> LAB lab01.t3/coalesced
const int o = int(blockIdx.x * blockDim.y + threadIdx.y);
if (o < out_width && threadIdx.x == 0) out[int(blockIdx.y) * out_width + o] = 0.0f;
// <<< LAB lab01.t3/coalesced
