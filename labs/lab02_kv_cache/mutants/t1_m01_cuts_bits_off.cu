// must fail: lab02.t1.c1: keys, bits of the named slots
// The lower bits are cut off instead of rounded: half of all values are wrong by one.
// >>> LAB lab02.t1
const int64_t row = blockIdx.x;
const int64_t i = int64_t(blockIdx.y) * kThreads + threadIdx.x;
if (i >= width) return;
const int64_t from = row * width + i, to = slots[row] * width + i;
const auto cut = [](float value) {
  if constexpr (sizeof(T) == 2)
    return stagecraft::round_to<T>(stagecraft::float_from_bits(stagecraft::bits_of(value) & 0xFFFF0000u));
  if constexpr (sizeof(T) == 4) return value;
};
key_cache[to] = cut(keys[from]);
value_cache[to] = cut(values[from]);
// <<< LAB lab02.t1
