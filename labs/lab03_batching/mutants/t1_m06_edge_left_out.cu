// must fail: lab03.t1.c2: out[
// A tile that reaches over the last output is left out.
// >>> LAB lab03.t1
const int lane = int(threadIdx.x);
const int first_output = int(blockIdx.x * blockDim.y + threadIdx.y) * kOutputTile;
const int first_row = int(blockIdx.y) * kRowTile;
if (first_output + kOutputTile > out_width) return;  // the whole warp leaves
const int outputs = min(kOutputTile, out_width - first_output);
const int tile_rows = min(kRowTile, rows - first_row);

float partial[2][kRowTile][kOutputTile] = {};  // of this lane: partial sums lane and lane + kWarp
for (int chunk = 0; chunk < in; chunk += kPartialSums) {
  for (int half = 0; half < 2; ++half) {
    const int k = chunk + half * kWarp + lane;
    if (k >= in) continue;
    float w[kOutputTile];
    for (int o = 0; o < outputs; ++o) w[o] = to_float(weight[int64_t(first_output + o) * in + k]);
    for (int r = 0; r < tile_rows; ++r) {
      const float element = x[int64_t(first_row + r) * in + k];
      for (int o = 0; o < outputs; ++o) partial[half][r][o] = fmaf(element, w[o], partial[half][r][o]);
    }
  }
}

for (int r = 0; r < tile_rows; ++r) {
  for (int o = 0; o < outputs; ++o) {
    float sum = partial[0][r][o] + partial[1][r][o];
    for (int step = kWarp / 2; step > 0; step /= 2) sum += __shfl_xor_sync(0xFFFFFFFFu, sum, step);
    if (lane == 0) out[int64_t(first_row + r) * out_width + first_output + o] = sum;
  }
}
// <<< LAB lab03.t1
