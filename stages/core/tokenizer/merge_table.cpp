#include "stages/core/tokenizer/merge_table.h"

#include <string>
#include <string_view>
#include <utility>

#include "stages/core/tokenizer/part.h"

namespace stagecraft::tokenizer {
namespace {

using Pair = std::pair<std::string_view, std::string_view>;

/// The two pieces of `merge`; both empty where it is neither "left right" nor [left, right].
Pair pair_of(const nlohmann::json& merge) {
  if (merge.is_array() && merge.size() == 2 && merge[0].is_string() && merge[1].is_string()) {
    return {merge[0].get_ref<const std::string&>(), merge[1].get_ref<const std::string&>()};
  }
  if (!merge.is_string()) return {};
  const std::string_view text = merge.get_ref<const std::string&>();
  const size_t space = text.find(' ');
  if (space == text.npos || text.find(' ', space + 1) != text.npos) return {};
  return {text.substr(0, space), text.substr(space + 1)};
}

}  // namespace

MergeTable::MergeTable(const JsonField& merges, const Vocabulary& vocabulary) {
  const nlohmann::json& list = merges.array();
  merges_.reserve(list.size());
  std::string whole_text;
  for (size_t rank = 0; rank < list.size(); ++rank) {
    const auto [left_text, right_text] = pair_of(list[rank]);
    if (left_text.empty() || right_text.empty()) merges.at(rank).fail("must be \"left right\" or [left, right]");

    const auto id = [&](std::string_view piece) {
      const auto found = vocabulary.find(piece);
      if (!found)
        merges.at(rank).fail(fmt::format("must name pieces of the vocabulary, but {} is not one", in_quotes(piece)));
      return *found;
    };
    whole_text.assign(left_text).append(right_text);
    const TokenId left = id(left_text), right = id(right_text);
    merges_.insert_or_assign(key(left, right), Merge{int32_t(rank), id(whole_text)});
  }
}

}  // namespace stagecraft::tokenizer
