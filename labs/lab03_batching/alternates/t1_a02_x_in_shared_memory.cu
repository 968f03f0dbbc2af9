// must pass: lab03.t1
// The block's four warps share 64 elements of each of their rows in shared memory, so x is loaded once for 16 outputs.
// >>> LAB lab03.t1
__shared__ float staged[kRowTile][kPartialSums];
const int lane = int(threadIdx.x), warp = int(threadIdx.y);
const int first_output = (int(blockIdx.x) * kWarps + warp) * kOutputTile;
const int first_row = int(blockIdx.y) * kRowTile;
float low[kRowTile][kOutputTile] = {}, high[kRowTile][kOutputTile] = {};
for (int chunk = 0; chunk < in; chunk += kPartialSums) {
  __syncthreads();  // nobody reads the last chunk any more
  for (int i = warp * kWarp + lane; i < kRowTile * kPartialSums; i += kWarps * kWarp) {
    const int r = i / kPartialSums, k = i % kPartialSums;
    const bool exists = first_row + r < rows && chunk + k < in;
    staged[r][k] = exists ? x[int64_t(first_row + r) * in + chunk + k] : 0.0f;
  }
  __syncthreads();
  for (int o = 0; o < kOutputTile; ++o) {
    if (first_output + o >= out_width) break;
    const bf16* row = weight + int64_t(first_output + o) * in + chunk;
    const bool has_low = chunk + lane < in, has_high = chunk + kWarp + lane < in;
    const float first = has_low ? to_float(row[lane]) : 0.0f, second = has_high ? to_float(row[kWarp + lane]) : 0.0f;
    for (int r = 0; r < kRowTile; ++r) {
      if (has_low) low[r][o] = fmaf(staged[r][lane], first, low[r][o]);
      if (has_high) high[r][o] = fmaf(staged[r][kWarp + lane], second, high[r][o]);
    }
  }
}
for (int r = 0; r < kRowTile; ++r) {
  for (int o = 0; o < kOutputTile; ++o) {
    float sum = low[r][o] + high[r][o];
    for (int step = kWarp / 2; step > 0; step /= 2) sum += __shfl_xor_sync(0xFFFFFFFFu, sum, step);
    const bool exists = first_row + r < rows && first_output + o < out_width;
    if (lane == 0 && exists) out[int64_t(first_row + r) * out_width + first_output + o] = sum;
  }
}
// <<< LAB lab03.t1
