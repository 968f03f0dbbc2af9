// must fail: lab02.t4.c1: bytes
// Keys alone: the values are forgotten.
// >>> LAB lab02.t4/token
constexpr int64_t kKeyAndValue = 1;
return kKeyAndValue * model.layers * model.kv_heads * model.head_dim * bytes_of(model.kv_type);
// <<< LAB lab02.t4/token
