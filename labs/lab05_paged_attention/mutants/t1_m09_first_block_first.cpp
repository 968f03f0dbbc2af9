// must fail: lab05.t1.c5: cached [
// Given back from the front: the beginning of a chain is evicted before its end, and what is left is of no use.
// >>> LAB lab05.t1/give_back
for (const BlockId block : table) pool.release(block, keep);
table.clear();
// <<< LAB lab05.t1/give_back
