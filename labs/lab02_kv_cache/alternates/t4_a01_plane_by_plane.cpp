// must pass: lab02.t4
// Plane by plane, and the rest by asking.
// >>> LAB lab02.t4/token
int64_t bytes = 0;
for (int plane = 0; plane < 2 * model.layers; ++plane)
  bytes += int64_t(model.kv_heads) * model.head_dim * bytes_of(model.kv_type);
return bytes;
// <<< LAB lab02.t4/token
// >>> LAB lab02.t4/fit
const int64_t weights = bytes_of(model.weight_type) * model.parameters;
return memory_bytes < weights ? 0 : (memory_bytes - weights) / kv_bytes_per_token(model);
// <<< LAB lab02.t4/fit
