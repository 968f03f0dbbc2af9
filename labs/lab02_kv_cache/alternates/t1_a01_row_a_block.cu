// must pass: lab02.t1
// The blocks of one column of the grid do all: each thread walks over its row.
// >>> LAB lab02.t1
if (blockIdx.y > 0) return;
const int64_t from = int64_t(blockIdx.x) * width, to = slots[blockIdx.x] * width;
for (int i = int(threadIdx.x); i < width; i += kThreads) {
  key_cache[to + i] = stagecraft::round_to<T>(keys[from + i]);
  value_cache[to + i] = stagecraft::round_to<T>(values[from + i]);
}
// <<< LAB lab02.t1
