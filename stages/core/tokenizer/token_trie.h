#pragma once
/// @file
/// Finds the longest of a set of strings that begins at a place of a text.
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace stagecraft::tokenizer {

class TokenTrie {
 public:
  struct Match {
    size_t bytes;
    size_t value;
  };

  /// Adds `text`, which must not be empty. Of two equal texts the first counts.
  void add(std::string_view text, size_t value);

  /// The longest string of the set with which `text` goes on at `at`.
  std::optional<Match> longest_at(std::string_view text, size_t at) const;

 private:
  struct Node {
    std::vector<std::pair<char, size_t>> children;  // byte, node; few, so that a search in order is fastest
    std::optional<size_t> value;
  };
  static constexpr size_t kNone = size_t(-1);

  size_t child(size_t node, char byte) const;

  std::vector<Node> nodes_ = std::vector<Node>(1);
};

}  // namespace stagecraft::tokenizer
