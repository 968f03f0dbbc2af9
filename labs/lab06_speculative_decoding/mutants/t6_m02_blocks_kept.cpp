// must fail: lab06.t6.c3: blocks held after step
// Only the count goes back: blocks that held nothing but wrong guesses are kept.
// >>> LAB lab06.t6
const int64_t generated = int64_t(request.tokens.size()) - request.prompt_tokens;
const int64_t most = request.max_tokens - generated - 1;
draft = draft.first(std::min(draft.size(), size_t(most)));
const int64_t first = table.stored;
std::vector<Token> rows(request.tokens.begin() + first, request.tokens.end());
const size_t known = rows.size();
rows.insert(rows.end(), draft.begin(), draft.end());
reserve(table, pool, first + int64_t(rows.size()));
const std::vector<Token> drawn = target.call(rows, first, table);
table.stored = first + int64_t(rows.size());
for (size_t row = known - 1; row < rows.size(); ++row) {
  request.tokens.push_back(drawn[row]);
  const bool all = int64_t(request.tokens.size()) == request.prompt_tokens + request.max_tokens;
  request.finished = all || drawn[row] == request.end_of_text;
  if (request.finished) break;
  if (row + 1 == rows.size() || rows[row + 1] != drawn[row]) break;
}
table.stored = int64_t(request.tokens.size()) - 1;
// <<< LAB lab06.t6
