// must get nothing: lab06.t6
// The draft is the output, and the target is not asked.
// >>> LAB lab06.t6
for (const Token token : draft) {
  if (int64_t(request.tokens.size()) < request.prompt_tokens + request.max_tokens) request.tokens.push_back(token);
}
request.finished = int64_t(request.tokens.size()) == request.prompt_tokens + request.max_tokens;
table.stored = 0;
// <<< LAB lab06.t6
