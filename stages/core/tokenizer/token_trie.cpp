#include "stages/core/tokenizer/token_trie.h"

namespace stagecraft::tokenizer {

void TokenTrie::add(std::string_view text, size_t value) {
  size_t node = 0;
  for (const char byte : text) {
    size_t next = child(node, byte);
    if (next == kNone) {
      next = nodes_.size();
      nodes_[node].children.emplace_back(byte, next);
      nodes_.emplace_back();
    }
    node = next;
  }
  if (!nodes_[node].value) nodes_[node].value = value;
}

std::optional<TokenTrie::Match> TokenTrie::longest_at(std::string_view text, size_t at) const {
  std::optional<Match> longest;
  size_t node = 0;
  for (size_t end = at; end < text.size(); ++end) {
    node = child(node, text[end]);
    if (node == kNone) break;
    if (nodes_[node].value) longest = Match{end + 1 - at, *nodes_[node].value};
  }
  return longest;
}

size_t TokenTrie::child(size_t node, char byte) const {
  for (const auto& [label, next] : nodes_[node].children) {
    if (label == byte) return next;
  }
  return kNone;
}

}  // namespace stagecraft::tokenizer
