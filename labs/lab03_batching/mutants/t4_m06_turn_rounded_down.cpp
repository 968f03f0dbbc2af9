// must fail: lab03.t4.c3: too few
// The turning point is rounded down: with so many rows memory is still the limit.
// >>> LAB lab03.t4/turn
const int64_t arithmetic_of_row = kFlopPerParameter * model.parameters * machine.bytes_per_ns;
const int64_t reading_of_row = kv_length * model.kv_bytes_per_token * machine.flop_per_ns;
if (arithmetic_of_row <= reading_of_row) return kNever;
return model.weight_bytes * machine.flop_per_ns / (arithmetic_of_row - reading_of_row);
// <<< LAB lab03.t4/turn
