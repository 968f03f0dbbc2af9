// must fail: lab01.t3.c4: sectors moved by loads
// Lane 0 does it all: each request has its ideal number of sectors, for there is little in it; but there are many.
// >>> LAB lab01.t3/coalesced
const int o = int(blockIdx.x * blockDim.y + threadIdx.y), row = int(blockIdx.y);
if (o >= out_width || threadIdx.x != 0) return;
out[row * out_width + o] = stagecraft::exact_dot(x + row * in, weight + int64_t(o) * in, in);
// <<< LAB lab01.t3/coalesced
