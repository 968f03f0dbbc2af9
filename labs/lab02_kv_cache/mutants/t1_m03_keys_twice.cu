// must fail: lab02.t1.c1: values, bits of the named slots
// The keys go to both: it compiles, and the text is still fluent nonsense.
// >>> LAB lab02.t1
const int64_t row = blockIdx.x;
const int64_t i = int64_t(blockIdx.y) * kThreads + threadIdx.x;
if (i >= width) return;
const int64_t from = row * width + i, to = slots[row] * width + i;
key_cache[to] = stagecraft::round_to<T>(keys[from]);
value_cache[to] = stagecraft::round_to<T>(keys[from]);
// <<< LAB lab02.t1
