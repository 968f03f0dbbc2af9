// must fail: lab05.t3.c4: it is known, and what it held is gone
// The cache still finds a block whose content is about to be overwritten.
// >>> LAB lab05.t3/take_block
if (pool.free_blocks() == 0 && pool.cached_blocks() > 0) pool.discard(pool.cached().front());
return pool.take_free();
// <<< LAB lab05.t3/take_block
