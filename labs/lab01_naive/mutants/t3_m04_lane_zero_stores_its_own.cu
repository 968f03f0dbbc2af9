// must fail: lab01.t3.c2: out[
// The warp is not folded.
// >>> LAB lab01.t3/coalesced
const int lane = int(threadIdx.x);
const int o = int(blockIdx.x * blockDim.y + threadIdx.y), row = int(blockIdx.y);
if (o >= out_width) return;
const float* x_row = x + row * in;
const bf16* w_row = weight + int64_t(o) * in;
float low = 0.0f, high = 0.0f;
for (int k = lane; k < in; k += stagecraft::kPartialSums) {
  low = fmaf(x_row[k], to_float(w_row[k]), low);
  if (k + kWarp < in) high = fmaf(x_row[k + kWarp], to_float(w_row[k + kWarp]), high);
}
if (lane == 0) out[row * out_width + o] = low + high;
// <<< LAB lab01.t3/coalesced
