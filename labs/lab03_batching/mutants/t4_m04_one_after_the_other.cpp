// must fail: lab03.t4.c2: ns
// First all is read, then it is computed: the sum, not the longer.
// >>> LAB lab03.t4/time
const int64_t memory = divide_up(bytes_of(model, step), machine.bytes_per_ns);
const int64_t arithmetic = divide_up(flop_of(model, step), machine.flop_per_ns);
return memory + arithmetic;
// <<< LAB lab03.t4/time
