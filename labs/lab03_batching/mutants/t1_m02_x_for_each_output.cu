// must fail: lab03.t1.c4: sectors moved by loads
// The outputs are the outer loop: weights are read once, but each output reads x again.
// >>> LAB lab03.t1
const int lane = int(threadIdx.x);
const int first_output = int(blockIdx.x * blockDim.y + threadIdx.y) * kOutputTile;
const int first_row = int(blockIdx.y) * kRowTile;
if (first_output >= out_width) return;
const int outputs = min(kOutputTile, out_width - first_output);
const int tile_rows = min(kRowTile, rows - first_row);
for (int o = 0; o < outputs; ++o) {
  float partial[2][kRowTile] = {};
  for (int k = lane; k < in; k += kWarp) {
    const float w = to_float(weight[int64_t(first_output + o) * in + k]);
    for (int r = 0; r < tile_rows; ++r) {
      float& sum = partial[k / kWarp % 2][r];
      sum = fmaf(x[int64_t(first_row + r) * in + k], w, sum);
    }
  }
  for (int r = 0; r < tile_rows; ++r) {
    float sum = partial[0][r] + partial[1][r];
    for (int step = kWarp / 2; step > 0; step /= 2) sum += __shfl_xor_sync(0xFFFFFFFFu, sum, step);
    if (lane == 0) out[int64_t(first_row + r) * out_width + first_output + o] = sum;
  }
}
// <<< LAB lab03.t1
