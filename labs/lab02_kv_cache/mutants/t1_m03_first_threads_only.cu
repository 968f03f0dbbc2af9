// must fail: lab02.t1.c1: keys, bits of the named slots
// threadIdx.x alone as the element: what lies past the first block of a row is never stored.
// >>> LAB lab02.t1
const int64_t row = blockIdx.x;
const int64_t i = threadIdx.x;
if (i >= width) return;
const int64_t from = row * width + i, to = slots[row] * width + i;
key_cache[to] = stagecraft::round_to<T>(keys[from]);
value_cache[to] = stagecraft::round_to<T>(values[from]);
// <<< LAB lab02.t1
