#include "stages/core/tokenizer/words.h"

#include <algorithm>
#include <array>
#include <utility>

#include "stages/core/tokenizer/part.h"

namespace stagecraft::tokenizer {

Words::Words(std::string text, bool at_start) : text_(std::move(text)), at_start_(at_start) {
  if (!text_.empty()) ranges_.push_back({0, text_.size()});
}

SplitBehavior parse_split_behavior(const JsonField& behavior) {
  constexpr std::array<std::pair<std::string_view, SplitBehavior>, 5> kNames = {{
      {"Removed", SplitBehavior::removed},
      {"Isolated", SplitBehavior::isolated},
      {"MergedWithPrevious", SplitBehavior::merged_with_previous},
      {"MergedWithNext", SplitBehavior::merged_with_next},
      {"Contiguous", SplitBehavior::contiguous},
  }};
  for (const auto& [name, value] : kNames) {
    if (behavior.text() == name) return value;
  }
  behavior.fail("must be Removed, Isolated, MergedWithPrevious, MergedWithNext or Contiguous", kUnsupportedHint);
}

namespace {

struct Section {
  Range range;
  bool separator;
};

/// The whole text as separators and what lies between them.
std::vector<Section> sections_of(size_t size, const std::vector<Range>& separators, bool invert) {
  std::vector<Section> sections;
  size_t end = 0;
  for (const Range& separator : separators) {
    if (separator.begin > end) sections.push_back({{end, separator.begin}, invert});
    sections.push_back({separator, !invert});
    end = separator.end;
  }
  if (end < size) sections.push_back({{end, size}, invert});
  return sections;
}

}  // namespace

std::vector<Range> split_pieces(size_t size, const std::vector<Range>& separators, bool invert,
                                SplitBehavior behavior) {
  std::vector<Section> sections = sections_of(size, separators, invert);
  const bool backwards = behavior == SplitBehavior::merged_with_next;
  if (backwards) std::reverse(sections.begin(), sections.end());

  std::vector<Range> pieces;
  bool after_separator = false;  // whether the section before this one was a separator
  for (const auto& [range, separator] : sections) {
    bool joins = false;  // the piece before this section
    if (behavior == SplitBehavior::contiguous) joins = separator == after_separator;
    if (behavior == SplitBehavior::merged_with_previous || backwards) joins = separator && !after_separator;
    after_separator = separator;
    if (behavior == SplitBehavior::removed && separator) continue;
    if (joins && !pieces.empty()) {
      pieces.back() = {std::min(pieces.back().begin, range.begin), std::max(pieces.back().end, range.end)};
    } else {
      pieces.push_back(range);
    }
  }
  if (backwards) std::reverse(pieces.begin(), pieces.end());
  return pieces;
}

}  // namespace stagecraft::tokenizer
