// must fail: lab02.t4.c2: tokens
// The whole memory for the cache: the weights are forgotten.
// >>> LAB lab02.t4/fit
const int64_t left = memory_bytes;
return std::max<int64_t>(left, 0) / kv_bytes_per_token(model);
// <<< LAB lab02.t4/fit
