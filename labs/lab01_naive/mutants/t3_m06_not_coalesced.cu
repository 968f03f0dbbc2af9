// must fail: lab01.t3.c4: sectors moved by loads
// The naive kernel under another name: each lane works alone.
// >>> LAB lab01.t3/coalesced
const int warp = int(blockIdx.x * blockDim.y + threadIdx.y), row = int(blockIdx.y);
const int o = warp * kWarp + int(threadIdx.x);
if (o < out_width) out[row * out_width + o] = stagecraft::exact_dot(x + row * in, weight + int64_t(o) * in, in);
// <<< LAB lab01.t3/coalesced
