// must fail: lab01.t3.c2: out[
// 32 partial sums instead of 64: right to six digits, other bits.
// >>> LAB lab01.t3/coalesced
const int lane = int(threadIdx.x);
const int o = int(blockIdx.x * blockDim.y + threadIdx.y), row = int(blockIdx.y);
if (o >= out_width) return;
const float* x_row = x + row * in;
const bf16* w_row = weight + int64_t(o) * in;
float sum = 0.0f;
for (int k = lane; k < in; k += kWarp) sum = fmaf(x_row[k], to_float(w_row[k]), sum);
for (int step = kWarp / 2; step > 0; step /= 2) sum += __shfl_xor_sync(0xFFFFFFFFu, sum, step);
if (lane == 0) out[row * out_width + o] = sum;
// <<< LAB lab01.t3/coalesced
