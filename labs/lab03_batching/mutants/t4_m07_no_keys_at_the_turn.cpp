// must fail: lab03.t4.c4: -1
// The turning point is that of the weights alone: a longer context never moves it.
// >>> LAB lab03.t4/turn
const int64_t arithmetic_of_row = kFlopPerParameter * model.parameters * machine.bytes_per_ns;
const int64_t reading_of_row = 0 * kv_length;
if (arithmetic_of_row <= reading_of_row) return kNever;
return divide_up(model.weight_bytes * machine.flop_per_ns, arithmetic_of_row - reading_of_row);
// <<< LAB lab03.t4/turn
