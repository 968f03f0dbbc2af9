// must fail: lab03.t4.c2: ns
// Nanoseconds are rounded down.
// >>> LAB lab03.t4/time
const int64_t memory = bytes_of(model, step) / machine.bytes_per_ns;
const int64_t arithmetic = flop_of(model, step) / machine.flop_per_ns;
return std::max(memory, arithmetic);
// <<< LAB lab03.t4/time
