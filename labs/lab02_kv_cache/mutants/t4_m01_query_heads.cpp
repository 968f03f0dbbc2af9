// must fail: lab02.t4.c1: bytes
// A key for each query head: as if no heads were shared.
// >>> LAB lab02.t4/token
constexpr int64_t kKeyAndValue = 2;
return kKeyAndValue * model.layers * model.heads * model.head_dim * bytes_of(model.kv_type);
// <<< LAB lab02.t4/token
