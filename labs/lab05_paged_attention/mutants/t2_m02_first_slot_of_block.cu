// must fail: lab05.t2.c1: bits of keys
// Where in its block a position lies is forgotten.
// >>> LAB lab05.t2/slot
return int64_t(table[position >> block_shift]) << block_shift;
// <<< LAB lab05.t2/slot
