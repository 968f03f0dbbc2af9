// must pass: lab01.t3
// The fold by __shfl_down_sync: lane 0 alone has the sum.
// >>> LAB lab01.t3/coalesced
const int lane = int(threadIdx.x);
const int o = int(blockIdx.x * blockDim.y + threadIdx.y), row = int(blockIdx.y);
if (o >= out_width) return;
const float* x_row = x + row * in;
const bf16* w_row = weight + int64_t(o) * in;
float low = 0.0f, high = 0.0f;
for (int k = lane; k < in; k += kWarp) {
  float& partial = k / kWarp % 2 == 0 ? low : high;
  partial = fmaf(x_row[k], to_float(w_row[k]), partial);
}
float sum = low + high;
for (int step = kWarp / 2; step > 0; step /= 2) sum += __shfl_down_sync(0xFFFFFFFFu, sum, step);
if (lane == 0) out[row * out_width + o] = sum;
// <<< LAB lab01.t3/coalesced
