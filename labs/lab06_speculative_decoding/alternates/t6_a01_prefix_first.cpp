// must pass: lab06.t6
// First the length of the right prefix, then the end inside of it, then all is appended at once.
// >>> LAB lab06.t6
const int64_t end = request.prompt_tokens + request.max_tokens;
const auto room = size_t(end - int64_t(request.tokens.size()) - 1);
if (draft.size() > room) draft = draft.first(room);
const std::vector<Token> before = request.tokens;
std::vector<Token> rows(before.begin() + table.stored, before.end());
rows.insert(rows.end(), draft.begin(), draft.end());
reserve(table, pool, int64_t(before.size() + draft.size()));
const std::vector<Token> all = target.call(rows, table.stored, table);
const std::span<const Token> drawn = std::span(all).last(draft.size() + 1);
const auto wrong = std::mismatch(draft.begin(), draft.end(), drawn.begin()).first;
auto right = drawn.first(size_t(wrong - draft.begin()) + 1);
const auto ended = std::find(right.begin(), right.end(), request.end_of_text);
if (ended != right.end()) right = right.first(size_t(ended - right.begin()) + 1);
request.tokens.insert(request.tokens.end(), right.begin(), right.end());
request.finished = ended != right.end() || int64_t(request.tokens.size()) == end;
table.stored = int64_t(before.size() + draft.size());
truncate(table, pool, int64_t(request.tokens.size()) - 1);
// <<< LAB lab06.t6
