// must fail: lab03.t4.c1: intensity
// Keys and values are counted once a step: but every row reads those of its own request.
// >>> LAB lab03.t4/bytes
return model.weight_bytes + step.kv_length * model.kv_bytes_per_token;
// <<< LAB lab03.t4/bytes
