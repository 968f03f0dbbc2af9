// must fail: lab05.t3.c3: length
// A prompt that is known to its end is not computed at all: there are no logits to draw from.
// >>> LAB lab05.t3/reuse
Reused reused{cache.match(tokens), 0};
reused.length = int64_t(reused.blocks.size()) * block_size;
return reused;
// <<< LAB lab05.t3/reuse
