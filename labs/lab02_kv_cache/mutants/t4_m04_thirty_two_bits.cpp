// must fail: lab02.t4.c3: bytes read
// Bytes in 32 bits: gone beyond 2 GiB.
// >>> LAB lab02.t4/step
const int64_t weights = model.parameters * bytes_of(model.weight_type);
const int64_t per_token = kv_bytes_per_token(model);
return {weights + int32_t((step.first + step.rows) * per_token), step.rows* per_token};
// <<< LAB lab02.t4/step
