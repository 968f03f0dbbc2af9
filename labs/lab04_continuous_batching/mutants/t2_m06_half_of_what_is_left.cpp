// must fail: lab04.t2.c4: steps
// A chunk is cut at half of what is left, so that others get some too: steps run half empty.
// >>> LAB lab04.t2/chunk
const int64_t tokens = std::min({request.pending(), request.pending() > 1 ? (left + 1) / 2 : left, max_chunk});
return {request.id, request.computed, tokens, tokens == request.pending()};
// <<< LAB lab04.t2/chunk
