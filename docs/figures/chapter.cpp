#include "docs/figures/chapter.h"

#include <algorithm>
#include <optional>

#include "docs/figures/sentence.h"
#include "kernels/check.h"

namespace stagecraft::figures {
namespace {

constexpr const char* kSpaces = " \t\r\n";

/// `sentence` with the line breaks of `old`, if both have as many words; a text of several lines keeps its own.
std::string with_breaks_of(std::string_view old, const std::string& sentence) {
  if (sentence.find('\n') != std::string::npos) return sentence;
  const auto spaces = [](const std::string& text) { return std::count(text.begin(), text.end(), ' '); };
  if (spaces(in_one_line(old)) != spaces(sentence)) return sentence;
  std::string text;
  size_t at = 0;  // in old
  for (const char c : sentence) {
    if (c != ' ') {
      text += c;
      continue;
    }
    const size_t begin = old.find_first_of(kSpaces, at), end = old.find_first_not_of(kSpaces, begin);
    text += old.substr(begin, end - begin);
    at = end;
  }
  return text;
}

/// The old values, or none if one of them was never made.
std::optional<std::map<std::string, Value>> values_if_made(const Recipe& recipe, const Results& results) {
  try {
    return all_values(recipe, results);
  } catch (const BadInput&) {
    return std::nullopt;
  }
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
  const auto old_values = values_if_made(recipe, old_results);
  const auto new_values = all_values(recipe, new_results);
  Rewritten result{std::move(chapter), {}};
  for (const std::string& sentence : recipe.sentences) {
    const std::string before = old_values ? filled(sentence, *old_values) : sentence;
    const std::string after = filled(sentence, new_values);
    std::optional<Place> place = place_of(before, result.chapter);
    if (!place) place = place_of(sentence, result.chapter);
    if (place) {
      const std::string old = result.chapter.substr(place->begin, place->end - place->begin);
      if (in_one_line(old) == in_one_line(after)) continue;
      result.chapter.replace(place->begin, old.size(), with_breaks_of(old, after));
    } else if (!holds(result.chapter, after)) {
      result.not_found.push_back(before);
    }
  }
  return result;
}

}  // namespace stagecraft::figures
