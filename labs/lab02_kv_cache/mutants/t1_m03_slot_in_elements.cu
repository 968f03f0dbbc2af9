// must fail: lab02.t1.c2: bits of the other slots
// The slot is taken for an element: rows lie over each other at the beginning, in slots of others.
// >>> LAB lab02.t1
const int64_t row = blockIdx.x;
const int64_t i = int64_t(blockIdx.y) * kThreads + threadIdx.x;
if (i >= width) return;
const int64_t from = row * width + i, to = slots[row] + i;
key_cache[to] = stagecraft::round_to<T>(keys[from]);
value_cache[to] = stagecraft::round_to<T>(values[from]);
// <<< LAB lab02.t1
