// must fail: lab02.t4.c3: bytes read
// Only what was there before: but a row reads its own key, too, and those of its step.
// >>> LAB lab02.t4/step
const int64_t weights = model.parameters * bytes_of(model.weight_type);
const int64_t per_token = kv_bytes_per_token(model);
return {weights + step.first * per_token, step.rows* per_token};
// <<< LAB lab02.t4/step
