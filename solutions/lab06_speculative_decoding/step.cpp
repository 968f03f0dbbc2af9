/// @file
/// Lab 6, task 6: one step of speculative decoding. The contract: labs/lab06_speculative_decoding/include/speculation.h.
#include <algorithm>

#include "labs/support/todo.h"
#include "speculation.h"

namespace lab06 {

void step(Request& request, BlockTable& table, Pool& pool, Target& target, std::span<const Token> draft) {
  // >>> LAB lab06.t6  about 24 lines   (edit only between the arrows)
  // TODO(lab06.t6): cut the draft; the rows are what is known and not stored, then the draft; reserve room and call the target;
  // append what is right and the target's own token; truncate to all tokens but the last.
  const int64_t generated = int64_t(request.tokens.size()) - request.prompt_tokens;
  const int64_t most = request.max_tokens - generated - 1;  // the last row gives a token anyway
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
    const bool guessed_right = row + 1 < rows.size() && rows[row + 1] == drawn[row];
    if (!guessed_right) break;
  }
  truncate(table, pool, int64_t(request.tokens.size()) - 1);
  // <<< LAB lab06.t6
}

}  // namespace lab06
