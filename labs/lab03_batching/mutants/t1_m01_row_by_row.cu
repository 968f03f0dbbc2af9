// must fail: lab03.t1.c4: sectors moved by loads
// The rows are the outer loop: each of them reads the weights again.
// >>> LAB lab03.t1
const int lane = int(threadIdx.x);
const int first_output = int(blockIdx.x * blockDim.y + threadIdx.y) * kOutputTile;
const int first_row = int(blockIdx.y) * kRowTile;
if (first_output >= out_width) return;
const int outputs = min(kOutputTile, out_width - first_output);
const int tile_rows = min(kRowTile, rows - first_row);
for (int r = 0; r < tile_rows; ++r) {
  float partial[2][kOutputTile] = {};
  for (int k = lane; k < in; k += kWarp) {
    const float element = x[int64_t(first_row + r) * in + k];
    for (int o = 0; o < outputs; ++o) {
      float& sum = partial[k / kWarp % 2][o];
      sum = fmaf(element, to_float(weight[int64_t(first_output + o) * in + k]), sum);
    }
  }
  for (int o = 0; o < outputs; ++o) {
    float sum = partial[0][o] + partial[1][o];
    for (int step = kWarp / 2; step > 0; step /= 2) sum += __shfl_xor_sync(0xFFFFFFFFu, sum, step);
    if (lane == 0) out[int64_t(first_row + r) * out_width + first_output + o] = sum;
  }
}
// <<< LAB lab03.t1
