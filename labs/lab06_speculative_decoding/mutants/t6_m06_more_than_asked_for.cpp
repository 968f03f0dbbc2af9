// must fail: lab06.t6.c2: tokens
// One token too many where the whole draft is right: the cut forgets the target's own.
// >>> LAB lab06.t6
const int64_t generated = int64_t(request.tokens.size()) - request.prompt_tokens;
draft = draft.first(std::min(draft.size(), size_t(request.max_tokens - generated)));
const int64_t first = table.stored;
std::vector<Token> rows(request.tokens.begin() + first, request.tokens.end());
const size_t known = rows.size();
rows.insert(rows.end(), draft.begin(), draft.end());
reserve(table, pool, first + int64_t(rows.size()));
const std::vector<Token> drawn = target.call(rows, first, table);
table.stored = first + int64_t(rows.size());
for (size_t row = known - 1; row < rows.size(); ++row) {
  request.tokens.push_back(drawn[row]);
  const bool all = int64_t(request.tokens.size()) >= request.prompt_tokens + request.max_tokens;
  request.finished = all || drawn[row] == request.end_of_text;
  if (drawn[row] == request.end_of_text) break;
  if (row + 1 == rows.size() || rows[row + 1] != drawn[row]) break;
}
truncate(table, pool, int64_t(request.tokens.size()) - 1);
// <<< LAB lab06.t6
