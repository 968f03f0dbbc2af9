// must fail: lab02.t1.c1: keys, bits of the named slots
// Row r goes to slot r: right only while nobody else has slots.
// >>> LAB lab02.t1
const int64_t row = blockIdx.x;
const int64_t i = int64_t(blockIdx.y) * kThreads + threadIdx.x;
if (i >= width) return;
const int64_t from = row * width + i, to = row * width + i;
key_cache[to] = stagecraft::round_to<T>(keys[from]);
value_cache[to] = stagecraft::round_to<T>(values[from]);
// <<< LAB lab02.t1
