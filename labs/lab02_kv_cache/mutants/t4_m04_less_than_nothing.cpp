// must fail: lab02.t4.c2: tokens
// A negative number of tokens where the weights alone do not fit.
// >>> LAB lab02.t4/fit
const int64_t left = memory_bytes - model.parameters * bytes_of(model.weight_type);
return left / kv_bytes_per_token(model);
// <<< LAB lab02.t4/fit
