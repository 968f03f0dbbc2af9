// must fail: lab05.t4.c3: lets in request
// The watermark is forgotten: a newcomer takes the last block.
// >>> LAB lab05.t4/lets_in
return store_.available_blocks() >= store_.blocks_needed(newcomer, int64_t(newcomer.tokens.size()));
// <<< LAB lab05.t4/lets_in
