// must pass: lab03.t1
// A tile that reaches over the edge computes the last row or output again, and does not store it.
// >>> LAB lab03.t1
const int lane = int(threadIdx.x);
const int first_output = int(blockIdx.x * blockDim.y + threadIdx.y) * kOutputTile;
const int first_row = int(blockIdx.y) * kRowTile;
if (first_output >= out_width) return;  // the whole warp leaves

float partial[2][kRowTile][kOutputTile] = {};  // of this lane: partial sums lane and lane + kWarp
for (int chunk = 0; chunk < in; chunk += kPartialSums) {
  for (int half = 0; half < 2; ++half) {
    const int k = chunk + half * kWarp + lane;
    if (k >= in) continue;
    float w[kOutputTile];
    for (int o = 0; o < kOutputTile; ++o) {
      w[o] = to_float(weight[int64_t(min(first_output + o, out_width - 1)) * in + k]);
    }
    for (int r = 0; r < kRowTile; ++r) {
      const float element = first_row + r < rows ? x[int64_t(first_row + r) * in + k] : 0.0f;
      for (int o = 0; o < kOutputTile; ++o) partial[half][r][o] = fmaf(element, w[o], partial[half][r][o]);
    }
  }
}

for (int r = 0; r < kRowTile; ++r) {
  for (int o = 0; o < kOutputTile; ++o) {
    float sum = partial[0][r][o] + partial[1][r][o];
    for (int step = kWarp / 2; step > 0; step /= 2) sum += __shfl_xor_sync(0xFFFFFFFFu, sum, step);
    const bool exists = first_row + r < rows && first_output + o < out_width;
    if (lane == 0 && exists) out[int64_t(first_row + r) * out_width + first_output + o] = sum;
  }
}
// <<< LAB lab03.t1
