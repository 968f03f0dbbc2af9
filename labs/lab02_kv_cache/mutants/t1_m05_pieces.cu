// must fail: lab02.t1.c4: sectors moved
// Each thread takes a run of neighbouring elements: a warp touches many sectors at a time.
// >>> LAB lab02.t1
if (blockIdx.y > 0) return;
const int64_t row = blockIdx.x;
const int piece = (width + kThreads - 1) / kThreads;
for (int k = 0; k < piece; ++k) {
  const int64_t i = int64_t(threadIdx.x) * piece + k;
  if (i >= width) return;
  key_cache[slots[row] * width + i] = stagecraft::round_to<T>(keys[row * width + i]);
  value_cache[slots[row] * width + i] = stagecraft::round_to<T>(values[row * width + i]);
}
// <<< LAB lab02.t1
