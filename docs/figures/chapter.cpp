#include "docs/figures/chapter.h"

#include <cctype>

#include "docs/figures/sentence.h"

namespace stagecraft::figures {
namespace {

struct Found {
  size_t begin, end;
};

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

/// The end of `words` in `chapter` if they stand at `begin`, with any white space for each of their single spaces.
size_t end_of(std::string_view chapter, size_t begin, std::string_view words) {
  size_t at = begin;
  for (const char c : words) {
    if (c != ' ') {
      if (at == chapter.size() || chapter[at] != c) return std::string_view::npos;
      ++at;
    } else {
      if (at == chapter.size() || !is_space(chapter[at])) return std::string_view::npos;
      while (at < chapter.size() && is_space(chapter[at])) ++at;
    }
  }
  return at;
}

/// Where `chapter` has these words; an empty range at npos if nowhere.
Found find_words(std::string_view chapter, const std::string& words) {
  for (size_t begin = chapter.find(words[0]); begin != std::string_view::npos;
       begin = chapter.find(words[0], begin + 1)) {
    const size_t end = end_of(chapter, begin, words);
    if (end != std::string_view::npos) return {begin, end};
  }
  return {std::string_view::npos, std::string_view::npos};
}

}  // namespace

std::vector<std::string> missing_sentences(const Recipe& recipe, const Results& results, std::string_view chapter) {
  const auto values = all_values(recipe, results);
  std::vector<std::string> missing;
  for (const std::string& sentence : recipe.sentences) {
    const std::string text = filled(sentence, values);
    if (!holds(chapter, text)) missing.push_back(text);
  }
  return missing;
}

Rewritten rewritten(const Recipe& recipe, const Results& old_results, const Results& new_results, std::string chapter) {
  const auto old_values = all_values(recipe, old_results), new_values = all_values(recipe, new_results);
  Rewritten result{std::move(chapter), {}};
  for (const std::string& sentence : recipe.sentences) {
    const std::string before = in_one_line(filled(sentence, old_values)), after = filled(sentence, new_values);
    if (before == in_one_line(after)) continue;
    const Found found = find_words(result.chapter, before);
    if (found.begin == std::string::npos) {
      result.not_found.push_back(before);
    } else {
      result.chapter.replace(found.begin, found.end - found.begin, after);
    }
  }
  return result;
}

}  // namespace stagecraft::figures
