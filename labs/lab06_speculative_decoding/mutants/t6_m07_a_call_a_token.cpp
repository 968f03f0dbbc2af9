// must fail: lab06.t6.c4: target calls
// The draft is verified token by token, a call each: right, and nothing is gained.
// >>> LAB lab06.t6
for (size_t i = 0;; ++i) {
  const int64_t first = table.stored;
  const std::vector<Token> rows(request.tokens.begin() + first, request.tokens.end());
  reserve(table, pool, int64_t(request.tokens.size()));
  const Token next = target.call(rows, first, table).back();
  table.stored = int64_t(request.tokens.size());
  request.tokens.push_back(next);
  const bool all = int64_t(request.tokens.size()) == request.prompt_tokens + request.max_tokens;
  request.finished = all || next == request.end_of_text;
  if (request.finished || i >= draft.size() || draft[i] != next) break;
}
// <<< LAB lab06.t6
