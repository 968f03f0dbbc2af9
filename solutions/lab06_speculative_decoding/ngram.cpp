/// @file
/// Lab 6, task 3: guess what followed last time. The contract: labs/lab06_speculative_decoding/include/speculation.h.
#include <algorithm>

#include "labs/support/todo.h"
#include "speculation.h"

namespace lab06 {
namespace {

/// The n tokens of `text` that end at position `last`.
std::vector<Token> ngram(const Text& text, int64_t last, int64_t n) {
  std::vector<Token> tokens;
  for (int64_t position = last - n + 1; position <= last; ++position) tokens.push_back(text[position]);
  return tokens;
}

/// Makes known which n-grams occur, and where last; those that end at the last token are left out.
void catch_up(const Text& text, NgramIndex& index, const NgramLimits& limits) {
  // >>> LAB lab06.t3/index  about 6 lines   (edit only between the arrows)
  // TODO(lab06.t3): for each position that is not indexed yet and has a token behind it: put the n-grams that end there into
  // index.latest, with what propose will need.
  const int64_t last = text.size() - 1;  // nothing has followed it
  for (; index.indexed < last; ++index.indexed) {
    const int64_t longest = std::min<int64_t>(limits.max_match, index.indexed + 1);
    for (int64_t n = limits.min_match; n <= longest; ++n) {
      index.latest[ngram(text, index.indexed, n)] = index.indexed + 1;  // the position of what followed
    }
  }
  // <<< LAB lab06.t3/index
}

}  // namespace

std::vector<Token> propose(const Text& text, NgramIndex& index, const NgramLimits& limits, int length) {
  catch_up(text, index, limits);
  // >>> LAB lab06.t3/propose  about 14 lines   (edit only between the arrows)
  // TODO(lab06.t3): look up the text's suffixes, the longest first; then copy `length` tokens from behind the occurrence, and
  // at the end of the text go on with the draft itself.
  const int64_t last = text.size() - 1;
  auto found = index.latest.end();
  for (int64_t n = std::min<int64_t>(limits.max_match, last); n >= limits.min_match; --n) {
    found = index.latest.find(ngram(text, last, n));
    if (found != index.latest.end()) break;
  }
  std::vector<Token> draft;
  if (found == index.latest.end()) return draft;
  for (int64_t position = found->second; int(draft.size()) < length; ++position) {
    const bool inside = position < text.size();
    draft.push_back(inside ? text[position] : draft[size_t(position - text.size())]);
  }
  return draft;
  // <<< LAB lab06.t3/propose
}

}  // namespace lab06
