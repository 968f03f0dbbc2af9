// must get nothing: lab03.t1
// Elements of x for outputs.
// >>> LAB lab03.t1
const int o = int(blockIdx.x * blockDim.y + threadIdx.y) * kOutputTile + int(threadIdx.x);
for (int r = int(blockIdx.y) * kRowTile; r < min(rows, (int(blockIdx.y) + 1) * kRowTile); ++r) {
  if (int(threadIdx.x) < kOutputTile && o < out_width) out[r * out_width + o] = x[r * in + o % in];
}
// <<< LAB lab03.t1
