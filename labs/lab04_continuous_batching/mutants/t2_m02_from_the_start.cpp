// must fail: lab04.t2.c1: first
// Every chunk begins at the first token: the prompt is computed again and again.
// >>> LAB lab04.t2/chunk
const int64_t tokens = std::min({request.pending(), left, max_chunk});
return {request.id, 0, tokens, tokens == request.pending()};
// <<< LAB lab04.t2/chunk
