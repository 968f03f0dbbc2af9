// must fail: lab04.t2.c2: logits
// Logits at every chunk: a token is drawn in the middle of the prompt.
// >>> LAB lab04.t2/chunk
const int64_t tokens = std::min({request.pending(), left, max_chunk});
return {request.id, request.computed, tokens, tokens > 0};
// <<< LAB lab04.t2/chunk
