// must fail: lab06.t5.c2: speed-up
// The pass that verifies is taken for as cheap as one of one row.
// >>> LAB lab06.t5/speed_up
return tokens_per_call(acceptance, length) / (length * cost.draft_token + 1.0);
// <<< LAB lab06.t5/speed_up
