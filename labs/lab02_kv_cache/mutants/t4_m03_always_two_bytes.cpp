// must fail: lab02.t4.c1: bytes
// Two bytes a number, whatever the type.
// >>> LAB lab02.t4/token
constexpr int64_t kKeyAndValue = 2;
return kKeyAndValue * model.layers * model.kv_heads * model.head_dim * 2;
// <<< LAB lab02.t4/token
