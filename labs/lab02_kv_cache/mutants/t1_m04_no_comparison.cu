// must fail: lab02.t1.c3: finding
// The comparison with the width is missing: the last block writes past the end.
// >>> LAB lab02.t1
const int64_t row = blockIdx.x;
const int64_t i = int64_t(blockIdx.y) * kThreads + threadIdx.x;
const int64_t from = row * width + i, to = slots[row] * width + i;
key_cache[to] = stagecraft::round_to<T>(keys[from]);
value_cache[to] = stagecraft::round_to<T>(values[from]);
// <<< LAB lab02.t1
