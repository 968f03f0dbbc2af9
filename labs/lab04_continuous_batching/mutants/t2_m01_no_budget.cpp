// must fail: lab04.t2.c1: tokens
// What is left of the budget is forgotten.
// >>> LAB lab04.t2/chunk
const int64_t tokens = std::min(request.pending(), max_chunk);
return {request.id, request.computed, tokens, tokens == request.pending()};
// <<< LAB lab04.t2/chunk
