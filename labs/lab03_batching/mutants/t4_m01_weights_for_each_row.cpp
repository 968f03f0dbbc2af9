// must fail: lab03.t4.c1: intensity
// Weights are counted once a row: then batching would save nothing.
// >>> LAB lab03.t4/bytes
return step.rows * model.weight_bytes + step.rows * step.kv_length * model.kv_bytes_per_token;
// <<< LAB lab03.t4/bytes
